/**
 * The example in `examples/agent_loop`, run as a reader runs it.
 *
 * @module
 */

import assert from "node:assert/strict";
import { CHECKOUT } from "../support/run.ts";

Deno.test("the example of a tool loop heals each path mistake, or answers it with the fix", async () => {
  const { code, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["run", "--no-prompt", "--allow-read", "examples/agent_loop/main.ts"],
    cwd: CHECKOUT,
  }).output();
  const text = new TextDecoder().decode(stdout);
  assert.equal(code, 0, text + new TextDecoder().decode(stderr));
  const project = `${await Deno.realPath(CHECKOUT)}/examples/agent_loop/project`;
  const turns = new Map(
    text.split(/^(?=\S)/mu).filter((turn) => turn.includes("\n  answer: ")).map((turn) => {
      const [says = ""] = turn.split("\n", 1);
      return [says, JSON.parse(/^ {2}answer: (.*)$/m.exec(turn)![1]!) as Record<string, unknown>];
    }),
  );
  const answer = (says: string) => turns.get(says)!;
  assert.equal(turns.size, 10);
  const file = answer("A file where a directory was expected");
  assert.deepEqual([file["base_path"], file["count"]], [`${project}/src/app.ts`, 1]);
  assert.deepEqual(answer("A relative sub-path")["names"], ["paths.ts"]);
  const suggestions = ["crates/agent/src/lib.rs", "crates/tools/src/lib.rs"];
  assert.deepEqual(answer("A short name")["suggestions"], suggestions);
  assert.equal(answer("One of the suggestions, as it stands")["count"], 1);
  assert.match(String(answer("A trailing newline")["text"]), /^# Guide/);
  assert.match(text, /log: Resolved path 'docs\/guide\.md\\n' to '\/.*\/docs\/guide\.md'/);
  const elsewhere = answer("An absolute path from another checkout");
  assert.equal(elsewhere["code"], "path_outside_workspace");
  assert.deepEqual(elsewhere["suggestions"], ["src/utils/paths.ts"]);
  assert.equal(answer("The part of it that is here")["count"], 1);
  const read = answer("Keys of another tool");
  assert.deepEqual([read["count"], (read["notes"] as string[]).length], [1, 2]);
  assert.equal(answer("Keys that may mean two things")["code"], "invalid_input");
  assert.equal(answer("The keys that the error names")["count"], 2);
  assert.match(text, /\nDone\.\n$/);
});
