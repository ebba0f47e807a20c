/**
 * Calls as models make them that were trained on, or run beside, the tools of other agents: those agents'
 * names of keys, flags, values, tools and wrappers. What an agent is known for comes from its published tool
 * definitions.
 *
 * @module
 */

import type { MalformedCall } from "./malformed_calls.ts";

const APP = ["src/app.ts"];
const TS = ["src/app.ts", "src/routes/[id].ts", "src/utils/paths.ts"];
const GUIDE = ["docs/Guide.md"];

/** A call that is read. */
type Read = readonly [name: string, tool: string, input: unknown, finds?: readonly string[]];
/** A call whose error says what to send, and the call that follows. */
type Told = readonly [
  name: string,
  tool: string,
  input: unknown,
  says: string,
  tool: string,
  then: Record<string, unknown>,
  finds: readonly string[],
  own?: string,
];

/** A `grep` for `TODO` in `src`, with more keys. */
const todo = (more: object) => ({ pattern: "TODO", path: "src", ...more });
/** A `glob` in `src`, with more keys. */
const ts = (more: object) => ({ pattern: "*.ts", path: "src", ...more });
const JSON_TEXT = JSON.stringify(todo({}));

const CLAUDE_CODE: readonly Read[] = [
  ["lines with numbers", "grep", todo({ output_mode: "content", "-n": true })],
  ["files of a glob", "grep", todo({ glob: "*.ts", output_mode: "files_with_matches" })],
  ["lines before and after", "grep", todo({ "-A": 2, "-B": 1 })],
  ["lines around", "grep", todo({ "-C": 2, "-n": true })],
  ["a page", "grep", todo({ head_limit: 10, offset: 0 })],
  ["a head_limit of 0, which is none", "grep", todo({ head_limit: 0 })],
  ["letter case", "grep", { pattern: "todo", path: "src", "-i": true, type: "ts" }],
  ["only what matches", "grep", todo({ "-o": true })],
  ["counts", "grep", todo({ output_mode: "count", glob: "**/*.ts" })],
  ["the path of Read", "resolve_path", { file_path: "src/app.ts" }],
  ["the tool's name", "Glob", ts({}), TS],
];

const GEMINI_CLI: readonly Read[] = [
  ["its grep", "search_file_content", { pattern: "TODO", dir_path: "src" }],
  ["include_pattern", "grep", { pattern: "TODO", dir_path: "src", include_pattern: "*.ts" }],
  ["names only", "grep", { pattern: "TODO", dir_path: "src", names_only: true }],
  ["names and lines", "grep", { pattern: "TODO", dir_path: "src", names_only: false }],
  [
    "its limits",
    "grep",
    { pattern: "TODO", dir_path: "src", max_matches_per_file: 3, total_max_matches: 50 },
  ],
  ["exclude_pattern", "grep", todo({ exclude_pattern: "*.md" })],
  ["letter case", "grep", { pattern: "todo", dir_path: "src", case_sensitive: false }],
  ["its glob", "glob", { pattern: "**/*.ts", dir_path: "src", case_sensitive: true }, TS],
  ["its ignore files", "glob", ts({ respect_git_ignore: true, respect_gemini_ignore: true }), TS],
  ["without ignore files", "grep", todo({ respect_git_ignore: false })],
  ["the path of read_file", "resolve_path", { absolute_path: "$WS/src/app.ts" }],
];

const OPENCODE: readonly Read[] = [
  ["the path of read", "grep", { pattern: "TODO", filePath: "src/app.ts" }],
  ["the path of a file", "resolve_path", { filePath: "src/app.ts" }],
  ["a description", "grep", todo({ description: "Finds what is left to do" })],
  ["a limit as text", "grep", todo({ limit: "100" })],
];

const CLINE: readonly Read[] = [
  ["its search", "grep", { path: "src", regex: "TODO", file_pattern: "*.ts" }],
  ["every file", "grep", { path: "src", regex: "TODO", file_pattern: "*" }],
  ["its progress", "grep", todo({ task_progress: "- [x] look\n- [ ] fix" })],
  ["recursive as text", "glob", ts({ recursive: "true" }), TS],
  ["everything as text", "grep", todo({ max_results: "20", case_insensitive: "false" })],
  ["a list as text", "grep", todo({ include: '["*.ts", "*.js"]' })],
];

const CURSOR: readonly Read[] = [
  [
    "its search",
    "grep_search",
    { query: "TODO", include_pattern: "src/*.ts", case_sensitive: true, explanation: "to plan" },
  ],
  ["exclude_pattern", "grep", { query: "TODO:", exclude_pattern: "{crates,docs,my notes}/**" }],
  ["its grep", "grep", todo({ glob: "*.ts", "-n": true, head_limit: 20 })],
  ["directories", "grep", { query: "TODO", target_directories: ["src"], explanation: "to plan" }],
  ["its glob", "glob_file_search", { target_directory: "src", glob_pattern: "*.ts" }, TS],
  ["a file's name", "glob", { query: "app.ts", explanation: "to open it" }, APP],
  ["the path of read_file", "resolve_path", { target_file: "src/app.ts" }],
  ["the path of list_dir", "resolve_path", { relative_workspace_path: "src" }, ["src"]],
];

const CODEX: readonly Read[] = [
  ["its search", "grep_files", { pattern: "TODO", include: "*.ts", path: "src", limit: 100 }],
  ["a directory of shell", "grep", { pattern: "TODO", workdir: "src" }],
  ["a call in full", "grep", { name: "grep", arguments: JSON_TEXT, call_id: "call_1" }],
  ["functions", "functions.glob", ts({}), TS],
  ["the path of list_dir", "glob", { pattern: "*.ts", dir_path: "src", limit: 25 }, TS],
];

const MCP_FILESYSTEM: readonly Read[] = [
  ["files to exclude", "grep", todo({ excludePatterns: ["node_modules", "dist"] })],
  ["no files to exclude", "grep", todo({ excludePatterns: [] })],
  ["a server's prefix", "mcp__pathgrep__glob", ts({}), TS],
  ["a list of one path", "resolve_path", { path: ["src/app.ts"] }],
];

const EDITORS: readonly Read[] = [
  [
    "Copilot's search",
    "grep",
    { query: "TODO", isRegexp: true, includePattern: "src/**", maxResults: 20 },
  ],
  ["Copilot's plain text", "grep", { query: "list[0]", isRegexp: false, includePattern: "*.ts" }],
  ["Copilot's ignored files", "grep", todo({ includeIgnoredFiles: false })],
  ["Copilot's files", "glob", { query: "**/*.md", maxResults: 5 }, [
    "docs/Guide.md",
    "my notes/plan.md",
  ]],
  [
    "Windsurf's search",
    "grep",
    { SearchPath: "src", Query: "todo", CaseInsensitive: true, MatchPerLine: true, IsRegex: true },
  ],
  ["Windsurf's filter", "grep", { SearchPath: "src", Query: "TODO", Includes: ["*.ts"] }],
  ["Windsurf's files", "glob", { SearchDirectory: "src", Pattern: "*.ts" }, TS],
  ["Zed's search", "grep", { regex: "TODO", include_pattern: "src/**/*.ts", case_sensitive: true }],
];

const ANY: readonly Read[] = [
  ["a code fence", "grep", "```json\n" + JSON_TEXT + "\n```"],
  ["JSON in JSON", "grep", JSON.stringify(JSON_TEXT)],
  ["a tool and its parameters", "grep", { tool: "grep", parameters: todo({}) }],
  ["OpenAI's call", "grep", { type: "function", function: { name: "grep", arguments: JSON_TEXT } }],
  ["Anthropic's call", "grep", { type: "tool_use", id: "toolu_1", name: "grep", input: todo({}) }],
  ["a list of one call", "grep", [{ name: "grep", arguments: todo({}) }]],
  ["dashes in keys", "grep", todo({ "output-mode": "file", "max-results": 5 })],
  ["options of rg", "grep", todo({ "--glob": "*.ts", "--ignore-case": true })],
  ["letters of rg", "grep", { "-e": "TODO", path: "src", "-w": true, "-m": 1 }],
  ["files of rg", "grep", todo({ "-l": true })],
  ["counts of rg", "grep", todo({ "-c": true })],
  ["nulls as text", "grep", todo({ max_results: "null", output_mode: "None", context: "" })],
  ["newest first", "grep", todo({ sort: "mtime" })],
  ["the current directory", "grep", { pattern: "TODO", cwd: "src" }],
  ["a base path", "grep", { pattern: "TODO", base_path: "$WS/src" }],
];

/** What may mean two things. */
const TOLD: readonly Told[] = [
  [
    "Cline's or the file system's search_files",
    "search_files",
    { path: "src", regex: "TODO" },
    "use grep",
    "grep",
    { path: "src", regex: "TODO" },
    APP,
  ],
  [
    "Cursor's fuzzy file_search",
    "file_search",
    { query: "Guide.md" },
    "use glob",
    "glob",
    { query: "Guide.md" },
    GUIDE,
  ],
  [
    "LS without a pattern",
    "glob",
    { path: "docs", ignore: ["*.tmp"] },
    "pattern is missing",
    "glob",
    { path: "docs", pattern: "*" },
    GUIDE,
    "pattern",
  ],
  [
    "two names of one key that differ",
    "grep",
    todo({ limit: 5, head_limit: 10 }),
    "gives as 5 (send one of them)",
    "grep",
    todo({ limit: 5 }),
    APP,
  ],
  [
    "a filter besides ours",
    "grep",
    todo({ glob: "*.ts", include: "*.md" }),
    'gives as "*.md" (send one of them)',
    "grep",
    todo({ glob: "*.ts" }),
    APP,
  ],
  [
    "a page's number",
    "grep",
    todo({ page: 1 }),
    "use offset",
    "grep",
    todo({ offset: 0 }),
    APP,
    "offset",
  ],
  [
    "text, which may be an expression",
    "grep",
    { text: "TODO", path: "src" },
    "use pattern",
    "grep",
    todo({}),
    APP,
  ],
];

const READ = {
  "Claude Code": CLAUDE_CODE,
  "gemini-cli": GEMINI_CLI,
  "opencode": OPENCODE,
  "Cline": CLINE,
  "Cursor": CURSOR,
  "Codex": CODEX,
  "MCP's file system": MCP_FILESYSTEM,
  "an editor": EDITORS,
  "any agent": ANY,
};

/** Every one of these calls. */
export const HABITS: readonly MalformedCall[] = [
  ...Object.entries(READ).flatMap(([agent, calls]) =>
    calls.map(([name, tool, input, finds = APP]): MalformedCall => ({
      name: `${agent}: ${name}`,
      tool,
      input,
      outcome: "note",
      finds,
    }))
  ),
  ...TOLD.map(([name, tool, input, says, next, then, finds, own]): MalformedCall => ({
    name,
    tool,
    input,
    outcome: "fix",
    finds,
    fix: { place: "error", says, tool: next, then, ...own === undefined ? {} : { own } },
  })),
];
