/**
 * The tests on a machine that does not have all the programs that some of them need.
 *
 * @module
 */

import assert from "node:assert/strict";
import { CHECKOUT } from "../support/run.ts";
import { spawn } from "../support/spawn.ts";
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
  assert.match(said, /^a verified searcher keeps nothing .* \(needs perl\) ⏱ \.\.\. ignored/m);
  assert.match(said, /^ok \| 2 passed \| 0 failed \| \d+ ignored/m);
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

/** What a stand-in for npx says, and with which status, when it is to run a task or a program. */
interface Said {
  everyday: string;
  slow?: string;
  node?: string;
  status?: number;
  pace?: number;
}

Deno.test("the gate runs the README's command and what that leaves, and adds the counts up", async () => {
  const gate = async ({ everyday, slow = "", node = "", status = 0, pace = 0 }: Said) => {
    await using machine = await tempTree({
      ".ci/run": await Deno.readTextFile(`${CHECKOUT}.ci/run`),
      "README.md": await Deno.readTextFile(`${CHECKOUT}README.md`),
      "bin/npx": `#!/bin/sh
echo "ran npx $*"
case "$*" in
*test:slow) echo '${slow}'; exit 0;;
*test:node) echo '${node}'; exit 0;;
*pace.ts*) exit ${pace};;
*) echo '${everyday}'; exit ${status};;
esac
`,
    });
    // Every program is there, so that nothing is installed.
    for (const name of ["zsh", "fish", "perl", "script", "setpriv", "ugrep", "lowntfs-3g", "npx"]) {
      if (name !== "npx") await machine.write({ [`bin/${name}`]: "#!/bin/sh\n" });
      await Deno.chmod(machine.path(`bin/${name}`), 0o755);
    }
    const { code, stdout } = await spawn("bash", [machine.path(".ci/run")], {
      env: { PATH: `${machine.path("bin")}:${Deno.env.get("PATH")}` },
    });
    const lines = stdout.trimEnd().split("\n");
    assert.equal(lines[0], "ran npx -y deno@2.9.6 task test");
    for (const task of ["test:slow", "test:node"]) {
      assert.ok(lines.includes(`ran npx -y deno@2.9.6 task ${task}`));
    }
    assert.match(stdout, /^ran npx -y deno@2\.9\.6 run -A tests\/pace\.ts \S+$/m);
    return [code, ...lines.slice(-1)];
  };
  const everyday = "ok | 12 passed (3 steps) | 0 failed (2s)\nok | 30 passed | 0 failed (1m2s)";
  const slow = "ok | 5 passed | 0 failed | 42 filtered out (1m2s)";
  assert.deepEqual(await gate({ everyday }), [0, "42 passed, 0 failed"]);
  assert.deepEqual(await gate({ everyday, slow }), [0, "47 passed, 0 failed"]);
  const node = "ok | 7 passed (1 step) | 0 failed (9s)\nok | 8 passed | 0 failed (9s)";
  assert.deepEqual(await gate({ everyday, slow, node }), [0, "62 passed, 0 failed"]);
  // That tests are slow is only said.
  assert.deepEqual(await gate({ everyday, slow, pace: 1 }), [0, "47 passed, 0 failed"]);
  const ignored = "ok | 12 passed | 0 failed | 2 ignored (2s)\nok | 30 passed | 0 failed (1s)";
  assert.deepEqual(await gate({ everyday: ignored }), [1, "42 passed, 1 failed"]);
  assert.deepEqual(await gate({ everyday, slow: ignored }), [1, "84 passed, 1 failed"]);
  const failed = "FAILED | 12 passed | 3 failed (1 step) (2s)";
  assert.deepEqual(await gate({ everyday: failed, slow, status: 1 }), [1, "17 passed, 3 failed"]);
  const nothing = "error: nothing was run";
  assert.deepEqual(await gate({ everyday: nothing, status: 1 }), [1, "0 passed, 1 failed"]);
});
