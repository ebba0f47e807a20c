/**
 * The system in Node.js. Each module has what the one of the same name in the folder above needs.
 *
 * @module
 */

export { builtin } from "./builtin.ts";
export * as files from "./files.ts";
export * as platform from "./platform.ts";
export * as text from "./text.ts";
