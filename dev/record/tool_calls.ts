/**
 * Answers the tool calls on its standard input, a line each, with the library of a checkout.
 *
 * @module
 */

import { TextLineStream } from "./lines.ts";

const [module, world] = Deno.args;
const { ToolRegistry, Workspace } = await import(`file://${module}`);
const registries = new Map<string, { execute(tool: string, input: object): Promise<object> }>();

const lines = Deno.stdin.readable.pipeThrough(new TextDecoderStream())
  .pipeThrough(new TextLineStream());
for await (const line of lines) {
  const { workspace: name, tool, input } = JSON.parse(line);
  if (!registries.has(name)) {
    const workspace = await Workspace.open(`${world}/${name}`);
    registries.set(name, ToolRegistry.of({ workspace }));
  }
  console.log(JSON.stringify(await registries.get(name)!.execute(tool, input)));
}
