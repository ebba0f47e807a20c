/**
 * `why` and `hook` on commands that name what is blocked: their answers are the same, byte for byte, whether
 * or not it exists and whatever it holds.
 *
 * @module
 */

import assert from "node:assert/strict";
import { shellWord } from "../../src/util/text.ts";
import { pathgrep } from "../support/run.ts";
import { sh } from "../support/spawn.ts";
import { tempTree, type TreeEntry } from "../support/tree.ts";
import { test } from "../support/needs.ts";

interface Kind {
  /** The path that commands name. */
  readonly name: string;
  /** What may be there. @default the path that commands name */
  readonly place?: string;
  readonly options?: readonly string[];
  readonly files?: Readonly<Record<string, TreeEntry>>;
}

const DENIED = ["--deny", "secret/**", "--deny", "vault", "--deny", "*.sqlite"];
const EXCLUDED = { ".aiexclude": "private/\n*.draft\n", "docs/.aiignore": "b*.md\n" };

/** Each kind of blocked name. */
const KINDS: Readonly<Record<string, Kind>> = {
  "a name of the table": { name: "id_rsa" },
  "a name of the table in other letters": { name: "Id_RSA" },
  "a hidden name of the table": { name: ".env.local" },
  "a name of the table in a directory": { name: "src/server.pem" },
  "a name in a directory of the table": { name: ".ssh/config" },
  "a name in a repository": { name: ".git/needle" },
  "a name that is denied": {
    name: "data/users.sqlite",
    options: DENIED,
    files: { "data/": null },
  },
  "a path that is denied": {
    name: "secret/acquisition.txt",
    options: DENIED,
    files: { "secret/": null }, // is not denied itself
  },
  "a path in a directory that is denied": { name: "vault/plans/merger.md", options: DENIED },
  "a name that is excluded": { name: "src/offer.draft", files: EXCLUDED },
  "a path in a directory that is excluded": { name: "private/offer.txt", files: EXCLUDED },
  "a name that is excluded below": { name: "docs/beta.md", files: EXCLUDED },
  "a link to a name of the table": {
    name: "notes",
    place: ".ssh/config",
    files: { notes: { symlink: ".ssh/config" } },
  },
  "a path below a link to a directory that is excluded": {
    name: "shared/offer.txt",
    place: "private/offer.txt",
    files: { ...EXCLUDED, shared: { symlink: "private" } },
  },
};

const OPEN: Kind = { name: "plain.txt" };

/** What may be at its place. */
const TWINS: readonly ((place: string) => Record<string, TreeEntry>)[] = [
  () => ({}),
  (place) => ({ [place]: "needle\n" }),
  (place) => ({ [place]: "NEEDLE\n" }),
  (place) => ({ [`${place}/inner.txt`]: "needle\n" }),
];

/** Command lines with the name in each position. */
function commandsOn(name: string, root: string): string[][] {
  const base = name.slice(name.lastIndexOf("/") + 1);
  const directory = name.includes("/") ? name.slice(0, name.indexOf("/")) : name;
  const misspelt = name.replace(/(.)(.)$/, "$2$1");
  const glob = `*${base.slice(-4)}`;
  const operands = [
    ...[name, `./${name}`, `${root}/${name}`, `src/../${name}`, `${name}/more.txt`, directory],
    ...[base, `other/${base}`, misspelt, base.slice(0, -1), `${name}:3`, `"${name}"`],
  ];
  return [
    ...operands.flatMap((path) => [["rg", "needle", path], ["grep", "-rn", "needle", path]]),
    ...[["rg", "needle", "src", name], ["rg", "needle", name, "missing"], ["grep", "needle", name]],
    ...[["rg", "needle"], ["rg", "-uuu", "needle"], ["grep", "-r", "needle", "."]],
    ...[name, base, glob, `${base}*`, `!${base}`, `${directory}/**`].flatMap((glob) => [
      ["rg", "-g", glob, "needle"],
      ["rg", "-uuu", "-g", glob, "needle"],
    ]),
    ...[["rg", "-f", name], ["rg", "--ignore-file", name, "needle"], ["grep", "-rf", name, "."]],
    ["rg", "--files-without-match", "needle", name],
    ...["include", "exclude", "exclude-dir"].flatMap((option) => [
      ["grep", "-r", `--${option}=${base}`, "needle", "."],
      ["grep", "-r", `--${option}=${glob}`, "needle", "."],
    ]),
    ["git", "grep", "needle", name],
    ...[name, base, glob].map((path) => ["git", "grep", "needle", "--", path]),
    ["git", "grep", "--untracked", "needle"],
    ["ugrep", "-r", "needle", name],
  ];
}

interface Answer {
  command: string;
  said: string;
}

/** What `why` and `hook` say of each command. */
async function answersOn(kind: Kind, twin: typeof TWINS[number]): Promise<Answer[]> {
  const { name, place = name, options = [], files = {} } = kind;
  await using t = await tempTree({ "src/a.ts": "Needle\n", "docs/c.md": "hay\n", ...files });
  await sh("git init -q && git add src", t.root);
  await t.write(twin(place));
  const answers: Answer[] = [];
  const ask = async (command: string, args: readonly string[], event?: object): Promise<void> => {
    const stdin = event && JSON.stringify(event);
    const { code, stdout, stderr } = await pathgrep(args, { cwd: t.root, stdin });
    // A busy machine may not find all of it in time.
    if (stdout.includes("search for reasons stopped")) return await ask(command, args, event);
    answers.push({ command, said: `${code} ${stdout}${stderr}`.replaceAll(t.root, "") });
  };
  const hook = async (command: string, more: object = {}) => {
    const args = ["hook", "--workspace", t.root, ...options];
    const input = { command, ...("dir_path" in more ? more : {}) };
    const event = { hook_event_name: "PostToolUse", tool_name: "Bash", tool_input: input };
    await ask(`hook: ${command} ${JSON.stringify(more)}`.replaceAll(t.root, ""), args, {
      ...{ ...event, cwd: t.root, tool_response: { stdout: "" } },
      ...more,
    });
  };
  for (const words of commandsOn(name, t.root)) {
    await ask(words.join(" ").replaceAll(t.root, ""), ["why", ...options, "--", ...words]);
    await hook(words.map(shellWord).join(" "));
  }
  const directory = name.includes("/") ? name.slice(0, name.lastIndexOf("/")) : name;
  for (const path of new Set([name, directory, `${name}/..`, `src/../${name}`])) {
    await hook(`cd ${shellWord(path)} && rg needle`);
    await hook("rg needle ../src", { dir_path: path });
    await hook("rg needle src", { cwd: t.path(path) });
  }
  return answers;
}

/** The answers on each twin. A busy machine may leave a hook no time; what shows does so each time. */
async function twinsOn(kind: Kind, tries = 3): Promise<Answer[][]> {
  const twins = await Promise.all(TWINS.map((twin) => answersOn(kind, twin)));
  const isSame = new Set(twins.map((answers) => JSON.stringify(answers))).size === 1;
  return isSame || tries === 1 ? twins : await twinsOn(kind, tries - 1);
}

for (const [what, kind] of Object.entries(KINDS)) {
  test.slow(`nothing shows whether there is ${what}`, async () => {
    const [absent, ...present] = await twinsOn(kind);
    for (const answers of present) assert.deepEqual(answers, absent);
    // What the command does not name, the answer does not.
    for (const part of (kind.place ?? kind.name).split("/")) {
      if (part === "src" || part === "docs") continue;
      const told = absent!.filter(({ command, said }) =>
        !command.includes(part) && said.includes(part)
      );
      assert.deepEqual(told, []);
    }
    assert.ok(absent!.some(({ said }) => /src\/a\.ts differs in letter case/.test(said)));
  });
}

test.slow("of a name that is not blocked, each of them does show it", async () => {
  const [absent, ...present] = await Promise.all(TWINS.map((twin) => answersOn(OPEN, twin)));
  const shows = absent!.filter(({ said }, index) =>
    present.some((answers) => answers[index]!.said !== said)
  );
  const share = shows.length / absent!.length;
  assert.ok(share > 0.6, `${share} of the commands`);
});

Deno.test("no note says of a filter for blocked names that it matches nothing", async () => {
  await using t = await tempTree({ "src/a.ts": "Needle\n", ".aiignore": "*.draft\n" });
  const said = async (...command: string[]) => {
    const { stdout } = await pathgrep(["why", ...DENIED, "--", ...command], { cwd: t.root });
    return stdout.includes("matches no file");
  };
  for (const glob of ["id_rsa", "*.pem", "id_*", ".env*", ".ssh/**", "*.sqlite", "*.draft"]) {
    assert.equal(await said("rg", "-g", glob, "needle"), false, glob);
  }
  assert.equal(await said("grep", "-r", "--include=*.key", "needle", "."), false);
  for (const glob of ["*.rs", "test_*", "lib/**"]) {
    assert.equal(await said("rg", "-g", glob, "needle"), true, glob);
  }
});
