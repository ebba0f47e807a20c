/** Containment and order of paths, by the rules of both platforms. */
import assert from "node:assert/strict";
import { posix, win32 } from "node:path";
import fc from "fast-check";
import { compareByBytes, isWithin, relativePath } from "../../src/util/path.ts";
import { assertHolds } from "../support/draw.ts";

Deno.test("containment on Windows knows drives, shares, mixed separators and letter case", () => {
  const inside = [
    ["C:\\ws", "C:\\ws"],
    ["C:\\ws", "C:\\ws\\src\\a.ts"],
    ["C:\\ws", "C:/ws/src/a.ts"],
    ["C:\\ws", "c:\\WS\\src"],
    ["C:\\ws", "C:\\ws\\..a"],
    ["C:\\", "C:\\anything"],
    ["\\\\server\\share\\ws", "\\\\server\\share\\ws\\a.ts"],
    ["\\\\server\\share\\ws", "//SERVER/share/ws/a.ts"],
  ];
  for (const [root, path] of inside) assert.ok(isWithin(root!, path!, win32), `${path} in ${root}`);
  const outside = [
    ["C:\\ws", "C:\\ws-evil"],
    ["C:\\ws", "C:\\ws-evil\\a.ts"],
    ["C:\\ws", "C:\\"],
    ["C:\\ws", "D:\\ws\\a.ts"],
    ["C:\\ws", "C:\\ws\\..\\other"],
    ["C:\\ws", "\\\\server\\share\\ws"],
    ["\\\\server\\share\\ws", "\\\\server\\other\\ws\\a.ts"],
    ["\\\\server\\share\\ws", "\\\\evil\\share\\ws\\a.ts"],
    ["\\\\server\\share\\ws", "\\\\server\\share\\ws2"],
  ];
  for (const [root, path] of outside) {
    assert.ok(!isWithin(root!, path!, win32), `${path} not in ${root}`);
  }
});

Deno.test("containment elsewhere is by whole segments, and a backslash is a character", () => {
  for (const path of ["/ws", "/ws/a", "/ws/..a", "/ws/a\\..\\..\\b"]) {
    assert.ok(isWithin("/ws", path, posix), path);
  }
  for (const path of ["/", "/ws-evil", "/ws-evil/a", "/w", "/WS", "/ws/../x", "/other/ws"]) {
    assert.ok(!isWithin("/ws", path, posix), path);
  }
  assert.ok(isWithin("/", "/anything", posix));
});

Deno.test("a relative path has slashes on every platform", () => {
  assert.equal(relativePath("C:\\ws", "C:\\ws\\src\\a.ts", win32), "src/a.ts");
  assert.equal(relativePath("/ws", "/ws/src/a.ts", posix), "src/a.ts");
  assert.equal(relativePath("/ws", "/ws", posix), ".");
  const paths = [
    "/ws/",
    "/ws/..",
    "/ws/../b",
    "/ws//a",
    "/ws/./a",
    "/ws/a/",
    "/ws-evil/a",
    "/",
    "/a/b",
  ];
  for (const path of [...paths, "/ws/..a", "/ws/a.b", "/ws/.a"]) {
    for (const root of ["/ws", "/", "/ws/.."]) {
      assert.equal(relativePath(root, path, posix), posix.relative(root, path) || ".", path);
    }
  }
});

Deno.test("paths are ordered by their UTF-8 bytes", (t) => {
  const encoder = new TextEncoder();
  const byBytes = (a: string, b: string) => {
    const [left, right] = [encoder.encode(a), encoder.encode(b)];
    for (let at = 0; at < Math.min(left.length, right.length); at++) {
      if (left[at] !== right[at]) return left[at]! - right[at]!;
    }
    return left.length - right.length;
  };
  const text = fc.string({
    unit: fc.constantFrom("a", "b", "-", "/", "é", "\u{ffee}", "\u{10000}", "\u{1f600}"),
    maxLength: 6,
  });
  assertHolds(
    t,
    fc.property(text, text, (a, b) => {
      assert.equal(Math.sign(compareByBytes(a, b)), Math.sign(byBytes(a, b)));
    }),
    { numRuns: 5000 },
  );
});

Deno.test("containment is what the relative path says, whatever the paths look like", (t) => {
  const segment = fc.constantFrom("", ".", "..", "ws", "ws2", "a", "..a");
  const path = fc.array(segment, { maxLength: 5 }).map((segments) => `/${segments.join("/")}`);
  assertHolds(
    t,
    fc.property(path, path, (root, path) => {
      const relative = posix.relative(root, path);
      const expected = relative !== ".." && !relative.startsWith("../");
      assert.equal(isWithin(root, path, posix), expected);
    }),
    { numRuns: 5000 },
  );
});
