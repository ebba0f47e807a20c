/**
 * Makes the calls of `malformed_calls.ts`, and sees what comes of them.
 *
 * @module
 */

import {
  resolveWorkingDirectory,
  type Tool,
  ToolRegistry,
  withResolvedPaths,
  Workspace,
} from "../../mod.ts";
import { tempTree } from "../../tests/support/tree.ts";
import { type MalformedCall, SHOP } from "./malformed_calls.ts";

/** An answer, of which anything may be asked. */
export type Answer = Record<string, unknown>;

/** What came of a call. */
export type Outcome = MalformedCall["outcome"] | "no fix";

/** A workspace that answers calls. */
export interface Shop extends AsyncDisposable {
  /** Makes one call; `$WS` in its input is the root. */
  call(tool: string, input: unknown): Promise<Answer>;
  /** What came of a call, as a model sees it. */
  outcome(call: MalformedCall, answer: Answer): Outcome;
  /** The files that an answer names, relative to the root. */
  found(answer: Answer): string[];
}

/** Opens the workspace, with the three tools and two of an agent's own. */
export async function openShop(): Promise<Shop> {
  const tree = await tempTree(
    Object.fromEntries(Object.entries(SHOP).map(([path, text]) => [`shop/${path}`, text])),
  );
  const root = tree.path("shop");
  const workspace = await Workspace.open(root);
  const tools = ToolRegistry.of({ workspace }, { tools: ["grep", "glob", "resolve_path"] });
  const readFile = withResolvedPaths(
    workspace,
    async ({ file_path }: { file_path: string }) => {
      await Deno.readTextFile(file_path);
      return { path: file_path };
    },
    { mustExist: true, repair: true },
  );
  tools.register(ownTool("read_file", readFile));
  tools.register(ownTool("shell", async ({ dir_path }: { dir_path: string }) => {
    const { path, notes } = await resolveWorkingDirectory(workspace, dir_path);
    return { path, ...(notes.length === 0 ? {} : { notes }) };
  }));
  return {
    async call(tool, input) {
      const text = JSON.stringify(input).replaceAll("$WS", root);
      return await tools.execute(tool, JSON.parse(text)) as Answer;
    },
    outcome(call, answer) {
      const { fix } = call;
      const isAnswered = !("error" in answer) &&
        (answer["count"] !== 0 || "directories" in answer);
      if (isAnswered) return "notes" in answer ? "note" : "at once";
      return fix !== undefined && textOf(answer[fix.place]).includes(fix.says) ? "fix" : "no fix";
    },
    found(answer) {
      const { matches = [], files = [], directories = [], counts = [], path } = answer as {
        directories?: string[];
        matches?: { file: string }[];
        counts?: { file: string }[];
        files?: string[];
        path?: string;
      };
      const named = [...matches, ...counts].map(({ file }) => file);
      const all = "error" in answer
        ? []
        : [...named, ...files, ...directories, ...path === undefined ? [] : [path]];
      return [...new Set(all.map((file) => workspace.display(file)))].sort();
    },
    [Symbol.asyncDispose]: () => tree[Symbol.asyncDispose](),
  };
}

/** One text of a sentence, or of several. */
export function textOf(value: unknown): string {
  return Array.isArray(value) ? value.join("\n") : String(value);
}

function ownTool<Input>(name: string, run: (input: Input) => Promise<object>): Tool {
  return {
    name,
    description: name,
    inputSchema: { type: "object" },
    describe: () => name,
    execute: (input) => run(input as Input),
  };
}
