/**
 * The command line: `deno run --no-config --allow-read=. jsr:@x/pathgrep/cli PATTERN [PATH…]`.
 *
 * @module
 */
import { main } from "./src/cli/main.ts";

if (import.meta.main) Deno.exit(await main(Deno.args));
