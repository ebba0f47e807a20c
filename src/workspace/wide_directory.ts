/**
 * Directories that cannot be a project, and so not a workspace unless they are named.
 *
 * @module
 */

import * as platform from "../util/path.ts";
import { lstat, realPath } from "../system/files.ts";
import { mayRead, readVariable } from "../system/platform.ts";

/** Directories that hold home directories, in lower case; `*` is any name, `?` any letter. */
const PARENTS = [
  ...["/home", "/users", "/var/home", "/usr/home", "/export/home", "/nfs/home", "/net/home"],
  ...["/mnt/home", "/srv/home", "/data/home", "/var/lib"], // services live in the last one
  ...["/mnt/?/users", "/system/volumes/data/users", "/system/volumes/data/home"],
];
/** Other home directories, those of Termux and Jenkins among them, and the drives of WSL. */
const OTHERS = [
  ...["/root", "/var/root", "/private/var/root", "/var/roothome", "/var/jenkins_home", "/mnt/?"],
  ...["/data/data/*/files", "/data/data/*/files/home"],
  ...["/data/user/*/*/files", "/data/user/*/*/files/home"],
];
const HOMES = RegExp(
  `^(?:${
    [...PARENTS, ...PARENTS.map((parent) => `${parent}/*`), ...OTHERS].join("|")
      .replaceAll("?", "[a-z]").replaceAll("*", "[^/]+")
  })$`,
  "u",
);
/** What a path of Windows has before that of a home directory: the drive, WSL's distribution, the server. */
const WINDOWS_PREFIX = /^(?:[a-z]:|\/\/wsl[^/]*\/[^/]+|\/\/[^/]+)/u;

/** Names in a home directory: those that an account begins with, those that its use leaves, and others. */
const MARKS = {
  begun: [
    ...[".profile", ".bashrc", ".bash_profile", ".bash_logout", ".zshrc", ".zprofile", ".cshrc"],
    ...[".tcshrc", ".kshrc", ".login", ".CFUserTextEncoding", "NTUSER.DAT"],
  ],
  used: [
    ...[".cache", ".local", ".ssh", ".gnupg", ".bash_history", ".zsh_history", ".lesshst"],
    ...[".viminfo", ".python_history", "Library", "AppData"],
  ],
  other: [".config", ".gitconfig", ".vimrc", "Desktop", "Documents", "Downloads"],
} as const;
/** A project may have one or two of them, such as `.cache` and `.config`. */
const ENOUGH_MARKS = 3;

/**
 * Whether a directory is a file system's root, a home directory or above the user's, as far as permissions
 * that are granted tell. One that is a repository is a project all the same.
 */
export function isTooWide(directory: string): boolean {
  if (platform.dirname(directory) === directory) return true;
  const mayLook = mayRead(directory);
  const has = (name: string) => mayLook && exists(platform.join(directory, name));
  return (isKnownHome(directory) || looksLikeHome(has)) && !has(".git");
}

function isKnownHome(directory: string): boolean {
  const plain = directory.startsWith("/")
    ? directory.toLowerCase()
    : directory.toLowerCase().replaceAll("\\", "/").replace(WINDOWS_PREFIX, "");
  return HOMES.test(plain) || ["HOME", "USERPROFILE"].some((variable) => {
    const home = readVariable(variable);
    return home !== undefined && home !== "" && platform.isWithin(directory, canonicalHome(home));
  });
}

/** Its canonical path, where it exists and may be inspected. */
function canonicalHome(home: string): string {
  try {
    if (mayRead(home)) return realPath(home);
  } catch {
    // It does not exist.
  }
  return platform.resolve(home);
}

function looksLikeHome(has: (name: string) => boolean): boolean {
  const begun = MARKS.begun.filter(has).length;
  const used = begun === 0 ? 0 : MARKS.used.filter(has).length;
  return used > 0 && begun + used + MARKS.other.filter(has).length >= ENOUGH_MARKS;
}

function exists(path: string): boolean {
  try {
    lstat(path);
    return true;
  } catch {
    return false;
  }
}
