/** Gzip files are unpacked as they are read: all kinds of them, and what is left of damaged ones. */
import assert from "node:assert/strict";
import { gunzipSync } from "node:zlib";
import { type ByteSource, Files, FileSource, type ReadOutcome } from "../../src/read/files.ts";
import { FileReader, loadReader } from "../../src/read/file_reader.ts";
import { GzipSource, isGzip } from "../../src/read/packed_files.ts";
import fc from "fast-check";
import { assertHolds } from "../support/draw.ts";
import { bombOf, bytesOf, gzipHeader, gzipOf, gzipWith, joined } from "../support/gzip.ts";
import { test } from "../support/needs.ts";

interface Unpacked {
  text: string;
  lacks: string | undefined;
}

/** Unpacks a file by way of the disk; `again`: once more from its start. */
async function unpacked(packed: Uint8Array, again = false): Promise<Unpacked> {
  const path = await Deno.makeTempFile();
  try {
    await Deno.writeFile(path, packed);
    const file = new FileSource(path, false);
    using source = new GzipSource(file, file.fill());
    const first = textIn(source);
    if (!again) return { text: first, lacks: source.lacks };
    assert.ok(source.rewind());
    return { text: textIn(source), lacks: source.lacks };
  } finally {
    await Deno.remove(path);
  }
}

function textIn(source: ByteSource): string {
  const decoder = new TextDecoder();
  let text = "";
  for (let fills = 0; !source.isAtEnd; fills++) {
    assert.ok(fills < 100_000, "it comes to an end");
    text += decoder.decode(source.buffer.bytes.subarray(0, source.fill(0)), { stream: true });
  }
  return text + decoder.decode();
}

const LINES = Array.from({ length: 5000 }, (_, line) => `line ${line} of ${line ** 3}\n`).join("");
const NAME = bytesOf("notes.txt\0");
const EXTRA = Uint8Array.of(3, 0, 1, 2, 3);

Deno.test("every kind of gzip file is unpacked", async () => {
  const whole: Record<string, [packed: Uint8Array, text: string]> = {
    "nothing": [gzipOf(""), ""],
    "a line": [gzipOf("one\n"), "one\n"],
    "stored blocks": [gzipOf(LINES, 0), LINES],
    "packed blocks": [gzipOf(LINES, 9), LINES],
    "a name": [gzipWith(gzipHeader(8, NAME), "one\n"), "one\n"],
    "a comment": [gzipWith(gzipHeader(16, NAME), "one\n"), "one\n"],
    "all there may be in a header": [
      gzipWith(gzipHeader(31, EXTRA, NAME, NAME, Uint8Array.of(1, 2)), "one\n"),
      "one\n",
    ],
    "several members": [joined(gzipOf("one\n"), gzipOf(""), gzipOf(LINES)), `one\n${LINES}`],
    "padding": [joined(gzipOf("one\n"), new Uint8Array(600)), "one\n"],
    "a member with a long name, far into the file": [
      joined(
        gzipOf(LINES.repeat(15), 0),
        gzipWith(gzipHeader(8, new Uint8Array(200_000).fill(65), Uint8Array.of(0)), "one\n"),
      ),
      `${LINES.repeat(15)}one\n`,
    ],
  };
  for (const [name, [packed, text]] of Object.entries(whole)) {
    assert.ok(isGzip(packed), name);
    assert.deepEqual(await unpacked(packed), { text, lacks: undefined }, name);
    assert.deepEqual(await unpacked(packed, true), { text, lacks: undefined }, `${name}, again`);
  }
});

Deno.test("of a file that is damaged or cut short, what comes before that is read", async () => {
  const packed = gzipOf("one two three two one\n".repeat(3) + "four\n");
  const { text } = await unpacked(packed);
  for (let end = 4; end < packed.length; end++) {
    const cut = await unpacked(packed.subarray(0, end));
    assert.ok(text.startsWith(cut.text) && cut.lacks === "damaged", `${end} bytes`);
  }
  for (let bit = 8 * 10; bit < 8 * packed.length; bit++) {
    const flipped = packed.slice();
    flipped[bit >> 3]! ^= 1 << (bit & 7);
    // Of the last byte that is packed, some bits mean nothing.
    const is = await unpacked(flipped);
    assert.ok(is.lacks === "damaged" || is.text === text, `bit ${bit}`);
  }
  assert.deepEqual(await unpacked(joined(packed, bytesOf("rest"))), { text, lacks: "damaged" });
  const second = gzipOf("five\n");
  assert.deepEqual(await unpacked(joined(packed, second.subarray(0, -4))), {
    text: `${text}five\n`,
    lacks: "damaged",
  });
});

Deno.test("what begins otherwise is no gzip file", () => {
  for (const bytes of [[], [0x1f], [0x1f, 0x8b], [0x1f, 0x8b, 8], [0x1f, 0x8b, 7, 0]]) {
    assert.equal(isGzip(Uint8Array.from(bytes)), false);
  }
  assert.equal(isGzip(Uint8Array.of(0x1f, 0x8b, 8, 0x20, 0, 0, 0, 0, 0, 0)), false);
});

test.slow("what is drawn is unpacked as the system's own library does", async (t) => {
  const texts = fc.array(fc.oneof(fc.string(), fc.constantFrom("the same ", "a line\n")), {
    maxLength: 3000,
    size: "max",
  });
  const changes = fc.array(fc.tuple(fc.nat(), fc.nat(255)), { maxLength: 5 });
  const property = fc.asyncProperty(
    texts,
    fc.integer({ min: 0, max: 9 }),
    changes,
    async (parts, level, changes) => {
      const text = parts.join("").toWellFormed();
      const packed = gzipOf(text, level);
      assert.deepEqual(await unpacked(packed), { text, lacks: undefined });
      for (const [at, byte] of changes) packed[10 + at % (packed.length - 10)] = byte;
      const { lacks, text: left } = await unpacked(packed);
      if (lacks === undefined) assert.equal(left, gunzipSync(packed).toString());
    },
  );
  await assertHolds(t, property, { numRuns: 200 });
});

test.slow("a file unpacks to 16 MB, or 200 times its size, but never to more than 64", async () => {
  const bytesIn = async (packed: Uint8Array) => {
    const { text, lacks } = await unpacked(packed);
    return [text.length / (1 << 20), lacks];
  };
  assert.deepEqual(await bytesIn(bombOf(16)), [16, undefined]);
  assert.deepEqual(await bytesIn(bombOf(17)), [16, "too_large"]);
  const padded = joined(bombOf(64), new Uint8Array(400_000));
  assert.deepEqual(await bytesIn(padded), [64, undefined]);
  assert.deepEqual(await bytesIn(joined(bombOf(64), gzipOf("x"), padded)), [64, "too_large"]);
});

Deno.test("headers that nothing follows are read a few at a time", async () => {
  const path = await Deno.makeTempFile();
  try {
    await Deno.writeFile(path, joined(...Array.from({ length: 4000 }, () => gzipOf(""))));
    const file = new FileSource(path, false);
    using source = new GzipSource(file, file.fill());
    let fills = 0;
    for (; !source.isAtEnd; fills++) assert.equal(source.fill(0), 0);
    assert.ok(fills > 5, `${fills} pieces`);
    assert.equal(source.lacks, undefined);
  } finally {
    await Deno.remove(path);
  }
});

/** What a reader makes of a file of a walk in a further pass: its text, and why the search does not read it. */
async function read(packed: Uint8Array, maxFileSize = Infinity, encodings: string[] = []) {
  const path = await Deno.makeTempFile();
  let text = "";
  const sink = {
    ...{ isStopped: false, isDone: false, skip: () => false, restart: () => void (text = "") },
    feed: (more: string) => (text += more) !== "",
    get isHit() {
      return text.includes("needle");
    },
  };
  const job = {
    plan: { prefilter: undefined, multiline: false },
    ...{ encoding: undefined, isAnyText: true, maxFileSize: Infinity, withoutMatch: false },
    further: { maxFileSize, isAnyText: false, encodings, unpacks: true },
  };
  try {
    await Deno.writeFile(path, packed);
    await loadReader(job);
    const reader = new FileReader(job, new Files(), () => sink);
    let outcome = reader.read(path, [], 0);
    using pieces = reader.readAlone(path, false);
    while (outcome === undefined) outcome = pieces.next();
    assert.equal(outcome.state, "read");
    const { left = [], lacks } = outcome as ReadOutcome & { state: "read" };
    return { text, why: left.map(({ reason, by }) => by ?? reason), lacks };
  } finally {
    await Deno.remove(path);
  }
}

Deno.test("in a further pass, a reader says that a file is compressed, and what else it is", async () => {
  const lacks = undefined;
  const text = "needle\n";
  assert.deepEqual(await read(bytesOf(text)), { text, why: [], lacks });
  assert.deepEqual(await read(gzipOf(text)), { text, why: ["compressed"], lacks });
  assert.deepEqual(await read(gzipOf(text), 10), { text, why: ["compressed", "too_large"], lacks });
  const long = "line\n".repeat(400_000) + text;
  assert.deepEqual(await read(gzipOf(long)), { text: long, why: ["compressed"], lacks });
  const latin = await read(gzipOf(joined(Uint8Array.of(0xe9), bytesOf(" needle"))), 99, ["latin1"]);
  assert.deepEqual(latin.why, ["compressed", "not_utf8"]);
  const cut = gzipOf(long).subarray(0, -9);
  assert.deepEqual((await read(cut)).lacks, "damaged");
});
