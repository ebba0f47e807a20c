/**
 * The command line: `deno run --no-config --allow-read=. jsr:@x/pathgrep/cli PATTERN [PATH…]`.
 *
 * @module
 */
import { ARGUMENTS } from "./src/system/platform.ts";

if (import.meta.main) {
  const event = ARGUMENTS[0] === "hook"
    ? await (await import("./src/cli/hook_start.ts")).searchEvent(ARGUMENTS)
    : undefined;
  const { runCommandLine } = await import("./src/cli/main.ts");
  await runCommandLine(event);
}
