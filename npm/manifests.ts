/**
 * What hosts read of the plugin, one file for each of their formats: all from this table.
 *
 * The files of `plugin/` are those of the npm package's root, too, where they lie beside the bundle that they
 * start. None starts it with `npx`, which runs what the directory of a project has in `node_modules`.
 *
 * @module
 */

import { join } from "node:path";
import { CHECKOUT, configuration } from "./bundle.ts";
import names from "./names.json" with { type: "json" };

/** The plugin's name, as hosts show it, and the repository's. */
const NAME = "pathgrep";
const DESCRIPTION =
  "Search for coding agents that says what an answer leaves out and why nothing was found";
const KEYWORDS = ["search", "grep", "ripgrep", "mcp", "mcp-server", "agent"];
const SKILL = "plugin/skills/pathgrep/SKILL.md";
/** What is started, below the plugin's root. */
const PROGRAM = "pathgrep.cjs";
/** The commands of a shell that are searches: a host that can filter starts the hook after no other. */
const SEARCHES = [
  ...["rg", "grep", "egrep", "fgrep", "git grep", "git --no-pager grep", "ugrep"],
];
const HOOK_SECONDS = 5;

export const REPOSITORY = `https://github.com/${names.owner}/${NAME}`;

/** A Claude Code hook: one handler for each program, since `if` takes one rule. */
function filteredHooks(): object {
  const command = hookCommand("${CLAUDE_PLUGIN_ROOT}/", "$CLAUDE_PROJECT_DIR");
  const hooks = SEARCHES.map((search) => ({
    ...{ type: "command", if: `Bash(${search} *)`, command, timeout: HOOK_SECONDS },
  }));
  const handlers = [{ matcher: "Bash", hooks }];
  return { hooks: { PostToolUse: handlers, PostToolUseFailure: handlers } };
}

/** A hook of a host without such a filter, which would start each of several handlers. */
function hook(event: string, matcher: string, command: string, timeout: number): object {
  const name = event === "AfterTool" ? { name: NAME } : {};
  return {
    hooks: { [event]: [{ matcher, hooks: [{ ...name, type: "command", command, timeout }] }] },
  };
}

function hookCommand(root: string, workspace?: string): string {
  const ceiling = workspace === undefined ? "" : ` --workspace "${workspace}"`;
  // A runtime that cannot start may end with any status, and 2 would refuse what the agent did.
  return `node "${root}${PROGRAM}" hook${ceiling} || true`;
}

function servers(path: string, more: object = {}): object {
  return { mcpServers: { [NAME]: { ...more, command: "node", args: [path, "mcp"] } } };
}

/** The files, by their path in the repository. */
export async function manifests(): Promise<Record<string, string>> {
  const { version, license } = await configuration();
  const author = { name: names.owner, url: `https://github.com/${names.owner}` };
  const described = { name: NAME, version, description: DESCRIPTION };
  const about = {
    ...described,
    ...{ author, homepage: `${REPOSITORY}#readme`, repository: REPOSITORY, license },
    keywords: KEYWORDS,
  };
  const portable = (name: string) => ({
    $schema: `https://agent-plugins.org/schemas/1.0.0/${name}.schema.json`,
  });
  const npm = { source: "npm", package: names.package };
  const files: Record<string, object> = {
    "plugin/plugin.json": { ...portable("plugin"), ...about },
    "plugin/mcp.json": {
      ...portable("mcp"),
      ...servers("${PLUGIN_ROOT}/" + PROGRAM, { type: "stdio" }),
    },
    "plugin/.claude-plugin/plugin.json": about,
    "plugin/.mcp.json": servers("${CLAUDE_PLUGIN_ROOT}/" + PROGRAM),
    "plugin/hooks/hooks.json": filteredHooks(),
    "plugin/.codex-plugin/plugin.json": {
      ...about,
      ...{ skills: "./skills/", mcpServers: "./mcp.codex.json", hooks: "./hooks/codex.json" },
      interface: {
        displayName: NAME,
        shortDescription: DESCRIPTION,
        developerName: names.owner,
        category: "Developer Tools",
        websiteURL: REPOSITORY,
      },
    },
    // Codex puts no path into the arguments, but starts a server in the directory that is named here.
    "plugin/mcp.codex.json": servers(`./${PROGRAM}`, { cwd: "." }),
    "plugin/hooks/codex.json": hook(
      "PostToolUse",
      "Bash",
      hookCommand("${PLUGIN_ROOT}/"),
      HOOK_SECONDS,
    ),
    "plugin/gemini-extension.json": { ...described, ...servers("${extensionPath}${/}" + PROGRAM) },
    "plugin/hooks/gemini.json": hook(
      "AfterTool",
      "run_shell_command",
      hookCommand("${extensionPath}${/}", "$GEMINI_PROJECT_DIR"),
      HOOK_SECONDS * 1000,
    ),
    ".claude-plugin/marketplace.json": {
      ...described,
      owner: author,
      plugins: [{ name: NAME, description: DESCRIPTION, source: npm }],
    },
    ".agents/plugins/marketplace.json": {
      name: NAME,
      interface: { displayName: NAME },
      plugins: [{
        name: NAME,
        source: npm,
        policy: { installation: "AVAILABLE", authentication: "ON_INSTALL" },
        category: "Developer Tools",
      }],
    },
    "server.json": {
      $schema: "https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json",
      name: registryName(),
      title: NAME,
      description: DESCRIPTION,
      version,
      repository: { url: REPOSITORY, source: "github" },
      packages: [{
        registryType: "npm",
        registryBaseUrl: "https://registry.npmjs.org",
        identifier: names.package,
        version,
        transport: { type: "stdio" },
        packageArguments: [{ type: "positional", value: "mcp" }],
      }],
    },
  };
  const texts = Object.entries(files).map(([path, file]) => [path, json(file)]);
  return { ...Object.fromEntries(texts), [SKILL]: await skill(version) };
}

/** The skill is written by hand but for the version in it. */
async function skill(version: string): Promise<string> {
  const text = await Deno.readTextFile(join(CHECKOUT, SKILL));
  return text.replace(/^( {2}version: ).*$/m, `$1"${version}"`);
}

/** The name in the MCP registry, which compares that in npm's manifest with it. */
function registryName(): string {
  return `io.github.${names.owner}/${NAME}`;
}

/** The manifest of the npm package. */
export async function npmManifest(): Promise<string> {
  const { version, license } = await configuration();
  return json({
    name: names.package,
    version,
    description: DESCRIPTION,
    keywords: KEYWORDS,
    license,
    // npm compares it with where the release was built.
    repository: { type: "git", url: `git+${REPOSITORY}.git` },
    mcpName: registryName(),
    type: "module",
    bin: { pathgrep: PROGRAM },
    exports: {
      ".": { types: "./types/mod.d.ts", default: "./lib/mod.js" },
      "./package.json": "./package.json",
    },
    engines: { node: ">=22" },
  });
}

function json(value: object): string {
  return JSON.stringify(value, undefined, 2) + "\n";
}
