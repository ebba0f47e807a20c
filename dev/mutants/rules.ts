/**
 * The rules by which source is changed, as a plugin of `deno lint`: it has the parser, so that none has
 * to be fetched. Each report is a place and what replaces it.
 *
 * @module
 */

/**
 * `flip` a comparison, move a `bound` by one, `swap` `&&` and `||`, make a condition `true` or `false`,
 * `drop` a statement, `return` where a function starts, `empty` a string.
 */
export type Rule = "flip" | "bound" | "swap" | "true" | "false" | "drop" | "return" | "empty";

/** A place that may be changed. */
export interface Place {
  readonly rule: Rule;
  /** The function, constant or class member of the module around it. */
  readonly within: string;
  /** Where it starts and ends, in characters. */
  readonly range: readonly [number, number];
  readonly replacement: string;
}

type Node = Deno.lint.Node;
type Range = Deno.lint.Range;
type OfType<Type> = Extract<Node, { type: Type }>;

const FLIPPED: Readonly<Record<string, string>> = {
  "<": ">=",
  "<=": ">",
  ">": "<=",
  ">=": "<",
  "===": "!==",
  "!==": "===",
};
const MOVED: Readonly<Record<string, string>> = { "<": "<=", "<=": "<", ">": ">=", ">=": ">" };

/** Finds every change that the rules allow in a file. */
const plugin: Deno.lint.Plugin = {
  name: "mutants",
  rules: { changes: { create: visitorOf } },
};
export default plugin;

function visitorOf(context: Deno.lint.RuleContext): Deno.lint.LintVisitor {
  const textOf = (range: Range) => context.sourceCode.text.slice(...range);

  const change = (rule: Rule, node: Node, range: Range, replacement: string) => {
    const place: Place = { rule, within: nameAround(node), range, replacement };
    context.report({ node, message: JSON.stringify(place) });
  };

  const changeOperator = (
    rule: Rule,
    node: OfType<"BinaryExpression" | "LogicalExpression">,
    replacement: string | undefined,
  ) => {
    if (replacement === undefined) return;
    const between = textOf([node.left.range[1], node.right.range[0]]);
    const start = node.left.range[1] + between.indexOf(node.operator);
    change(rule, node, [start, start + node.operator.length], replacement);
  };

  const changeTest = (test: Node | null, ...replacements: ("true" | "false")[]) => {
    if (test === null) return;
    for (const replacement of replacements) change(replacement, test, test.range, replacement);
  };

  const drop = (node: Node) => {
    if (!isWhole(node)) change("drop", node, node.range, ";");
  };

  const returnEarly = (
    node: OfType<"FunctionDeclaration" | "FunctionExpression" | "ArrowFunctionExpression">,
  ) => {
    if (node.body?.type !== "BlockStatement" || node.body.body.length === 0) return;
    const start = node.body.range[0] + 1;
    change("return", node.body, [start, start], " return;");
  };

  /** What encloses a place: a function or a constant of the module, or a member of a class. */
  const nameAround = (node: Node): string => {
    let name = "";
    for (let at = node; at.type !== "Program"; at = parentOf(at)) {
      if (at.type === "MethodDefinition" || at.type === "PropertyDefinition") {
        name = `.${textOf(at.key.range)}`;
      } else if (at.type === "ClassDeclaration") name = `${at.id?.name}${name}`;
      else if (at.type === "FunctionDeclaration") name = at.id?.name ?? "";
      else if (at.type === "VariableDeclarator" && at.id.type === "Identifier") name = at.id.name;
    }
    return name || "module";
  };

  return {
    BinaryExpression(node) {
      changeOperator("flip", node, FLIPPED[node.operator]);
      changeOperator("bound", node, MOVED[node.operator]);
    },
    LogicalExpression(node) {
      changeOperator("swap", node, { "&&": "||", "||": "&&", "??": undefined }[node.operator]);
    },
    IfStatement: ({ test }) => changeTest(test, "true", "false"),
    ConditionalExpression: ({ test }) => changeTest(test, "true", "false"),
    // A loop that never ends is noticed, but only after a long time.
    ForStatement: ({ test }) => changeTest(test, "false"),
    WhileStatement: ({ test }) => changeTest(test, "false"),
    DoWhileStatement: ({ test }) => changeTest(test, "false"),
    ExpressionStatement: drop,
    ThrowStatement: drop,
    ReturnStatement: drop,
    BreakStatement: drop,
    ContinueStatement: drop,
    FunctionDeclaration: returnEarly,
    FunctionExpression: returnEarly,
    ArrowFunctionExpression: returnEarly,
    Literal(node) {
      if (isForm(node)) return;
      if (typeof node.value === "string" && node.value !== "") {
        change("empty", node, node.range, '""');
      }
      // The constants of a module are measured or agreed on: no test can tell 64 KiB from one byte more.
      if (typeof node.value === "number" && !/^[A-Z][A-Z\d_]+$/.test(nameAround(node))) {
        change("bound", node, node.range, `${node.value + 1}`);
      }
    },
    TemplateLiteral(node) {
      if (!isForm(node) && textOf(node.range) !== "``") change("empty", node, node.range, '""');
    },
  };
}

/** What holds a node; the whole file has no rule. */
function parentOf(node: Node): Node {
  return (node as OfType<"Identifier">).parent;
}

/** Whether a statement is all of a function or of a condition, whose own rules change the same. */
function isWhole(node: Node): boolean {
  let parent = parentOf(node);
  if (parent.type === "BlockStatement") {
    if (parent.body.length > 1) return false;
    parent = parentOf(parent);
  }
  return parent.type === "IfStatement" && parent.alternate === null ||
    /^(Arrow)?Function/.test(parent.type);
}

/** Whether a text or number is part of a type, an import or a key, where a change would not run. */
function isForm(node: Node): boolean {
  const parent = parentOf(node);
  if (/^(Import|Export|TaggedTemplate)|^TS(?!As|Satisfies|NonNull)/.test(parent.type)) return true;
  return (parent.type === "Property" || parent.type === "PropertyDefinition") && !parent.computed &&
    parent.key.range[0] === node.range[0];
}
