/**
 * The command line at a terminal: the permission question, colours and links. `script` of util-linux
 * is the terminal.
 *
 * @module
 */
import assert from "node:assert/strict";
import { testNeeding } from "../support/needs.ts";
import { CLI } from "../support/run.ts";
import { tempTree, type Tree } from "../support/tree.ts";

const test = testNeeding("script");

/** Keys, as a terminal sends them. */
const UP = "\x1b[A";
const DOWN = "\x1b[B";
const ENTER = "\r";
const ESCAPE = "\x1b";
const CTRL_C = "\x03";

interface Session {
  /** What the terminal showed. */
  screen: string;
  /** What was on standard output. */
  stdout: string;
  code: number;
}

/** What of the surroundings a test sets otherwise. */
interface Surroundings {
  env?: Record<string, string>;
  permissions?: readonly string[];
  /** What is typed before the program has started. */
  ahead?: string;
  /** What is typed every few milliseconds from then on, until the question or its refusal appears. */
  dripping?: string;
  /** What is sent to the program instead of keys. */
  signal?: Deno.Signal;
  /** What is typed after the keys, again and again until the program ends. */
  held?: string;
}

/** Runs the program at a terminal, its output in a file, and types once `cue` is on the screen. */
async function atTerminal(
  tree: Tree,
  args: readonly string[],
  typing: { cue: string; keys: string | Uint8Array } = { cue: "\0", keys: "" },
  redirect = " > stdout.txt",
  { env, permissions = ["-A"], ahead = "", dripping, signal, held }: Surroundings = {},
): Promise<Session> {
  const quote = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`;
  const isJson = redirect !== "" && !args.includes("--format");
  const line = [...args, ...isJson ? ["--format", "json"] : []];
  const program = [Deno.execPath(), "run", ...permissions, CLI, ...line].map(quote).join(" ");
  const child = new Deno.Command("script", {
    args: [
      "-qec",
      // Ctrl-C is for the program alone.
      `trap : INT; stty -a > ../before; sh -c 'echo $$ > ../pid; exec "$@"' sh ${program}${redirect}; ` +
      `echo "status $?"; stty -a > ../after; stty -a`,
      "/dev/null",
    ],
    cwd: tree.path("ws"),
    env: { TERM: "xterm", NO_COLOR: "", ...env },
    stdin: "piped",
    stdout: "piped",
    stderr: "null",
  }).spawn();
  const keyboard = child.stdin.getWriter();
  const type = (keys: string | Uint8Array) =>
    keyboard.write(typeof keys === "string" ? new TextEncoder().encode(keys) : keys.slice());
  await type(ahead);
  let screen = "";
  let typed = false;
  let repeating: ReturnType<typeof setInterval> | undefined;
  if (dripping !== undefined) repeating = setInterval(() => type(dripping).catch(() => {}), 5);
  for await (const piece of child.stdout.pipeThrough(new TextDecoderStream())) {
    screen += piece;
    if (dripping !== undefined && screen.includes("outside the workspace")) {
      clearInterval(repeating);
    }
    if (!typed && screen.includes(typing.cue)) {
      typed = true;
      if (held !== undefined) repeating = setInterval(() => type(held).catch(() => {}), 300);
      if (signal === undefined) await type(typing.keys);
      else Deno.kill(Number(await Deno.readTextFile(tree.path("pid"))), signal);
    }
  }
  clearInterval(repeating);
  await keyboard.close().catch(() => {});
  await child.status;
  assert.match(screen, / icanon/, "the terminal is in its usual mode again");
  const [before, after] = await Promise.all(
    ["before", "after"].map((name) => Deno.readTextFile(tree.path(name))),
  );
  assert.equal(after, before, "the terminal is as it was");
  return {
    screen,
    stdout: redirect === "" ? "" : await Deno.readTextFile(tree.path("ws/stdout.txt")),
    code: Number(/status (\d+)/.exec(screen)![1]),
  };
}

const FILES = { "ws/.ignore": "stdout.txt\n", "outside/a.txt": "foo\n" };
const LAST_CHOICE = "Allow for this session (s)";

/** What is left of the choices when the question has been answered. */
function settled(screen: string): string {
  const last = screen.lastIndexOf("\x1b[3A\x1b[J");
  assert.ok(last > 0, screen);
  return screen.slice(last + "\x1b[3A\x1b[J".length, screen.indexOf("status"));
}

/** How the choice that these keys make is shown. */
function labelOf(keys: string): string {
  const isSession = keys === "s" || keys === DOWN + ENTER;
  const isAllowed = ["a", "y", "Y", UP + ENTER].includes(keys);
  return `> ${isSession ? "Allow for this session" : isAllowed ? "Allow" : "Deny"}\r\n`;
}

for (
  const [name, keys, allowed] of [
    ["a", "a", true],
    ["s", "s", true],
    ["d", "d", false],
    ["y", "y", true],
    ["Y", "Y", true],
    ["n", "n", false],
    ["a key that sends three characters and then n", "\x1b[Cn", false],
    ["Enter alone", ENTER, false],
    ["the arrow up to Allow and Enter", UP + ENTER, true],
    ["the arrow down to Allow for this session and Enter", DOWN + ENTER, true],
    ["Escape", ESCAPE, false],
    ["Ctrl-C", CTRL_C, false],
    ["a key without a meaning and then d", "xd", false],
  ] as const
) {
  test(`the question about an outside path: ${name} ${allowed ? "allows" : "denies"}`, async () => {
    await using tree = await tempTree(FILES);
    const { code, stdout, screen } = await atTerminal(tree, ["foo", "../outside"], {
      cue: LAST_CHOICE,
      keys,
    });
    assert.equal(code, allowed ? 0 : 2, screen);
    assert.equal(settled(screen), labelOf(keys), "the answer stays, and no other choice");
    const answer = JSON.parse(stdout);
    if (allowed) assert.equal(answer.matches[0].file, tree.path("outside/a.txt"));
    else assert.equal(answer.code, "permission_denied_by_user");
  });
}

for (
  const [name, keys] of [
    ["F1 on the Linux console", "\x1b[[A"],
    ["Ctrl and an arrow, as some terminals send it", "\x1bO5A"],
    ["a click of the mouse", "\x1b[M aa"],
    ["pasted text", "\x1b[200~a way\x1b[201~"],
    ["a sequence of eight bits", "\x9bA"],
    ["a sequence that is not UTF-8", new Uint8Array([0x9b, 0x41])],
  ] as const
) {
  test.slow(`letters in a key that sends several characters allow nothing: ${name}`, async () => {
    await using tree = await tempTree(FILES);
    const typing = { cue: LAST_CHOICE, keys };
    const denied = { held: "d" }; // a while later
    const { code, stdout, screen } = await atTerminal(
      tree,
      ["foo", "../outside"],
      typing,
      undefined,
      denied,
    );
    assert.equal(code, 2, screen);
    assert.equal(JSON.parse(stdout).code, "permission_denied_by_user");
  });
}

for (
  const [args, ahead, tool] of [
    [["files", "../outside"], "", "files"],
    [["resolve", "../outside/a.txt"], "", "resolve_path"],
    [["call", "grep"], '{"pattern":"foo","path":"../outside"}\n\x04', "grep"],
  ] as const
) {
  test(`the command ${args[0]} asks about an outside path, too`, async () => {
    await using tree = await tempTree(FILES);
    const allowed = await atTerminal(tree, args, { cue: LAST_CHOICE, keys: "y" }, undefined, {
      ahead,
    });
    assert.match(allowed.screen, new RegExp(`pathgrep: ${tool} wants to read outside`));
    assert.equal(allowed.code, 0, allowed.stdout);
    assert.match(allowed.stdout, /outside\/a\.txt/);
    const never = await atTerminal(tree, [...args, "--prompt", "never"], undefined, undefined, {
      ahead,
    });
    assert.equal(JSON.parse(never.stdout).code, "path_outside_workspace");
  });
}

test("the question shows tool, path and resolved path, with control characters escaped", async () => {
  await using tree = await tempTree({ "ws/.ignore": "", "evil\x1b[2J\u202e/a.txt": "foo\n" });
  const { screen } = await atTerminal(tree, ["foo", "../evil\x1b[2J\u202e"], {
    cue: LAST_CHOICE,
    keys: "d",
  });
  assert.match(screen, /grep wants to read outside the workspace/);
  assert.ok(screen.includes("requested: ../evil\\x1b[2J\\u202e"), screen);
  assert.ok(screen.includes(`resolved:  ${tree.root}/evil\\x1b[2J\\u202e`), screen);
  assert.ok(!screen.includes("\x1b[2J"));
});

for (
  const [what, ahead] of [
    ["a command line", "ls -la\n"],
    ["half a command line", "ls -la"],
    ["an answer", "y"],
    ["an answer and Enter", "s\r"],
    ["an arrow and Enter", UP + ENTER],
    ["many lines", "sassy\n".repeat(500)],
    ["more lines than a terminal holds at once", "y\n".repeat(4000)],
    ["the end of the input", "\x04"],
  ] as const
) {
  test(`${what} typed before the question appeared does not answer it`, async () => {
    for (const [keys, code] of [["d", 2], ["a", 0]] as const) {
      await using tree = await tempTree(FILES);
      const typing = { cue: LAST_CHOICE, keys };
      const args = ["foo", "../outside"];
      const session = await atTerminal(tree, args, typing, undefined, { ahead });
      assert.equal(session.code, code, session.screen);
    }
  });
}

test.slow("keys that keep coming deny what nobody could be asked about", async () => {
  await using tree = await tempTree(FILES);
  // They seem to end where the machine stands still, so that one of three runs will do.
  for (let again = 2;; again--) {
    // Keys that answer nothing, and then one that denies.
    const { code, stdout, screen } = await atTerminal(
      tree,
      ["foo", "../outside"],
      { cue: LAST_CHOICE, keys: "n" },
      undefined,
      { dripping: "x" },
    );
    if (screen.includes(LAST_CHOICE) && again > 0) continue;
    assert.deepEqual([code, JSON.parse(stdout).code], [2, "permission_denied_by_user"]);
    assert.match(screen, /Denied: keys keep arriving, so nobody can be asked/);
    assert.ok(!screen.includes(LAST_CHOICE));
    return;
  }
});

test("the question shows its keys", async () => {
  await using tree = await tempTree(FILES);
  const { screen } = await atTerminal(tree, ["foo", "../outside"], { cue: LAST_CHOICE, keys: "n" });
  for (const key of ["Allow (a, y)", "Deny (d, n)", LAST_CHOICE, "arrow keys and Enter"]) {
    assert.ok(screen.includes(key), screen);
  }
});

test.slow("the question about a path of any length fits on a screen, and shows where the path ends", async () => {
  for (const part of ["long/", "\u202e", "\n", "\x1b[2J", "語", "e\u0301\u0301\u0301"]) {
    await using tree = await tempTree(FILES);
    const path = `../${part.repeat(Math.floor(30_000 / part.length))}/../../outside/the_end`;
    const { screen } = await atTerminal(tree, ["foo", path], { cue: LAST_CHOICE, keys: "d" });
    const question = screen.slice(screen.indexOf("pathgrep:"), screen.indexOf("status"));
    assert.ok(question.length < 1000, `${part}: ${question.length} characters`);
    assert.ok(question.split("\n").length < 24);
    assert.match(question, /requested: \.\.\/.*….*the_end\r\n/u);
    assert.match(question, /resolved: .*the_end\r\n/u);
  }
});

for (
  const [signal, code] of [
    ["SIGTERM", 143],
    ["SIGINT", 130],
    ["SIGHUP", 129],
    ["SIGQUIT", 131],
  ] as const
) {
  test(`${signal} during the question ends the program with ${code}, the terminal as it was`, async () => {
    for (const permissions of [["-A"], ["--allow-read"]]) {
      await using tree = await tempTree(FILES);
      const session = await atTerminal(
        tree,
        ["foo", "../outside"],
        { cue: LAST_CHOICE, keys: "" },
        undefined,
        { signal, permissions },
      );
      assert.equal(session.code, code, session.screen);
      assert.equal(session.stdout, "");
    }
  });
}

test("Ctrl-C after the question ends the search, as it does where none was asked", async () => {
  await using tree = await tempTree({ "ws/.ignore": "", "outside/a.txt": `${"a".repeat(40)}!\n` });
  const typing = { cue: LAST_CHOICE, keys: "a" };
  const args = ["^(a+)+\\1$", "../outside", "--timeout", "20000"];
  const session = await atTerminal(tree, args, typing, undefined, { held: CTRL_C });
  assert.equal(session.code, 130, session.screen);
});

test.slow("Ctrl-C ends a search by any engine as the signal does, without a word", async () => {
  const lines = Array.from({ length: 200 }, (_, at) => [`ws/${at}.txt`, `${"a".repeat(24)}\n`]);
  await using tree = await tempTree(Object.fromEntries(lines));
  for (const engine of ["js", "grep"]) {
    const args = ["^(a+)+\\1b", "--engine", engine, "--timeout", "20000"];
    const typing = { cue: "files searched", keys: CTRL_C };
    const { code, screen, stdout } = await atTerminal(tree, args, typing);
    assert.deepEqual([code, stdout], [130, ""], screen);
    assert.doesNotMatch(screen, /cancelled/);
    if (engine === "grep") assert.match(screen, /\r.\[K(?:\r\n)?status 130/);
  }
});

test("Deno asks nothing about the directory above a root, whatever the root is called", async () => {
  await using tree = await tempTree({ "ws/root~1/a.txt": "foo\n" });
  const root = tree.path("ws/root~1");
  const { stdout, screen } = await atTerminal(
    tree,
    ["foo", "--workspace", root],
    { cue: "Allow?", keys: "" },
    undefined,
    { permissions: [`--allow-read=${root}`], held: "n\n" }, // Deno drops what comes too early
  );
  assert.doesNotMatch(screen, /Allow\?|requests/);
  assert.equal(JSON.parse(stdout).count, 1);
});

test("--prompt never asks nothing, even at a terminal", async () => {
  await using tree = await tempTree(FILES);
  const { code, stdout, screen } = await atTerminal(tree, [
    "foo",
    "../outside",
    "--prompt",
    "never",
  ]);
  assert.equal(code, 2);
  assert.equal(JSON.parse(stdout).code, "path_outside_workspace");
  assert.ok(!screen.includes("Allow"));
});

test("text is coloured at a terminal, and only there", async () => {
  await using tree = await tempTree({ "ws/a.txt": "a 😀 foo\x1b[2J, foo\n" });
  const args = ["fo+", "--format", "text", "--hyperlinks", "never"];
  const { screen } = await atTerminal(tree, args, undefined, "");
  const coloured =
    "<35>a.txt<0><36>:<0><32>1<0><36>:<0>a 😀 <1;31>foo<0>\\x1b[2J, <1;31>foo<0>\r\n";
  assert.equal(
    screen.slice(0, screen.indexOf("pathgrep: note: escapes such as")),
    coloured.replace(/<([\d;]+)>/g, "\x1b[$1m"),
  );
  const { stdout } = await atTerminal(tree, args);
  assert.equal(stdout, "a.txt:1:a 😀 foo\\x1b[2J, foo\n");
});

/** What a terminal shows of an answer in text, its links as `[name](address)` and without colours. */
async function shownText(tree: Tree, args: readonly string[], given: Surroundings = {}) {
  const { screen } = await atTerminal(
    tree,
    [...args, "--format", "text"],
    undefined,
    "",
    given,
  );
  const answer = screen.slice(0, screen.indexOf("status")).replaceAll("\r\n", "\n");
  // deno-lint-ignore no-control-regex -- escapes are what it is about
  const links = /\x1b\]8;;([!-~]+)\x1b\\((?:(?!\x1b\]).)*)\x1b\]8;;\x1b\\/g;
  // deno-lint-ignore no-control-regex -- as above
  return answer.replace(links, "[$2]($1)").replace(/\x1b\[[\d;]*m/g, "");
}

test("file names in text are links at a terminal, in every mode and for context too", async () => {
  await using tree = await tempTree({ "ws/src/a.txt": "one\nfoo\n" });
  const address = `file://${Deno.hostname()}${tree.path("ws/src/a.txt")}`;
  const name = `[src/a.txt](${address})`;
  assert.equal(await shownText(tree, ["foo", "-B1"]), `${name}-1-one\n${name}:2:foo\n`);
  assert.equal(await shownText(tree, ["foo", "-l"]), `${name}\n`);
  assert.equal(await shownText(tree, ["foo", "-c"]), `${name}:1\n`);
  assert.equal(await shownText(tree, ["files", "src"]), `${name}\n`);
  const path = tree.path("ws/src/a.txt");
  assert.equal(
    await shownText(tree, ["foo", "--paths", "absolute"]),
    `[${path}](${address}):2:foo\n`,
  );
});

test("a link's address is ASCII without control characters, and leads to the file", async () => {
  const odd = "a b;?#%é\u202e\x1b]8;;x\x07\n😀.txt";
  await using tree = await tempTree({ [`ws/${odd}`]: "foo\n" });
  const shown = await shownText(tree, ["foo"]);
  const [, name, address] = /^\[(.*)\]\((.*)\):1:foo\npathgrep: note: escapes such as .*\n$/.exec(
    shown,
  )!;
  assert.equal(name, "a b;?#%é\\u202e\\x1b]8;;x\\x07\\n😀.txt");
  assert.match(address!, /^[\w:\/.%-]+$/);
  assert.equal(decodeURIComponent(new URL(address!).pathname), tree.path(`ws/${odd}`));
});

test("with several roots of one name each link leads to its own root", async () => {
  await using tree = await tempTree({ "ws/a/lib/x.txt": "foo\n", "ws/b/lib/x.txt": "foo\n" });
  const host = Deno.hostname();
  assert.equal(
    await shownText(tree, ["foo", "--workspace", "a/lib", "--workspace", "b/lib"]),
    `[a/lib/x.txt](file://${host}${tree.path("ws/a/lib/x.txt")}):1:foo\n` +
      `[b/lib/x.txt](file://${host}${tree.path("ws/b/lib/x.txt")}):1:foo\n`,
  );
});

test.slow("there are no links where they are not wanted or the terminal has none", async () => {
  await using tree = await tempTree({ "ws/a.txt": "foo\n" });
  const plain = "a.txt:1:foo\n";
  assert.equal(await shownText(tree, ["foo", "--hyperlinks", "never"]), plain);
  for (const env of [{ TERM: "dumb" }, { TERM: "linux" }, { NO_COLOR: "1" }]) {
    assert.equal(await shownText(tree, ["foo"], { env }), plain);
  }
  const { stdout } = await atTerminal(tree, ["foo", "--format", "text"]);
  assert.equal(stdout, plain, "in a file");
});

test("links need no permission: without the one for the host's name they name none", async () => {
  await using tree = await tempTree({ "ws/a.txt": "foo\n" });
  const permissions = [`--allow-read=${tree.path("ws")}`];
  const name = `[a.txt](file://${tree.path("ws/a.txt")})`;
  assert.equal(await shownText(tree, ["foo"], { permissions }), `${name}:1:foo\n`);
});

test.slow("a long search shows its progress at the terminal, and erases it", async () => {
  // Many lines, each of which takes V8 a while: the time limit ends the search.
  const slow = "a".repeat(22) + "\n";
  const files = Array.from({ length: 2000 }, (_, index) => [`ws/${index}.txt`, slow]);
  await using tree = await tempTree(Object.fromEntries(files));
  const progress = /\r.\[K\d+ files searched/;
  let screen = "";
  // A busy machine takes longer to come to a first line of progress.
  for (const limit of ["2500", "10000", "40000"]) {
    const session = await atTerminal(tree, ["^(a+)+\\1b", "--timeout", limit]);
    assert.equal(JSON.parse(session.stdout).code, "search_timed_out");
    screen = session.screen;
    if (progress.test(screen)) break;
  }
  assert.match(screen, progress);
  assert.match(screen.split(progress).at(-1)!, /^\r.\[Kstatus 2/);
});

test.slow("a long search that is piped on shows no progress, which less would show amid lines", async () => {
  const files = Array.from({ length: 2000 }, (_, at) => [`ws/${at}.txt`, `${"a".repeat(22)}\n`]);
  await using tree = await tempTree(Object.fromEntries(files));
  const args = ["^(a+)+\\1b", "--timeout", "2500", "--format", "text"];
  const { screen } = await atTerminal(tree, args, undefined, " | cat > stdout.txt");
  assert.match(screen, /^pathgrep: search timed out after 2500 ms/);
});

test("a short search shows no progress", async () => {
  await using tree = await tempTree({ "ws/a.txt": "foo\n" });
  const { screen } = await atTerminal(tree, ["foo"]);
  assert.match(screen, /^status 0/);
});
