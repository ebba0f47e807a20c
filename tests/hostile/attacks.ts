/**
 * The catalogue of attacks: one table. Each row says what it tries and what must come of it: an error's
 * code, or the files that are found.
 *
 * @module
 */

import type { SearchQuery } from "../../mod.ts";
import {
  IGNORE_CASES,
  NAMES,
  OUTWARD_LINK_NAMES,
  PLAIN_FILES,
  SECRET_FILES,
  SYSTEM_LINKS,
  type TWINS,
} from "./world.ts";

/** One attempt to get at, or learn of, what is none of the caller's business. */
export interface Attack {
  name: string;
  /** What is asked; the pattern is {@linkcode ANYTHING} where none is given. */
  query: Partial<SearchQuery>;
  /** The workspace's roots, from the world's base. @default ["ws"] */
  roots?: readonly string[];
  /** Variables set while it runs, where the environment may be written to. */
  env?: Readonly<Record<string, string>>;
  /** An error's code, or the files found, relative to the workspace, in any order. */
  expect: string | readonly string[];
  /** The same where nothing but the workspace may be read. @default expect */
  expectConfined?: string;
}

/** Finds what lies inside and what lies outside alike, without spelling either. */
export const ANYTHING = "PLAI[N]|SECRE[T]";

const OUTSIDE = "path_outside_workspace";
const NOT_FOUND = "path_not_found";
const INVALID = "invalid_input";
const UNSUPPORTED = "path_unsupported";
const BLOCKED = "permission_denied_by_policy";

const EVERYTHING = PLAIN_FILES;
const SRC = EVERYTHING.filter((file) => file.startsWith("src/"));
const TOP = EVERYTHING.filter((file) => !file.includes("/"));

/** A row for each path: what is tried is the path itself. */
function paths(
  expect: Attack["expect"],
  list: readonly string[],
  what = "path",
): Attack[] {
  return list.map((path) => ({
    name: `${what} ${JSON.stringify(path).slice(0, 120)}`,
    query: { path },
    expect,
  }));
}

function includes(expect: Attack["expect"], list: readonly string[]): Attack[] {
  return list.map((include) => ({
    name: `include ${JSON.stringify(include).slice(0, 120)}`,
    query: { include, path: "src" },
    expect,
  }));
}

/**
 * The table.
 *
 * @param base the directory that the world was made in
 * @param out the outside directory that is aimed at: one that exists or one that does not
 */
export function attacks(base: string, out: (typeof TWINS)[number]): Attack[] {
  const ws = `${base}/ws`;
  return [
    ...paths(OUTSIDE, [
      "..",
      "../",
      "/",
      "//",
      "/.",
      "/..",
      "/src/..",
      "//src/../.",
      base,
      `${ws}/..`,
      "src/../..",
      "../ws/..",
      `../${out}`,
      `../${out}/zq_file.txt`,
      `../${out}/zq_none`,
      `../${out}/zq_sub/zq_x.txt`,
      `../${out}/zq_file.txt/..`,
      `../${out}/zq_loop`,
      `../${out}/zq_fifo`,
      `../${out}/../ws/../${out}`,
      `../${out}/.`,
      `./../${out}`,
      `.//..///${out}//`,
      `src/../../${out}`,
      `src/deep/../../../${out}/zq_file.txt`,
      `missing/../../${out}`,
      `a.txt/../../${out}`,
      `../ws/../${out}`,
      `${base}/${out}`,
      `${base}/${out}/zq_file.txt`,
      `/${base}//${out}/zq_file.txt`,
      `${ws}/../${out}/zq_file.txt`,
      `${ws}/./src/../../${out}`,
      `${"../".repeat(60)}${base.slice(1)}/${out}`,
      `${"a/".repeat(2000)}${"../".repeat(2001)}${out}`,
      `${"x".repeat(300)}/../../${out}`,
      `\ufffd/../../${out}`,
      `../${out}/\ufffd`,
      `  ../${out}/zq_file.txt\n`,
      `\ufeff../${out}`,
      `\u00a0../${out}`,
      `\u2028../${out}`,
      `../outer_link`,
      `../outer_link/zq_file.txt`,
      `../${out}/zq_file.txt:1`,
      `../${out}/zq_file.txt:1:1`,
      "/proc/self/root",
      `/proc/self/root${base}/${out}/zq_file.txt`,
      `/proc/self/cwd/../${out}`,
      "/proc/self/environ",
      "/proc/self/mem",
      "/proc/self/fd/0",
      "/proc/1/root",
      "/proc/thread-self/root",
      "/dev/zero",
      "/dev/stdin",
      "/dev/fd/0",
      "/dev/tty",
      "/etc/passwd",
      "/sys/kernel",
    ]),
    ...paths(OUTSIDE, [
      `../ws-${out}`,
      `../ws-${out}/zq_file.txt`,
      `${ws}-${out}`,
      `${ws}-${out}/zq_file.txt`,
      `${ws}${out}`,
      `../ws${out}`,
    ], "prefix sibling"),
    ...paths(NOT_FOUND, [
      `"../${out}/zq_file.txt"`,
      `'${base}/${out}'`,
      `\`../${out}\``,
      `"  ../${out}"`,
      `@../${out}/zq_file.txt`,
      `@${base}/${out}`,
      `@@../${out}`,
      `file://${base}/${out}/zq_file.txt`,
      `file://localhost${base}/${out}`,
      `FILE:///${base}/${out}`,
      `file://${ws}/../${out}`,
      `file://${ws}/%2e%2e/${out}/zq_file.txt`,
      `file://${ws}%2f..%2f${out}`,
      `file://${ws}/a.txt%00../${out}`,
      `file://example.com${base}/${out}`,
      `file:${base}/${out}`,
      "file:///etc/passwd",
      `http://localhost${base}/${out}`,
      `"file://${base}/${out}"`,
      `..\\${out}\\zq_file.txt`,
      `src\\..\\..\\${out}`,
      `..\\\\${out}`,
      `C:\\${out}\\zq_file.txt`,
      `\\\\server\\${out}`,
      `\\\\?\\C:\\${out}`,
    ], "another reading"),
    ...paths(NOT_FOUND, [
      `%2e%2e/${out}/zq_file.txt`,
      `..%2f${out}`,
      `%252e%252e/${out}`,
      `..%c0%af${out}`,
      `\u2025/${out}`,
      `\uff0e\uff0e/${out}`,
      `..\u2215${out}`,
      `..\u2044${out}`,
      `..\uff0f${out}`,
      `.\u200b./${out}`,
      `\u202e../${out}`.replace("../", "./"),
      `..\u0000`.replace("\0", "\u2400") + `/${out}`,
      `.../${out}`,
      `....//${out}`,
      `..;/${out}`,
      `~/${out}`,
      `~root/${out}`,
      `$HOME/${out}`,
      "${PWD}/" + out,
      `%USERPROFILE%/${out}`,
      "a.txt/x",
      "A.TXT",
      "a.txt::$DATA",
      "SRC/main.ts",
      "-fr",
      "links/dangling",
      `links/src/../links/dir-${out}`,
      `links/up/../${out}/zq_file.txt`,
      `links/proc_cwd/../${out}`,
    ], "look-alike"),
    ...paths(EVERYTHING, ["**", "/**"], "glob"),
    ...paths(SRC, ["src/*", "/src/*"], "glob"),
    ...paths(OUTSIDE, [
      `../${out}/*`,
      `../*`,
      `../{${out},none}`,
      `${base}/${out}/*`,
      `${base}/{ws,${out}}/*.tx`,
      `/{etc,${out}}/*`,
      `links/dir-${out}/*`,
    ], "glob"),
    ...paths(BLOCKED, [".git/*", ".ssh/*", "/.ssh/*"], "glob"),
    ...paths(INVALID, [
      "\0",
      "a.txt\0",
      `a.txt\0/../../${out}`,
      `../${out}\0.txt`,
      `${base}/${out}\0`,
      "src\0/main.ts",
    ], "NUL in"),
    ...paths(INVALID, [
      `\ud800/../../${out}`,
      `../${out}/\udfff`,
      `${base}/${out}\ud800`,
      "a.txt\udfff",
    ], "half a surrogate pair in"),
    ...paths(
      OUTSIDE,
      OUTWARD_LINK_NAMES.flatMap((name) => [`links/${name}-${out}`, `links/${name}-${out}/zq_any`]),
      "link",
    ),
    ...paths(OUTSIDE, [
      `links/dir-${out}/zq_file.txt`,
      `links/dir-${out}/zq_sub/../zq_file.txt`,
      `links/up/links/dir-${out}/zq_file.txt`,
      `../alias/links/file-${out}`,
      `${base}/alias/../${out}`,
      `src/../links/chain-${out}/zq_x.txt`,
      ...Object.keys(SYSTEM_LINKS).map((name) => `links/${name}`),
      `links/root${base}/${out}/zq_file.txt`,
      `links/proc_root${base}/${out}/zq_file.txt`,
      `links/parent/${out}`,
      `links/parent/${out}/zq_file.txt`,
      "links/long_out39",
    ], "link"),
    ...paths(UNSUPPORTED, [
      "links/loop",
      "links/loop/x",
      "links/loop_a",
      "links/loop_b/../loop_a",
      "links/long_in45",
      "links/long_out45",
      "pipe",
      "socket",
      "ign/fifo/.gitignore",
      "ign/linked_loop/.gitignore",
    ], "no file"),
    ...paths(OUTSIDE, [
      "ign/linked_device/.gitignore",
      "ign/linked_there/.gitignore",
      "ign/linked_gone/.gitignore",
    ], "an ignore file as the target,"),
    ...paths(BLOCKED, SECRET_FILES.filter((file) => file === file.trim()), "blocked name"),
    ...paths(BLOCKED, [
      ".git",
      ".GIT",
      "src/.git/none",
      "none/.git/none",
      "none/.env",
      ".ENV",
      ".Env.Local",
      ".env/",
      ".env/x",
      "./.env",
      "src/../.env",
      `${ws}/.env`,
      "ws/.env",
      "/.env",
      '".env"',
      "`.env`",
      "@.env",
      `file://${ws}/.env`,
      `file://${ws}/%2eenv`,
      `${base}/alias/.env`,
      `../${out}/.env`,
      ".env:1",
      ".\\.env",
      "src\\id_rsa",
      ".git::$INDEX_ALLOCATION",
      ".git/",
      "~/.ssh/id_rsa",
      "src/.\u017fsh/config",
      "none/ID_RSA",
      "none/.AWS/CREDENTIALS",
      "none/x.PFX",
      "src/deep/../.ssh",
      "links/env",
      "links/git",
      "links/git/config",
      "links/harmless.txt",
      "links/chain_to_env",
      "links/up/.env",
      "links/src/tls.pem",
      "ign/git_file/.git",
      "ign/git_link/.git",
      "ign/git_link/.git/info/exclude",
    ], "blocked name"),
    ...includes([], [
      `../${out}/*`,
      `../../${out}/**`,
      `${base}/${out}/**`,
      `${base}/**`,
      `{../../${out},..}/**`,
      "[.][.]/**",
      `\\.\\./\\.\\./${out}/*`,
      "../**",
      "..",
      "links/**",
      ".git/**",
      "**/.git/*",
      "**/.Git/HEAD",
      ".e[n]v",
      "**/.ENV",
      "{.ENV,id_rsa,*.pem}",
      "*.[kK]ey",
      ".ssh/**",
      ":(top)*",
      ":/",
      ":(exclude)main.ts",
      "--pre=touch",
      "-e",
      "$(touch mark)",
      "`touch mark`",
      "; touch mark",
      "| touch mark",
      "a*".repeat(40) + "b",
      "**/".repeat(100) + "none",
      "{a,b}".repeat(12) + "z",
      "\u202e*",
    ]),
    // What is above a directory below the searched one is there, too, and nothing else is.
    ...includes(SRC, ["*", "**", "**/*", "**/../../**", "!../**", `!../../${out}/*`, "!.git"]),
    ...includes(SRC, ["{main,b}.*"]),
    ...includes(INVALID, ["*\0", "[", "[z-a]", "{a,b", "a}"].slice(0, 4)),
    { name: "everything", query: {}, expect: EVERYTHING },
    { name: "everything, links followed", query: { follow: true }, expect: EVERYTHING },
    { name: "everything, ignore files off", query: { ignore: false }, expect: EVERYTHING },
    {
      name: "everything, by listing all",
      query: { include: "**", follow: true },
      expect: EVERYTHING,
    },
    {
      name: "links followed from a directory of links",
      query: { path: "links", follow: true },
      expect: EVERYTHING,
    },
    { name: "a directory of links", query: { path: "links" }, expect: [] },
    {
      name: "types of secrets",
      query: { type: "all", path: "src" },
      expect: ["src/main.ts", "src/deep/b.txt"],
    },
    { name: "--allow '*'", query: { path: ".git/config", allow: "*" }, expect: BLOCKED },
    { name: "--allow '**'", query: { path: ".git", allow: ["**", "/**"] }, expect: BLOCKED },
    {
      name: "--deny wins over --allow",
      query: { path: ".env", allow: ".env", deny: ".env" },
      expect: BLOCKED,
    },
    {
      name: "an allowed relative glob grants nothing outside",
      query: { path: `../${out}`, allow: ["*", "**", "../**", `../${out}`] },
      expect: OUTSIDE,
    },
    {
      name: "one good path beside a bad one",
      query: { path: ["src", `../${out}`] },
      expect: OUTSIDE,
    },
    {
      name: "a hard link is a file of the workspace",
      query: { path: "hard.txt" },
      expect: ["hard.txt"],
    },
    { name: "a link inside", query: { path: "links/plain" }, expect: ["a.txt"] },
    { name: "a link up and down again", query: { path: "links/up/src" }, expect: SRC },
    { name: "the longest chain", query: { path: "links/long_in39" }, expect: ["a.txt"] },
    { name: "a slash at a file's end", query: { path: "a.txt/" }, expect: ["a.txt"] },
    // A path from outside that leads in is inside, for who may read what it leads through.
    ...[
      { path: `${base}/alias/src`, expect: SRC },
      { path: `../alias/src`, expect: SRC },
      { path: `../there/zq_back`, expect: ["a.txt"] },
      { path: `../alias/links/git/config`, expect: BLOCKED },
    ].map(({ path, expect }): Attack => ({
      name: `into the workspace from outside ${path.replace(base, "")}`,
      query: { path },
      expect,
      expectConfined: OUTSIDE,
    })),
    { name: "round the root", query: { path: "../ws/src" }, expect: SRC },
    { name: "over a blocked name and back", query: { path: ".git/../src" }, expect: SRC },
    ...IGNORE_CASES.map((name): Attack => ({
      name: `ignore files: ${name}`,
      query: { path: `ign/${name}` },
      expect: [`ign/${name}/a.txt`],
    })),
    ...NAMES.filter((name) => name !== "...").map((name): Attack => ({
      name: `file name ${JSON.stringify(name).slice(0, 60)}`,
      query: { path: `names/${name}` },
      expect: [`names/${name}`],
    })),
    ...[
      "\u202e",
      "\x1b]0;x\x07",
      "\ud800",
      "\udfff\ud800",
      "\0",
      "$(touch mark)",
      "-e",
      "--pre=touch",
    ]
      .map((pattern): Attack => ({
        name: `pattern ${JSON.stringify(pattern)}`,
        query: { pattern, path: "src" },
        expect: [],
      })),
    { name: "roots nested", query: {}, roots: ["ws", "ws/src"], expect: EVERYTHING },
    { name: "roots nested, inner first", query: {}, roots: ["ws/src", "ws"], expect: EVERYTHING },
    { name: "roots twice", query: {}, roots: ["ws", "ws/", "ws/../ws"], expect: EVERYTHING },
    {
      name: "a root through a link",
      query: { path: "src" },
      roots: ["alias"],
      expect: SRC,
      expectConfined: "path_access_denied",
    },
    { name: "a root through a link inside", query: {}, roots: ["ws/links/src"], expect: SRC },
    {
      name: "an inner root does not open the outer",
      query: { path: "../a.txt" },
      roots: ["ws/src"],
      expect: OUTSIDE,
    },
    {
      name: "a link from an inner root to the outer",
      query: { path: "../links/plain" },
      roots: ["ws/src"],
      expect: OUTSIDE,
    },
    {
      name: "one root's .. is not the other's neighbour",
      query: { path: `../${out}` },
      roots: ["ws/src", "ws/bin"],
      expect: OUTSIDE,
    },
    { name: "a root that is a file", query: {}, roots: ["ws/a.txt"], expect: UNSUPPORTED },
    { name: "a root that is missing", query: {}, roots: ["ws/none"], expect: NOT_FOUND },
    { name: "a root that is a loop", query: {}, roots: ["ws/links/loop"], expect: UNSUPPORTED },
    { name: "a root that is a pipe", query: {}, roots: ["ws/pipe"], expect: UNSUPPORTED },
    ...environments(base).map(([name, env]): Attack => ({
      name: `environment: ${name}`,
      query: { path: "src" },
      env,
      expect: SRC,
    })),
    ...TOP.map((file): Attack => ({
      name: `what only looks blocked: ${file}`,
      query: { path: file },
      expect: [file],
    })),
  ];
}

/** Environments that would make a program run, read or answer something else. */
export function environments(base: string): [name: string, env: Record<string, string>][] {
  return [
    ["RIPGREP_CONFIG_PATH", { RIPGREP_CONFIG_PATH: `${base}/rgrc` }],
    ["GREP_OPTIONS", { GREP_OPTIONS: "-v --include=none", GREP_COLOR: "1;31" }],
    ["GIT_DIR", { GIT_DIR: `${base}/there/zq_git`, GIT_WORK_TREE: `${base}/there` }],
    ["GIT_CONFIG", {
      GIT_CONFIG_GLOBAL: `${base}/gitconfig`,
      GIT_CONFIG_SYSTEM: `${base}/gitconfig`,
      GIT_CONFIG_COUNT: "1",
      GIT_CONFIG_KEY_0: "core.fsmonitor",
      GIT_CONFIG_VALUE_0: "touch mark",
    }],
    ["GIT_EXTERNAL_DIFF", { GIT_EXTERNAL_DIFF: "touch mark", GIT_PAGER: "touch mark" }],
    ["GIT_TRACE", { GIT_TRACE: `${base}/mark`, GIT_TRACE2_EVENT: `${base}/mark` }],
    ["HOME", { HOME: `${base}/there`, XDG_CONFIG_HOME: `${base}/there` }],
    ["locale", { LC_ALL: "C", LANG: "tr_TR.ISO-8859-9", LANGUAGE: "tr" }],
    ["planted programs", { PATH: `${base}/ws/bin:.:bin:${base}/alias/bin:/usr/bin:/bin` }],
    ["PWD", { PWD: `${base}/there`, OLDPWD: `${base}/there`, TMPDIR: `${base}/there` }],
  ];
}
