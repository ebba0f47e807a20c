/** Frames arrive whole, however the system cuts the bytes. */
import assert from "node:assert/strict";
import fc from "fast-check";
import { FRAME, frame, FrameReader, MAX_FRAME_BYTES } from "../../src/resident/protocol.ts";
import { assertHolds } from "../support/draw.ts";

const KINDS = Object.values(FRAME);

Deno.test("frames are read whole, in whatever pieces they come", (t) => {
  const frames = fc.array(
    fc.tuple(fc.constantFrom(...KINDS), fc.uint8Array({ maxLength: 20 })),
    { maxLength: 8 },
  );
  assertHolds(
    t,
    fc.property(frames, fc.array(fc.nat(12), { minLength: 1 }), (sent, lengths) => {
      const bytes = sent.flatMap(([kind, contents]) => [...frame(kind, contents)]);
      const reader = new FrameReader();
      const read: typeof sent = [];
      for (let at = 0, piece = 0; at < bytes.length; piece++) {
        const end = at + (lengths[piece % lengths.length]! || 1);
        for (const { kind, contents } of reader.push(new Uint8Array(bytes.slice(at, end)))) {
          read.push([kind as (typeof KINDS)[number], new Uint8Array(contents)]);
        }
        at = end;
      }
      assert.deepEqual(read, sent);
    }),
  );
});

Deno.test("a frame that is too long is refused before it has come", () => {
  const header = frame(FRAME.stdout);
  new DataView(header.buffer).setUint32(1, MAX_FRAME_BYTES + 1);
  assert.throws(() => [...new FrameReader().push(header)], /too long/);
});
