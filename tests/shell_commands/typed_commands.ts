/**
 * A hundred commands as agents type them, each run by the programs themselves, and what the hook says then:
 * the lists of `docs/hook-commands.md`.
 *
 * @module
 */

import { dirname } from "node:path";
import { hookEvent } from "../support/hook_event.ts";
import { pathgrep } from "../support/run.ts";
import { rgPath } from "../support/oracles.ts";
import { sh, spawn } from "../support/spawn.ts";
import { tempTree, type Tree, type TreeEntry } from "../support/tree.ts";

/** Where the lists stand. */
export const GUIDE = "docs/hook-commands.md";

const FILES: Record<string, TreeEntry> = {
  ".env": "API_TOKEN=1\n",
  ".github/workflows/ci.yml": "runs-on: ubuntu-latest\n",
  ".github/workflows/retry.yml": "# as retryLater does\n",
  ".gitignore": "dist/\nnode_modules/\n*.log\ngen/\n",
  "assets/logo.bin": "\0\nhidden signature\n",
  "debug.log": "stack trace of the crash\n",
  "dist/bundle.js": "bundledOnly = 1;\n",
  "docs/guide.md": "The caf\u00e9 opens.\nCall foo(bar) twice.\n",
  "docs/latin.txt": Uint8Array.from("un grand caf\xe9 au lait\n", (char) => char.charCodeAt(0)),
  "draft.ts": "retryLater(3);\n",
  "gen/queue.ts": "retryLater = 0;\n",
  "node_modules/left-pad/index.js": "leftPad = 1;\n",
  "node_modules/queue/index.js": "retryLater = 1;\n",
  "notes.md": "not committed yet\n",
  "src/config.ts":
    "export function ParseConfig() {}\nexport const MAX_RETRIES = 3;\nParseConfig();\n",
  "src/kept.log": "kept anyway\n",
  "src/old/main.py": "def parse_config():\n    return 1\n",
  "src/queue.ts": "retryLater(1);\nretryLater(2);\n",
  "src/routes/[id]/page.tsx": "export default function UserPage() {}\n",
  "src/server.ts": 'import { ParseConfig } from "./config.ts";\nstartServer(8080); // TODO(ann)\n',
};
const TRACKED = "git add .gitignore .github assets docs src && git add -f src/kept.log";

/** The commands by what they are about. */
const COMMANDS: readonly (readonly [kind: string, commands: readonly string[]])[] = [
  ["Letter case and names", [
    "rg -n parseConfig src",
    'rg -n "parseConfig" --hidden -g "!.git"',
    "rg parseConfig src/config.ts",
    'grep -rn "parseConfig" .',
    "grep -Rn parseConfig src",
    "grep -n parseConfig src/config.ts",
    "egrep -rn 'parseConfig|loadConfig' src",
    "fgrep -rn parseConfig src",
    "ugrep -rn parseConfig src",
    "git grep -n parseConfig",
    "git grep -n parseConfig -- src",
    "rg -n maxRetries",
    "rg -n 'parse-config' src",
    "rg -i parseconfig src",
    "rg -n parseConfigs",
  ]],
  ["Ignored, hidden, untracked and blocked files", [
    "rg -n bundledOnly",
    "git grep -n bundledOnly",
    "ugrep -rn --ignore-files bundledOnly .",
    'rg -n "stack trace"',
    'rg -n "kept anyway"',
    "rg -n leftPad",
    "rg -n ubuntu-latest",
    "rg -n ubuntu-latest -g '*.yml'",
    "ugrep -rn ubuntu-latest .",
    'git grep -n "not committed"',
    "grep -rn bundledOnly .",
    "rg -n bundledOnly dist",
    "rg -nu bundledOnly",
    "rg -n ubuntu-latest .github",
    "rg -n API_TOKEN",
    "rg -n api_token .env",
  ]],
  ["Binary files and encodings", [
    'rg -n "hidden signature"',
    'grep -rIn "hidden signature" .',
    "rg -n 'caf\u00e9 au lait'",
    "grep -rn 'cafe\u0301' docs",
    'rg -na "hidden signature"',
  ]],
  ["How a program reads a pattern", [
    "grep -rn 'TODO|FIXME' src",
    "grep -rnE 'startServer\\(\\d+\\)' src",
    "grep -rn 'foo(bar)+' docs",
    "rg -n 'loadConfig\\|startServer' src",
    "rg -n 'foo(bar)' docs",
    "rg -nF 'Parse.*(' src",
    "grep -rnF 'ParseConfig|UserPage' src",
    "git grep -n 'UserPage|LoginPage'",
    "git grep -nF 'Parse.onfig'",
    "grep -rn 'import {' src",
    "rg -n 'startServer\\(\\d+\\)' src",
    "rg -v '.*' src",
    "grep -rnP 'Parse(?=Config)' src",
    "rg -n 'ParseConfig(' src",
    "rg -nU 'ParseConfig\\n.*MAX' src",
  ]],
  ["Globs and types", [
    "rg -n ParseConfig -g '*.TS'",
    "rg -n ParseConfig -g '*.js'",
    "rg -n ParseConfig -g 'lib/**'",
    "rg -n userPage -g 'src/routes/[id]/*.tsx'",
    "rg -n UserPage -g '!*.tsx'",
    "rg -n UserPage -t tsx",
    "rg -n ParseConfig -tpy",
    "rg -n ParseConfig -T ts",
    "grep -rn ParseConfig . --include=*.js",
    "grep -rn ParseConfig --include='*.{ts,tsx}' src",
    "grep -rn ParseConfig . --exclude-dir=src",
    "grep -rn parseConfig . --include=*.ts",
    "rg -n UserPage -tts",
    "grep -rn UserPage --include='*.tsx' .",
  ]],
  ["Paths", [
    "rg -n ParseConfig lib",
    "grep -rn ParseConfig srcs",
    "rg -n ParseConfig src/confg.ts",
    "git grep -n ParseConfig -- src/servr.ts",
    "rg -n UserPage docs",
    "rg -n parseConfig src docs",
    "rg -n ParseConfig ..",
    "grep -n ParseConfig src",
    "git grep -n ParseConfig HEAD",
  ]],
  ["What is around a search", [
    "cd src && rg -n parseConfig",
    "cd src && grep -rn parseConfig . | tail -5",
    "timeout 5 rg -n parseConfig",
    "command grep -rn parseConfig src",
    "LC_ALL=C grep -rn parseConfig src",
    "git --no-pager grep -n parseConfig",
    "rg -n parseConfig 2>/dev/null",
    "grep -rn parseConfig src 2>&1 | head -20",
    "rg -n parseConfig | wc -l",
    "rg -c parseConfig src",
    "grep -c parseConfig src/config.ts",
    "rg -l parseConfig | sort",
    "rg -n parseConfig || true",
    "rg -n parseConfig src || echo none",
    'grep -rn parseConfig src; echo "exit: $?"',
    "rg -n parseConfig | cut -c1-200",
    "rg -n parseConfig && echo found",
    "rg -n parseConfig; ls src",
    "rg -n parseConfig src/*.ts",
    'rg -n "$NAME"',
    "rg -n parseConfig $(ls)",
    "rg -n parseConfig > /dev/null",
    "for f in src/*.ts; do grep -n parseConfig $f; done",
    "find src -name '*.ts' -exec grep -n parseConfig {} +",
    "find src -name '*.ts' | xargs grep -n parseConfig",
  ]],
  ["Beside matches", [
    "rg -n retryLater",
    "rg -n retryLater | head -20",
    "rg -n retryLater | wc -l",
    "rg -l retryLater || true",
    "rg -n --hidden retryLater",
    "rg -nu retryLater",
    "rg -nuu retryLater",
    "rg -n retryLater src",
    "rg -n retryLater -g '!gen'",
    "rg -n retryLater | grep -v queue",
    "rg -n retryLater | cut -c1-80",
    "git grep -n retryLater",
    "git grep -n --untracked retryLater",
    "grep -rn retryLater .",
    "ugrep -rn --ignore-files retryLater .",
  ]],
  ["No search", [
    "ls -la src",
    "cat src/config.ts",
    "sed -n 1,5p src/config.ts",
    "find . -name '*.tsx'",
    "rg --files -g '*.py'",
    "git status --short",
    "git log --oneline -- src | head -3",
    "command -v rg",
    "test -f lib/a.ts",
  ]],
];

/** The sections of the page, each with a list, in which an item that is not as it was is asked twice more. */
export async function commandLists(before: string): Promise<string> {
  await using t = await tempTree(FILES);
  await sh(`git init -q && ${TRACKED}`, t.root);
  const known = plainItems(before);
  const sections: string[] = [];
  for (const [kind, commands] of COMMANDS) {
    sections.push(`\n### ${kind}\n`);
    for (const command of commands) {
      let item = await itemOf(command, t);
      // A busy machine may leave no time for reasons.
      for (let tries = 2; tries > 0 && !known.includes(plainItems(item)[0]!); tries--) {
        item = await itemOf(command, t);
      }
      sections.push(item);
    }
  }
  return sections.join("\n").trim();
}

/** The items of lists, each as one line. */
export function plainItems(markdown: string): string[] {
  return (markdown.match(/^- `.*(?:\n +\S.*)*/gm) ?? []).map((item) =>
    item.replaceAll(/\s+/g, " ")
  );
}

async function itemOf(command: string, t: Tree): Promise<string> {
  const code = (text: string) => text.includes("`") ? `\`\`${text}\`\`` : `\`${text}\``;
  const notes = await notesAfter(command, t);
  return [`- ${code(command)}`, ...notes.map((note) => `  - ${code(note)}`)].join("\n");
}

/** Runs a command in a shell, and tells the hook of it as Claude Code does. */
async function notesAfter(command: string, t: Tree): Promise<string[]> {
  const rg = await rgPath();
  const path = rg === "rg" ? Deno.env.get("PATH")! : `${dirname(rg)}:${Deno.env.get("PATH")}`;
  const env = { PATH: path, LC_ALL: "C.UTF-8", GIT_CONFIG_GLOBAL: "/dev/null" };
  const ended = await spawn("bash", ["-c", command], { cwd: t.root, env });
  const stdin = hookEvent(command, t.root, ended);
  const answer = await pathgrep(["hook"], { cwd: t.root, stdin });
  if (answer.stdout === "") return [];
  const { additionalContext } = answer.json().hookSpecificOutput;
  return additionalContext.replace(/^pathgrep on this empty search:\n/, "").split("\n")
    .map((line: string) => line.replace(/^- /, ""));
}
