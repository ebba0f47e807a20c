/**
 * Git repositories as they are: files of usual sizes with an index, ignore rules on several levels, and
 * build output that they ignore. The same seed gives the same bytes.
 *
 * @module
 */

/** What a root's `.gitignore` has: names, endings, paths, directories and exceptions. */
const ROOT_RULES = [
  ..."node_modules/ dist build/ out/ target/ coverage/ .cache/ .turbo/ .next/ __pycache__/ .venv/ venv"
    .split(
      " ",
    ),
  ..."*.log *.tmp *.pyc *.pyo *.o *.so *.class *.swp *.swo *~ *.tsbuildinfo *.tgz *.bak *.orig"
    .split(" "),
  ..."npm-debug.log* yarn-error.log* .DS_Store Thumbs.db .idea/ .vscode/* !.vscode/settings.json"
    .split(" "),
  ..."/tmp /bin/generated packages/*/lib/*.map docs/_build/ docs/**/*.aux **/generated/".split(" "),
  ..."*.egg-info/ .pytest_cache/ .mypy_cache/ .eslintcache .nyc_output .gradle/ [Dd]ebug/".split(
    " ",
  ),
];
/** What that of a package has. */
const PACKAGE_RULES = [
  "/lib",
  "*.generated.ts",
  "fixtures/*.out",
  "!fixtures/kept.out",
  "/.bundle/",
];
/** So many packages have one: 100 rules in all. */
const MAX_RULED = 9;
const EXTENSIONS = ["ts", "ts", "ts", "tsx", "js", "json", "md", "py", "css", "yml"];
/** What is tracked in some directories that are ignored: other programs pass over it. */
export const KEPT = "dist/kept.js";
/** One file in so many is a picture. */
const FILES_PER_PICTURE = 40;
const FILES_PER_DIRECTORY = 10;
const DIRECTORIES_PER_PACKAGE = 12;
/** Ignored files to every tracked one. */
const BUILT = 0.6;
const MEDIAN_BYTES = 4096;
/** The logarithm of sizes deviates by so much: a quarter is above 9 KB, a hundredth above 80 KB. */
const DEVIATION = 1.25;
const MAX_BYTES = 900_000;

const NOUNS =
  ("value path state index buffer result options entry node cursor token cache request " +
    "response session message handler context schema record event target source width color").split(
      " ",
    );
const VERBS = "read write find make parse merge apply resolve update render check load".split(" ");

/** Makes one, with as many files in its index. */
export async function makeGitTree(path: string, files: number): Promise<void> {
  const random = randomFrom(files);
  const text = new Text(random);
  await git(path, "init", "--quiet");
  write(`${path}/.gitignore`, `${ROOT_RULES.join("\n")}\n`);
  let tracked = 1;
  let ruled = 0;
  const forced: string[] = [];
  for (let directory = 0; tracked < files; directory++) {
    const own =
      `${path}/packages/${NOUNS[Math.floor(directory / DIRECTORIES_PER_PACKAGE) % NOUNS.length]}` +
      `${Math.floor(directory / DIRECTORIES_PER_PACKAGE)}`;
    const isFirst = directory % DIRECTORIES_PER_PACKAGE === 0;
    const below = isFirst ? own : `${own}/src/${NOUNS[directory % 7]}/${VERBS[directory % 12]}`;
    if (isFirst && directory % (3 * DIRECTORIES_PER_PACKAGE) === 0 && ruled < MAX_RULED) {
      write(`${own}/.gitignore`, `${PACKAGE_RULES.join("\n")}\n`);
      ruled++;
      tracked++;
    }
    // It has nothing to find.
    if (isFirst && directory % (4 * DIRECTORIES_PER_PACKAGE) === 0 && tracked < files) {
      write(`${own}/${KEPT}`, "kept\n");
      forced.push(`${own}/${KEPT}`);
      tracked++;
    }
    for (let count = 0; count < FILES_PER_DIRECTORY && tracked < files; count++, tracked++) {
      if (tracked % FILES_PER_PICTURE === 0) {
        write(`${below}/picture${tracked}.png`, picture(random));
      } else write(`${below}/${text.name(tracked)}`, text.of(sizeFrom(random)));
    }
    for (let count = 0; count < FILES_PER_DIRECTORY * BUILT; count++) {
      write(
        `${own}/dist/${below.slice(own.length + 1)}/built${count}.js`,
        text.of(sizeFrom(random)),
      );
    }
  }
  for (let count = 0; count < files * BUILT; count++) {
    write(
      `${path}/node_modules/${NOUNS[count % NOUNS.length]}${count % 50}/file${count}.js`,
      text.of(sizeFrom(random)),
    );
  }
  await git(path, "add", "--all");
  await git(path, "add", "--force", ...forced);
}

/** What a repository tracks. */
export async function trackedIn(path: string): Promise<{ files: number; bytes: number }> {
  const names = (await git(path, "ls-files", "-z")).split("\0").filter((name) => name !== "");
  const sizes = names.map((name) => Deno.statSync(`${path}/${name}`).size);
  return { files: names.length, bytes: sizes.reduce((sum, size) => sum + size, 0) };
}

/** What a command of git prints. */
export async function git(path: string, ...args: string[]): Promise<string> {
  const { code, stdout } = await new Deno.Command("git", {
    args: ["-C", path, ...args],
    env: { GIT_CONFIG_GLOBAL: "/dev/null", GIT_CONFIG_NOSYSTEM: "1" },
  }).output();
  if (code !== 0) throw new Error(`git ${args[0]} failed in ${path}`);
  return new TextDecoder().decode(stdout);
}

function write(path: string, content: string | Uint8Array): void {
  Deno.mkdirSync(path.slice(0, path.lastIndexOf("/")), { recursive: true });
  if (typeof content === "string") Deno.writeTextFileSync(path, content);
  else Deno.writeFileSync(path, content);
}

/** Source code, whose words are as unequally frequent as those of real code. */
class Text {
  readonly #random: () => number;

  constructor(random: () => number) {
    this.#random = random;
  }

  name(index: number): string {
    return `${this.#pick(VERBS)}_${this.#pick(NOUNS)}${index}.${this.#pick(EXTENSIONS)}`;
  }

  /** So many bytes, to the end of a line. */
  of(bytes: number): string {
    let text = "";
    while (text.length < bytes) text += this.#line();
    return text;
  }

  #line(): string {
    const [noun, verb, other] = [this.#word(), this.#pick(VERBS), this.#word()];
    const at = this.#random();
    if (at < 0.0004) return `  // TODO: ${verb} the ${noun} of a ${other}\n`;
    if (at < 0.0006) return `/** @deprecated ${verb} it with {@link ${other}} */\n`;
    if (at < 0.0016) return `  if (!${noun}) throw new RangeError("no ${other}");\n`;
    if (at < 0.0018) return `  return isPlainObject(${noun}) ? ${noun} : {};\n`;
    if (at < 0.002) return `export default ${verb}${capital(noun)};\n`;
    if (at < 0.0022) return `const ${noun} = ${verb}FileSync(${other});\n`;
    if (at < 0.0023) return `function ${noun}Error(${other}) {\n`;
    if (at < 0.05) return "\n";
    if (at < 0.12) return `export function ${verb}${capital(noun)}(${other}: string): number {\n`;
    if (at < 0.2) return "  }\n";
    if (at < 0.35) return `  // It has to ${verb} the ${noun} before the ${other} is there.\n`;
    if (at < 0.6) {
      return `  const ${noun} = this.${other}.${verb}(${noun}, { ${other}: ${noun}.length });\n`;
    }
    if (at < 0.8) {
      return `    ${noun}.${verb}(${other}) ?? ${other}.${this.#pick(VERBS)}("${noun}");\n`;
    }
    return `  assert.equal(await ${verb}(${noun}), ${other});\n`;
  }

  /** The first ones are the most frequent. */
  #word(): string {
    return NOUNS[Math.floor(this.#random() ** 2 * NOUNS.length)]!;
  }

  #pick(words: readonly string[]): string {
    return words[Math.floor(this.#random() * words.length)]!;
  }
}

function capital(word: string): string {
  return word[0]!.toUpperCase() + word.slice(1);
}

function picture(random: () => number): Uint8Array {
  const bytes = Uint8Array.from({ length: sizeFrom(random) }, () => 256 * random());
  bytes.set([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0]);
  return bytes;
}

function sizeFrom(random: () => number): number {
  const normal = Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
  return Math.min(MAX_BYTES, Math.max(16, Math.round(MEDIAN_BYTES * Math.exp(DEVIATION * normal))));
}

/** Numbers from 0 to 1 that a seed decides (a xorshift generator). */
function randomFrom(seed: number): () => number {
  let state = seed ^ 0x9e37_79b9;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) / 2 ** 32;
  };
}
