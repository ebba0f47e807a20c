/**
 * Ceilings. A change that raises one says in its commit's body what it is worth; one that leaves much room
 * below a ceiling lowers it.
 *
 * @module
 */

import assert from "node:assert/strict";
import { CHECKOUT } from "../support/run.ts";

/** Lines of everything in `src`. */
const MAX_LINES = 43_950;
/** Modules that run in a search of one file, from the command line. */
const MAX_MODULES = 108;

Deno.test(`the source has at most ${MAX_LINES} lines`, async () => {
  let lines = 0;
  const count = async (directory: string) => {
    for await (const { name, isDirectory } of Deno.readDir(directory)) {
      const path = `${directory}/${name}`;
      if (isDirectory) await count(path);
      else if (name.endsWith(".ts")) {
        lines += (await Deno.readTextFile(path)).split("\n").length - 1;
      }
    }
  };
  await count(`${CHECKOUT}src`);
  assert.ok(lines > MAX_LINES / 2 && lines <= MAX_LINES, `${lines} lines`);
});

Deno.test(`a search of one file runs at most ${MAX_MODULES} modules`, async () => {
  const directory = await Deno.makeTempDir();
  try {
    await Deno.writeTextFile(`${directory}/a.txt`, "TODO\n");
    // Coverage is lost with Deno.exit, which cli.ts ends with.
    await Deno.writeTextFile(
      `${directory}/search.ts`,
      `import ${JSON.stringify(`file://${CHECKOUT}cli.ts`)};
      const { main } = await import(${JSON.stringify(`file://${CHECKOUT}src/cli/main.ts`)});
      const status = await main(["TODO", "a.txt"]);
      if (status !== 0) throw new Error("status " + status);`,
    );
    const { success, stderr } = await new Deno.Command(Deno.execPath(), {
      args: ["run", "-A", "--no-config", "--no-check", "--coverage=coverage", "search.ts"],
      cwd: directory,
      stdin: "null",
    }).output();
    assert.ok(success, new TextDecoder().decode(stderr));
    const modules = new Set<string>();
    for await (const { name } of Deno.readDir(`${directory}/coverage`)) {
      const { url } = JSON.parse(await Deno.readTextFile(`${directory}/coverage/${name}`));
      if (url.startsWith(`file://${CHECKOUT}`)) modules.add(url.slice(`file://${CHECKOUT}`.length));
    }
    assert.ok(modules.has("cli.ts") && modules.has("src/scan/line_searcher.ts"));
    assert.ok(modules.size <= MAX_MODULES, `${modules.size} modules: ${[...modules].join(" ")}`);
  } finally {
    await Deno.remove(directory, { recursive: true });
  }
});
