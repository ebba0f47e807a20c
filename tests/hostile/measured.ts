/**
 * Runs the command line in a process of its own, whose memory is measured.
 *
 * @module
 */

import assert from "node:assert/strict";
import { CHECKOUT } from "../support/run.ts";

export const MEGABYTE: number = 1 << 20;

/** Runs the command line, and says what it wrote and how much memory it took. */
export async function measured(
  root: string,
  args: readonly string[],
  input?: Iterable<Uint8Array>,
) {
  const started = performance.now();
  const child = new Deno.Command(Deno.execPath(), {
    args: [
      ...["run", "-A", "--quiet", "--no-check", `${CHECKOUT}tests/hostile/measured_cli.ts`],
      ...["--workspace", root, ...args],
    ],
    env: { NO_COLOR: "1" },
    stdin: input === undefined ? "null" : "piped",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  const output = child.output();
  if (input !== undefined) await ReadableStream.from(input).pipeTo(child.stdin);
  const { code, stdout, stderr } = await output;
  const lines = new TextDecoder().decode(stderr).trimEnd().split("\n");
  const peak = Number(lines.pop());
  assert.ok(peak > 0, lines.join("\n"));
  if (Deno.env.has("FLOOD_FIGURES")) {
    const took = Math.round(performance.now() - started);
    console.log(Math.round(peak / MEGABYTE), "MB", took, "ms", args.join(" "));
  }
  return { code, out: new TextDecoder().decode(stdout), errors: lines.join("\n"), peak };
}
