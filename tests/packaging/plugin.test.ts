/**
 * The plugin's files: what the task makes, valid by the rules of each host, and true.
 *
 * @module
 */

import assert from "node:assert/strict";
import { manifests, npmManifest } from "../../npm/manifests.ts";
import { toolDefinitions } from "../../src/tools/definition_formats.ts";
import { CHECKOUT } from "../support/run.ts";
import { broken, MANIFESTS, type Rule, SKILL } from "./manifest_rules.ts";

const SKILL_FILE = "plugin/skills/pathgrep/SKILL.md";
const read = (path: string) => Deno.readTextFile(CHECKOUT + path);
const made = await manifests();
const parsed = (path: string) => JSON.parse(made[path]!);
const { version } = JSON.parse(await read("deno.json")) as { version: string };
const skill = await read(SKILL_FILE);

Deno.test("what is committed of the plugin is what its task makes, and each file has its rules", async () => {
  for (const [path, text] of Object.entries(made)) {
    assert.equal(
      await read(path),
      text,
      `${path}: \`deno task plugin --manifests\` writes it anew`,
    );
  }
  const args = ["ls-files", "--cached", "--others", "--exclude-standard"];
  const folders = ["plugin", ".claude-plugin", ".agents", "server.json", "gemini-extension.json"];
  const { stdout } = await new Deno.Command("git", { args: [...args, ...folders], cwd: CHECKOUT })
    .output();
  const committed = new TextDecoder().decode(stdout).trim().split("\n").sort();
  assert.deepEqual(committed, Object.keys(made).sort());
  assert.deepEqual([...MANIFESTS.map(({ path }) => path), SKILL_FILE].sort(), committed);
});

Deno.test("each manifest is valid by the rules of its published schema", () => {
  for (const { path, rule, sources } of MANIFESTS) {
    assert.deepEqual(broken(parsed(path), rule), [], path);
    for (const source of sources) assert.match(source, /^https:\/\//);
  }
});

/** The same value with a change at each place in turn: a key of the rule missing, or of another type. */
function* changes(value: unknown, rule: Rule): Generator<unknown> {
  if (value === null || typeof value !== "object") return;
  if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) {
      for (const changed of changes(item, rule.items ?? {})) yield value.with(index, changed);
    }
    return;
  }
  if (rule.others === false) yield { ...value, unheardOf: "" };
  for (const [key, each] of Object.entries(value)) {
    const { [key]: _, ...rest } = value as Record<string, unknown>;
    if (rule.required?.includes(key)) yield rest;
    yield { ...value, [key]: null };
    const inner = rule.properties?.[key] ?? (rule.others || {});
    for (const changed of changes(each, inner)) yield { ...value, [key]: changed };
  }
}

Deno.test("the rules refuse a manifest with any key missing, unknown or of another type", () => {
  for (const { path, rule } of MANIFESTS) {
    let count = 0;
    for (const changed of changes(parsed(path), rule)) {
      count++;
      assert.notDeepEqual(broken(changed, rule), [], `${path}: ${JSON.stringify(changed)}`);
    }
    assert.ok(count > 3, path);
  }
});

Deno.test("every manifest that has a version has the package's, and names the same package", async () => {
  const versions = [...MANIFESTS.map(({ path }) => made[path]!), skill].flatMap((text) =>
    [...text.matchAll(/\bversion"?: "([^"]+)"/g)].map(([, found]) => found)
  );
  assert.ok(versions.length >= 7, String(versions.length));
  assert.deepEqual([...new Set(versions)], [version]);
  const { name, mcpName, bin } = JSON.parse(await npmManifest());
  assert.equal(parsed("server.json").name, mcpName);
  assert.equal(parsed("server.json").packages[0].identifier, name);
  assert.deepEqual(bin, { pathgrep: "pathgrep.cjs" });
  for (const path of [".claude-plugin/marketplace.json", ".agents/plugins/marketplace.json"]) {
    // Neither names the sources.
    assert.deepEqual(parsed(path).plugins.map(({ source }: { source: object }) => source), [
      { source: "npm", package: name },
    ]);
  }
});

Deno.test("nothing in the plugin starts npx, and every path in it exists", async () => {
  for (const [path, text] of Object.entries(made)) {
    if (path.startsWith("plugin/")) assert.doesNotMatch(text, /\bnpx\b/, path);
  }
  const codex = parsed("plugin/.codex-plugin/plugin.json");
  for (const path of [codex.skills, codex.mcpServers, codex.hooks]) {
    await Deno.stat(`${CHECKOUT}plugin/${path}`);
  }
});

interface Handler {
  if?: string;
  command: string;
  timeout: number;
}
const handlers = (file: { hooks: Record<string, { hooks: Handler[] }[]> }) =>
  Object.entries(file.hooks).map(([event, groups]) =>
    [event, groups.flatMap(({ hooks }) => hooks)] as const
  );

Deno.test("one handler a program where the host filters, and one in all where it does not", async () => {
  const example = JSON.parse(await read("examples/claude_code_hook/settings.json"));
  const filters = (file: Parameters<typeof handlers>[0]) =>
    handlers(file).map(([event, each]) => [event, each.map((handler) => handler.if)]);
  const filtered = parsed("plugin/hooks/hooks.json");
  assert.deepEqual(filters(filtered), filters(example));
  assert.ok(handlers(filtered)[0]![1].length > 5);
  for (const host of ["codex", "gemini"]) {
    const [[, each] = [], ...others] = handlers(parsed(`plugin/hooks/${host}.json`));
    assert.equal(each!.length, 1);
    assert.deepEqual(others, []);
  }
  for (const path of ["hooks", "codex", "gemini"].map((name) => `plugin/hooks/${name}.json`)) {
    for (const [, each] of handlers(parsed(path))) {
      for (const { command } of each) assert.match(command, /^node "\$\{.* hook.* \|\| true$/);
    }
  }
});

Deno.test("the skill is short, valid, and its calls are calls of the tools", () => {
  assert.ok(skill.trimEnd().split("\n").length <= 60);
  const [, front = "", body = ""] = /^---\n(.*?)\n---\n(.*)$/s.exec(skill) ?? [];
  const fields: Record<string, unknown> = {};
  for (const [, key, value] of front.matchAll(/^(\w+):(?: (.*))?$/gm)) {
    fields[key!] = value ?? Object.fromEntries(
      Array.from(front.matchAll(/^ {2}(\w+): "(.*)"$/gm), ([, name, text]) => [name, text]),
    );
  }
  assert.deepEqual(broken(fields, SKILL), []);
  assert.equal(fields["name"], "pathgrep");
  const tools = toolDefinitions("mcp") as unknown as {
    name: string;
    inputSchema: { properties: object };
  }[];
  const calls = [...body.matchAll(/`(grep|glob|read_file) (\{.*?\})`/g)];
  assert.deepEqual([...new Set(calls.map(([, name]) => name!))], ["grep", "glob", "read_file"]);
  for (const [, name, input] of calls) {
    const { properties } = tools.find((tool) => tool.name === name)!.inputSchema;
    for (const key of Object.keys(JSON.parse(input!))) assert.ok(key in properties, key);
  }
  const keys = tools.flatMap(({ inputSchema }) => Object.keys(inputSchema.properties));
  for (const [, quoted, plain] of body.matchAll(/"(\w+)": |\b(\w+): true/g)) {
    assert.ok(keys.includes(quoted ?? plain!), quoted ?? plain);
  }
});
