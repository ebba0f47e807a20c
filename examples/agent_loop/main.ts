/**
 * An agent's tool loop, whole but for the model: a script plays it, so that this runs without a
 * network and without a key.
 *
 *     deno run --allow-read examples/agent_loop/main.ts
 *
 * The script makes the mistakes that models make with paths. Each is healed at once, or answered with
 * what to send instead, and the next call does just that.
 *
 * @module
 */
import {
  resolveWorkingDirectory,
  systemPrompt,
  type Tool,
  toolDefinitions,
  ToolRegistry,
  withResolvedPaths,
  Workspace,
} from "@x/pathgrep";

const project = new URL("./project/", import.meta.url);
const workspace = await Workspace.open(decodeURIComponent(project.pathname));

/** A tool of the agent's own: its executor gets canonical absolute paths, and a log of them is kept. */
const readFile = withResolvedPaths(
  workspace,
  async ({ file_path }: { file_path: string }) => ({ text: await Deno.readTextFile(file_path) }),
  { required: ["file_path"], log: (line) => console.log(`  log: ${line}`) },
);

/** Another one, which runs in a directory. */
async function listDirectory({ dir_path }: { dir_path: string }) {
  const { path, notes } = await resolveWorkingDirectory(workspace, dir_path);
  const names = [...Deno.readDirSync(path)].map(({ name }) => name);
  return { path, names: names.sort(), notes };
}

const tools = ToolRegistry.of({ workspace }, { tools: ["grep", "glob"] });
tools.register(ownTool("read_file", "Read a file.", "file_path", readFile));
tools.register(ownTool("list_directory", "List a directory.", "dir_path", listDirectory));

function ownTool<Key extends string>(
  name: string,
  description: string,
  key: Key,
  run: (input: Record<Key, string>) => Promise<object>,
): Tool {
  return {
    name,
    description,
    inputSchema: { type: "object", properties: { [key]: { type: "string" } }, required: [key] },
    describe: () => name,
    execute: (input) => run(input as Record<Key, string>),
  };
}

interface Call {
  says: string;
  tool: string;
  input: object;
}
type Answer = Awaited<ReturnType<Tool["execute"]>>;

/** What a call would be sent with next, by an error. */
const suggestionIn = (answer: Answer) => "error" in answer ? answer.suggestions?.[0] : undefined;

/** Plays the model: it sees the answer to each of its calls before it makes the next one. */
function* scriptedModel(): Generator<Call, string, Answer> {
  const grep = (says: string, input: object) => ({ says, tool: "grep", input });
  yield grep("A file where a directory was expected", { pattern: "TODO", path: "src/app.ts" });
  yield { says: "A relative sub-path", tool: "list_directory", input: { dir_path: "src/utils/" } };

  const short = yield grep("A short name", { pattern: "TODO", path: "lib.rs" });
  const path = suggestionIn(short);
  yield grep("One of the suggestions, as it stands", { pattern: "TODO", path });

  const newline = { file_path: "docs/guide.md\n" };
  yield { says: "A trailing newline", tool: "read_file", input: newline };

  const elsewhere = yield grep("An absolute path from another checkout", {
    pattern: "join",
    path: "/home/someone/checkout/src/utils/paths.ts",
  });
  const here = suggestionIn(elsewhere);
  yield grep("The part of it that is here", { pattern: "join", path: here });

  yield grep("Keys of another tool", { pattern: "TODO", glob: "*.rs", head_limit: "1" });

  const foreign = yield grep("Keys that may mean two things", { pattern: "TODO", files: "*.rs" });
  const renamed = Object.fromEntries(
    [...("error" in foreign ? foreign.error : "").matchAll(/value ("[^"]*"|\d+) \(use (\w+)\)/g)]
      .map(([, value, key]) => [key, JSON.parse(value!)]),
  );
  yield grep("The keys that the error names", { pattern: "TODO", ...renamed });
  return "Done.";
}

// What a real model would be sent first:
console.log(`system prompt: ${systemPrompt().length} characters`);
console.log(`tool definitions: ${toolDefinitions("anthropic").length}\n`);

const model = scriptedModel();
let turn = model.next();
while (!turn.done) {
  const { says, tool, input } = turn.value;
  console.log(`${says}\n  call: ${tool} ${JSON.stringify(input)}`);
  const answer = await tools.execute(tool, input);
  console.log(`  answer: ${JSON.stringify(answer)}`);
  turn = model.next(answer);
}
console.log(turn.value);
