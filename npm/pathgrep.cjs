#!/usr/bin/env node
/**
 * Starts pathgrep on npm's Deno with the permissions that the command needs. Neither Deno nor pathgrep
 * obeys a file of the directory it starts in; of the environment, nothing that is meant for Deno.
 */
"use strict";

const { spawn } = require("node:child_process");
const { readdirSync } = require("node:fs");
const { constants, homedir } = require("node:os");
const { isAbsolute, join } = require("node:path");
const { isatty } = require("node:tty");

const FAILED = 2;
const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP", "SIGQUIT"];
/** Milliseconds in which Deno may end by a signal that its whole process group got, as by Ctrl-C. */
const GROUP_MS = 300;
const STANDARD_OUTPUT = 1;
/** Variables that pathgrep reads: to find programs and the socket of `serve`, to know the terminal. */
const VARIABLES = [
  ...["PATH", "TERM", "PATHGREP_DEBUG", "PATHGREP_FORMAT", "HOME", "USERPROFILE"],
  ...["XDG_RUNTIME_DIR", "XDG_CACHE_HOME", "RIPGREP_CONFIG_PATH"],
];
/** Variables that would change what Deno runs, permits or writes. */
const FOR_DENO = /^(DENO_|OTEL_|NODE_OPTIONS$|NPM_CONFIG_|RUST_)/i;
/** Where nothing can be made. Deno insists on a directory, and works without its cache. */
const NOWHERE = "/dev/null/deno";
const ENGINES = ["rg", "git", "grep"];
/** What may come before the command. */
const EVERY_COMMAND = /^--(workspace|format)(=|$)/;
const WITHOUT_FILES = ["tools", "prompt", "completions", "__complete"];
/** Commands that ask no `serve` and show no links. */
const WITHOUT_SERVER = ["resolve", "mcp", "why", "hook"];

/** What names the command, unless it is a search. */
function commandOf(args) {
  let at = 0;
  while (EVERY_COMMAND.test(args[at])) at += args[at].includes("=") ? 1 : 2;
  return args[at];
}

/** The permission flags that a command line needs. */
function permissionsOf(args) {
  const command = commandOf(args);
  if (WITHOUT_FILES.includes(command)) return [];
  if (command === "serve") return ["-A"]; // it starts a server and listens on a socket
  // To read all of it: Deno would look at each path twice, and pathgrep could not look above its roots.
  const flags = ["--allow-read", `--allow-env=${VARIABLES}`];
  const programs = command === "doctor" ? ENGINES : enginesIn(args);
  if (programs.length > 0) flags.push(`--allow-run=${programs}`);
  if (WITHOUT_SERVER.includes(command)) return flags;
  if (isatty(STANDARD_OUTPUT)) flags.push("--allow-sys=hostname"); // links name the host
  return [...flags, ...serverFlags()];
}

function enginesIn(args) {
  return ENGINES.filter((engine) =>
    args.some((word, index) =>
      word === `--engine=${engine}` || word === "--engine" && args[index + 1] === engine
    )
  );
}

/** What it takes to ask the servers that may be running: nothing if there are none. */
function serverFlags() {
  const directory = socketDirectory();
  if (directory === undefined || directory.includes(",")) return [];
  try {
    const sockets = readdirSync(directory).filter((name) => name.endsWith(".sock"));
    if (sockets.length === 0) return [];
    const net = sockets.map((name) => `unix:${directory}/${name}`);
    return [`--allow-net=${net}`, `--allow-write=${directory}`, "--allow-sys=uid"];
  } catch {
    return []; // no server has run yet
  }
}

/** As pathgrep itself finds it. */
function socketDirectory() {
  const { HOME, XDG_CACHE_HOME, XDG_RUNTIME_DIR } = process.env;
  const cache = process.platform === "darwin" ? "Library/Caches" : ".cache";
  const places = [XDG_RUNTIME_DIR, XDG_CACHE_HOME, HOME && `${HOME}/${cache}`];
  const found = places.find((path) => path?.startsWith("/"));
  return found && `${found}/pathgrep`;
}

function environment() {
  const kept = Object.entries(process.env).filter(([name]) => !FOR_DENO.test(name));
  const env = { ...Object.fromEntries(kept), DENO_NO_UPDATE_CHECK: "1" };
  return hasCache() ? env : { ...env, DENO_DIR: NOWHERE };
}

/** Whether Deno's cache of compiled code has a place, and not one below the current directory. */
function hasCache() {
  try {
    return [homedir(), process.env.XDG_CACHE_HOME || "/"].every(isAbsolute);
  } catch {
    return false; // the user has no home
  }
}

function main(args) {
  try {
    process.cwd();
  } catch ({ message }) {
    return fail(`the current directory cannot be found: ${message}`);
  }
  // The way of npm's own `deno`: finds the program for this machine beside this file, or above it.
  const deno = require("deno/install_api.cjs").runInstall();
  const flags = ["--quiet", "--no-config", "--no-lock", "--no-prompt", "--no-npm", "--no-remote"];
  const program = join(__dirname, "lib", "cli.js");
  const child = spawn(deno, ["run", ...flags, ...permissionsOf(args), program, ...args], {
    stdio: "inherit",
    env: environment(),
  });
  for (const signal of SIGNALS) {
    process.on(signal, () => setTimeout(() => child.kill(signal), GROUP_MS));
  }
  child.on("error", failWithoutDeno);
  child.on("exit", (code, signal) => {
    if (isHook) process.exit(0);
    if (signal === null) process.exit(code);
    // Ends as the child did, so that a shell sees the same.
    process.removeAllListeners(signal);
    process.kill(process.pid, signal);
    setTimeout(() => process.exit(128 + constants.signals[signal]), 1000);
  });
}

function failWithoutDeno({ message }) {
  fail(
    `Deno cannot be started: ${message.split("\n")[0]}`,
    "install pathgrep again, with optional packages: npm install -g pathgrep --include=optional",
    "there is a Deno for Linux with glibc, macOS and Windows, each on x64 and arm64",
  );
}

function fail(...lines) {
  process.stderr.write(`pathgrep: ${lines.join("\n  ")}\n`);
  process.exit(isHook ? 0 : FAILED);
}

if (require.main !== module) {
  throw new Error(
    "pathgrep is a command, to be started as a process: pathgrep call grep, or pathgrep mcp; " +
      "its library is for Deno: deno add jsr:@x/pathgrep",
  );
}
const args = process.argv.slice(2);
/** Agents take a hook's failure for a refusal of what they did. */
const isHook = commandOf(args) === "hook";
try {
  main(args);
} catch (error) {
  failWithoutDeno(error);
}
