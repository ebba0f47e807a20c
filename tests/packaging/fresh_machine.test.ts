/**
 * The tests on a machine that does not have all the programs that some of them need.
 *
 * @module
 */

import assert from "node:assert/strict";
import { CHECKOUT } from "../support/run.ts";
import { tempTree } from "../support/tree.ts";

Deno.test("tests that need a program that is missing are ignored, and say so", async () => {
  await using bin = await tempTree();
  const { code, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: [
      ...["test", "-A", "--no-check", "tests/packaging/completions.test.ts"],
      ...["tests/cli/terminal.test.ts", "tests/hostile/exchanges.test.ts"],
      ...["tests/hostile/exchanged_caches.test.ts"],
    ],
    cwd: CHECKOUT,
    env: { PATH: bin.root, NO_COLOR: "1" },
  }).output();
  const said = new TextDecoder().decode(stdout) + new TextDecoder().decode(stderr);
  assert.equal(code, 0, said);
  assert.match(said, /^bash completes .* \(needs script\) \.\.\. ignored/m);
  assert.match(said, /^fish completes .* \(needs script and fish\) \.\.\. ignored/m);
  assert.match(
    said,
    /^text is coloured at a terminal, and only there \(needs script\) \.\.\. ign/m,
  );
  assert.match(said, /^a verified searcher keeps nothing .* \(needs perl\) \.\.\. ignored/m);
  assert.match(said, /^ok \| 1 passed \| 0 failed \| \d+ ignored/m);
});

Deno.test("no test spawns a program that a machine may not have without saying so", async () => {
  const spawns = /Command\("(?:fish|perl|script|setpriv|zsh)"|from "[./a-z]+\/exchanges\.ts"/;
  let found = 0;
  for (const file of await testFiles()) {
    const text = await Deno.readTextFile(file);
    if (!spawns.test(text)) continue;
    found++;
    assert.match(text, /testNeeding\("/, file);
  }
  assert.ok(found > 5);
});

/** All test files. */
async function testFiles(directory = `${CHECKOUT}tests`): Promise<string[]> {
  const files: string[] = [];
  for await (const { name, isDirectory } of Deno.readDir(directory)) {
    const path = `${directory}/${name}`;
    if (isDirectory) files.push(...await testFiles(path));
    else if (name.endsWith(".test.ts")) files.push(path);
  }
  return files;
}

Deno.test("the gate runs the README's command, adds the counts up, and fails if a test was ignored", async () => {
  const gate = async (closing: string, status: number) => {
    await using machine = await tempTree({
      ".ci/run": await Deno.readTextFile(`${CHECKOUT}.ci/run`),
      "README.md": await Deno.readTextFile(`${CHECKOUT}README.md`),
      "bin/npx": `#!/bin/sh\necho "ran npx $*"\necho '${closing}'\nexit ${status}\n`,
    });
    // Every program is there, so that nothing is installed.
    for (const name of ["zsh", "fish", "perl", "script", "setpriv", "lowntfs-3g", "npx"]) {
      if (name !== "npx") await machine.write({ [`bin/${name}`]: "#!/bin/sh\n" });
      await Deno.chmod(machine.path(`bin/${name}`), 0o755);
    }
    const { code, stdout } = await new Deno.Command("bash", {
      args: [machine.path(".ci/run")],
      env: { PATH: `${machine.path("bin")}:${Deno.env.get("PATH")}` },
    }).output();
    const lines = new TextDecoder().decode(stdout).trimEnd().split("\n");
    assert.equal(lines[0], "ran npx -y deno@2.9.6 task test");
    return [code, ...lines.slice(-1)];
  };
  const two = "ok | 12 passed (3 steps) | 0 failed (2s)\nok | 30 passed | 0 failed (1m2s)";
  assert.deepEqual(await gate(two, 0), [0, "42 passed, 0 failed"]);
  const ignored = "ok | 12 passed | 0 failed | 2 ignored (2s)\nok | 30 passed | 0 failed (1s)";
  assert.deepEqual(await gate(ignored, 0), [1, "42 passed, 1 failed"]);
  const failed = "FAILED | 12 passed | 3 failed (1 step) (2s)";
  assert.deepEqual(await gate(failed, 1), [1, "12 passed, 3 failed"]);
  assert.deepEqual(await gate("error: nothing was run", 1), [1, "0 passed, 1 failed"]);
});
