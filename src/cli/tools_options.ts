/**
 * The options of `pathgrep tools`: its `--format` is another one.
 *
 * @module
 */
import { DEFINITION_FORMATS } from "../tools/format_names.ts";
import { choice, type OptionGroup } from "./options/option.ts";
import { COMMON_OPTIONS } from "./options.ts";

/** How the definitions are written. */
const DEFINITION_OPTIONS: OptionGroup = {
  title: "The definitions",
  options: [{
    name: "format",
    help: "whose definitions; default: json-schema",
    value: choice("FORMAT", DEFINITION_FORMATS, (settings, format) => {
      settings.definitions = format;
    }),
  }],
};

/** Every option of the command. */
export const TOOLS_OPTIONS: readonly OptionGroup[] = [
  DEFINITION_OPTIONS,
  { ...COMMON_OPTIONS, options: COMMON_OPTIONS.options.filter(({ name }) => name !== "format") },
];
