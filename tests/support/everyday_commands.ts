/**
 * Searches as agents type them in a shell, all day long: for names, for words, in a part of a project or in all
 * of it, cut, counted, sorted.
 *
 * @module
 */

/** What a project's searches are about. */
export interface Subject {
  /** Names of its own, frequent ones first. */
  names: readonly [string, string, string];
  /** Directories with sources, and with tests. */
  sources: string;
  tests: string;
  /** The extension of its sources, and ripgrep's name of their type. */
  extension: string;
  type: string;
}

/** A hundred commands, all of which may be run in the directory of the project. */
export function everydayCommands(
  { names: [a, b, c], sources, tests, extension, type }: Subject,
): string[] {
  return [
    // Where something is, and who uses it.
    ...[a, b, c].flatMap((name) => [
      `rg -n "${name}"`,
      `rg -n "${name}" ${sources}`,
      `rg "${name}" -t ${type}`,
      `rg -n "${name}" -g '*.${extension}'`,
      `rg -l "${name}"`,
      `rg -c "${name}"`,
      `rg -n "\\b${name}\\b"`,
      `rg -n "${name}" | head -20`,
      `rg -n -C 3 "${name}" ${sources}`,
      `rg -nw ${name} ${sources} ${tests}`,
      `rg -n "${name}" --glob '!${tests}/**'`,
      `grep -rn "${name}" .`,
      `grep -rn "${name}" ${sources}`,
      `grep -rn "${name}" . --include=*.${extension}`,
      `grep -rn "${name}" --include="*.${extension}" ${sources} | head -30`,
      `grep -rln "${name}" ${sources} ${tests}`,
      `grep -rn "${name}" ${sources} | grep -v test`,
      `grep -rn --exclude-dir=node_modules --exclude-dir=.git "${name}" .`,
      `git grep -n "${name}"`,
      `git grep -n "${name}" -- '*.${extension}'`,
      `git grep -l ${name}`,
    ]),
    // How many, and in which order.
    `rg -n "${a}" | wc -l`,
    `grep -rn "${a}" ${sources} | wc -l`,
    `rg -l "${b}" | sort`,
    `rg -c "${b}" ${sources} | sort -t: -k2 -nr | head`,
    `git grep -c ${a} | sort`,
    // Words.
    'rg -n "TODO|FIXME"',
    `grep -rnE "TODO|FIXME|XXX" ${sources}`,
    "rg -in deprecated",
    `rg -n "timeout" ${sources}`,
    'rg -n "timeout"',
    `rg -in "error" -t ${type} | head -50`,
    'rg -n "version"',
    `grep -rn "version" ${sources} | head`,
    'rg -n "https?://" -o | head -20',
    `rg -n "import" ${sources} | head -40`,
    `rg -n "return" -t ${type} | wc -l`,
    `rg -n "config" ${sources}`,
    'rg -in "license" | head',
    `grep -rin "cache" ${sources} ${tests}`,
    'git grep -n "release"',
    'git grep -in "security"',
    `rg -n "test" ${tests} | head -20`,
    `rg --no-heading -n "main" ${sources}`,
    `cd ${sources} && rg -n "${a}"`,
    `cd ${sources} && grep -rn "${b}" .`,
    `timeout 10 rg -n "${c}" ${sources} 2>/dev/null`,
    `rg -n "${a}" || echo "not found"`,
    `rg -n "${b}" ${tests}; echo "exit: $?"`,
    `LC_ALL=C grep -rn "${a}" ${tests}`,
    `rg -n "${a}|${b}" ${sources}`,
    `grep -rnE "(${a}|${c})" ${sources}`,
    `rg -n "^(class|def|fn|func|function|export) ?" ${sources} | head -100`,
    `rg -uu -n "${a}" ${sources}`,
    `rg --hidden -n "${b}"`,
    `rg -n "${a}\\(" ${sources}`,
    `grep -rn "${b}(" ${sources}`,
    `rg -o "${a}\\w*" ${sources} | sort`,
  ];
}
