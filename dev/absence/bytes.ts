/**
 * Circumstances in which the bytes of the file are in the way.
 *
 * @module
 */

import { encodingTable } from "../../tests/support/encodings.ts";
import { gzipOf } from "../../tests/support/gzip.ts";
import type { Circumstance } from "./circumstance.ts";

/** A text in UTF-16, little endian. */
function utf16(text: string): Uint8Array {
  return new Uint8Array(Uint16Array.from(text, (unit) => unit.charCodeAt(0)).buffer);
}

function encoded(text: string, label: string): Uint8Array {
  const table = encodingTable(label);
  return Uint8Array.from([...text].flatMap((character) => table.get(character)!));
}

const APP = { "src/app.ts": "start();\n" };

export const BYTES: readonly Circumstance[] = [
  {
    name: "UTF-16 with a byte-order mark",
    source: "monochromegane/the_platinum_searcher#202",
    files: { ...APP, "res/strings.rc": utf16('\ufeffIDS_WELCOME "Welcome" // (here)\r\n') },
    ask: { pattern: "IDS_WELCOME" },
    file: "res/strings.rc",
  },
  {
    name: "UTF-16 without a mark",
    source: "BurntSushi/ripgrep#1424",
    files: { ...APP, "settings/app.reg": utf16('"someuniquestring"=1 ; (here)\r\n') },
    ask: { pattern: "someuniquestring" },
    file: "settings/app.reg",
  },
  {
    name: "Chinese text in GBK",
    source: "ggreer/the_silver_searcher#1014",
    files: { ...APP, "docs/readme.txt": encoded("设置起始地址 (here)\n", "gbk") },
    ask: { pattern: "起始地址" },
    file: "docs/readme.txt",
  },
  {
    name: "an accented word in Latin-1",
    source: "ggreer/the_silver_searcher#419",
    files: { ...APP, "docs/menu.txt": encoded("un café au lait (here)\n", "windows-1252") },
    ask: { pattern: "café au lait" },
    file: "docs/menu.txt",
  },
  {
    name: "an ASCII name in a source in Latin-1",
    source: "Genivia/ugrep#172",
    files: {
      ...APP,
      "src/functions.c": encoded(
        "/* für später */\nint open_door(void); /* é (here) */\n",
        "windows-1252",
      ),
    },
    ask: { pattern: "open_door" },
    file: "src/functions.c",
  },
  {
    name: "a NUL in a string of a source",
    source: "anthropics/claude-code#87245",
    files: { ...APP, "src/keys.js": "const SEP = '\0';\nfunction joinKeys() {} // (here)\n" },
    ask: { pattern: "joinKeys" },
    file: "src/keys.js",
  },
  {
    name: "a source over the limit of size",
    source: "mrdushidush/claudette#65",
    files: {
      ...APP,
      "src/api.rs": "// generated table\n".repeat(80_000) + "fn route_request() {} // (here)\n",
    },
    ask: { pattern: "route_request" },
    file: "src/api.rs",
  },
  {
    name: "in the middle of a minified line",
    source: "anthropics/claude-code#56751",
    files: {
      ...APP,
      "public/app.min.js": `${"a(1);".repeat(20_000)}payInvoice();/*(here)*/${
        "b(2);".repeat(20_000)
      }\n`,
    },
    ask: { pattern: "payInvoice" },
    file: "public/app.min.js",
  },
  {
    name: "in a rotated log, which is gzip",
    source: "BurntSushi/ripgrep#1049",
    files: { ...APP, "logs/app.log.1.gz": gzipOf("ok\nconnection reset by peer (here)\n") },
    ask: { pattern: "connection reset" },
    file: "logs/app.log.1.gz",
  },
  {
    name: "`^` and a byte-order mark in UTF-8",
    source: "BurntSushi/ripgrep#1163",
    files: { ...APP, "src/Program.cs": "\ufeffusing System; // (here)\n" },
    ask: { pattern: "^using System" },
    file: "src/Program.cs",
  },
  {
    name: "`$` and lines that end in CRLF",
    source: "git-for-windows/git#1841",
    files: { ...APP, "src/run.bat": "rem start\r\nrem (here) exit\r\n" },
    ask: { pattern: "exit$" },
    file: "src/run.bat",
    byDesign: {
      tools: ["rg + hook"],
      why: "how a program reads a carriage return depends on the system, and then nothing is said",
    },
  },
];
