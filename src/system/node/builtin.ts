/**
 * Node.js' own modules, loaded where they are needed. An `import` of one also loads what its properties lead to:
 * that of `node:process`, streams; of `node:fs`, those and promises.
 *
 * @module
 */

import { createRequire } from "node:module";

type Builtin = typeof process.getBuiltinModule;

/** Node.js before 22.3 lacks the function. */
export const builtin: Builtin = process.getBuiltinModule ??
  createRequire(process.execPath) as Builtin;
