/**
 * The command line: `deno run --no-config --allow-read=. jsr:@x/pathgrep/cli PATTERN [PATH…]`.
 *
 * @module
 */
import { runCommandLine } from "./src/cli/main.ts";

if (import.meta.main) await runCommandLine();
