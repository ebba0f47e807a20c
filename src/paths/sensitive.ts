/**
 * The table of sensitive names, which no search reads and no suggestion mentions.
 *
 * The table applies to each segment of a path below its root, in either letter case, whether or not the
 * path exists. What lies below a blocked directory is blocked as well.
 *
 * @module
 */

/**
 * The table, by what the files contain: `*` matches any text, a trailing `/` marks a directory, a `/`
 * inside follows its parent. `docs/permissions.md` shows it.
 */
export const SENSITIVE_NAMES: Readonly<Record<string, readonly string[]>> = {
  "a repository's inside, and git's passwords": [".git", ".git-credentials"],
  "a project's settings and passwords": [".env", ".env.*"],
  "certificates and keys": ["*.pem", "*.key", "*.p12", "*.pfx", "*.jks", "*.keystore"],
  "keys of SSH and GnuPG": [".ssh/", "id_rsa", "id_dsa", "id_ecdsa", "id_ed25519", ".gnupg/"],
  "logins of clouds, clusters and registries": [
    ".aws/credentials",
    ".kube/config",
    ".docker/config.json",
    ".vault-token",
    ".npmrc",
    ".pypirc",
  ],
  "logins of servers and databases": [".netrc", ".pgpass", ".htpasswd"],
};

/** Templates that `.env.*` would match and that hold no secrets. */
export const HARMLESS_NAMES: readonly string[] = [
  ".env.example",
  ".env.sample",
  ".env.template",
  ".env.*.example",
  ".env.*.sample",
  ".env.*.template",
];

const names = Object.values(SENSITIVE_NAMES).flat();
const single = namesExpression(names.filter((name) => !/\/./.test(name)));
const pairs = names.filter((name) => /\/./.test(name)).map((name) =>
  name.split("/").map((segment) => namesExpression([segment]))
);
const harmless = namesExpression(HARMLESS_NAMES);
const suspicious = suspectExpression(names);

/** A cheap first test of a name: `false` if it cannot be in the table. */
export function mayBeSensitive(name: string): boolean {
  return suspicious.test(name);
}

/** The part of each name that any spelling of it has; all that begin with a dot are suspects. */
function suspectExpression(names: readonly string[]): RegExp {
  const parts = names.map((name) => {
    const [segment = ""] = name.replace(/\/$/, "").split("/").slice(-1);
    if (segment.startsWith("*")) return RegExp.escape(segment.slice(1));
    return segment.startsWith(".") ? "^\\." : `^${RegExp.escape(segment.replace(/\*.*$/, ""))}`;
  });
  return new RegExp([...new Set(parts), "\\\\"].join("|"), "iu");
}

function namesExpression(names: readonly string[]): RegExp {
  const alternatives = names.map((name) =>
    name.replace(/\/$/, "").split("*").map(RegExp.escape).join(".*")
  );
  return new RegExp(`^(?:${alternatives.join("|")})$`, "ius");
}

/** With marks, since some are invisible; U+2800, U+11F02 and U+1D159 are in none of these classes. */
const UNSEEN = String.raw`.\s\p{Cc}\p{Cf}\p{DI}\p{M}\u2800\u{11f02}\u{1d159}`;
const UNSEEN_END = new RegExp(`(?<=[^${UNSEEN}])[${UNSEEN}]+$`, "u");

/**
 * A name without the parts of its end that a file system or a shell may drop, or that a reader does not see:
 * an alternate stream, dots, white space and invisible characters.
 */
function bareName(segment: string): string {
  return segment.replace(/(?<=.):.*$/su, "").replace(UNSEEN_END, "");
}

export function isSensitiveSegment(segment: string, parent: string | undefined): boolean {
  if (!mayBeSensitive(segment)) return false;
  const name = bareName(segment);
  if (single.test(name) || single.test(segment)) return !harmless.test(name);
  return parent !== undefined &&
    pairs.some(([directory, file]) => directory!.test(bareName(parent)) && file!.test(name));
}

/** Whether the table blocks a path below its root, with `/` or `\` between the segments. */
export function isSensitive(relative: string): boolean {
  const segments = relative.split(/[\\/]/u);
  return segments.some((segment, index) => isSensitiveSegment(segment, segments[index - 1]));
}

/** Whether a segment of the path is `.git`, which nothing unblocks. */
export function isGitInternal(relative: string): boolean {
  return relative.split(/[\\/]/u).some((segment) => /^\.git$/iu.test(bareName(segment)));
}
