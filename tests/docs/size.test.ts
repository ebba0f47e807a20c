/**
 * Ceilings. A change that raises one says in its commit's body what it is worth; one that leaves much room
 * below a ceiling lowers it.
 *
 * @module
 */

import assert from "node:assert/strict";
import { Resident } from "../resident/resident.ts";
import { CHECKOUT } from "../support/run.ts";
import { tempTree } from "../support/tree.ts";
import { test } from "../support/needs.ts";

/** Lines of everything in `src`. */
const MAX_LINES = 49_293;
/** Files in `src`: what is read together is one. */
const MAX_FILES = 193;
/** Modules that run in a search of one file, from the command line. */
const MAX_MODULES = 60;
/** The same where an agent's hook has nothing to answer. */
const MAX_HOOK = 8;
/** The same where a resident search answers. */
const MAX_ASKING = 30;

Deno.test(`the source has at most ${MAX_LINES} lines, in ${MAX_FILES} files`, async () => {
  let [lines, files] = [0, 0];
  const count = async (directory: string) => {
    for await (const { name, isDirectory } of Deno.readDir(directory)) {
      const path = `${directory}/${name}`;
      if (isDirectory) await count(path);
      else if (name.endsWith(".ts")) {
        files++;
        lines += (await Deno.readTextFile(path)).split("\n").length - 1;
      }
    }
  };
  await count(`${CHECKOUT}src`);
  assert.ok(lines > MAX_LINES / 2 && lines <= MAX_LINES, `${lines} lines`);
  assert.ok(files > MAX_FILES / 2 && files <= MAX_FILES, `${files} files`);
});

const url = (path: string) => JSON.stringify(`file://${CHECKOUT}${path}`);

/** The modules that run in a search of a directory with one file. */
function modulesRun(
  directory: string,
  args: readonly string[],
  env: Record<string, string> = {},
): Promise<Set<string>> {
  const script = `const { main } = await import(${url("src/cli/main.ts")});
    const status = await main(${JSON.stringify(args)});
    if (status !== 0) throw new Error("status " + status);`;
  return modulesOf(script, directory, env);
}

/** The modules that run in a script. */
async function modulesOf(
  script: string,
  directory: string,
  env: Record<string, string> = {},
): Promise<Set<string>> {
  await Deno.writeTextFile(`${directory}/a.txt`, "TODO\n");
  const coverage = await Deno.makeTempDir();
  try {
    // Coverage is lost with Deno.exit, which cli.ts ends with.
    await Deno.writeTextFile(
      `${coverage}/search.ts`,
      `Deno.exit = () => {}; await import(${url("cli.ts")});\n${script}`,
    );
    const flags = ["-A", "--no-config", "--no-check", `--coverage=${coverage}/found`];
    const { success, stderr } = await new Deno.Command(Deno.execPath(), {
      args: ["run", ...flags, `${coverage}/search.ts`],
      cwd: directory,
      env,
      stdin: "null",
    }).output();
    assert.ok(success, new TextDecoder().decode(stderr));
    const modules = new Set<string>();
    for await (const { name } of Deno.readDir(`${coverage}/found`)) {
      const { url } = JSON.parse(await Deno.readTextFile(`${coverage}/found/${name}`));
      if (url.startsWith(`file://${CHECKOUT}`)) modules.add(url.slice(`file://${CHECKOUT}`.length));
    }
    assert.ok(modules.has("cli.ts"));
    return modules;
  } finally {
    await Deno.remove(coverage, { recursive: true });
  }
}

function assertFew(modules: ReadonlySet<string>, most: number): void {
  assert.ok(modules.size <= most, `${modules.size} modules: ${[...modules].join(" ")}`);
}

Deno.test(`a search of one file runs at most ${MAX_MODULES} modules`, async () => {
  await using tree = await tempTree({});
  const modules = await modulesRun(tree.root, ["TODO", "a.txt"]);
  assert.ok(modules.has("src/read/line_searcher.ts"));
  assertFew(modules, MAX_MODULES);
});

test.slow(`a hook after what is no search runs at most ${MAX_HOOK} modules`, async () => {
  await using tree = await tempTree({});
  const script = `const { searchEvent } = await import(${url("src/cli/hook_start.ts")});
    await searchEvent(["hook"]);`;
  const modules = await modulesOf(script, tree.root);
  assert.ok(modules.has("src/shell_commands/hook_event.ts"));
  assertFew(modules, MAX_HOOK);
});

test.slow(`one that a resident search answers runs at most ${MAX_ASKING} modules`, async () => {
  await using resident = await Resident.on({ "a.txt": "TODO\n" });
  await resident.start();
  for (const args of [["TODO"], ["TODO", "a.txt"]]) {
    const modules = await modulesRun(resident.tree.root, args, {
      XDG_RUNTIME_DIR: resident.runtime,
    });
    assert.ok(modules.has("src/resident/protocol.ts"));
    assertFew(modules, MAX_ASKING);
  }
});
