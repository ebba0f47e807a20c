/**
 * A rule of `deno lint`: no function of the source is longer than a reader can hold. A table that is
 * built in one may be as long as its rows: it is data.
 *
 * @module
 */

/** Lines of a function, at most, its signature included. */
export const MAX_FUNCTION_LINES = 70;

type Node = Deno.lint.Node;

const plugin: Deno.lint.Plugin = {
  name: "pathgrep",
  rules: {
    "function-length": {
      create(context) {
        if (!/[\\/]src[\\/]/.test(context.filename)) return {};
        const { text } = context.sourceCode;
        const check = (node: Node) => {
          const lines = text.slice(...node.range).split("\n").length;
          if (lines <= MAX_FUNCTION_LINES) return;
          context.report({
            node,
            message: `${lines} lines in one function; at most ${MAX_FUNCTION_LINES}`,
            hint: "give its steps names of their own",
          });
        };
        return {
          FunctionDeclaration: check,
          FunctionExpression: check,
          ArrowFunctionExpression: check,
        };
      },
    },
  },
};
export default plugin;
