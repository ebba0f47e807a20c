/**
 * The least that any program in Deno has to do: it lists the same directories and opens, reads and
 * closes the same files, in two threads, and searches nothing. What `compare.ts` measures of it is the
 * floor below pathgrep's own times.
 *
 * Argument: a directory, or a file.
 *
 * @module
 */

/** So many directories are known before they are shared out. */
const DIRECTORIES_TO_SHARE = 200;
/** As much of a file as pathgrep reads of one in a walk. */
const buffer = new Uint8Array((1 << 20) + 1);

/** What a thread takes next is the one after `taken`. */
interface Work {
  units: string[];
  taken: SharedArrayBuffer;
}

const scope = globalThis as unknown as {
  onmessage: (event: MessageEvent<Work>) => void;
  postMessage?: (done: true) => void;
};

if (scope.postMessage !== undefined) {
  scope.onmessage = ({ data }) => {
    readAll(data);
    scope.postMessage!(true);
  };
} else {
  const path = Deno.args[0]!;
  if (Deno.statSync(path).isFile) readWhole(path);
  else await readTree(path);
}

async function readTree(path: string): Promise<void> {
  const worker = new Worker(import.meta.url, { type: "module" });
  const directories = [path];
  const units: string[] = [];
  while (directories.length > 0 && directories.length + units.length < DIRECTORIES_TO_SHARE) {
    const directory = directories.shift()!;
    for (const { name, isDirectory, isFile } of Deno.readDirSync(directory)) {
      if (isDirectory) directories.push(`${directory}/${name}`);
      else if (isFile) units.push(`${directory}/${name}`);
    }
  }
  const work = { units: [...directories, ...units], taken: new SharedArrayBuffer(4) };
  const isDone = new Promise((resolve) => worker.onmessage = resolve);
  worker.postMessage(work);
  readAll(work);
  await isDone;
  Deno.exit();
}

function readAll({ units, taken }: Work): void {
  const counter = new Int32Array(taken);
  for (let next; (next = Atomics.add(counter, 0, 1)) < units.length;) {
    const path = units[next]!;
    if (Deno.lstatSync(path).isDirectory) readBelow(path);
    else readStart(path);
  }
}

function readBelow(directory: string): void {
  for (const { name, isDirectory, isFile } of Deno.readDirSync(directory)) {
    if (isDirectory) readBelow(`${directory}/${name}`);
    else if (isFile) readStart(`${directory}/${name}`);
  }
}

function readStart(path: string): void {
  const file = Deno.openSync(path);
  file.readSync(buffer);
  file.close();
}

function readWhole(path: string): void {
  const file = Deno.openSync(path);
  while (file.readSync(buffer) !== null);
  file.close();
}
