/**
 * What is fetched from npm, and by which command: nothing by a search.
 *
 * @module
 */

import assert from "node:assert/strict";
import { CHECKOUT } from "../support/run.ts";
import { tempTree } from "../support/tree.ts";
import { copyCheckout } from "../support/clone.ts";
import { INITIALIZE, machine, SPECIFIER } from "./machine.ts";
import { publishedPackage, VERSION } from "./registry.ts";
import { test } from "../support/needs.ts";

/** An npm registry that cannot be reached. */
const BLOCKED = { NPM_CONFIG_REGISTRY: "http://127.0.0.1:1/" };
const MCP_PACKAGES = ["@modelcontextprotocol/core", "@modelcontextprotocol/server", "zod"];

test.slow("from a registry, with an empty cache, no command but mcp fetches an npm package", async (t) => {
  await using registry = await publishedPackage();
  await using user = await machine(registry, { "a.ts": "const needle = 1;\n" });
  const asked: string[] = [];
  await using npm = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen() {} }, ({ url }) => {
    asked.push(url);
    return new Response(null, { status: 404 });
  });
  // Only Deno is on PATH: ripgrep would have to come from npm.
  const env = {
    NPM_CONFIG_REGISTRY: `http://127.0.0.1:${npm.addr.port}/`,
    PATH: user.tree.path("bin"),
  };
  for (
    const [words, stdin] of [
      [[SPECIFIER, "needle"]],
      [[`${SPECIFIER}@${VERSION}/cli`, "needle"]],
      [[SPECIFIER, "call", "grep"], '{"pattern": "needle"}'],
      [[SPECIFIER, "tools", "--format", "mcp"]],
      [[SPECIFIER, "doctor", "--engine", "rg"]],
      [[SPECIFIER, "mcp", "--help"]],
    ] as const
  ) {
    await t.step(words.join(" "), async () => {
      const ran = await user.run(["deno", "run", "--no-config", "-A", ...words], stdin, env);
      assert.equal(ran.code, 0, ran.stdout + ran.stderr);
      assert.equal(ran.stderr, "");
      assert.deepEqual(asked, []);
      if (words[1] !== "doctor") return;
      assert.ok(ran.json().least_privilege.endsWith(` ${SPECIFIER}/cli`), "the published program");
    });
  }
});

test.slow("in a clone, with an empty cache, the first search fetches nothing and mcp its own packages", async () => {
  await using user = await machine(undefined);
  await copyCheckout(user.tree.path("project"));
  for (const entry of ["mod.ts", "cli.ts"]) {
    const words = ["deno", "run", "-A", entry, "--format", "text", "class Workspace ", "src"];
    const found = await user.run(words, "", BLOCKED);
    assert.equal(found.code, 0, found.stderr);
    assert.match(found.stdout, /^src\/workspace\/workspace\.ts:\d+:export class Workspace \{\n$/);
    assert.equal(found.stderr, "");
  }
  assert.deepEqual(user.npmPackages(), []);

  const served = await user.run(["deno", "run", "-A", "mod.ts", "mcp"], INITIALIZE);
  assert.equal(served.json().result.serverInfo.name, "pathgrep", served.stderr);
  assert.deepEqual(user.npmPackages(), MCP_PACKAGES);

  // In the cache they need no permission, wherever the cache is.
  const docs = user.tree.path("project/docs");
  const least = ["deno", "run", "--cached-only", "--no-prompt", `--allow-read=${docs}`];
  const restricted = await user.run(
    [...least, user.tree.path("project/cli.ts"), "mcp", "--workspace", docs],
    INITIALIZE,
  );
  assert.equal(restricted.json().result.serverInfo.name, "pathgrep", restricted.stderr);
});

test.slow("where npm cannot be reached, mcp and the engine rg say what they need", async () => {
  await using registry = await publishedPackage();
  await using user = await machine(registry, { "a.ts": "needle\n" });
  const env = { ...BLOCKED, PATH: user.tree.path("bin") };
  const pathgrep = ["deno", "run", "--no-config", "-A", SPECIFIER];
  const served = await user.run([...pathgrep, "mcp"], INITIALIZE, env);
  assert.equal(served.code, 2);
  assert.equal(served.stdout, "");
  assert.match(
    served.stderr,
    /^pathgrep: search failed: npm:@modelcontextprotocol\/server@[\d.]+ cannot be loaded: /,
  );
  assert.match(served.stderr, /the first time, the package comes from the network; escapes .*\n$/);
  const refused = await user.run([...pathgrep, "needle", "--engine", "rg"], "", env);
  assert.equal(refused.code, 2, refused.stdout);
  assert.equal(refused.json().code, "engine_unavailable");
  assert.match(refused.json().error, /^engine unavailable: rg is not installed; install ripgrep/);
  assert.match(refused.json().hint, /^npm:@vscode\/ripgrep@[\d.]+ cannot be loaded: .*network$/s);
});

test.slow("a program elsewhere that imports a clone passes the type check, without its import map", async () => {
  await using tree = await tempTree({
    "main.ts":
      `import { search, Workspace } from ${JSON.stringify(`file://${CHECKOUT}mod.ts`)};\n` +
      'const workspace = await Workspace.open(".");\n' +
      'console.log((await search({ pattern: "needle" }, { workspace })).count);\n' +
      "// @ts-expect-error there are types\nexport const wrong: number = search;\n",
  });
  const { stderr, success } = await new Deno.Command(Deno.execPath(), {
    args: ["check", "--quiet", "--no-config", "main.ts"],
    cwd: tree.root,
  }).output();
  assert.ok(success, new TextDecoder().decode(stderr));
  // The types are those of the package that runs.
  const { imports } = JSON.parse(await Deno.readTextFile(`${CHECKOUT}deno.json`));
  const types = await Deno.readTextFile(`${CHECKOUT}src/mcp/sdk.ts`);
  const named = types.match(/npm:@modelcontextprotocol\/server@[\d.]+/g);
  assert.deepEqual(named, Array(3).fill(imports["@modelcontextprotocol/server"]));
});
