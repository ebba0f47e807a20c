/**
 * Completions, in the shells themselves: a line is typed at a terminal, then Tab, then Enter.
 *
 * @module
 */

import assert from "node:assert/strict";
import { testNeeding } from "../support/needs.ts";
import { CHECKOUT, pathgrep } from "../support/run.ts";
import { tempTree, type Tree } from "../support/tree.ts";

const PROMPT = "ready> ";

/** What completes a line in a shell: the program. Any other `pathgrep` there prints its arguments. */
const COMPLETE = `${Deno.execPath()} run -A --no-config ${CHECKOUT}cli.ts`;
const PATHGREP = `pathgrep() { if [ "$1" = __complete ]; then ${COMPLETE} "$@"; ` +
  `else echo "ran:$*:"; fi; }`;
const FISH_PATHGREP = `function pathgrep; if test "$argv[1]" = __complete; ${COMPLETE} $argv; ` +
  `else; echo "ran:$argv:"; end; end`;

/** How each shell is started with completions. */
const SHELLS: Readonly<
  Record<"bash" | "zsh" | "fish", { rc: (script: string) => Record<string, string>; start: string }>
> = {
  bash: {
    rc: (script) => ({
      "rc/bashrc": `PS1='${PROMPT}'\nbind 'set bell-style none'\n${PATHGREP}\n${script}`,
    }),
    start: "bash --noprofile --rcfile rc/bashrc -i",
  },
  zsh: {
    rc: (script) => ({
      "rc/.zshrc": `autoload -U compinit\ncompinit -D -u\nunsetopt beep\nPS1='${PROMPT}'\n` +
        `${PATHGREP}\n${script}`,
    }),
    start: "env ZDOTDIR=rc zsh -d -i",
  },
  fish: {
    rc: (script) => ({
      "rc/fish/config.fish": `function fish_prompt; echo -n '${PROMPT}'; end\n` +
        `function fish_greeting; end\n${FISH_PATHGREP}\n${script}`,
    }),
    start: "env XDG_CONFIG_HOME=rc XDG_DATA_HOME=rc HOME=rc fish -i",
  },
};

/** What is typed before Tab, and what is run after it. */
const CASES: readonly (readonly [typed: string, ran: string])[] = [
  ["doc", "doctor"],
  ["--sor", "--sort"],
  ["--sort mod", "--sort modified"],
  ["--sort=mod", "--sort=modified"],
  ["needle -t typesc", "needle -t typescript"],
  ["search --sor", "search --sort"],
  ["search --files-witho", "search --files-without-match"],
  ["resolve --fie", "resolve --field"],
  ["resolve --smart", "resolve --smart"],
  ["tools --format anth", "tools --format anthropic"],
  ["call resol", "call resolve_path"],
  ["completions fi", "completions fish"],
  ["needle src/ma", "needle src/main.ts"],
  ["--workspace sr", "--workspace src"],
  ["--format te", "--format text"],
  ["--format text doc", "--format text doctor"],
  ["--format=text resolve --fie", "--format=text resolve --field"],
  ["--workspace src tools --format anth", "--workspace src tools --format anthropic"],
  ["--format text --workspace=src call resol", "--format text --workspace=src call resolve_path"],
];

Deno.test("completions wants the name of a shell that it knows", async () => {
  for (const operands of [[], ["tcsh"], ["bash", "zsh"], ["toString"]]) {
    const { code, json } = await pathgrep(["completions", ...operands, "--format", "json"]);
    assert.equal(code, 2);
    assert.equal(json().code, "invalid_input");
    assert.match(json().error, /takes bash, zsh or fish/);
  }
});

Deno.test("a shell that evaluates what completions prints gets a script or nothing", async () => {
  for (
    const args of [[], ["tcsh"], ["bash", "zsh"], ["--bogus"], ["bash", "--resident", "never"]]
  ) {
    const { code, stdout, stderr } = await pathgrep(["completions", ...args]);
    assert.deepEqual([code, stdout], [2, ""]);
    assert.match(stderr, /^pathgrep: invalid input: /);
  }
});

for (const shell of ["bash", "zsh", "fish"] as const) {
  const { rc, start } = SHELLS[shell];
  const test = shell === "bash" ? testNeeding("script") : testNeeding("script", shell);
  test(`${shell} completes commands, options, values and paths`, async () => {
    const { code, stdout: script, stderr } = await pathgrep(["completions", shell]);
    assert.equal(code, 0, stderr);
    await using tree = await tempTree({ ...rc(script), "src/main.ts": "" });
    await using terminal = await Terminal.open(tree, start);
    for (const [typed, ran] of CASES) {
      assert.equal(await terminal.complete(`pathgrep ${typed}`), ran, typed);
    }
  });
}

/** Where the guide says that a line belongs, and the line. */
const lineInGuide = async (shell: string): Promise<[line: string, file: string]> => {
  const guide = await Deno.readTextFile(`${CHECKOUT}docs/terminal.md`);
  const row = RegExp(
    `^\\| ${shell} +\\| \`(.*)\` (?:in|at the end of) \`(.*)\` +\\|$`,
    "m",
  );
  const [, line, file] = row.exec(guide) ?? assert.fail(`the guide has no line for ${shell}`);
  return [line!.replaceAll("\\|", "|"), file!];
};

for (const shell of ["bash", "zsh", "fish"] as const) {
  const { start } = SHELLS[shell];
  const test = shell === "bash" ? testNeeding("script") : testNeeding("script", shell);
  test.slow(`${shell} completes with the line of the guide, which help and script have, too`, async () => {
    const [line, file] = await lineInGuide(shell);
    const { stdout: help } = await pathgrep(["completions", "--help"]);
    const { stdout: script } = await pathgrep(["completions", shell]);
    for (const text of [help, script]) assert.ok(text.includes(`${file}: ${line}\n`), text);
    assert.ok(!help.includes(">>"), "nothing is appended");
    const define = (body: string) =>
      shell === "fish" ? `function pathgrep; ${body}; end` : `pathgrep() { ${body}; }`;
    const pathgrepAgain = shell === "fish" ? FISH_PATHGREP : PATHGREP;
    const setup = [define("cat rc/script"), line, line, pathgrepAgain, ""];
    const prompts = {
      bash: `PS1='${PROMPT}'\nbind 'set bell-style none'\n`,
      zsh: `unsetopt beep\nPS1='${PROMPT}'\n`, // without compinit
      fish: `function fish_prompt; echo -n '${PROMPT}'; end\nfunction fish_greeting; end\n`,
    };
    const rc = { bash: "bashrc", zsh: ".zshrc", fish: "fish/config.fish" }[shell];
    await using tree = await tempTree({
      "rc/script": script,
      [`rc/${rc}`]: prompts[shell] + setup.join("\n"),
      "src/main.ts": "",
    });
    await using terminal = await Terminal.open(tree, start);
    for (const [typed, ran] of CASES.slice(0, 4)) {
      assert.equal(await terminal.complete(`pathgrep ${typed}`), ran, typed);
    }
  });
}

/** A shell at a terminal, whose keyboard is this test. */
class Terminal implements AsyncDisposable {
  readonly #child: Deno.ChildProcess;
  readonly #keyboard: WritableStreamDefaultWriter<Uint8Array>;
  readonly #screen: ReadableStreamDefaultReader<string>;

  private constructor(tree: Tree, start: string) {
    this.#child = new Deno.Command("script", {
      args: ["-qec", start, "/dev/null"],
      cwd: tree.root,
      env: { TERM: "xterm", COLUMNS: "200", LC_ALL: "C.UTF-8" },
      stdin: "piped",
      stdout: "piped",
      stderr: "null",
    }).spawn();
    this.#keyboard = this.#child.stdin.getWriter();
    this.#screen = this.#child.stdout.pipeThrough(new TextDecoderStream()).getReader();
  }

  static async open(tree: Tree, start: string): Promise<Terminal> {
    const terminal = new Terminal(tree, start);
    await terminal.#see(/ready> /);
    return terminal;
  }

  /** Types a line, Tab and Enter; returns the arguments that the command was run with. */
  async complete(line: string): Promise<string> {
    await this.#type(`${line}\t`);
    await this.#type("\r");
    const seen = await this.#see(/ran:(.*?) *:.*ready> /s);
    return seen[1]!.replace(/\/$/, ""); // zsh drops the slash after a directory
  }

  async #type(keys: string): Promise<void> {
    await this.#keyboard.write(new TextEncoder().encode(keys));
  }

  /** Reads the screen until something is seen there. */
  async #see(what: RegExp): Promise<RegExpExecArray> {
    let screen = "";
    const timer = setTimeout(() => this.#child.kill("SIGKILL"), 20_000);
    try {
      for (;;) {
        const { value, done } = await this.#screen.read();
        assert.ok(!done, `waiting for ${what}, the screen shows: ${JSON.stringify(screen)}`);
        screen += value;
        const seen = what.exec(screen);
        if (seen !== null) return seen;
      }
    } finally {
      clearTimeout(timer);
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#type("exit\r").catch(() => {});
    await this.#keyboard.close().catch(() => {});
    await this.#screen.cancel();
    this.#child.kill("SIGKILL");
    await this.#child.status;
  }
}
