/**
 * Paths of Windows, on any system: the modules are loaded with its name for that of this one. No file is
 * touched, so what Windows itself makes of these paths is not seen here.
 *
 * @module
 */

import assert from "node:assert/strict";

Object.defineProperty(Deno, "build", { value: { ...Deno.build, os: "windows" } });

/** Where the paths go that are looked at; there is nothing then. */
let looks: string[] | undefined;
const { lstatSync } = Deno;
Deno.lstatSync = (path) => {
  if (looks === undefined) return lstatSync(path);
  looks.push(String(path));
  throw new Deno.errors.NotFound();
};

const { canonicalPath } = await import("../../src/paths/canonical.ts");
const { PROGRAMS: { git } } = await import("../../src/run/programs.ts");
const { isTooWide } = await import("../../src/workspace/wide_directory.ts");
const { isWithin, pathOfFileUrl, relativePath } = await import("../../src/util/path.ts");
const { linker } = await import("../../src/cli/printers/hyperlink.ts");
const { placedGlob } = await import("../../src/glob/glob_paths.ts");
const { Policy } = await import("../../src/guard/policy.ts");
const { prepareSocket } = await import("../../src/resident/socket.ts");
const { readingsOf } = await import("../../src/workspace/repairs.ts");
const { basename, dirname, isAbsolute, parse, resolve } = await import("../../src/util/path.ts");
const { rootLabels } = await import("../../src/workspace/workspace.ts");

const WSL = "\\\\wsl.localhost\\Ubuntu";

Deno.test("a path of a drive without a separator is below the drive's root", () => {
  assert.equal(resolve("C:\\ws", "src/a.ts"), "C:\\ws\\src\\a.ts");
  assert.equal(resolve("C:\\ws", "C:src\\a.ts"), "C:\\src\\a.ts");
  assert.equal(resolve("C:\\ws", "D:a.ts"), "D:\\a.ts");
  assert.equal(resolve("C:\\ws", "D:"), "D:\\");
  assert.equal(resolve("C:\\ws", "\\src"), "C:\\src");
});

/** Forms of a path, what they mean where C:\ws is the workspace, and what that is called in it. */
const FORMS: readonly (readonly [given: string, path: string, inside?: string])[] = [
  ["src\\a.ts", "C:\\ws\\src\\a.ts", "src/a.ts"],
  ["src/sub\\a.ts", "C:\\ws\\src\\sub\\a.ts", "src/sub/a.ts"],
  [".\\src\\..\\a.ts", "C:\\ws\\a.ts", "a.ts"],
  ["..\\x", "C:\\x"],
  ["..\\ws\\a.ts", "C:\\ws\\a.ts", "a.ts"],
  // Of a drive.
  ["C:\\ws", "C:\\ws", "."],
  ["C:\\ws\\", "C:\\ws", "."],
  ["C:/ws/src/a.ts", "C:\\ws\\src\\a.ts", "src/a.ts"],
  ["C:\\ws\\\\src//a.ts", "C:\\ws\\src\\a.ts", "src/a.ts"],
  ["c:\\WS\\a.ts", "c:\\WS\\a.ts", "a.ts"],
  ["C:\\ws-evil\\a", "C:\\ws-evil\\a"],
  ["C:\\ws\\..\\x", "C:\\x"],
  ["D:\\ws\\a.ts", "D:\\ws\\a.ts"],
  // Relative to a drive, or to the current one.
  ["C:ws\\a.ts", "C:\\ws\\a.ts", "a.ts"],
  ["C:a.ts", "C:\\a.ts"],
  ["C:..\\x", "C:\\x"],
  ["C:", "C:\\"],
  ["D:a.ts", "D:\\a.ts"],
  ["\\ws\\a.ts", "C:\\ws\\a.ts", "a.ts"],
  ["/ws/a.ts", "C:\\ws\\a.ts", "a.ts"],
  ["/etc/passwd", "C:\\etc\\passwd"],
  // On a share, and in the name spaces of devices and of the kernel.
  ["\\\\server\\share\\ws\\a", "\\\\server\\share\\ws\\a"],
  ["//server/share/a", "\\\\server\\share\\a"],
  ["\\\\server\\share\\ws\\..\\..\\x", "\\\\server\\share\\x"],
  ["\\\\?\\C:\\ws\\a", "\\\\?\\C:\\ws\\a"],
  ["\\\\.\\C:\\ws\\a", "\\\\.\\C:\\ws\\a"],
  ["\\\\?\\UNC\\server\\share\\x", "\\\\?\\UNC\\server\\share\\x"],
  ["\\\\?\\GLOBALROOT\\x", "\\\\?\\GLOBALROOT\\x"],
  ["\\??\\C:\\ws\\a", "C:\\??\\C:\\ws\\a"],
  ["\\\\.\\NUL", "\\\\.\\NUL"],
  // A device is a name like others here, as is a stream: only Windows knows better.
  ["NUL", "C:\\ws\\NUL", "NUL"],
  ["src\\aux.txt", "C:\\ws\\src\\aux.txt", "src/aux.txt"],
  ["COM1:", "C:\\ws\\COM1:", "COM1:"],
  ["a.txt:s", "C:\\ws\\a.txt:s", "a.txt:s"],
];

for (const [given, path, inside] of FORMS) {
  Deno.test(`${given} is ${path}, ${inside === undefined ? "outside" : `inside as ${inside}`}`, () => {
    const resolved = resolve("C:\\ws", given);
    assert.equal(resolved, path);
    assert.equal(isWithin("C:\\ws", resolved), inside !== undefined);
    if (inside !== undefined) assert.equal(relativePath("C:\\ws", resolved), inside);
    assert.equal(resolve("D:\\other", resolved), path, "what is resolved is absolute");
    if (inside !== undefined) return;
    for (const place of looksAt(resolved, ["C:\\ws"])) assert.doesNotMatch(place, /^[\\/]{2}/);
  });
}

Deno.test("the parts of a path are those that Windows sees in it", () => {
  const parts = {
    "C:\\ws\\a.ts": [true, "C:\\", "C:\\ws", "a.ts"],
    "C:/ws/a.ts": [true, "C:/", "C:/ws", "a.ts"],
    "C:\\": [true, "C:\\", "C:\\", ""],
    "C:a.ts": [false, "C:", "C:", "a.ts"],
    "\\ws\\a.ts": [true, "\\", "\\ws", "a.ts"],
    "src/sub\\a.ts": [false, "", "src/sub", "a.ts"],
    "\\\\server\\share\\a": [true, "\\\\server\\share\\", "\\\\server\\share\\", "a"],
    "\\\\?\\C:\\ws\\a": [true, "\\\\?\\C:\\", "\\\\?\\C:\\ws", "a"],
  };
  for (const [path, expected] of Object.entries(parts)) {
    assert.deepEqual(
      [isAbsolute(path), parse(path).root, dirname(path), basename(path)],
      expected,
      path,
    );
  }
});

Deno.test("devices, shares of this machine and other spellings of a drive are outside of a root", () => {
  for (
    const path of [
      ...["\\\\?\\C:\\ws\\a", "\\\\.\\C:\\ws\\a", "\\\\?\\UNC\\server\\share\\ws\\a", "\\\\.\\NUL"],
      ...["\\\\localhost\\C$\\ws\\a", "\\\\127.0.0.1\\C$\\ws\\a", "//?/C:/ws/a", "D:\\ws\\a"],
    ]
  ) {
    for (const root of ["C:\\ws", "\\\\server\\share\\ws"]) {
      assert.ok(!isWithin(root, resolve(root, path)), `${path} in ${root}`);
    }
  }
});

Deno.test("a file URL is a path on a drive, or on the share that it names", () => {
  const paths = {
    "file:///C:/ws/a%20b.ts": "C:/ws/a b.ts",
    "file:///c%3A/ws": "c:/ws",
    "file://localhost/C:/ws": "C:/ws",
    "file://wsl.localhost/Ubuntu/home/me/ws": `${WSL}\\home\\me\\ws`,
    "file://wsl%24/Ubuntu/ws": "\\\\wsl$\\Ubuntu\\ws",
    "file://server/share/ws/..%2f..%2f..%2fx": "\\\\server\\share\\x",
    "http://server/share": undefined,
  };
  for (const [url, path] of Object.entries(paths)) assert.equal(pathOfFileUrl(url), path, url);
});

/** What following a path looks at, where there is nothing. */
function looksAt(path: string, roots: readonly string[]): string[] {
  const found: string[] = looks = [];
  try {
    assert.equal(canonicalPath(path, roots).exists, false);
  } finally {
    looks = undefined;
  }
  return found;
}

Deno.test("a server that the workspace is not on is never asked for a path", () => {
  const roots = ["C:\\ws", "\\\\server\\share\\ws"];
  for (
    const path of [
      ...[
        "\\\\evil\\share\\x",
        "\\\\evil\\share\\",
        "\\\\server\\other\\x",
        "\\\\server2\\share\\x",
      ],
      ...["\\\\?\\UNC\\evil\\share\\x", "\\\\.\\pipe\\x", "\\\\?\\C:\\ws\\a"],
    ]
  ) assert.deepEqual(looksAt(path, roots), [], path);
  assert.deepEqual(looksAt("\\\\SERVER\\share\\ws\\a", roots), ["\\\\server\\share\\ws\\a"]);
});

Deno.test("a root in another letter case is followed from the root, above which Deno may deny reading", () => {
  const roots = ["C:\\Users\\me\\ws"];
  for (const path of ["C:\\Users\\me\\ws\\a.ts", "c:\\users\\ME\\WS\\a.ts"]) {
    assert.deepEqual(looksAt(path, roots), ["C:\\Users\\me\\ws\\a.ts"], path);
  }
  assert.deepEqual(looksAt("C:\\Users\\me\\ws2\\a.ts", roots), ["C:\\Users"]);
});

Deno.test("absolute globs block and allow in a root on a drive, a drive itself and a share", () => {
  for (
    const [root, glob] of [
      ["C:\\ws", "C:/ws"],
      ["C:\\ws", "c:/WS"],
      ["C:\\", "C:"],
      ["\\\\server\\share\\ws", "//server/share/ws"],
    ] as const
  ) {
    const at = (name: string) => `${root.replace(/\\$/, "")}\\${name}`;
    const policy = new Policy({
      roots: [root],
      allow: [`${glob}/app/.env`],
      deny: [`${glob}/vault/**`, `${glob}/one.txt`, "src/*.key2"],
    });
    const blocked = ["vault\\a", "vault\\b\\c", "one.txt", "src\\x.key2", ".env", ".env::$DATA"];
    for (const name of [...blocked, ".env. ", "x\\.GIT\\config"]) {
      assert.ok(policy.isBlocked(at(name)), `${name} in ${root}`);
    }
    assert.ok(policy.blocksEntry(at("vault\\"), "a") && policy.blocksEntry(at("x\\"), "id_rsa"));
    assert.ok(policy.mayLiftBelow(at("app")) && !policy.mayLiftBelow(at("lib")));
    for (const name of ["app\\.env", "two.txt", "src\\x.ts"]) {
      assert.ok(!policy.isBlocked(at(name)), `${name} in ${root}`);
    }
    assert.ok(!policy.grantsOutside("D:\\data\\x"));
  }
  const granting = new Policy({
    roots: ["C:\\ws"],
    allow: ["D:/data/**"],
    deny: ["D:/data/no/**"],
  });
  assert.ok(granting.grantsOutside("D:\\data\\x") && !granting.grantsOutside("D:\\x"));
  assert.ok(granting.isBlocked("D:\\data\\no\\x") && !granting.isBlocked("D:\\data\\x"));
});

Deno.test("an absolute glob is placed by the root that it begins with", () => {
  const places = [{ prefix: "C:/ws", path: "C:\\ws" }];
  assert.deepEqual(placedGlob("C:/ws/src/*.ts", places), { path: "C:\\ws", rest: "src/*.ts" });
  assert.deepEqual(placedGlob("C:/ws", places), { path: "C:\\ws", rest: "" });
  assert.equal(placedGlob("C:/ws2/*.ts", places), undefined);
});

Deno.test("file systems' roots and home directories are too wide, those of WSL and macOS too", () => {
  for (
    const directory of [
      ...["C:\\", "\\\\server\\share\\", "C:\\Users", "C:\\Users\\me", `${WSL}\\home\\me`],
      ...["D:\\Users\\me", "c:\\users\\ME", "\\\\server\\Users\\me", "\\\\server\\home\\me"],
      ...["\\\\wsl$\\Debian\\home\\me", `${WSL}\\var\\lib\\jenkins`, `${WSL}\\var\\home\\me`],
      ...[`${WSL}\\root`, "/Users/me", "/private/var/root", "/root", "/home"],
    ]
  ) assert.ok(isTooWide(directory), directory);
  for (
    const directory of [
      ...["D:\\Users\\me\\ws", "\\\\server\\share\\ws", "\\\\server\\home\\me\\ws"],
      ...["C:\\ws", "C:\\Users\\me\\ws", `${WSL}\\home\\me\\ws`, `${WSL}\\root\\ws`],
      ...["/root/ws", "/Users/me/ws", "/private/var/folders"],
    ]
  ) assert.ok(!isTooWide(directory), directory);
});

Deno.test("git is given paths from the root of their drive or share", () => {
  assert.equal(git.operand("C:\\ws\\a b.ts"), "ws/a b.ts");
  assert.equal(git.operand("D:\\a.ts"), "a.ts");
  assert.equal(git.operand("\\\\server\\share\\ws\\a.ts"), "ws/a.ts");
});

Deno.test("roots of one name are told apart by their drives", () => {
  const labels = rootLabels(["C:\\ws", "D:\\ws", "D:\\other"], () => false);
  assert.deepEqual([...labels.values()], ["C:/ws", "D:/ws", "other"]);
});

Deno.test("a line of a search is read as its path, with the drive", () => {
  const workspace = { roots: ["C:\\ws"], labels: new Map() } as never;
  for (const path of ["C:\\ws\\a.ts", "C:/ws/a.ts", "src\\a.ts"]) {
    const readings = readingsOf(`${path}:3:const x = 1;`, workspace, 2);
    assert.ok(readings.some((reading) => reading.path === path), path);
  }
});

Deno.test("links name a drive as a URL has it", () => {
  const link = linker("file://")("a b.ts", "C:\\ws\\a b.ts");
  assert.equal(link, "\x1b]8;;file:///C:/ws/a%20b.ts\x1b\\a b.ts\x1b]8;;\x1b\\");
});

Deno.test("serve says that Windows has no sockets for it", async () => {
  await assert.rejects(
    prepareSocket(["C:\\ws"], "1"),
    ({ details }: { details: { hint: string } }) => /on Windows/.test(details.hint),
  );
});
