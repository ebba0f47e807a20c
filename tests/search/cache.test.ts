/**
 * What a searcher keeps is never stale: after every few of many random changes, its answer is
 * ripgrep's. `CHANGES` in the environment says how many changes (`deno task test:cache`: 10,000).
 */
import assert from "node:assert/strict";
import {
  type ContentResult,
  type FileResult,
  PathgrepError,
  search,
  Searcher,
  Workspace,
} from "../../mod.ts";
import { KeptFiles } from "../../src/search/js/kept_files.ts";
import { rgPath } from "../support/oracles.ts";
import { settled, tempTree } from "../support/tree.ts";

const CHANGES = Number(Deno.env.get("CHANGES") ?? 400);
const CHANGES_PER_SEARCH = 4;
const CHANGES_PER_PAUSE = 100;
const WORDS = ["needle", "noodle", "kneels", "Needle"]; // all of one length
const IGNORE_LINES = ["*.log", "d1/", "/d2", "!keep.log", "f3*", "**/d0/f1.txt", ""];

function randomFrom(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor(state / 2 ** 32 * below);
  };
}

/** Changes a tree in ways that a cache could miss. */
class Changer {
  readonly #root: string;
  readonly #random: (below: number) => number;
  #next = 0;

  constructor(root: string, random: (below: number) => number) {
    this.#root = root;
    this.#random = random;
  }

  content(): string {
    const lines = Array.from({ length: 1 + this.#random(4) }, () => this.#pick(WORDS));
    return `${lines.join(" x\n")} x\n`;
  }

  change(): void {
    const files = this.#all(this.#root, "file");
    const directories = [this.#root, ...this.#all(this.#root, "directory")];
    const file = files.length === 0 ? undefined : this.#pick(files);
    const into = () => `${this.#pick(directories)}/f${this.#next++ % 40}.txt`;
    switch (this.#random(10)) {
      case 0: // the same size, and the times put back
        if (file !== undefined) {
          const { atime, mtime } = Deno.lstatSync(file);
          const text = Deno.readTextFileSync(file);
          Deno.writeTextFileSync(
            file,
            text.replaceAll(/needle|noodle|kneels/gi, this.#pick(WORDS)),
          );
          Deno.utimeSync(file, atime!, mtime!);
        }
        break;
      case 1:
        if (file !== undefined) Deno.writeTextFileSync(file, this.content());
        break;
      case 2:
        attempt(() => Deno.writeTextFileSync(into(), this.content()));
        break;
      case 3:
        if (file !== undefined) Deno.removeSync(file);
        break;
      case 4: // a file in another's place
        if (file !== undefined) attempt(() => Deno.renameSync(file, into()));
        break;
      case 5: { // a directory moves
        const from = this.#pick(directories);
        const to = `${this.#pick(directories)}/d${this.#random(4)}`;
        if (from !== this.#root) attempt(() => Deno.renameSync(from, to));
        break;
      }
      case 6: { // a new tree
        const directory = `${this.#pick(directories)}/d${this.#random(4)}`;
        if (directory.split("/").length > this.#root.split("/").length + 4) break;
        attempt(() => Deno.mkdirSync(directory));
        attempt(() =>
          Deno.writeTextFileSync(`${directory}/f${this.#random(9)}.log`, this.content())
        );
        break;
      }
      case 7: { // ignore rules
        const name = this.#pick([".gitignore", ".ignore"]);
        const lines = [this.#pick(IGNORE_LINES), this.#pick(IGNORE_LINES)];
        Deno.writeTextFileSync(`${this.#pick(directories)}/${name}`, `${lines.join("\n")}\n`);
        break;
      }
      case 8: { // two files change places
        const other = files.length === 0 ? undefined : this.#pick(files);
        if (file === undefined || other === undefined || file === other) break;
        Deno.renameSync(file, `${this.#root}/swap`);
        Deno.renameSync(other, file);
        Deno.renameSync(`${this.#root}/swap`, other);
        break;
      }
      case 9: { // a link to a directory, from which changes could be told by another path
        const link = `${this.#pick(directories)}/l${this.#random(3)}`;
        attempt(() => Deno.removeSync(link));
        if (this.#random(2) === 0) attempt(() => Deno.symlinkSync(this.#pick(directories), link));
      }
    }
  }

  #pick<T>(items: readonly T[]): T {
    return items[this.#random(items.length)]!;
  }

  #all(directory: string, kind: "file" | "directory"): string[] {
    const found: string[] = [];
    for (const entry of [...Deno.readDirSync(directory)].sort((a, b) => a.name < b.name ? -1 : 1)) {
      const path = `${directory}/${entry.name}`;
      if (entry.isDirectory) {
        found.push(...(kind === "directory" ? [path] : []), ...this.#all(path, kind));
      } else if (entry.isFile && kind === "file") found.push(path);
    }
    return found;
  }
}

function attempt(change: () => void): void {
  try {
    change();
  } catch {
    // Not every random change can be made.
  }
}

/** `path:line:text` of every match, sorted. */
async function ripgrepLines(root: string): Promise<string[]> {
  const flags =
    "--no-config --hidden -g !.git --no-require-git --no-ignore-parent --no-ignore-global";
  const { stdout } = await new Deno.Command(await rgPath(), {
    args: [...flags.split(" "), "--json", "needle", root],
  }).output();
  const rows = new TextDecoder().decode(stdout).split("\n").filter((row) => row !== "");
  return rows.map((row) => JSON.parse(row)).filter(({ type }) => type === "match")
    .map(({ data }) => `${data.path.text}:${data.line_number}:${data.lines.text.trimEnd()}`).sort();
}

for (const cache of ["verified", "watched"] as const) {
  Deno.test(`${CHANGES} random changes, and no ${cache} answer is stale`, async () => {
    const seed = Number(Deno.env.get("SEED") ?? crypto.getRandomValues(new Uint32Array(1))[0]);
    const random = randomFrom(seed);
    await using tree = await tempTree({});
    const changer = new Changer(tree.root, random);
    for (let index = 0; index < 60; index++) {
      const directory = `${tree.root}/d${index % 4}/d${index % 3}`;
      await Deno.mkdir(directory, { recursive: true });
      await Deno.writeTextFile(`${directory}/f${index}.txt`, changer.content());
    }
    await using searcher = new Searcher({ workspace: await Workspace.open(tree.root), cache });
    const query = { pattern: "needle", maxResults: 100_000 } as const;
    for (let made = 0; made < CHANGES;) {
      // Only what has not changed for a second is kept.
      if (made % CHANGES_PER_PAUSE === 0) await settled();
      for (let index = 0; index < CHANGES_PER_SEARCH; index++, made++) changer.change();
      const expected = await ripgrepLines(tree.root);
      const { matches, notes } = await searcher.search(query) as ContentResult;
      assert.ok(!notes?.some((note) => note.includes("watched")), String(notes));
      const lines = matches.map(({ file, line_number, line }) => `${file}:${line_number}:${line}`);
      assert.deepEqual(lines.sort(), expected, `SEED=${seed}, after ${made} changes`);
    }
  });
}

Deno.test("a cache or a size that there is not is refused with what there is", async () => {
  await using tree = await tempTree({});
  const workspace = await Workspace.open(tree.root);
  const refusal = (options: Record<string, unknown>) => {
    try {
      new Searcher({ workspace, ...options });
    } catch (error) {
      assert.ok(error instanceof PathgrepError && error.code === "invalid_input");
      return error.message;
    }
    assert.fail(`not refused: ${JSON.stringify(options)}`);
  };
  assert.match(refusal({ cache: "verify" }), /one of none, verified, watched, got "verify"/);
  for (const maxCacheBytes of [0, -1, 1.5, NaN, Infinity, 2 ** 33, "1"]) {
    assert.match(refusal({ cache: "verified", maxCacheBytes }), /whole number from 1 to/);
  }
});

Deno.test("what is kept is bounded, and too little room for all costs no answer", async () => {
  const lines = "filler\n".repeat(1000);
  const names = Array.from({ length: 50 }, (_, index) => [`${index}.txt`, `${lines}needle\n`]);
  await using tree = await tempTree(Object.fromEntries(names));
  const workspace = await Workspace.open(tree.root);
  await settled();
  await using searcher = new Searcher({ workspace, cache: "verified", maxCacheBytes: 100_000 });
  for (let run = 0; run < 3; run++) {
    assert.equal((await searcher.search({ pattern: "needle" })).count, 50);
  }
});

Deno.test("room that removed files took comes back", () => {
  const kept = new KeptFiles(1000);
  const bytes = new Uint8Array(400);
  const info = (ino: number) =>
    ({ dev: 1, ino, size: 400, mtime: new Date(0), ctime: new Date(0) }) as Deno.FileInfo;
  const names = ["a", "b", "c"];
  const put = (index: number) =>
    kept.put(
      index,
      info(index),
      Date.now(),
      { size: 400, kind: undefined, skip: undefined },
      bytes,
    );
  const has = (index: number) => kept.get(index, info(index)) !== undefined;
  kept.begin(0);
  kept.enter("/one", names);
  for (const index of names.keys()) put(index);
  assert.deepEqual([has(0), has(1), has(2)], [true, true, false]);
  for (let search = 0; search < 2; search++) {
    kept.begin(0);
    kept.enter("/one", names);
    assert.ok(has(0));
  }
  // `b` was used in none of the last two searches.
  kept.enter("/one", names);
  put(2);
  kept.enter("/one", names);
  put(2);
  assert.ok(has(2));
});

Deno.test("rules above a named directory are seen to change", async () => {
  await using tree = await tempTree({
    ".gitignore": "*.log\n",
    "a/.gitignore": "x\n",
    "a/b/1.log": "yes",
    "a/b/1.txt": "yes",
  });
  await using searcher = new Searcher({
    workspace: await Workspace.open(tree.root),
    cache: "verified",
  });
  const query = { pattern: "yes", path: "a/b", outputMode: "file", paths: "relative" } as const;
  const found = async () => (await searcher.search(query) as FileResult).files;
  await settled();
  for (let run = 0; run < 3; run++) assert.deepEqual(await found(), ["a/b/1.txt"]);
  await tree.write({ "a/.gitignore": "*.txt\n" });
  assert.deepEqual(await found(), []);
  await tree.write({ ".gitignore": "y\n" });
  assert.deepEqual(await found(), ["a/b/1.log"]);
});

Deno.test("files that are empty take room as well", () => {
  const kept = new KeptFiles(1000);
  const names = Array.from({ length: 10 }, (_, index) => `${index}`);
  const info = { dev: 1, ino: 1, size: 0, mtime: new Date(0), ctime: new Date(0) } as Deno.FileInfo;
  const file = { size: 0, kind: undefined, skip: undefined };
  kept.begin(0);
  kept.enter("/one", names);
  for (const index of names.keys()) kept.put(index, info, Date.now(), file, new Uint8Array());
  assert.equal(names.filter((_, index) => kept.get(index, info) !== undefined).length, 3);
});

Deno.test("what comes and goes in a directory costs several threads none of its other files", async () => {
  const files = Array.from({ length: 7000 }, (_, index) => [`d/${index}.txt`, "needle\n"]);
  await using tree = await tempTree(Object.fromEntries(files));
  const workspace = await Workspace.open(tree.root);
  await settled();
  const script = "while [ -e run ]; do : > d/0x; rm d/0x; : > d/z; rm d/z; done";
  await tree.write({ run: "" });
  const churn = new Deno.Command("sh", { args: ["-c", script], cwd: tree.root }).spawn();
  try {
    for (const cache of ["verified", "watched"] as const) {
      await using searcher = new Searcher({ workspace, cache });
      for (let run = 0; run < 6; run++) {
        const { matches } = await searcher.search({
          pattern: "needle",
          maxResults: 10_000,
        }) as ContentResult;
        assert.equal(matches.length, 7000, cache);
        assert.equal(new Set(matches.map(({ file }) => file)).size, 7000, cache);
      }
    }
  } finally {
    Deno.removeSync(tree.path("run"));
    await churn.status;
  }
});

Deno.test("several threads keep their files, and see what has changed", async () => {
  const filler = "some text that is searched in vain\n".repeat(60);
  const files = Array.from({ length: 6000 }, (_, index) => {
    return [`d${index % 90}/f${index}.txt`, `${filler}${index % 7 === 0 ? "needle" : "noodle"}\n`];
  });
  await using tree = await tempTree(Object.fromEntries(files));
  const workspace = await Workspace.open(tree.root);
  await settled();
  await using searcher = new Searcher({ workspace, cache: "verified" });
  const query = { pattern: "needle", maxResults: 10_000, paths: "relative", stats: true } as const;
  let threads = 1;
  // On a busy machine a worker may come too late for a search.
  for (let run = 0; run < 5 || threads === 1 && run < 60; run++) {
    const result = await searcher.search(query) as ContentResult;
    assert.equal(result.count, Math.ceil(6000 / 7));
    assert.equal(result.stats!.files_searched, 6000);
    threads = Math.max(threads, result.stats!.threads);
    const changed = Array.from({ length: 10 }, (_, index) => 7 * (run % 80 + 85 * index));
    const write = async (words: readonly [string, string]) => {
      for (const index of changed) {
        for (const offset of [0, 1] as const) {
          const name = `d${(index + offset) % 90}/f${index + offset}.txt`;
          await tree.write({ [name]: `${filler}${words[offset]}\n` });
        }
      }
    };
    await write(["noodle", "needle"]);
    const fresh = await search(query, { workspace }) as ContentResult;
    const kept = await searcher.search(query) as ContentResult;
    assert.deepEqual(kept.matches, fresh.matches);
    await write(["needle", "noodle"]);
  }
  if (navigator.hardwareConcurrency > 1) assert.ok(threads > 1, "a worker took part");
  // What is so little that no worker is worth calling is still shared out as it was.
  for (let index = 3; index < 90; index++) {
    Deno.removeSync(tree.path(`d${index}`), { recursive: true });
  }
  const { matches } = await searcher.search(query) as ContentResult;
  assert.deepEqual(matches, (await search(query, { workspace }) as ContentResult).matches);
});
