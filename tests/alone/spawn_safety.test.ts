/**
 * Programs that engines start: nothing in the workspace, in the environment or in a query makes them run,
 * read or answer anything else, and they end when the search does.
 *
 * @module
 */

import assert from "node:assert/strict";
import { dirname } from "node:path";
import { search, type SearchQuery, type SearchResult, Workspace } from "../../mod.ts";
import { withoutReadOverride } from "../support/acceptance.ts";
import { pathgrep } from "../support/run.ts";
import { tempTree, type Tree } from "../support/tree.ts";
import { answerOf, comparable, engineIn, ENGINES, sameAnswer } from "../support/engines.ts";
import { test as plain, testNeeding } from "../support/needs.ts";
import { rgPath } from "../support/oracles.ts";

const test = testNeeding("setpriv");

const PROGRAMS = ["rg", "git", "grep"] as const;

/** Runs with variables set in this process's environment. */
async function withEnv(variables: Record<string, string>, body: () => Promise<void>) {
  const before = Object.keys(variables).map((name) => [name, Deno.env.get(name)] as const);
  for (const [name, value] of Object.entries(variables)) Deno.env.set(name, value);
  try {
    await body();
  } finally {
    for (const [name, value] of before) {
      if (value === undefined) Deno.env.delete(name);
      else Deno.env.set(name, value);
    }
  }
}

/** A script that can be run. */
async function script(path: string, body: string): Promise<void> {
  await Deno.mkdir(dirname(path), { recursive: true });
  await Deno.writeTextFile(path, `#!/bin/sh\n${body}\n`, { mode: 0o755 });
}

/** Runs with programs of our own before those of the system. */
async function withPrograms(
  scripts: Record<string, string>,
  body: (bin: Tree) => Promise<void>,
): Promise<void> {
  await using bin = await tempTree();
  for (const [name, text] of Object.entries(scripts)) await script(bin.path(name), text);
  await withEnv({ PATH: `${bin.root}:${Deno.env.get("PATH")}` }, () => body(bin));
}

function isThere(path: string): boolean {
  try {
    Deno.lstatSync(path);
    return true;
  } catch {
    return false;
  }
}

/** Fails if the mark was made that something hostile makes when it runs. */
function assertUnmarked(mark: string, what: string): void {
  assert.equal(isThere(mark), false, `${what} ran a program`);
}

Deno.test("RIPGREP_CONFIG_PATH does not make ripgrep run a program", async () => {
  await using tree = await tempTree({ "ws/a": "foo\n" });
  const mark = tree.path("mark");
  await script(tree.path("evil"), `touch ${mark}; echo foo`);
  await tree.write({ "rc": `--pre=${tree.path("evil")}\n--invert-match\n` });
  await withEnv({ RIPGREP_CONFIG_PATH: tree.path("rc") }, async () => {
    const { count } = await sameAnswer(tree.path("ws"), { pattern: "foo" }) as SearchResult;
    assert.equal(count, 1);
  });
  assertUnmarked(mark, "ripgrep");
});

Deno.test("no pattern and no file name is taken for an option", async () => {
  await using tree = await tempTree({ ws: null });
  const mark = tree.path("mark");
  await script(tree.path("evil"), `touch ${mark}; cat`);
  const options = [
    `--pre=${tree.path("evil")}`,
    `--open-files-in-pager=${tree.path("evil")}`,
    `-O${tree.path("evil")}`,
    "--file=/etc/passwd",
    "-f/etc/passwd",
    "-v",
    "--",
    "--help",
  ];
  await tree.write(Object.fromEntries(options.map((option, index) => [`ws/${index}`, option])));
  await tree.write({ "ws/--help": "x\n", "ws/-v": "x\n", "ws/--pre=evil": "x\n", "ws/--": "x\n" });
  for (const pattern of options) {
    const answer = await sameAnswer(tree.path("ws"), { pattern, fixedStrings: true });
    assert.ok((answer as SearchResult).count > 0, pattern);
  }
  const named = await sameAnswer(tree.path("ws"), { pattern: "x$", path: ["--help", "-v", "--"] });
  assert.equal((named as SearchResult).count, 3);
  assertUnmarked(mark, "an option");
});

Deno.test("no pattern and no file name comes to a shell", async () => {
  await using tree = await tempTree();
  const mark = tree.path("mark");
  const words = [`$(touch ${mark})`, `\`touch ${mark}\``, `; touch ${mark} #`, `| touch ${mark}`];
  await tree.write(Object.fromEntries(words.map((word, index) => [`ws/${index}`, word])));
  await tree.write({ "ws/$(touch mark)": "x", "ws/`touch mark`": "x", "ws/;touch mark": "x" });
  for (const pattern of words) {
    const answer = await sameAnswer(tree.path("ws"), { pattern, fixedStrings: true });
    assert.equal((answer as SearchResult).count, 1);
  }
  assertUnmarked(mark, "a pattern");
  assert.deepEqual([...Deno.readDirSync(tree.root)].map(({ name }) => name), ["ws"]);
});

/** A repository's configuration that runs a program wherever git gives it the chance. */
function hostileConfig(evil: string): string {
  return [
    "[core]",
    "\trepositoryformatversion = 0",
    `\tfsmonitor = ${evil}`,
    `\tpager = ${evil}`,
    `\tsshCommand = ${evil}`,
    "\tattributesFile = /nowhere",
    "[pager]",
    `\tgrep = ${evil}`,
    "[alias]",
    `\tgrep = !${evil}`,
    "[grep]",
    "\tpatternType = fixed",
    "\tlineNumber = true",
    "\tcolumn = true",
    "\tfullName = true",
    "\tfallbackToNoIndex = false",
    "[color]",
    "\tui = always",
    '[diff "x"]',
    `\ttextconv = ${evil}`,
    "",
  ].join("\n");
}

for (
  const [where, place] of [
    ["in the repository", ""],
    ["in a .git file redirect", "redirect"],
    ["in a bare repository that is the workspace", "bare"],
    ["in a bare repository below", "sub/bare.git"],
  ] as const
) {
  Deno.test(`git runs nothing that is configured ${where}`, async () => {
    await using tree = await tempTree();
    const mark = tree.path("mark");
    await script(tree.path("evil"), `touch ${mark}`);
    const repository = {
      HEAD: "ref: refs/heads/main\n",
      config: hostileConfig(tree.path("evil")),
      "objects/": null,
      "refs/": null,
    };
    const home = place === "redirect"
      ? "elsewhere"
      : place === "bare"
      ? "ws"
      : place === ""
      ? "ws/.git"
      : `ws/${place}`;
    await tree.write(
      Object.fromEntries(
        Object.entries(repository).map(([name, entry]) => [
          `${home}/${name}`,
          entry,
        ]),
      ),
    );
    await tree.write({ "ws/a": "foo\nx.y\n", "ws/.gitattributes": "* diff=x\n" });
    if (place === "redirect") await tree.write({ "ws/.git": `gitdir: ${tree.path(home)}\n` });
    const previous = Deno.cwd();
    Deno.chdir(tree.path("ws"));
    try {
      const answer = await sameAnswer(tree.path("ws"), { pattern: "^fo{2}$", path: "a" });
      assert.equal((answer as SearchResult).count, 1);
    } finally {
      Deno.chdir(previous);
    }
    assertUnmarked(mark, "git");
  });
}

Deno.test("git sees nothing of the user's configuration and environment", async () => {
  await using tree = await tempTree({ "ws/a": "foo\n", "ws/:(exclude)b": "foo\n" });
  const mark = tree.path("mark");
  await script(tree.path("evil"), `touch ${mark}`);
  await tree.write({ "home/.gitconfig": hostileConfig(tree.path("evil")) });
  await withEnv({
    HOME: tree.path("home"),
    XDG_CONFIG_HOME: tree.path("home"),
    GIT_CONFIG_COUNT: "2",
    GIT_CONFIG_KEY_0: "grep.patternType",
    GIT_CONFIG_VALUE_0: "fixed",
    GIT_CONFIG_KEY_1: "alias.grep",
    GIT_CONFIG_VALUE_1: `!${tree.path("evil")}`,
    GIT_DIR: tree.path("ws"),
    GIT_WORK_TREE: "/",
    GIT_ICASE_PATHSPECS: "1",
    GIT_TRACE: tree.path("mark"),
    GIT_PAGER: tree.path("evil"),
    GREP_OPTIONS: "-v",
    GREP_COLORS: "mt=01",
    LC_ALL: "tr_TR.UTF-8",
  }, async () => {
    const answer = await sameAnswer(tree.path("ws"), { pattern: "^fo{2}$" });
    assert.equal((answer as SearchResult).count, 2);
  });
  assertUnmarked(mark, "git");
});

Deno.test("a program is given files, a safe place and a bare environment, and no input", async () => {
  await using tree = await tempTree({
    ".gitignore": "ignored\n",
    ignored: "foo\n",
    ".env": "foo\n",
    big: "foo\n".repeat(99),
    "d/a": "foo\n",
    b: "bar\n",
    link: { symlink: "/etc/passwd" },
  });
  for (const engine of PROGRAMS) {
    await using log = await tempTree();
    const body = [
      `tr '\\0' '\\n' < /proc/$$/environ > ${log.path("env")}`,
      `readlink /proc/$$/cwd /proc/$$/fd/0 > ${log.path("place")}`,
      `for word; do printf '%s\\n' "$word"; done > ${log.path("args")}`,
      "exit 1",
    ].join("\n");
    await withPrograms({ [engine]: body }, async () => {
      await withEnv({ SECRET_TOKEN: "x", LD_LIBRARY_PATH: "/x" }, async () => {
        const answer = await answerOf(engine, tree.root, { pattern: "foo", maxFileSize: 99 });
        assert.equal((answer as SearchResult).count, 0, JSON.stringify(answer));
      });
    });
    const read = (name: string) => Deno.readTextFileSync(log.path(name)).trimEnd().split("\n");
    const names = read("env").map((entry) => entry.split("=")[0]);
    assert.deepEqual(names.filter((name) => name !== "LC_ALL" && !name!.startsWith("GIT_")), []);
    assert.deepEqual(read("place"), ["/", "/dev/null"]);
    const args = read("args");
    const files = args.slice(args.indexOf("--") + 1).map((file) => `/${file.replace(/^\//, "")}`);
    assert.deepEqual(files.sort(), [".gitignore", "b", "d/a"].map((name) => tree.path(name)));
  }
});

Deno.test("a file that is named is handed to the program directly", async () => {
  await using tree = await tempTree({ "d/a": "foo\n", "d/b": "foo\n" });
  for (const engine of PROGRAMS) {
    await using log = await tempTree();
    const body = `for word; do printf '%s\\n' "$word"; done > ${log.path("args")}; exit 1`;
    await withPrograms({ [engine]: body }, async () => {
      await answerOf(engine, tree.root, { pattern: "foo", path: "d/a" });
    });
    const args = Deno.readTextFileSync(log.path("args")).trimEnd().split("\n");
    const files = args.slice(args.indexOf("--") + 1).map((file) => `/${file.replace(/^\//, "")}`);
    assert.deepEqual(files, [tree.path("d/a")]);
  }
});

Deno.test("a program planted in the workspace is not run", async () => {
  await using tree = await tempTree({ "ws/a": "foo\n", "out/": null });
  const mark = tree.path("mark");
  for (const name of PROGRAMS) await script(tree.path(`ws/bin/${name}`), `touch ${mark}; exit 1`);
  // A link from a directory outside to a program inside is no better.
  for (const name of PROGRAMS) {
    await Deno.symlink(tree.path(`ws/bin/${name}`), tree.path(`out/${name}`));
  }
  const path = Deno.env.get("PATH")!;
  // Nor is one in the workspace to a program outside: whoever made it can make it lead elsewhere.
  await tree.write({ "ws/links/": null });
  for (const name of PROGRAMS) {
    await script(tree.path(`beside/${name}`), `touch ${mark}; exit 1`);
    await Deno.symlink(tree.path(`beside/${name}`), tree.path(`ws/links/${name}`));
  }
  const places = ["ws/bin", "ws/../ws/bin", "out", "ws/links"].map((place) => tree.path(place));
  for (const planted of places) {
    await withEnv({ PATH: `${planted}:${path}` }, async () => {
      for (const engine of ENGINES) {
        const answer = await answerOf(engine, tree.path("ws"), { pattern: "foo", path: "a" });
        assert.equal((answer as SearchResult).count, 1);
        assert.equal(engineIn(answer), engine);
      }
    });
    await withEnv({ PATH: planted }, async () => {
      const workspace = await Workspace.open(tree.path("ws"));
      for (const engine of ["git", "grep"] as const) {
        await assert.rejects(search({ pattern: "foo", engine }, { workspace }), {
          code: "engine_unavailable",
          message: new RegExp(
            `^${engine} was found in the workspace .*--allow-run=/path/to/${engine} .*install `,
          ),
        });
      }
    });
  }
  assertUnmarked(mark, "the workspace");
});

Deno.test("where PATH can't be looked at as a whole, a planted program is not run either", async () => {
  await using tree = await tempTree({ "ws/a": "foo\n", "unseen/": null });
  const mark = tree.path("mark");
  await script(tree.path("ws/bin/grep"), `touch ${mark}; exit 1`);
  const { stdout } = await pathgrep(["foo", "--engine", "grep"], {
    cwd: tree.path("ws"),
    permissions: [
      `--allow-read=${tree.path("ws")}`,
      "--allow-env=PATH",
      "--allow-run=grep",
    ],
    env: { PATH: `${tree.path("unseen")}:${tree.path("ws/bin")}:${Deno.env.get("PATH")}` },
  });
  assert.equal(JSON.parse(stdout).code, "engine_unavailable", stdout);
  assertUnmarked(mark, "PATH");
});

Deno.test("ripgrep from npm is not run where Deno's cache lies in the workspace", async () => {
  await using empty = await tempTree();
  const workspace = dirname(dirname(await rgPath()));
  const args = ["ripgrep", "package.json", "--engine", "rg"];
  const env = { PATH: empty.root };
  const inside = await pathgrep(args, { cwd: workspace, permissions: ["-A"], env });
  assert.match(
    JSON.parse(inside.stdout).error,
    /^engine unavailable: rg was found in the workspace .* is not run; .*install ripgrep/,
  );
  await using beside = await tempTree({ "package.json": "ripgrep\n" });
  const outside = await pathgrep(args, { cwd: beside.root, permissions: ["-A"], env });
  assert.equal(JSON.parse(outside.stdout).count, 1, outside.stdout);
});

Deno.test("what is called like a program and can't be run is passed over", async () => {
  await using tree = await tempTree({ "ws/a": "foo\n", "bin/grep": "no program\n" });
  await withEnv({ PATH: `${tree.path("bin")}:${Deno.env.get("PATH")}` }, async () => {
    const answer = await answerOf("grep", tree.path("ws"), { pattern: "foo" });
    assert.equal((answer as SearchResult).count, 1);
  });
});

Deno.test("a program from a relative entry of PATH is not run", async () => {
  await using tree = await tempTree({ "ws/a": "foo\n", "here/": null });
  const mark = tree.path("mark");
  for (const name of PROGRAMS) await script(tree.path(`here/${name}`), `touch ${mark}; exit 1`);
  const path = Deno.env.get("PATH")!;
  const previous = Deno.cwd();
  Deno.chdir(tree.path("here"));
  try {
    for (const relative of [".", "", "../here"]) {
      await withEnv({ PATH: `${relative}:${path}` }, async () => {
        const answer = await sameAnswer(tree.path("ws"), { pattern: "foo" });
        assert.equal((answer as SearchResult).count, 1);
      });
    }
  } finally {
    Deno.chdir(previous);
  }
  assertUnmarked(mark, "PATH");
});

Deno.test("doctor runs no planted program either", async () => {
  await using tree = await tempTree({ "ws/a": "foo\n" });
  const mark = tree.path("mark");
  for (const name of PROGRAMS) await script(tree.path(`ws/bin/${name}`), `touch ${mark}; exit 1`);
  const { stdout } = await pathgrep(["doctor"], {
    cwd: tree.path("ws"),
    permissions: ["-A"],
    env: { PATH: `${tree.path("ws/bin")}:${Deno.env.get("PATH")}` },
  });
  const { engines } = JSON.parse(stdout);
  for (const name of ["git", "grep"]) {
    assert.equal(engines[name].available, true);
    assert.match(engines[name].needs, new RegExp(`--allow-run=${name} and --allow-env=PATH$`));
  }
  assertUnmarked(mark, "doctor");
});

plain.slow(
  "with the permissions that doctor and errors name, no planted program is run",
  async () => {
    await using tree = await tempTree({ "ws/a": "foo\n" });
    const mark = tree.path("mark");
    const planted = `touch ${mark}; exit 1`;
    for (const name of ["git", "grep"]) {
      await script(tree.path(`ws/node_modules/.bin/${name}`), planted);
    }
    // As npm runs its scripts.
    const env = { PATH: `${tree.path("ws/node_modules/.bin")}:${Deno.env.get("PATH")}` };
    const read = `--allow-read=${tree.path("ws")}`;
    for (const name of ["git", "grep"]) {
      const ask = async (args: string[], permissions: string[]) => {
        const { stdout } = await pathgrep([...args, "--engine", name], {
          cwd: tree.path("ws"),
          permissions,
          env,
        });
        return JSON.parse(stdout);
      };
      const { least_privilege: least } = await ask(["doctor"], [read]);
      const { error } = await ask(["foo"], [read]);
      const named = /start Deno with (--allow-run=\S+ --allow-env=PATH)/.exec(error)![1]!;
      // Deno takes the planted program for the one that is granted.
      for (const flags of [least.split(" ").slice(3, -1), [read, ...named.split(" ")]]) {
        assert.equal((await ask(["foo"], flags)).code, "engine_unavailable", flags.join(" "));
      }
      // Where Deno may look at the others, the error names the one to grant.
      const all = ["--allow-read", "--allow-env=PATH"];
      const refusal = await ask(["foo"], [...all, `--allow-run=${name}`]);
      const [, granted] = /start Deno with (--allow-run=\/\S+), or/.exec(refusal.error)!;
      assert.equal((await ask(["foo"], [...all, granted!])).count, 1, granted);
      // Where it may not, the user has to know the path.
      const some = [read, "--allow-env=PATH"];
      const { error: advice } = await ask(["foo"], [...some, `--allow-run=${name}`]);
      const [, ...parts] = /start Deno with (\S+) (\S+),/.exec(advice)!;
      const path = granted!.slice("--allow-run=".length);
      const flags = parts.map((flag) => flag.replace(`/path/to/${name}`, path));
      assert.equal((await ask(["foo"], [...some, ...flags])).count, 1, flags.join(" "));
    }
    assertUnmarked(mark, "PATH");
  },
);

Deno.test("each engine needs permission to run its program and to read the workspace, and no more", async () => {
  await using tree = await tempTree({ a: "foo\n", "d/b": "foo\n" });
  const env = { PATH: `${dirname(await rgPath())}:${Deno.env.get("PATH")}` };
  for (const engine of PROGRAMS) {
    const args = ["foo", "--engine", engine, "--stats", "-l"];
    const granted = await pathgrep(args, {
      cwd: tree.root,
      permissions: [`--allow-read=${tree.root}`, `--allow-run=${engine}`],
      env,
    });
    const answer = JSON.parse(granted.stdout);
    assert.deepEqual(answer.files, [tree.path("a"), tree.path("d/b")], granted.stdout);
    assert.equal(answer.stats.engine, engine);
    const refused = await pathgrep(args, {
      cwd: tree.root,
      permissions: [`--allow-read=${tree.root}`],
      env,
    });
    assert.equal(refused.code, 2);
    assert.equal(refused.stderr, "");
    assert.match(
      JSON.parse(refused.stdout).error,
      new RegExp(`^engine unavailable: ${engine} .*--allow-run=${engine}`),
    );
  }
});

Deno.test("an engine whose program is missing says how to get it", async () => {
  await using tree = await tempTree({ a: "foo\n", "empty/": null });
  const workspace = await Workspace.open(tree.root);
  await withEnv({ PATH: tree.path("nowhere") }, async () => {
    for (const engine of ["git", "grep"] as const) {
      await assert.rejects(search({ pattern: "foo", engine }, { workspace }), {
        code: "engine_unavailable",
        message: new RegExp(`^${engine} is not installed; install `),
      });
    }
  });
});

/** Ways in which a program can fail, and what is said of it. */
const FAILURES: [name: string, script: string, says: RegExp][] = [
  ["complains of the pattern", "echo 'regex parse error: x' >&2; exit 2", /regex parse error: x/],
  ["fails without a word", "exit 2", /exited with status 2/],
  ["dies", "kill -9 $$", /was terminated by SIGKILL/],
  [
    "dies after it complained of a file",
    'echo "$last: No such file or directory" >&2; kill -9 $$',
    /No such file or directory/,
  ],
  [
    "dies in the middle of its answer",
    "printf '%s' \"$last\"; kill -9 $$",
    /was terminated by SIGKILL/,
  ],
  ["answers in part", "printf '%s' \"$last\"; exit 0", /incomplete/],
  ["finds nothing and calls that success", "exit 0", /incomplete/],
  ["names files and says it found none", "printf '%s\\0' \"$last\"; exit 1", /incomplete/],
  ["names files that it was not asked about", "printf '/etc/passwd\\0'; exit 0", /incomplete/],
  ["warns while it answers", "printf '%s\\0' \"$last\"; echo warning: hm >&2", /warning: hm/],
  ["does not stop talking", "yes | head -c 9000000; exit 0", /it wrote more than requested/],
  ["talks of its failure without end", "yes oops | head -c 9000000 >&2; exit 2", /oops/],
];

for (const [name, body, says] of FAILURES) {
  Deno.test(`a program that ${name} fails the search, which is not "no match"`, async () => {
    // Cut short, one name may be the other.
    await using tree = await tempTree({ a: "foo\n", ab: "bar\n" });
    for (const engine of PROGRAMS) {
      const last = "for last; do case $last in */ab) break;; esac; done";
      await withPrograms({ [engine]: `${last}\n${body}` }, async () => {
        const answer = await answerOf(engine, tree.root, { pattern: "foo" }) as {
          code?: string;
          error?: string;
        };
        assert.equal(answer.code, "search_failed", JSON.stringify(answer));
        assert.match(answer.error!, new RegExp(`^search failed: ${engine} `));
        assert.match(answer.error!, says);
        assert.ok(answer.error!.length < 1000);
      });
    }
  });
}

// ripgrep has no option for it: there the time limit ends the wait.
Deno.test("neither git nor grep waits for a pipe that has come in the place of a file", async () => {
  for (const name of ["git", "grep"] as const) {
    await using tree = await tempTree({ a: "foo\n", b: "foo\n" });
    const body = `rm ${tree.path("b")}; mkfifo ${tree.path("b")}; exec /usr/bin/${name} "$@"`;
    await withPrograms({ [name]: body }, async () => {
      const query = { pattern: "foo", outputMode: "file", timeout: 10_000 } as const;
      const { files } = await answerOf(name, tree.root, query) as { files?: string[] };
      assert.deepEqual(files, [tree.path("a")], name);
    });
  }
});

test("a file that cannot be read is counted, and the others are searched", async () => {
  await using tree = await tempTree({ a: "foo\n", b: "foo\n", c: "bar\n" });
  await Deno.chmod(tree.path("b"), 0o000);
  const answers = [];
  for (const engine of ENGINES) {
    const { stdout } = await pathgrep(["foo", "--engine", engine, "--stats"], {
      cwd: tree.root,
      permissions: ["-A"],
      env: { PATH: `${dirname(await rgPath())}:${Deno.env.get("PATH")}` },
      wrapper: withoutReadOverride(),
    });
    const answer = JSON.parse(stdout) as SearchResult;
    assert.equal(engineIn(answer), engine);
    assert.equal(answer.count, 1);
    assert.match(String(answer.notes), /1 file or directory could not be read/);
    answers.push(JSON.stringify(comparable(answer)));
  }
  assert.equal(new Set(answers).size, 1, answers.join("\n"));
});

/** Whether a process is running: it exists and is not dead and unburied. */
function isRunning(pid: number): boolean {
  try {
    return !/^\d+ \(.*\) [ZX]/s.test(Deno.readTextFileSync(`/proc/${pid}/stat`));
  } catch {
    return false;
  }
}

async function until(holds: () => boolean, what: string): Promise<void> {
  for (let turn = 0; turn < 1000; turn++) {
    if (holds()) return;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  assert.fail(what);
}

/** Notes the program's own process and one that it starts, both of which go on for ever. */
const ENDLESS = (log: string) =>
  `sleep 1000 &\necho $$ $! > ${log}.new; mv ${log}.new ${log}; wait`;

for (
  const [how, query, code] of [
    ["cancelled", {}, "cancelled"],
    ["out of time", { timeout: 300 }, "search_timed_out"],
  ] as [string, Partial<SearchQuery>, string][]
) {
  plain.slow(`a search that is ${how} ends the program and all that it started`, async () => {
    await using tree = await tempTree({ a: "foo\n" });
    await using log = await tempTree();
    const workspace = await Workspace.open(tree.root);
    for (const engine of PROGRAMS) {
      const pids = log.path(engine);
      await withPrograms({ [engine]: ENDLESS(pids) }, async () => {
        const ender = new AbortController();
        const searching = search({ pattern: "foo", engine, ...query }, {
          workspace,
          signal: ender.signal,
        });
        const rejected = assert.rejects(searching, { code });
        await until(() => isThere(pids), "the program starts");
        if (code === "cancelled") ender.abort();
        await rejected;
        for (const pid of Deno.readTextFileSync(pids).trim().split(" ")) {
          await until(() => !isRunning(Number(pid)), `${engine}: process ${pid} ends`);
        }
      });
    }
  });
}

plain.slow("a search that has enough ends the program", async () => {
  // Names so long that they take more than one call.
  const files = Object.fromEntries(
    Array.from({ length: 1500 }, (_, index) => [`${index}`.padStart(200, "x"), "foo\n"]),
  );
  await using tree = await tempTree(files);
  await using log = await tempTree();
  const workspace = await Workspace.open(tree.root);
  for (const engine of PROGRAMS) {
    const pids = log.path(engine);
    // The first call answers with two files; the second goes on while they are counted.
    const body = [
      `if mkdir ${pids}.called; then`,
      "for next; do before=$last; last=$next; done",
      'printf "%s\\0" "$before" "$last"; exit 0',
      "fi",
      ENDLESS(pids),
    ].join("\n");
    await withPrograms({ [engine]: body }, async () => {
      const result = await search(
        { pattern: "foo", engine, sort: "none", maxResults: 1, onOverflow: "truncate" },
        { workspace },
      );
      assert.equal(result.count, 1);
      assert.equal(result.truncated, true);
      for (const pid of Deno.readTextFileSync(pids).trim().split(" ")) {
        await until(() => !isRunning(Number(pid)), `${engine}: process ${pid} ends`);
      }
    });
  }
});
