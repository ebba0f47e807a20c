/**
 * The table of sensitive names, which no search reads and no suggestion mentions.
 *
 * The table applies to each segment of a path below its root, in either letter case, whether or not the
 * path exists. What lies below a blocked directory is blocked as well.
 *
 * @module
 */

import { escapeRegExp } from "../util/text.ts";

/**
 * The table, by what the files contain: `*` matches any text, a trailing `/` marks a directory, a `/`
 * inside follows its parent. `docs/permissions.md` shows it.
 */
export const SENSITIVE_NAMES: Readonly<Record<string, readonly string[]>> = {
  "a repository's inside, and git's passwords": [".git", ".git-credentials"],
  "a project's settings and passwords": [".env", ".env.*", "*.env", ".dev.vars", ".vault_pass"],
  "certificates, keys and password stores": [
    ...["*.pem", "*.key", "*.p8", "*.p12", "*.pfx", "*.ppk", "*.jks", "*.keystore", "*.kdbx"],
  ],
  "keys of SSH and GnuPG": [".ssh/", "id_rsa", "id_dsa", "id_ecdsa", "id_ed25519", ".gnupg/"],
  "states of Terraform, with the secrets in them": [
    "*.tfstate",
    "*.tfstate.backup",
    "*.tfstate.*.backup",
  ],
  "logins of clouds, clusters and registries": [
    ".aws/credentials",
    ".azure/accessTokens.json",
    ".azure/azureProfile.json",
    ".azure/msal_token_cache*",
    "application_default_credentials.json",
    ".boto",
    ".s3cfg",
    ".kube/config",
    ".docker/config.json",
    ".dockercfg",
    ".vault-token",
    ".npmrc",
    ".pypirc",
    ".cargo/credentials*",
    ".gem/credentials",
    ".config/gh/hosts.yml",
  ],
  "logins of servers and databases": [".netrc", "_netrc", ".pgpass", ".my.cnf", ".htpasswd"],
  "what was typed into a shell": [".bash_history", ".zsh_history"],
};

const TEMPLATE = "{example,sample,template,default,defaults,dist,schema,tpl}";

/** Templates and declarations that the table would match and that hold no secrets; `{a,b}` is one of its parts. */
export const HARMLESS_NAMES: readonly string[] = [
  `{.env.,.env.*.}${TEMPLATE}`,
  `{,*.}${TEMPLATE}.env`,
  ".env.d.ts",
  ".env.md",
];

/** What editors and people make of the name `X` of a file that they keep a copy of, where `*` is `X`. */
export const BACKUP_NAMES: readonly string[] = [
  ...["*~", "*.bak", "*.old", "*.orig", "*.swp", ".*.swp", "#*#"],
];

/** The paths of the table, the last segment first. */
const paths = Object.values(SENSITIVE_NAMES).flat().map((path) =>
  path.replace(/\/$/, "").split("/").toReversed()
);
const single = namesExpression(paths.flatMap((path) => path.length === 1 ? path : []));
const longer = paths.filter(({ length }) => length > 1)
  .map((path) => path.map((segment) => namesExpression([segment])));
const harmless = namesExpression(HARMLESS_NAMES);
const suspicious = suspectExpression(paths.map(([name]) => name!));
const backups = BACKUP_NAMES.map((name) =>
  new RegExp(`^${escapeRegExp(name).replace("\\*", "(.+)")}$`, "isu")
);

/** A cheap first test of a name: `false` if it cannot be in the table. */
export function mayBeSensitive(name: string): boolean {
  return suspicious.test(name);
}

/** The part of each name that any spelling of it has; all that begin with a dot are suspects. */
function suspectExpression(names: readonly string[]): RegExp {
  const parts = names.map((name) => {
    if (name.startsWith(".")) return "^\\.";
    const [start, end = ""] = name.split("*");
    return start === "" ? source(end) : `^${source(start!)}`;
  });
  return new RegExp([...new Set(parts), "^#", "\\\\"].join("|"), "iu");
}

function namesExpression(names: readonly string[]): RegExp {
  return new RegExp(`^(?:${names.map(source).join("|")})$`, "ius");
}

/** The regular expression of a name with `*` and `{a,b}`. */
function source(name: string): string {
  const forms: Record<string, string> = { "*": ".*", "{": "(?:", "}": ")", ",": "|" };
  return name.replace(/[*{},]|[^*{},]+/gu, (part) => forms[part] ?? escapeRegExp(part));
}

/** With marks, since some are invisible; U+2800, U+11F02 and U+1D159 are in none of these classes. */
const UNSEEN = String.raw`.\s\p{Cc}\p{Cf}\p{DI}\p{M}\u2800\u{11f02}\u{1d159}`;
let unseenEnd: RegExp | undefined; // made when it is needed: it is slow

/**
 * A name without the parts of its end that a file system or a shell may drop, or that a reader does not see:
 * an alternate stream, dots, white space and invisible characters.
 */
function bareName(segment: string): string {
  const name = segment.replace(/(?<=.):.*$/su, "");
  if (/\w$/.test(name)) return name;
  return name.replace(unseenEnd ??= new RegExp(`(?<=[^${UNSEEN}])[${UNSEEN}]+$`, "u"), "");
}

/** More names than these are not looked for in a hostile one, such as a thousand times `~`. */
const MAX_ORIGINALS = 16;

/** A name and, as far as it is that of a backup, the names that were backed up. */
function originals(segment: string): ReadonlySet<string> {
  const names = new Set([bareName(segment)]);
  for (const name of names) { // also those that are added
    if (names.size > MAX_ORIGINALS) break;
    for (const backup of backups) {
      const [, original] = backup.exec(name) ?? [];
      if (original !== undefined) names.add(bareName(original));
    }
  }
  return names;
}

/**
 * Whether the table blocks the last segment of a path.
 *
 * @param segments those of the path below its root, or its last ones
 */
export function isSensitiveName(segments: readonly string[]): boolean {
  const segment = segments.at(-1)!;
  if (!mayBeSensitive(segment)) return false;
  if (single.test(segment) && !harmless.test(bareName(segment))) return true;
  const known: (readonly string[])[] = []; // of many names only the last is looked at
  const named = (index: number) => known[index] ??= [...originals(segments.at(-1 - index) ?? "")];
  return named(0).some((name) => single.test(name) && !harmless.test(name)) ||
    longer.some((path) =>
      path.every((part, index) => named(index).some((name) => part.test(name)))
    );
}

/** Whether the table blocks a path below its root, with `/` or `\` between the segments. */
export function isSensitive(relative: string): boolean {
  const segments = relative.split(/[\\/]/u);
  return segments.some((_, index) => isSensitiveName(segments.slice(0, index + 1)));
}

/** The entries of the table with an expression for each segment, made once something is blocked. */
let rules: readonly { rule: string; parts: readonly RegExp[] }[] | undefined;

/** The entry of the table that blocks the last name of a path, which may hold `\\`. */
export function sensitiveRule(relative: string): string | undefined {
  rules ??= Object.values(SENSITIVE_NAMES).flat().map((rule) => ({
    rule,
    parts: rule.replace(/\/$/, "").split("/").map((part) => namesExpression([part])),
  }));
  const names = relative.split(/[\\/]/u).map((segment) => [segment, ...originals(segment)]);
  const last = relative.split("/").length - 1;
  return rules.find(({ parts }) =>
    names.some((_, end) =>
      end >= last &&
      parts.toReversed().every((part, above) => names[end - above]?.some((name) => part.test(name)))
    )
  )?.rule;
}

/** Whether a segment of the path is `.git`, which nothing unblocks. */
export function isGitInternal(relative: string): boolean {
  return relative.split(/[\\/]/u).some((segment) => /^\.git$/iu.test(bareName(segment)));
}
