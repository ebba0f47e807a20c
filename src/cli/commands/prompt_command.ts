/**
 * `pathgrep prompt`: what an agent's system prompt may say about paths.
 *
 * @module
 */
import { systemPrompt } from "../../tools/system_prompt.ts";
import { refuseOperands } from "./no_operands.ts";
import { stdout } from "../output.ts";
import type { Settings } from "../options/settings.ts";

/** Writes the paragraph. */
export function run(_settings: Settings, operands: readonly string[]): Promise<number> {
  refuseOperands("prompt", operands);
  stdout.write(systemPrompt() + "\n");
  return Promise.resolve(0);
}
