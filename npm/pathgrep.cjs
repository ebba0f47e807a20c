#!/usr/bin/env node
/**
 * Starts the command on a Node.js that is new enough. Those that agents start, `mcp` and `hook`, start once
 * more under Node.js' permissions: to read, and to have threads. Before that, a hook's event is parsed: most
 * are about no search, and need nothing more.
 *
 * A Node.js that is too old can parse this file.
 */
"use strict";

const OLDEST = 22;
const FAILED = 2;
/** What may come before the command. */
const EVERY_COMMAND = /^--(workspace|format)(=|$)/;
const CONFINED = ["mcp", "hook"];
const FLAGS = [
  "--permission",
  "--allow-fs-read=*",
  "--allow-worker",
  "--disable-warning=SecurityWarning",
];

/** What names the command, unless it is a search. */
function commandOf(args) {
  let at = 0;
  while (EVERY_COMMAND.test(args[at])) at += args[at].indexOf("=") < 0 ? 2 : 1;
  return args[at];
}

function fail(message) {
  process.stderr.write("pathgrep: " + message + "\n");
  // Agents take a hook's failure for a refusal of what they did.
  process.exit(command === "hook" ? 0 : FAILED);
}

/** Starts this file once more, with fewer permissions. */
function restart(args) {
  if (process.execve === undefined) return startChild(args);
  // This process goes on as the other.
  process.removeAllListeners("warning");
  process.execve(process.execPath, [process.execPath].concat(confined(args)), environment());
}

function confined(args) {
  return FLAGS.concat([__filename], args);
}

/** What `NODE_OPTIONS` names would be loaded, and may permit more. */
function environment() {
  const env = { ...process.env };
  delete env.NODE_OPTIONS;
  return env;
}

/** The same as a process of its own, which reads an input if there is one. */
function startChild(args, input) {
  const child = require("child_process").spawn(process.execPath, confined(args), {
    stdio: [input === undefined ? "inherit" : "pipe", "inherit", "inherit"],
    env: environment(),
  });
  ["SIGINT", "SIGTERM", "SIGHUP"].forEach((signal) => process.on(signal, () => child.kill(signal)));
  child.on("error", (error) => {
    fail("Node.js cannot be started: " + error.message);
  });
  child.on("exit", (code, signal) => {
    if (signal === null || command === "hook") process.exit(signal === null ? code : 0);
    process.removeAllListeners(signal);
    process.kill(process.pid, signal);
  });
  if (input !== undefined) child.stdin.on("error", () => {}).end(input);
  return child;
}

/** Reads the event of a hook, and starts once more only for one about a search. */
async function startForSearch(args) {
  const event = await require("./lib/hook_start.cjs").searchEvent(args);
  if (event === undefined) return restart(args);
  const child = startChild(args, event);
  process.on("exit", () => child.kill()); // once there is no more time
}

function main(args) {
  try {
    process.cwd();
  } catch (error) {
    return fail("the current directory cannot be found: " + error.message);
  }
  // Hosts start a plugin's server in its own directory, which is nobody's project.
  if (process.cwd() === __dirname && command === "mcp" && !/--workspace/.test(args)) {
    process.chdir(require("path").parse(__dirname).root);
  }
  const isConfined = CONFINED.indexOf(command) >= 0;
  if (isConfined && mayBeConfined()) {
    if (args[0] !== "hook") return restart(args);
    return startForSearch(args).catch((error) => fail(error.message));
  }
  try {
    require("./lib/load.cjs").start(!isConfined);
  } catch (error) {
    fail(error.message);
  }
}

/** Whether this process may do more than it needs, and Node.js can change that. */
function mayBeConfined() {
  if (process.permission !== undefined) return process.permission.has("child");
  return process.allowedNodeEnvironmentFlags.has("--permission");
}

const args = process.argv.slice(2);
const command = commandOf(args);
const bun = process.versions.bun || "";
if (/^[01]\.[0-3]\./.test(bun)) fail("it needs Bun 1.4 or later, and this is " + bun);
else if (parseInt(process.versions.node, 10) < OLDEST) {
  fail("it needs Node.js " + OLDEST + " or later, and this is " + process.versions.node);
} else main(args);
