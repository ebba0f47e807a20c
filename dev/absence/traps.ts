/**
 * Circumstances in which nothing is missing: whoever says otherwise cries wolf.
 *
 * @module
 */

import { encodingTable } from "../../tests/support/encodings.ts";
import { gzipOf } from "../../tests/support/gzip.ts";
import type { Circumstance } from "./circumstance.ts";

const latin1 = encodingTable("windows-1252");
const APP = { "src/app.ts": "start();\n" };

export const TRAPS: readonly Circumstance[] = [
  {
    name: "excluded files that do not have it",
    source: "anthropics/claude-code#84161",
    files: {
      ...APP,
      ".gitignore": "scripts/*\n",
      "scripts/example_writer.py": "example_writer()\n",
      ".github/workflows/ci.yml": "runs-on: ubuntu-latest\n",
    },
    ask: { pattern: "example_reader" },
    trap: true,
  },
  {
    name: "a commit message has it, and no file",
    source: "unarbos/arbos#731",
    files: APP,
    setup: "git add -A; git commit -qm 'remove oldCheckout'",
    ask: { pattern: "oldCheckout" },
    trap: true,
  },
  {
    name: "a name that is only similar",
    source: "sashiko-dev/sashiko#357",
    files: { ...APP, "fs/dir.h": "#define EXT4_DIR_REC_LEN(n) (n)\n" },
    ask: { pattern: "ext4_dir_reclen" },
    trap: true,
  },
  {
    name: "a binary file, and one in another encoding, without it",
    source: "ggreer/the_silver_searcher#1085",
    files: {
      ...APP,
      "index-0x00.php": "<?php '\0';\n",
      "index-latin.php": Uint8Array.from([..."<?php 'é';\n"].flatMap((one) => latin1.get(one)!)),
    },
    ask: { pattern: "init-main" },
    trap: true,
  },
  {
    name: "gzip files without it",
    source: "BurntSushi/ripgrep#225",
    files: { ...APP, "logs/cups.log.gz": gzipOf("started\nstopped\n") },
    ask: { pattern: "needle" },
    trap: true,
  },
  {
    name: "both words of the phrase, in different places",
    source: "wincent/masochist#119",
    files: {
      ...APP,
      "wiki/vim_cheatsheet.md": "Vim keys.\n\nOpen the list of errors: quickfix.\n",
    },
    ask: { pattern: "vim quickfix" },
    trap: true,
  },
  {
    name: "a link to a file that was searched",
    source: "BurntSushi/ripgrep#2242",
    files: { ...APP, "foo.ts": "testLinks(); // (here)\n", "bar.ts": { symlink: "foo.ts" } },
    ask: { pattern: "testLinks" },
    file: "foo.ts",
    trap: true,
  },
  {
    name: "a dependency that does not have it, beside a match",
    source: "anthropics/claude-code#25317",
    files: {
      ".gitignore": "node_modules/\n",
      "node_modules/motion-dom/index.js": "exports.getNext = 1;\n",
      "src/app.ts": "getPrevious(); // (here)\n",
    },
    ask: { pattern: "getPrevious" },
    file: "src/app.ts",
    trap: true,
  },
];
