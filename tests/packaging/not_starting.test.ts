/**
 * The guide to a server that does not start has the very lines that are seen, where they can be seen here.
 *
 * @module
 */

import assert from "node:assert/strict";
import { CHECKOUT } from "../support/run.ts";
import { testNeeding } from "../support/needs.ts";
import { nodeDirectories } from "../support/nodes.ts";
import { spawn } from "../support/spawn.ts";
import { tempTree } from "../support/tree.ts";
import { INITIALIZE } from "./machine.ts";
import { installedPackage } from "./npm_package.ts";

const GUIDE = (await Deno.readTextFile(`${CHECKOUT}docs/not-starting.md`)).replaceAll(/\s+/g, " ");
const CALL = JSON.stringify({
  jsonrpc: "2.0",
  id: 2,
  method: "tools/call",
  params: { name: "grep", arguments: { pattern: "x" } },
});
/** As if it were older; and a client that starts a program which is not there. */
const OLD = `Object.defineProperty(process, "versions", {
  value: { ...process.versions, node: "20.20.2" },
});\n`;
const CLIENT = `require("child_process").spawn("npx", [], { env: { PATH: "/nowhere" } })
  .on("error", ({ message }) => console.error(message));\n`;

testNeeding("nodes").slow(
  "the guide has what is seen where the server does not start",
  async (t) => {
    const { pathgrep, run } = await installedPackage();
    const [oldest = ""] = await nodeDirectories();
    await using tree = await tempTree({
      "home/you/project/": null,
      "old.cjs": OLD,
      "client.cjs": CLIENT,
      "bin/env": { symlink: "/usr/bin/env" },
    });
    const cwd = tree.path("home/you/project");
    const input = [INITIALIZE, CALL, ""].join("\n");
    const node = (...args: string[]) => spawn(`${oldest}/node`, args, { cwd });
    const deno = ["run", "--no-config", "--no-prompt", `${CHECKOUT}cli.ts`, "mcp"];
    const seen: [line: string, started: () => ReturnType<typeof spawn>][] = [
      ["spawn npx ENOENT", () => node(tree.path("client.cjs"))],
      [
        "env: 'node': No such file or directory",
        () => spawn(pathgrep, ["mcp"], { cwd, env: { PATH: tree.path("bin"), LC_ALL: "C" } }),
      ],
      [
        "pathgrep: it needs Node.js 22 or later, and this is 20.20.2",
        () => node("--require", tree.path("old.cjs"), pathgrep, "mcp"),
      ],
      [
        "npm error code ECONNREFUSED",
        () =>
          spawn("npx", ["-y", "pathgrep", "mcp"], {
            cwd,
            env: { npm_config_registry: "http://127.0.0.1:1/", npm_config_fetch_retries: "0" },
          }),
      ],
      [
        "no workspace was given, and the current directory / is too broad for one",
        () => run(["mcp"], { cwd: "/", stdin: input }),
      ],
      [
        "/home/you/gone does not exist",
        () => run(["mcp", "--workspace", tree.path("home/you/gone")]),
      ],
      [
        "Permission denied: /home/you/project (Deno was started without --allow-read=/home/you/project)",
        () => spawn(Deno.execPath(), deno, { cwd, stdin: input }),
      ],
    ];
    for (const [line, start] of seen) {
      await t.step(line, async () => {
        assert.ok(GUIDE.includes(line), "the guide has it");
        const { stdout, stderr } = await start();
        const output = (stdout + stderr).replaceAll(tree.root, "");
        assert.ok(output.includes(line), output);
      });
    }
  },
);
