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
const STANDARD_OUTPUT = 1;
/** Variables that pathgrep reads: to find programs and the socket of `serve`, to know the terminal. */
const VARIABLES = [
  ...["PATH", "TERM", "PATHGREP_DEBUG", "HOME", "USERPROFILE"],
  ...["XDG_RUNTIME_DIR", "XDG_CACHE_HOME"],
];
/** Variables that would change what Deno runs, permits or writes. */
const FOR_DENO = /^(DENO_|OTEL_|NODE_OPTIONS$|NPM_CONFIG_|RUST_)/i;
/** Where nothing can be made. Deno insists on a directory, and works without its cache. */
const NOWHERE = "/dev/null/deno";
const ENGINES = ["rg", "git", "grep"];
const WITHOUT_FILES = ["tools", "prompt", "completions"];
const WITHOUT_SERVER = ["resolve", "mcp", ...WITHOUT_FILES];

/** The permission flags that a command line needs. */
function permissionsOf(args) {
  const [command] = args;
  if (WITHOUT_FILES.includes(command)) return [];
  if (command === "serve") return ["-A"]; // it starts a server and listens on a socket
  const { net, sys, write } = WITHOUT_SERVER.includes(command) ? {} : forServer();
  const run = command === "doctor" ? ENGINES : enginesIn(args);
  const flags = {
    // All of it: Deno would look at each path twice, and pathgrep could not look above its roots.
    read: [],
    env: VARIABLES,
    run: run.length > 0 ? run : undefined,
    sys: isatty(STANDARD_OUTPUT) ? ["hostname", ...(sys ?? [])] : sys, // links name the host
    net,
    write,
  };
  return Object.entries(flags).flatMap(([name, values]) =>
    values === undefined ? [] : [`--allow-${name}${values.length > 0 ? `=${values}` : ""}`]
  );
}

function enginesIn(args) {
  return ENGINES.filter((engine) =>
    args.some((word, index) =>
      word === `--engine=${engine}` || word === "--engine" && args[index + 1] === engine
    )
  );
}

/** What it takes to ask the servers that may be running: nothing if there are none. */
function forServer() {
  const directory = socketDirectory();
  try {
    const sockets = readdirSync(directory).filter((name) => name.endsWith(".sock"));
    const net = sockets.map((name) => `unix:${join(directory, name)}`);
    if (net.length > 0 && !directory.includes(",")) {
      return { net, write: [directory], sys: ["uid"] };
    }
  } catch {
    // No server has run yet.
  }
  return {};
}

/** As pathgrep itself finds it. */
function socketDirectory() {
  const { HOME, XDG_CACHE_HOME, XDG_RUNTIME_DIR } = process.env;
  const above = [XDG_RUNTIME_DIR, XDG_CACHE_HOME].find((path) => path?.startsWith("/"));
  const cache = process.platform === "darwin" ? "Library/Caches" : ".cache";
  return join(above ?? join(HOME ?? "/", cache), "pathgrep");
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
  // The way of npm's own `deno`: finds the program for this machine beside this file, or above it.
  const deno = require("deno/install_api.cjs").runInstall();
  const flags = ["--quiet", "--no-config", "--no-lock", "--no-prompt", "--no-npm", "--no-remote"];
  const program = join(__dirname, "lib", "cli.js");
  const child = spawn(deno, ["run", ...flags, ...permissionsOf(args), program, ...args], {
    stdio: "inherit",
    env: environment(),
  });
  for (const signal of SIGNALS) process.on(signal, () => child.kill(signal));
  child.on("error", fail);
  child.on("exit", (code, signal) => {
    if (signal === null) process.exit(code);
    // Ends as the child did, so that a shell sees the same.
    process.removeAllListeners(signal);
    process.kill(process.pid, signal);
    setTimeout(() => process.exit(128 + constants.signals[signal]), 1000);
  });
}

function fail(error) {
  process.stderr.write(
    `pathgrep: Deno cannot be started: ${error.message}\n` +
      "  install pathgrep again, with optional dependencies: npm install -g pathgrep\n",
  );
  process.exit(FAILED);
}

try {
  main(process.argv.slice(2));
} catch (error) {
  fail(error);
}
