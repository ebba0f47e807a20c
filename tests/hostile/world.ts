/**
 * A hostile world on disk: a workspace `ws` full of traps, and around it what must never be told of.
 *
 * Every file that lies outside or is blocked holds `SECRET`, every file that a search may read holds
 * `PLAIN`. What lies in an outside directory has a name that begins with `zq_`, so that an answer that
 * learnt of it can be told.
 *
 * @module
 */

import { sh } from "../support/spawn.ts";
import { tempTree, type TreeEntry } from "../support/tree.ts";

/** An outside name that exists and one that does not; nothing may tell them apart. */
export const TWINS = ["there", "gone_"] as const;

const PLAIN = "PLAIN\n";
const SECRET = "SECRET\n";

/** Base names that something on the way might take for more than a name. */
export const NAMES: readonly string[] = [
  "-rf",
  "--pre=touch",
  "--output=mark",
  "-",
  "~",
  "$(touch mark)",
  "`touch mark`",
  "; touch mark;",
  "| touch mark",
  "a\nb",
  "a\tb",
  "a\rb",
  "\x1b[2J\x1b]0;owned\x07",
  "\u202etxt.exe",
  "\u2066iso",
  "\u200bzero width",
  ":(top)a",
  ":!a",
  "*",
  "?",
  "[a]",
  "{a,b}",
  "a,b",
  "a:1",
  "a:1:2",
  "file:",
  "C:",
  "con",
  "nul.txt",
  "a::$DATA",
  "...",
  "..a",
  "%2e%2e",
  "\uff0e\uff0e",
  "..\\there",
  '"quoted"',
  "'quoted'",
  "@at",
  "#hash",
  "!bang",
  "\u00e9",
  "e\u0301",
  "\u212a",
  "__proto__",
  "constructor",
  "x".repeat(255),
];

/** Directories with an ignore file each; in all of them `a.txt` is searched. */
const IGNORE_FILES: Readonly<Record<string, TreeEntry>> = {
  "bomb/.gitignore": `${"a*".repeat(40)}b\n${"**/".repeat(200)}x\n${"[a-z]*".repeat(50)}!\n`,
  "escape/.gitignore": "../there\n/../../there/*\n!../../there/file.txt\n!../../.env\n",
  "negate_secret/.gitignore": "!.env\n!*\n!**/.git/**\n",
  "nul/.gitignore": "b\0c\n\0\n",
  "huge/.gitignore": "nothing-like-it\n".repeat(2_000),
  "long_line/.gitignore": "x".repeat(300_000) + "\n",
  "latin1/.gitignore": new Uint8Array([0xe9, 0x2a, 0x0a, 0xff, 0xfe, 0x0a]),
  "crlf/.gitignore": "b.txt\r\n\r\n",
  "broken/.gitignore": "[\n[a\n\\\n\n!\n/\n[z-a]\n",
  "rgignore/.rgignore": "b.txt\n!.env\n",
  "directory/.gitignore/": null,
  "linked_there/.gitignore": { symlink: "../../../there/zq_ignore" },
  "linked_gone/.gitignore": { symlink: "../../../gone_/zq_ignore" },
  "linked_loop/.gitignore": { symlink: ".gitignore" },
  "linked_device/.gitignore": { symlink: "/dev/zero" },
  "exclude_out/.git/info/exclude": { symlink: "../../../../../there/zq_ignore" },
  "git_file/.git": "gitdir: ../../../there/zq_git\n",
  "git_link/.git": { symlink: "../../../there/zq_git" },
  "worktree/.git/config": "[core]\n\texcludesFile = ../../../../there/zq_ignore\n" +
    "\tworktree = ../../../there\n\tfsmonitor = touch mark\n",
  "attributes/.gitattributes":
    "* filter=evil diff=evil textconv=evil working-tree-encoding=UTF-16\n",
};

/** Their names, with those that need a shell to make. */
export const IGNORE_CASES: readonly string[] = [
  ...Object.keys(IGNORE_FILES).map((path) => path.slice(0, path.indexOf("/"))),
  "fifo",
];

/** What a search of the whole workspace reads. */
export const PLAIN_FILES: readonly string[] = [
  "a.txt",
  "hard.txt",
  "src/main.ts",
  "src/deep/b.txt",
  ".hidden/h.txt",
  ".envrc",
  ".env.example",
  "git/config",
  "id_rsa.pub",
  "bin/plain.txt",
  ...NAMES.map((name) => `names/${name}`),
  ...IGNORE_CASES.map((name) => `ign/${name}/a.txt`),
];

/** What is blocked by name. */
export const SECRET_FILES: readonly string[] = [
  ".env",
  ".env.local",
  ".git/config",
  ".git/hooks/pre-commit",
  "src/.ENV",
  "src/.Git/HEAD",
  "src/.ssh/config",
  "src/.gnupg/ring",
  "src/.aws/credentials",
  "src/.npmrc",
  "src/.netrc",
  "src/id_rsa",
  "src/ID_ED25519",
  "src/tls.pem",
  "src/TLS.Key",
  "src/store.p12",
  "src/.env ",
  "src/.env.",
  "src/.env::$DATA",
];

/** Links in `ws/links`, by what they lead to; each name is followed by `-there` or `-gone_`. */
const OUTWARD_LINKS: Readonly<Record<string, string>> = {
  dir: "../../OUT",
  dir_slash: "../../OUT/",
  dir_dot: "../../OUT/.",
  file: "../../OUT/zq_file.txt",
  abs_dir: "BASE/OUT",
  abs_file: "BASE/OUT/zq_file.txt",
  abs_dotted: "BASE/ws/../OUT/zq_file.txt",
  doubled: "BASE//OUT///zq_file.txt",
  over_root: "../../../../../../../../../../../../../../../..BASE/OUT",
  through_src: "../src/deep/../../../OUT",
  through_missing: "missing/../../../OUT",
  through_alias: "../../alias/../OUT/zq_file.txt",
  by_alias_back: "../../alias/links/dir-OUT",
  sibling: "../../ws-OUT",
  chain: "chain2-OUT",
  chain2: "../links/chain3-OUT",
  chain3: "dir-OUT/zq_sub",
  missing_leaf: "../../OUT/zq_none",
  missing_deep: "../../OUT/zq_none/zq_deeper/x",
  there_and_back: "../../OUT/zq_back",
  outside_loop: "../../OUT/zq_loop",
  outside_fifo: "../../OUT/zq_fifo",
  outside_socket: "../../OUT/zq_socket",
  outside_locked: "../../OUT/zq_locked/zq_file.txt",
  below_file: "../../OUT/zq_file.txt/x",
};

/** Their names. */
export const OUTWARD_LINK_NAMES: readonly string[] = Object.keys(OUTWARD_LINKS);

/** Links in `ws/links` to what every machine has. */
export const SYSTEM_LINKS: Readonly<Record<string, string>> = {
  root: "/",
  parent: "../..",
  etc: "/etc/passwd",
  proc_root: "/proc/self/root",
  proc_cwd: "/proc/self/cwd",
  proc_environ: "/proc/self/environ",
  proc_fd: "/proc/self/fd/0",
  dev_zero: "/dev/zero",
  dev_stdin: "/dev/stdin",
  dev_tty: "/dev/tty",
  sys: "/sys/kernel",
};

/** How many links follow one another in the chains of `ws/links`; a system gives up at 40. */
const LONG_CHAIN = 45;

/** A world on disk, removed when the test's block ends. */
export interface World extends AsyncDisposable {
  /** The canonical directory that holds the workspace `ws` and what lies outside of it. */
  readonly base: string;
}

/** Makes the world in a temporary directory. */
export async function makeWorld(): Promise<World> {
  await using stack = new AsyncDisposableStack();
  const tree = stack.use(await tempTree());
  const place = (text: string) => text.replaceAll("BASE", tree.root);
  await tree.write({
    alias: { symlink: "ws" },
    "outer_link": { symlink: "there" },
    "root_loop": { symlink: "root_loop" },
    "there/zq_file.txt": SECRET,
    "there/.env": SECRET,
    "there/zq_sub/zq_x.txt": SECRET,
    "there/zq_ignore": "a.txt\n",
    "there/zq_back": { symlink: "../ws/a.txt" },
    "there/zq_loop": { symlink: "zq_loop" },
    "there/zq_git/info/exclude": "a.txt\n",
    "there/zq_git/config": "[core]\n\tfsmonitor = touch mark\n",
    "there/zq_locked/zq_file.txt": SECRET,
    "ws-there/zq_file.txt": SECRET,
    wsthere: SECRET,
    ".gitignore": "*\n",
    ".ignore": "*\n",
    "rgrc": "--invert-match\n--pre=touch\n",
    "gitconfig": "[core]\n\texcludesFile = BASE/there/zq_ignore\n\tfsmonitor = touch mark\n",
  });
  for (const name of PLAIN_FILES) {
    if (name !== "hard.txt") await tree.write({ [`ws/${name}`]: PLAIN });
  }
  for (const name of SECRET_FILES) await tree.write({ [`ws/${name}`]: SECRET });
  for (const [name, entry] of Object.entries(IGNORE_FILES)) {
    await tree.write({ [`ws/ign/${name}`]: entry });
  }
  await tree.write({
    "ws/bin/src": { symlink: "../src" },
    "ws/links/plain": { symlink: "../a.txt" },
    "ws/links/src": { symlink: "../src" },
    "ws/links/up": { symlink: ".." },
    "ws/links/env": { symlink: "../.env" },
    "ws/links/git": { symlink: "../.git" },
    "ws/links/harmless.txt": { symlink: "../src/tls.pem" },
    "ws/links/chain_to_env": { symlink: "env" },
    "ws/links/loop": { symlink: "loop" },
    "ws/links/loop_a": { symlink: "loop_b" },
    "ws/links/loop_b": { symlink: "../links/loop_a" },
    "ws/links/dangling": { symlink: "../nothing/here" },
    "ws/links/long_in0": { symlink: "../a.txt" },
    "ws/links/long_out0": { symlink: "../../there" },
  });
  for (let link = 1; link <= LONG_CHAIN; link++) {
    for (const chain of ["long_in", "long_out"]) {
      await tree.write({ [`ws/links/${chain}${link}`]: { symlink: `${chain}${link - 1}` } });
    }
  }
  for (const twin of TWINS) {
    for (const [name, target] of Object.entries(OUTWARD_LINKS)) {
      const symlink = place(target).replaceAll("OUT", twin);
      await tree.write({ [`ws/links/${name}-${twin}`]: { symlink } });
    }
  }
  for (const [name, symlink] of Object.entries(SYSTEM_LINKS)) {
    await tree.write({ [`ws/links/${name}`]: { symlink } });
  }
  await Deno.writeTextFile(tree.path("hard.txt"), PLAIN);
  await Deno.link(tree.path("hard.txt"), tree.path("ws/hard.txt"));
  for (const program of ["rg", "git", "grep"]) {
    const path = tree.path(`ws/bin/${program}`);
    await Deno.writeTextFile(path, `#!/bin/sh\ntouch ${tree.path("mark")}\n`, { mode: 0o755 });
  }
  // What Deno has no call for: pipes, and a name that is not UTF-8.
  await sh(
    `mkfifo there/zq_fifo ws/pipe ws/ign/fifo/.gitignore
     printf 'PLAIN\\n' > "$(printf 'ws/src/not\\377utf8')"
     chmod 0 there/zq_locked`,
    tree.root,
  );
  stack.defer(() => Deno.chmod(tree.path("there/zq_locked"), 0o700));
  for (const path of ["there/zq_socket", "ws/socket"]) {
    // Its file goes when it is closed.
    stack.use(Deno.listen({ transport: "unix", path: tree.path(path) }));
  }
  const kept = stack.move();
  return { base: tree.root, [Symbol.asyncDispose]: () => kept.disposeAsync() };
}
