/**
 * The directories that recorded searches read: everyday projects with something of everything that changes
 * an answer (ignore files, blocked names, links, encodings, repositories inside repositories), and many small
 * files of drawn words.
 *
 * @module
 */

import { sh } from "../../tests/support/spawn.ts";
import { tempTree, type Tree, type TreeEntry } from "../../tests/support/tree.ts";
import { numbersFrom } from "../../tests/support/draw.ts";

/** Words of drawn files, of which patterns are made. */
export const WORDS: readonly string[] = [
  ...["needle", "Needle", "parseConfig", "parse_config", "max retries", "TODO", "foo(bar)", "café"],
  ...[
    "import",
    "export function load",
    "class Parser",
    "return undefined;",
    "straße",
    "naïve",
    "x",
  ],
];

/** The workspaces in the tree, each a directory of its own. */
export const WORKSPACES = ["app", "drawn", "mono"] as const;

/** The bytes of a text in UTF-16, little endian, without a mark. */
function utf16(text: string): Uint8Array {
  return new Uint8Array(Uint16Array.from(text, (unit) => unit.charCodeAt(0)).buffer);
}

function latin1(text: string): Uint8Array {
  return Uint8Array.from(text, (unit) => unit.charCodeAt(0));
}

const APP: Readonly<Record<string, TreeEntry>> = {
  ".gitignore": "dist/\n*.log\n/generated\n!keep.log\n",
  ".ignore": "fixtures/\n",
  ".aiignore": "private/\n",
  ".env": "needle=secret\n",
  ".hidden/notes.txt": "needle in a hidden directory\nTODO\n",
  "README.md": "# App\n\nneedle, café, TODO\n\n## Use\n\nparseConfig(path)\n",
  "src/app.ts":
    "import { load } from './load.ts';\n\nclass Parser {\n  parseConfig(path: string) {\n" +
    "    // TODO: needle\n    return undefined;\n  }\n}\n\nexport const maxRetries = 3;\n",
  "src/load.ts":
    "export function load(path: string) {\n  const needle = path; // x\n  return foo(bar);\n}\n",
  "src/util/config.py": "def parse_config(path):\n    needle = 1\n    return needle\n",
  "src/util/Lib.rs": "fn parse_config() -> u32 {\n    42 // Needle\n}\n",
  "src/crlf.txt": "first\r\nneedle\r\nlast TODO\r\n",
  "src/[id]/page.tsx": "export default () => 'needle';\n",
  "src/long.txt": `${"word ".repeat(1000)}needle ${"word ".repeat(1000)}\n`,
  "docs/guide.md": "A phrase broken: max\nretries. Caf\u00e9, cafe\u0301.\nneedle\n",
  "docs/gbk.txt": latin1("\xc4\xe3\xba\xc3 needle\n"),
  "docs/marked.txt": new Uint8Array([0xff, 0xfe, ...utf16("needle in UTF-16\n")]),
  "docs/unmarked.txt": utf16("needle without a mark\n"),
  "assets/logo.bin": latin1("\x89PNG\0needle\n"),
  "assets/large.txt": "a line of hay\n".repeat(90_000) + "needle\n",
  "dist/bundle.js": "needle();needle();\n",
  "app.log": "needle\nTODO\n",
  "keep.log": "needle\n",
  "generated/api.ts": "export function load() {} // needle\n",
  "fixtures/a.txt": "needle\nTODO\n",
  "private/plan.txt": "needle\n",
  "node_modules/dep/index.js": "module.exports = 'needle';\n",
  "empty.txt": "",
  "docs/linked.md": { symlink: "guide.md" },
  "linked": { symlink: "../mono/packages" },
  "dangling": { symlink: "nowhere" },
  "nested/inner/.git/HEAD": "ref: refs/heads/main\n",
  "nested/inner/.gitignore": "out/\n",
  "nested/inner/out/a.txt": "needle\n",
  "nested/inner/a.txt": "needle\n",
};

/** A repository of packages, where git tracks a file that a rule ignores. */
const MONO: Readonly<Record<string, TreeEntry>> = {
  ".gitignore": "build/\n*.gen.ts\nnode_modules/\n",
  "packages/core/src/index.ts": "export function load() {\n  return 'needle';\n}\n",
  "packages/core/src/api.gen.ts": "// needle\n",
  "packages/core/build/index.js": "needle\n",
  "packages/kit": { symlink: "../shared/kit" },
  "shared/kit/index.ts": "import { load } from 'core';\nload('needle');\n",
  "packages/web/src/App.tsx": "export const App = () => load('TODO');\n",
  "node_modules/core/index.js": "needle\n",
};

/** Small files of drawn words in drawn directories, some with rules that ignore others. */
function drawnFiles(seed: number): Record<string, TreeEntry> {
  const draw = numbersFrom(seed);
  const pick = <T>(of: readonly T[]): T => of[draw(of.length)]!;
  const files: Record<string, TreeEntry> = {};
  for (let index = 0; index < 240; index++) {
    const depth = draw(4);
    const above = Array.from({ length: depth }, () => pick(["a", "b", "lib", "Src", "test"]));
    const name = `${pick(["x", "main", "index", "Té"])}${draw(40)}.${pick(["ts", "md", "txt"])}`;
    const lines = Array.from({ length: draw(12) }, () => `${pick(WORDS)} ${pick(WORDS)}`);
    files[[...above, name].join("/")] = lines.join(pick(["\n", "\n", "\r\n"])) + pick(["\n", ""]);
    if (draw(20) > 0) continue;
    const rule = pick(["*.md\n", "x1*\n", "/lib\n", "test/\n!test/x*\n", "**/b/*.ts\n"]);
    files[[...above, pick([".gitignore", ".ignore", ".rgignore"])].join("/")] = rule;
  }
  return files;
}

/** Makes the world of a seed. */
export async function makeWorld(seed: number): Promise<Tree> {
  const all = { app: APP, drawn: drawnFiles(seed), mono: MONO };
  const entries = Object.entries(all).flatMap(([name, files]) =>
    Object.entries(files).map(([path, entry]) => [`${name}/${path}`, entry] as const)
  );
  const tree = await tempTree(Object.fromEntries(entries));
  const git = "git -c user.name=n -c user.email=e -c init.defaultBranch=main";
  await sh(
    `cd mono; ${git} init -q; ${git} add .; ${git} add -f packages/core/src/api.gen.ts
     ${git} commit -qm first; ${git} worktree add -q ../app/tree 2>/dev/null
     cd ..; gzip -nc app/src/load.ts > app/assets/load.ts.gz`,
    tree.root,
  );
  return tree;
}
