/**
 * Loads the command. One file has the pieces that a search needs; each other piece is a file of its own.
 *
 * V8 takes longer to compile that file than to run it. What it has compiled is kept in the cache directory
 * of the user, if there is one, in a directory that nobody else may enter: whoever can write there has
 * this program run what they like.
 */
"use strict";

const fs = require("fs");
const path = require("path");
const vm = require("vm");

/** The build puts the name of the file here, which changes with what is in it. */
const COMMAND = "command.cjs";
/** Files that are kept: of several versions, of pathgrep and of Node.js. */
const MAX_KEPT = 4;
const OTHERS = 0o077;
const WRITABLE_BY_OTHERS = 0o022;

/** Where what was compiled is kept; nothing where that may be another user's. */
function cacheDirectory() {
  const { HOME = "", NODE_DISABLE_COMPILE_CACHE, XDG_CACHE_HOME = "" } = process.env;
  // Bun reads as long as it compiles.
  if (NODE_DISABLE_COMPILE_CACHE || process.versions.bun || !process.geteuid) return undefined;
  const own = process.platform === "darwin" ? "/Library/Caches" : "/.cache";
  const parent = XDG_CACHE_HOME.startsWith("/") ? XDG_CACHE_HOME : HOME + own;
  if (!parent.startsWith("/")) return undefined;
  if (process.permission && !process.permission.has("fs.read", parent)) return undefined;
  const above = fs.statSync(parent, { throwIfNoEntry: false });
  if (!above || above.uid !== process.geteuid() || above.mode & WRITABLE_BY_OTHERS) {
    return undefined;
  }
  const directory = path.join(parent, "pathgrep", "compiled");
  return [path.dirname(directory), directory].every(isOwn) ? directory : undefined;
}

/** Whether a directory is this user's alone, or not there yet. */
function isOwn(directory) {
  const info = fs.lstatSync(directory, { throwIfNoEntry: false });
  return !info || info.isDirectory() && info.uid === process.geteuid() && !(info.mode & OTHERS);
}

/** The result of a function; nothing where the system or Node.js refuses what it does. */
function attempt(work) {
  try {
    return work();
  } catch {
    return undefined;
  }
}

/** Keeps what was compiled: whole, or not at all. */
function keep(compiled, file) {
  const directory = path.dirname(file);
  fs.mkdirSync(directory, { recursive: true, mode: 0o700 });
  const unfinished = `${file}.${process.pid}`;
  fs.writeFileSync(unfinished, compiled, { flag: "wx", mode: 0o600, flush: true });
  fs.renameSync(unfinished, file);
  const kept = fs.readdirSync(directory).map((name) => path.join(directory, name));
  const age = new Map(kept.map((each) => [each, fs.statSync(each).mtimeMs]));
  for (const old of kept.sort((a, b) => age.get(b) - age.get(a)).slice(MAX_KEPT)) {
    fs.unlinkSync(old);
  }
}

/** The pieces in the file that a search needs. */
function compile(mayKeep) {
  const filename = path.join(__dirname, COMMAND);
  const directory = mayKeep ? attempt(cacheDirectory) : undefined;
  const { platform, arch, version } = process;
  const file = directory && path.join(directory, [COMMAND, version, platform, arch].join("-"));
  const cachedData = file && attempt(() => fs.readFileSync(file));
  const script = new vm.Script(fs.readFileSync(filename, "utf8"), { filename, cachedData });
  if (file && (!cachedData || script.cachedDataRejected)) {
    process.on("exit", () => {
      // A search has compiled most. Where it cannot be kept, the next one compiles it again.
      if (isSearch()) attempt(() => keep(script.createCachedData(), file));
    });
  }
  return script.runInThisContext();
}

const loaded = new Map();

function isSearch() {
  return [...loaded.keys()].some((name) => name.startsWith("./search-"));
}

/**
 * Starts the command.
 *
 * @param mayKeep whether what was compiled may be kept, and used
 */
exports.start = (mayKeep) => {
  const pieces = compile(mayKeep);
  const load = (name) => {
    if (!name.startsWith("./")) return require(name);
    let module = loaded.get(name);
    if (module === undefined) {
      loaded.set(name, module = { exports: {} });
      const run = pieces[name] || require(name);
      run(module.exports, load, module, __filename);
    }
    return module.exports;
  };
  load("./cli.cjs");
};
