/**
 * Circumstances in which the text is written otherwise than it is asked for, and the pattern or the filters
 * mean something else than was meant.
 *
 * @module
 */

import { type Circumstance, OURS } from "./circumstance.ts";

const APP = { "src/app.ts": "start();\n" };
const USES = "renderUser(first, last, picture, isOnline);\n".repeat(700);
const NO_DIRECTORY = /No such file|does not exist|did not match/i;

export const WRITTEN: readonly Circumstance[] = [
  {
    name: "a no-break space for a blank",
    source: "rkd77/elinks#20",
    files: { ...APP, "docs/guide.md": "Set the time\u00a0limit first. (here)\n" },
    ask: { pattern: "time limit" },
    file: "docs/guide.md",
  },
  {
    name: "an accent as a character of its own (NFD)",
    source: "Genivia/ugrep#298",
    files: { ...APP, "docs/menu.md": "The Cafe\u0301 is open. (here)\n" },
    ask: { pattern: "Caf\u00e9" },
    file: "docs/menu.md",
  },
  {
    name: "an HTML entity",
    source: "brandon1024/find#64",
    files: { ...APP, "public/index.html": "<p>Caf&eacute; au lait</p><!-- (here) -->\n" },
    ask: { pattern: "Café" },
    file: "public/index.html",
  },
  {
    name: "a `\\u` escape in JSON",
    source: "umpirsky/country-list#95",
    files: { ...APP, "data/fr.json": '{ "CI": "C\\u00f4te d\'Ivoire", "note": "(here)" }\n' },
    ask: { pattern: "Côte" },
    file: "data/fr.json",
  },
  {
    name: "a phrase that is broken over a line",
    source: "jpetrie/quip#2",
    files: { ...APP, "docs/guide.md": "Raise the number of max\nretries. (here)\n" },
    ask: { pattern: "max retries" },
    file: "docs/guide.md",
  },
  {
    name: "markup inside the phrase",
    source: "typora/typora-issues#4184",
    files: { ...APP, "docs/guide.md": "This can be a *huge* time saver. (here)\n" },
    ask: { pattern: "huge time" },
    file: "docs/guide.md",
    byDesign: { tools: OURS, why: "markup is no form of a text" },
  },
  {
    name: "a curly apostrophe",
    source: "sciencehistory/scihist_digicoll#3462",
    files: { ...APP, "docs/guide.md": "It doesn\u2019t restart. (here)\n" },
    ask: { pattern: "doesn't restart" },
    file: "docs/guide.md",
    byDesign: { tools: OURS, why: "typographic quotes are no form of a text" },
  },
  {
    name: "another letter case",
    source: "BurntSushi/ripgrep#424",
    files: { ...APP, "src/config.ts": "export class ParseConfig {} // (here)\n" },
    ask: { pattern: "parseconfig" },
    file: "src/config.ts",
  },
  {
    name: "another naming convention",
    source: "BurntSushi/ripgrep#2877",
    files: { ...APP, "api/billing.py": "cancel_at_period_end = True  # (here)\n" },
    ask: { pattern: "cancelAtPeriodEnd" },
    file: "api/billing.py",
  },
  {
    name: "`\\|` of grep's patterns",
    source: "BurntSushi/ripgrep#1147",
    files: { ...APP, "src/config.ts": "loadConfig(); // (here)\n" },
    ask: { pattern: "loadConfig\\|saveConfig" },
    file: "src/config.ts",
  },
  {
    name: "`|` of everyone else's patterns",
    source: "NousResearch/hermes-agent#77890",
    files: { ...APP, "src/config.ts": "loadConfig(); // (here)\n" },
    ask: { pattern: "loadConfig|saveConfig" },
    file: "src/config.ts",
  },
  {
    name: "a call with an open parenthesis",
    source: "google-gemini/gemini-cli#13092",
    files: { ...APP, "e2e/login.cy.ts": "cy.visit('/login'); // (here)\n" },
    ask: { pattern: "cy.visit(" },
    file: "e2e/login.cy.ts",
    cause: /unclosed `?(?:group|\()/,
  },
  {
    name: "a `$` before a name",
    source: "ggreer/the_silver_searcher#482",
    files: { ...APP, "src/clock.js": "$timeout(tick, 1000); // (here)\n" },
    ask: { pattern: "$timeout" },
    file: "src/clock.js",
  },
];

export const FILTERED: readonly Circumstance[] = [
  {
    name: "the type leaves the file out",
    source: "BurntSushi/ripgrep#62",
    files: { "src/app.js": "start();\n", "src/cart.ts": "addToCart(); // (here)\n" },
    ask: { pattern: "addToCart", type: "js" },
    file: "src/cart.ts",
  },
  {
    name: "the glob has no `**`, and the file is deeper",
    source: "BurntSushi/ripgrep#1456",
    files: { ...APP, "src/shop/cart/total.ts": "cartTotal(); // (here)\n" },
    ask: { pattern: "cartTotal", glob: "src/*.ts" },
    file: "src/shop/cart/total.ts",
  },
  {
    name: "the directory of the glob is not at the root",
    source: "anthropics/claude-code#30486",
    files: { ...APP, "services/billing/api/charge.ts": "chargeCard(); // (here)\n" },
    ask: { pattern: "chargeCard", glob: "api/*.ts" },
    file: "services/billing/api/charge.ts",
  },
  {
    name: "brackets in a path are a class in the glob",
    source: "Aider-AI/aider#5530",
    files: { ...APP, "src/app/[id]/page.tsx": "export default UserPage; // (here)\n" },
    ask: { pattern: "UserPage", glob: "src/app/[id]/*.tsx" },
    file: "src/app/[id]/page.tsx",
  },
  {
    name: "braces in a glob",
    source: "Mercor-Intelligence/archipelago#49",
    files: { ...APP, "src/menu.tsx": "openMenu(); // (here)\n" },
    ask: { pattern: "openMenu", glob: "*.{ts,tsx}" },
    file: "src/menu.tsx",
  },
  {
    name: "`./` at the start of a glob",
    source: "moonrepo/moon#1414",
    files: { ...APP, "src/menu.ts": "openMenu(); // (here)\n" },
    ask: { pattern: "openMenu", glob: "./src/**" },
    file: "src/menu.ts",
  },
  {
    name: "a directory that does not exist",
    source: "anomalyco/opencode#45293",
    files: { ...APP, "src/utils/dates.ts": "formatDate(); // (here)\n" },
    ask: { pattern: "formatDate", path: "src/utlis" },
    file: "src/utils/dates.ts",
    names: ["src/utils"],
    cause: NO_DIRECTORY,
  },
  {
    name: "the wrong directory",
    source: "atom/tree-view#384",
    files: { "client/app.ts": "start();\n", "server/auth.ts": "checkToken(); // (here)\n" },
    ask: { pattern: "checkToken", path: "client" },
    file: "server/auth.ts",
    names: ["server"],
  },
  {
    name: "a path as on Windows",
    source: "microsoft/vscode#304209",
    files: { ...APP, "src/auth/login.ts": "signIn(); // (here)\n" },
    ask: { pattern: "signIn", path: "src\\auth\\login.ts" },
    file: "src/auth/login.ts",
    cause: NO_DIRECTORY,
  },
  {
    name: "more matches than an answer has room for",
    source: "Digital-Process-Tools/claude-supertool#448",
    files: {
      "src/render.ts": `${USES}export function renderUser() {} // (here)\n${USES}`,
    },
    ask: { pattern: "renderUser" },
    file: "src/render.ts",
    cause: /truncated|found more than/,
  },
];
