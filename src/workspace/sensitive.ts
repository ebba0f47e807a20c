/**
 * The names that no search reads and no suggestion mentions: one table.
 *
 * Names are held against each segment of a path below its root, letter case folded, whether or not
 * the path exists. What lies below a blocked directory is blocked with it.
 *
 * @module
 */

/** The table: `*` stands for any text, a trailing `/` for a directory, a `/` inside for its parent. */
const SENSITIVE_NAMES: readonly string[] = [
  ".git",
  ".env",
  ".env.*",
  "*.pem",
  "*.key",
  "*.p12",
  "*.pfx",
  "id_rsa",
  "id_dsa",
  "id_ecdsa",
  "id_ed25519",
  ".ssh/",
  ".gnupg/",
  ".aws/credentials",
  ".netrc",
  ".npmrc",
];

/** Templates that `.env.*` would catch and that hold no secrets. */
const HARMLESS_NAMES: readonly string[] = [
  ".env.example",
  ".env.sample",
  ".env.template",
  ".env.*.example",
  ".env.*.sample",
  ".env.*.template",
];

const single = namesExpression(SENSITIVE_NAMES.filter((name) => !/\/./.test(name)));
const pairs = SENSITIVE_NAMES.filter((name) => /\/./.test(name)).map((name) =>
  name.split("/").map((segment) => namesExpression([segment]))
);
const harmless = namesExpression(HARMLESS_NAMES);
const suspicious = /^\.|^id_|\.(?:pem|key|p12|pfx)|^credentials/iu;

/** A cheap first look at one name: `false` for all that cannot be in the table. */
export function mayBeSensitive(name: string): boolean {
  return suspicious.test(name);
}

function namesExpression(names: readonly string[]): RegExp {
  const alternatives = names.map((name) =>
    name.replace(/\/$/, "").split("*").map(RegExp.escape).join(".*")
  );
  return new RegExp(`^(?:${alternatives.join("|")})$`, "ius");
}

/** What the file system may drop from a name: an alternate stream, dots and blanks at the end. */
function bareName(segment: string): string {
  return segment.replace(/(?<=.):.*$/su, "").replace(/(?<=[^. ])[. ]+$/u, "");
}

function isSensitiveSegment(segment: string, parent: string | undefined): boolean {
  if (!mayBeSensitive(segment)) return false;
  const name = bareName(segment);
  if (single.test(name) || single.test(segment)) return !harmless.test(name);
  return parent !== undefined &&
    pairs.some(([directory, file]) => directory!.test(bareName(parent)) && file!.test(name));
}

/**
 * Whether a path is blocked by the table.
 *
 * @param relative a path below its root, with `/` or `\` between the segments
 */
export function isSensitive(relative: string): boolean {
  const segments = relative.split(/[\\/]/u);
  return segments.some((segment, index) => isSensitiveSegment(segment, segments[index - 1]));
}

/** Whether any segment of the path is `.git`, which nothing unblocks. */
export function isGitInternal(relative: string): boolean {
  return relative.split(/[\\/]/u).some((segment) => /^\.git$/iu.test(bareName(segment)));
}
