/**
 * The command table: a command is one entry here and one module.
 *
 * @module
 */
import type { Command } from "../host.ts";
import {
  ANSWER_OPTIONS,
  CACHE_OPTIONS,
  COMMON_OPTIONS,
  ENGINE_OPTIONS,
  ENTRY_OPTIONS,
  FILE_OPTIONS,
  FOREIGN_OPTIONS,
  GUARD_OPTIONS,
  HOOK_COMMON_OPTIONS,
  MCP_OPTIONS,
  PATTERN_OPTIONS,
  RESOLVE_OPTIONS,
  RUN_OPTIONS,
  SERVE_OPTIONS,
  SHAREABLE_RUN_OPTIONS,
  TEXT_OPTIONS,
  TOOLS_OPTIONS,
} from "../options/option_table.ts";

/** What runs when the first argument names no command. */
export const SEARCH: Command = {
  name: "search",
  operands: "PATTERN [PATH…]",
  summary: "search files for a pattern (the default command)",
  options: [
    PATTERN_OPTIONS,
    FILE_OPTIONS,
    GUARD_OPTIONS,
    ENTRY_OPTIONS,
    ANSWER_OPTIONS,
    TEXT_OPTIONS,
    SHAREABLE_RUN_OPTIONS,
    ENGINE_OPTIONS,
    COMMON_OPTIONS,
    FOREIGN_OPTIONS,
  ],
  examples: [
    ["'TODO|FIXME' src", "lines in src that contain either word"],
    ["-F 'foo('", "plain text instead of a regular expression"],
    ["-l -t ts useState", "TypeScript files with a match"],
    ["-iC2 -g '*.md' licen[cs]e", "in Markdown files, ignoring case, with two lines of context"],
    ["--max-results 50 --on-overflow truncate import", "the first 50 entries and the next offset"],
    ["panic log.txt -", "a file and standard input"],
  ],
  load: () => import("./search_command.ts"),
};

export const COMMANDS: readonly Command[] = [
  SEARCH,
  {
    name: "resolve",
    operands: "PATH",
    summary: "resolve a path to the canonical one in the workspace",
    options: [RESOLVE_OPTIONS, GUARD_OPTIONS, COMMON_OPTIONS],
    examples: [
      ["src/main.ts", "the canonical path, if it is in the workspace"],
      ["--as dir src", "as a working directory"],
      ["--as project --field file_path new.ts", "a file that need not exist"],
    ],
    load: () => import("./resolve_command.ts"),
  },
  {
    name: "files",
    operands: "[PATH…]",
    summary: "list the files that a search would read",
    options: [
      FILE_OPTIONS,
      GUARD_OPTIONS,
      ANSWER_OPTIONS,
      TEXT_OPTIONS,
      SHAREABLE_RUN_OPTIONS,
      COMMON_OPTIONS,
      FOREIGN_OPTIONS,
    ],
    examples: [
      ["", "every file that would be searched"],
      ["src -t ts", "the TypeScript files in src"],
    ],
    load: async () => ({ run: (await import("./search_command.ts")).runFiles }),
  },
  {
    name: "call",
    operands: "TOOL",
    choices: ["grep", "glob", "read_file", "resolve_path"],
    summary: "call a tool with JSON input from standard input",
    options: [GUARD_OPTIONS, SHAREABLE_RUN_OPTIONS, COMMON_OPTIONS],
    examples: [
      [`grep <<< '{"pattern": "TODO", "path": "src"}'`, "what an agent's call returns"],
      [`glob <<< '{"pattern": "*.ts"}'`, "the others are glob, read_file and resolve_path"],
    ],
    load: async () => ({ run: (await import("./tool_commands.ts")).runCall }),
  },
  {
    name: "tools",
    operands: "",
    summary: "print the tool definitions as a JSON array",
    options: TOOLS_OPTIONS,
    examples: [["--format anthropic", "ready for the Messages API"]],
    load: async () => ({ run: (await import("./tool_commands.ts")).runTools }),
  },
  {
    name: "prompt",
    operands: "",
    summary: "print a paragraph on paths for an agent's system prompt",
    options: [COMMON_OPTIONS],
    examples: [["", "the paragraph"]],
    load: async () => ({ run: (await import("./tool_commands.ts")).runPrompt }),
  },
  {
    name: "mcp",
    operands: "",
    summary: "serve the tools to an MCP client on standard input and output",
    options: [...MCP_OPTIONS, CACHE_OPTIONS, GUARD_OPTIONS, RUN_OPTIONS, COMMON_OPTIONS],
    examples: [["--workspace .", "for the client's configuration; ends when its input ends"]],
    load: async () => ({ run: (await import("./tool_commands.ts")).runMcp }),
  },
  {
    name: "why",
    operands: "[--] COMMAND…",
    summary: "explain what a search with rg, grep or git grep misses",
    endsAtOperand: true,
    options: [GUARD_OPTIONS, RUN_OPTIONS, COMMON_OPTIONS],
    examples: [
      ["-- rg -n parseConfig src", "what hides matches: letter case, ignore rules, a hidden name…"],
      ["-- grep -rn 'foo|bar' .", "the same for grep, whose basic expressions have no |"],
    ],
    load: () => import("./why_command.ts"),
  },
  {
    name: "hook",
    operands: "",
    summary: "tell an agent what its shell search does not show, and why",
    failureStatus: 0,
    options: [GUARD_OPTIONS, HOOK_COMMON_OPTIONS],
    examples: [['--workspace "$CLAUDE_PROJECT_DIR"', "for PostToolUse on Bash in Claude Code"]],
    load: () => import("./hook_command.ts"),
  },
  {
    name: "serve",
    operands: "",
    summary: "keep the workspace in memory and answer searches on a socket",
    options: [SERVE_OPTIONS, CACHE_OPTIONS, GUARD_OPTIONS, COMMON_OPTIONS],
    examples: [
      ["--background", "from now on `pathgrep PATTERN` uses it"],
      ["--status", "one JSON line"],
      ["--stop", "stop it"],
    ],
    load: () => import("./serve_command.ts"),
  },
  {
    name: "completions",
    operands: "bash|zsh|fish",
    choices: ["bash", "zsh", "fish"],
    summary: "print a shell's completion script",
    printsScript: true,
    options: [COMMON_OPTIONS],
    examples: [
      ["bash", 'for bash; in ~/.bashrc: eval "$(pathgrep completions bash)"'],
      ["zsh", 'for zsh; at the end of ~/.zshrc: eval "$(pathgrep completions zsh)"'],
      ["fish", "for fish; in ~/.config/fish/config.fish: pathgrep completions fish | source"],
    ],
    load: () => import("./completions_command.ts"),
  },
  {
    name: "doctor",
    operands: "",
    summary: "report engines, permissions, workspace and versions",
    options: [ENGINE_OPTIONS, COMMON_OPTIONS],
    examples: [
      ["--format text", "one line per part"],
      ["--engine git", "with the permissions that a search with git needs"],
    ],
    load: () => import("./doctor_command.ts"),
  },
];
