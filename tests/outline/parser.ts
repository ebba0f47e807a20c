/**
 * What Deno's parser calls a definition.
 *
 * @module
 */

type Node = Deno.lint.Node;

/** The first and last line of what a parser calls a definition, from 1. */
export interface Extent {
  first: number;
  last: number;
}

const NAMED = [
  "ArrowFunctionExpression",
  "FunctionDeclaration",
  "FunctionExpression",
  "ClassDeclaration",
  "TSInterfaceDeclaration",
  "TSTypeAliasDeclaration",
  "TSEnumDeclaration",
  "TSModuleDeclaration",
];
/** What a function without a name of its own is the value of. */
const HOLDERS = ["VariableDeclarator", "MethodDefinition", "PropertyDefinition", "Property"];

/** The definitions in a source, by Deno's parser. */
export function definitionsIn(file: string, source: string): Extent[] {
  const found: Extent[] = [];
  const lineAt = (offset: number) => source.slice(0, offset).split("\n").length;
  const add = (node: Node) => {
    const holder = "parent" in node ? node.parent as Node : node;
    const whole = HOLDERS.includes(holder.type) ? holder : node;
    // Deno counts characters; the sources of this project have few beyond ASCII.
    found.push({ first: lineAt(whole.range[0]), last: lineAt(whole.range[1]) });
  };
  const plugin: Deno.lint.Plugin = {
    name: "definitions",
    rules: {
      all: { create: () => Object.fromEntries(NAMED.map((type) => [type, add])) },
    },
  };
  Deno.lint.runPlugin(plugin, file, source);
  return found;
}
