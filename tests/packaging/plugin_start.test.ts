/**
 * The plugin as hosts start it: its server and its hook, in a project that has a planted `pathgrep`.
 *
 * @module
 */

import assert from "node:assert/strict";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { copyCheckout } from "../support/clone.ts";
import { nodeDirectories } from "../support/nodes.ts";
import { testNeeding } from "../support/needs.ts";
import { sh, spawn } from "../support/spawn.ts";
import { tempTree, type Tree } from "../support/tree.ts";
import { PACKAGE, packedPackage } from "./npm_package.ts";

const test = testNeeding("nodes");
const PLANTED = '#!/usr/bin/env node\nrequire("fs").writeFileSync(__dirname + "/PLANTED", "");\n';
const CODEX_STATE = "codex/sandbox-state-meta";

/** A host: what it makes of the variables in a manifest, and where it starts a server. */
interface Host {
  readonly name: string;
  readonly server: string;
  readonly hook?: string;
  readonly event?: string;
  readonly tool?: string;
  /** What it writes in place of its variables. */
  readonly variables: (plugin: string, project: string) => Record<string, string>;
  /** Where it starts the server. */
  readonly startsIn: "project" | "plugin";
  /** How it names the project to the server, if not by where it starts it. */
  readonly names?: "roots" | "directory";
}

const HOSTS: readonly Host[] = [
  {
    name: "Claude Code",
    server: ".mcp.json",
    hook: "hooks/hooks.json",
    event: "PostToolUse",
    tool: "Bash",
    variables: (plugin, project) => ({ CLAUDE_PLUGIN_ROOT: plugin, CLAUDE_PROJECT_DIR: project }),
    startsIn: "project",
    names: "roots",
  },
  {
    name: "Codex",
    server: "mcp.codex.json",
    hook: "hooks/codex.json",
    event: "PostToolUse",
    tool: "Bash",
    variables: (plugin) => ({ PLUGIN_ROOT: plugin }),
    startsIn: "plugin",
    names: "directory",
  },
  {
    name: "gemini-cli",
    server: "gemini-extension.json",
    hook: "hooks/gemini.json",
    event: "AfterTool",
    tool: "run_shell_command",
    variables: (plugin, project) => ({
      extensionPath: plugin,
      "/": "/",
      GEMINI_PROJECT_DIR: project,
    }),
    startsIn: "project",
  },
  {
    name: "a host of Agent Plugins",
    server: "mcp.json",
    variables: (plugin) => ({ PLUGIN_ROOT: plugin }),
    startsIn: "plugin",
    names: "roots",
  },
];

/** A project with code where `npx`, a shell or Node.js would look for the program. */
async function project(): Promise<Tree> {
  const tree = await tempTree({
    "a.txt": "needle\n",
    "package.json": JSON.stringify({ name: "app", scripts: { pathgrep: "touch PLANTED" } }),
    "node_modules/pathgrep/package.json": JSON.stringify({ name: PACKAGE, bin: "x.cjs" }),
    "node_modules/pathgrep/x.cjs": PLANTED,
    "node_modules/pathgrep/pathgrep.cjs": PLANTED,
    "node_modules/.bin/pathgrep": PLANTED,
    "node_modules/.bin/node": "#!/bin/sh\ntouch PLANTED\n",
    "pathgrep.cjs": PLANTED,
  });
  for (const name of ["pathgrep", "node"]) {
    await Deno.chmod(tree.path(`node_modules/.bin/${name}`), 0o755);
  }
  return tree;
}

const expanded = (text: string, variables: Record<string, string>) =>
  text.replaceAll(/\$\{([^}]+)\}/g, (whole, name) => variables[name] ?? whole);

async function isPlanted({ root }: Tree): Promise<boolean> {
  const { stdout } = await spawn("find", [root, "-name", "PLANTED"]);
  return stdout !== "";
}

async function environment(more: Record<string, string> = {}): Promise<Record<string, string>> {
  const [oldest] = await nodeDirectories();
  return { PATH: `${oldest}:${Deno.env.get("PATH")}`, ...more };
}

/** Calls `grep` as the host does. */
async function found(host: Host, { root }: Tree): Promise<string> {
  const { directory } = await packedPackage();
  const variables = host.variables(directory, root);
  const { mcpServers } = JSON.parse(await Deno.readTextFile(`${directory}/${host.server}`));
  const { command, args } = mcpServers.pathgrep as { command: string; args: string[] };
  const hasRoots = host.names === "roots";
  const client = new Client({ name: "tests", version: "1" }, {
    capabilities: hasRoots ? { roots: {} } : {},
    versionNegotiation: { mode: "legacy" },
  });
  if (hasRoots) {
    client.setRequestHandler("roots/list", () => ({ roots: [{ uri: `file://${root}` }] }));
  }
  await client.connect(
    new StdioClientTransport({
      command,
      args: args.map((arg) => expanded(arg, variables)),
      cwd: host.startsIn === "plugin" ? directory : root,
      env: await environment(),
      stderr: "ignore",
    }),
  );
  const state = { [CODEX_STATE]: { sandboxCwd: `file://${root}` } };
  const { content } = await client.callTool({
    name: "grep",
    arguments: { pattern: "needle", path: "a.txt" },
    ...(host.names === "directory" ? { _meta: state } : {}),
  });
  await client.close();
  return (content as { text: string }[])[0]!.text;
}

for (const host of HOSTS) {
  test.slow(`${host.name} starts the server of the plugin, and nothing that a project has`, async () => {
    await using tree = await project();
    assert.match(await found(host, tree), /^a\.txt\n1:needle\n/);
    assert.equal(await isPlanted(tree), false);
  });
}

test.slow("the hook of each host runs, and nothing that a project has", async () => {
  const { directory } = await packedPackage();
  for (const host of HOSTS.filter(({ hook }) => hook !== undefined)) {
    await using tree = await project();
    const variables = host.variables(directory, tree.root);
    const { hooks } = JSON.parse(await Deno.readTextFile(`${directory}/${host.hook}`));
    const [{ matcher, hooks: [handler] }] = hooks[host.event!];
    assert.ok(RegExp(`^(?:${matcher})$`).test(host.tool!));
    const done = await spawn("sh", ["-c", expanded(handler.command, variables)], {
      cwd: tree.root,
      env: await environment(variables),
      stdin: JSON.stringify({
        hook_event_name: host.event,
        tool_name: host.tool,
        tool_input: { command: "rg Needle a.txt" },
        tool_response: host.event === "AfterTool"
          ? { llmContent: "Output: (empty)\nExit Code: 1" }
          : "",
        cwd: tree.root,
      }),
    });
    assert.equal(done.code, 0);
    assert.match(done.stdout, /differs? in letter case/, host.name + done.stderr);
    assert.equal(await isPlanted(tree), false);
  }
});

test.slow("a server that is started in the plugin, where no client names a project, searches nothing", async () => {
  await using tree = await project();
  const host = HOSTS.find(({ name }) => name === "Codex")!;
  const { names: _, ...unnamed } = host;
  assert.match(await found(unnamed, tree), /no workspace was given, .* --workspace DIR/);
});

test.slow("the task builds what the plugin of a checkout starts, and commits none of it", async () => {
  await using tree = await tempTree();
  await copyCheckout(tree.root);
  await sh("git init -q && git add -A", tree.root);
  const task = ["task", "--quiet", "plugin"];
  const { code, stderr } = await spawn(Deno.execPath(), task, { cwd: tree.root });
  assert.equal(code, 0, stderr);
  const [oldest] = await nodeDirectories();
  const command = tree.path("plugin/pathgrep.cjs");
  const started = await spawn(`${oldest}/node`, [command, "-l", "mcpServers", "plugin"], {
    cwd: tree.root,
  });
  assert.match(started.stdout, /plugin\/mcp\.json/, started.stderr);
  const list = ["status", "--porcelain", "--untracked-files"];
  const { stdout } = await spawn("git", list, { cwd: tree.root });
  assert.deepEqual(stdout.split("\n").filter((line) => /^(?:.[^ ]|\?\?)/.test(line)), []);
});

test.slow("npx runs what the project has, which is why no manifest names it, and its node for a host", async () => {
  for (const args of [["-y", "pathgrep", "hook"], ["-c", "node --version"]]) {
    await using tree = await project();
    await spawn("npx", args, { cwd: tree.root, env: await environment() });
    assert.equal(await isPlanted(tree), true);
  }
});
