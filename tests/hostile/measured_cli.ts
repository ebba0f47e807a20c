/**
 * The command line, followed by the most memory that its process held at any time, in bytes, as the
 * last line on standard error.
 *
 * @module
 */

import { main } from "../../src/cli/main.ts";

const code = await main(Deno.args);
const peak = /^VmHWM:\s+(?<kilobytes>\d+) kB$/m.exec(await Deno.readTextFile("/proc/self/status"));
console.error(Number(peak!.groups!["kilobytes"]) * 1024);
Deno.exit(code);
