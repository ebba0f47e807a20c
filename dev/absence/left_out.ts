/**
 * Circumstances in which the line is in a file that a search leaves out, or in one that is somewhere else.
 *
 * @module
 */

import { type Circumstance, OURS } from "./circumstance.ts";

const GUARD = "the guard never reads it, whatever it holds";
const NOT_ON_DISK = "it is not in the working tree, and the contents of `.git` are never read";

export const LEFT_OUT: readonly Circumstance[] = [
  {
    name: "generated code that `.gitignore` excludes",
    source: "BurntSushi/ripgrep#2338",
    files: {
      ".gitignore": "src/gen/\n",
      "src/gen/client.ts": "export function fetchInvoice() {} // (here)\n",
      "src/app.ts": "start();\n",
    },
    ask: { pattern: "fetchInvoice" },
    file: "src/gen/client.ts",
    names: ["src/gen"],
  },
  {
    name: "a file that git tracks although a rule excludes it",
    source: "BurntSushi/ripgrep#1127",
    files: {
      ".gitignore": "config/*.json\n",
      "config/limits.json": '{ "maxUploads": 5, "note": "(here)" }\n',
      "src/app.ts": "start();\n",
    },
    setup: "git add -A; git add -f config/limits.json; git commit -qm all",
    ask: { pattern: "maxUploads" },
    file: "config/limits.json",
  },
  {
    name: "an `.ignore` file in a directory above",
    source: "BurntSushi/ripgrep#2479",
    files: {
      ".ignore": "legacy/\n",
      "app/legacy/tax.ts": "export const vatRate = 0.19; // (here)\n",
      "app/main.ts": "start();\n",
    },
    cwd: "app",
    ask: { pattern: "vatRate" },
    file: "legacy/tax.ts",
    names: ["legacy"],
  },
  {
    name: "a rule in `.git/info/exclude`",
    source: "BurntSushi/ripgrep#1445",
    files: {
      "drafts/plan.md": "The rollout starts in May. (here)\n",
      "README.md": "# App\n",
    },
    setup: "echo drafts/ >> .git/info/exclude; git add -A; git commit -qm all",
    ask: { pattern: "rollout" },
    file: "drafts/plan.md",
    names: ["drafts"],
  },
  {
    name: "only in the build output",
    source: "anthropics/claude-code#88279",
    files: {
      ".gitignore": "build/\n",
      "build/artifact.js": "var UNIQUE_TOKEN_123 = 1; // (here)\n",
      "src/app.ts": "start();\n",
    },
    ask: { pattern: "UNIQUE_TOKEN_123" },
    file: "build/artifact.js",
    names: ["build"],
  },
  {
    name: "in a dependency in `node_modules`",
    source: "cerebral/overmind#484",
    files: {
      ".gitignore": "node_modules/\n",
      "node_modules/left-pad/index.js": "module.exports = leftPad; // (here)\n",
      "src/app.ts": "start();\n",
    },
    ask: { pattern: "leftPad" },
    file: "node_modules/left-pad/index.js",
    names: ["node_modules"],
  },
  {
    name: "in a vendored directory that a rule excludes",
    source: "anthropics/claude-code#91040",
    files: {
      ".gitignore": "/vendor/\n",
      "vendor/acme/retry.go": "func RetryWithJitter() {} // (here)\n",
      "main.go": "package main\n",
    },
    ask: { pattern: "RetryWithJitter" },
    file: "vendor/acme/retry.go",
    names: ["vendor"],
  },
  {
    name: "a repository inside the repository, in an excluded directory",
    source: "anthropics/claude-code#14473",
    files: {
      ".gitignore": "backend-api/\n",
      "backend-api/src/MyClass.java": "class MyClass {} // (here)\n",
      "web-app/index.ts": "start();\n",
    },
    setup:
      "git init -q backend-api; git -C backend-api add -A; git -C backend-api commit -qm all; " +
      "git add -A; git commit -qm all",
    ask: { pattern: "MyClass" },
    file: "backend-api/src/MyClass.java",
    names: ["backend-api"],
  },
  {
    name: "a rule in the user's global ignore file",
    source: "BurntSushi/ripgrep#2407",
    files: {
      "../home/.config/git/ignore": "*.sql\n",
      "backup.sql": "INSERT INTO invoices VALUES (1); -- (here)\n",
      "README.md": "# App\n",
    },
    ask: { pattern: "INSERT INTO invoices" },
    file: "backup.sql",
    byDesign: { tools: ["rg + hook"], why: "a user's global ignore file is never read" },
  },
  {
    name: "a workflow in the hidden directory `.github`",
    source: "BurntSushi/ripgrep#2822",
    files: {
      ".github/workflows/ci.yml": "runs-on: ubuntu-latest # (here)\n",
      "src/app.ts": "start();\n",
    },
    ask: { pattern: "ubuntu-latest" },
    file: ".github/workflows/ci.yml",
    names: [".github"],
  },
  {
    name: "a file that git does not track yet",
    source: "https://git-scm.com/docs/git-grep",
    files: { "src/app.ts": "start();\n", "src/draft.ts": "retryLater(); // (here)\n" },
    setup: "git add src/app.ts; git commit -qm app",
    ask: { pattern: "retryLater" },
    file: "src/draft.ts",
  },
  {
    name: "a submodule",
    source: "jacktasia/dumb-jump#267",
    files: {
      "../kit/src/kit.ts": "export function openKit() {} // (here)\n",
      "src/app.ts": "start();\n",
    },
    setup: "git init -q ../kit; git -C ../kit add -A; git -C ../kit commit -qm all; " +
      "git -c protocol.file.allow=always submodule --quiet add ../kit external/kit; " +
      "git add -A; git commit -qm all",
    ask: { pattern: "openKit" },
    file: "external/kit/src/kit.ts",
    names: ["external/kit"],
  },
  {
    name: "on a branch in a linked worktree below the root",
    source: "BurntSushi/ripgrep#2492",
    files: { ".gitignore": "/worktrees/\n", "src/app.ts": "start();\n" },
    setup: "git add -A; git commit -qm all; git worktree add -q worktrees/login 2>/dev/null; " +
      "echo 'loginWithPasskey(); // (here)' > worktrees/login/src/login.ts",
    ask: { pattern: "loginWithPasskey" },
    file: "worktrees/login/src/login.ts",
    names: ["worktrees/login", "worktrees"],
  },
  {
    name: "outside of the sparse checkout",
    source: "git/git#805",
    files: {
      "docs/guide.md": "Run the exporter first. (here)\n",
      "src/app.ts": "start();\n",
    },
    setup: "git add -A; git commit -qm all; git sparse-checkout set src 2>/dev/null",
    ask: { pattern: "exporter" },
    file: "docs/guide.md",
    byDesign: { tools: OURS, why: NOT_ON_DISK },
  },
  {
    name: "a package that is linked into the searched directory",
    source: "anomalyco/opencode#7501",
    files: {
      "packages/app/index.ts": "start();\n",
      "packages/kit": { symlink: "../shared/kit" },
      "shared/kit/index.ts": "export function mountKit() {} // (here)\n",
    },
    ask: { pattern: "mountKit", path: "packages" },
    file: "shared/kit/index.ts",
    names: ["packages/kit", "shared/kit"],
  },
  {
    name: "behind a link that leads out of the workspace",
    source: "octopusreview/octopus#568",
    files: {
      "../elsewhere/notes.md": "The staging host is blue. (here)\n",
      "notes": { symlink: "../elsewhere" },
      "src/app.ts": "start();\n",
    },
    ask: { pattern: "staging host" },
    file: "notes/notes.md",
    names: ["notes"],
    byDesign: {
      tools: OURS,
      why: "what lies outside of the workspace is never read",
    },
  },
  {
    name: "in `.env`",
    source: "BurntSushi/ripgrep#1029",
    files: {
      ".env": "DATABASE_URL=postgres://localhost/app # (here)\n",
      "src/app.ts": "start();\n",
    },
    ask: { pattern: "DATABASE_URL" },
    file: ".env",
    byDesign: { tools: OURS, why: GUARD },
  },
  {
    name: "in a file that the team keeps from agents",
    source: "cursor/cursor#2909",
    files: {
      ".cursorignore": "private/\n",
      "private/pricing.md": "The discount is 40 percent. (here)\n",
      "src/app.ts": "start();\n",
    },
    ask: { pattern: "discount" },
    file: "private/pricing.md",
    names: ["private"],
    byDesign: { tools: ["pathgrep", "pathgrep mcp"], why: GUARD },
  },
];
