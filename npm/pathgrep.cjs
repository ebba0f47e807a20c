#!/usr/bin/env node
/**
 * Starts the command on a Node.js that is new enough. Those that agents start, `mcp` and `hook`, start once
 * more under Node.js' permissions: to read, and to have threads.
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
  // What the environment names would be loaded, and may permit more.
  const env = { ...process.env };
  delete env.NODE_OPTIONS;
  const argv = FLAGS.concat([__filename], args);
  if (process.execve !== undefined) {
    // This process goes on as the other.
    process.removeAllListeners("warning");
    return process.execve(process.execPath, [process.execPath].concat(argv), env);
  }
  const child = require("child_process").spawn(process.execPath, argv, {
    stdio: "inherit",
    env: env,
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
}

function main(args) {
  try {
    process.cwd();
  } catch (error) {
    return fail("the current directory cannot be found: " + error.message);
  }
  const isConfined = process.permission !== undefined && !process.permission.has("child") ||
    !process.allowedNodeEnvironmentFlags.has("--permission");
  if (CONFINED.indexOf(command) >= 0 && !isConfined) return restart(args);
  import("./lib/cli.js").catch((error) => {
    fail(error.message);
  });
}

const args = process.argv.slice(2);
const command = commandOf(args);
if (parseInt(process.versions.node, 10) < OLDEST) {
  fail("it needs Node.js " + OLDEST + " or later, and this is " + process.versions.node);
} else main(args);
