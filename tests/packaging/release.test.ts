/**
 * What a release is made of: its version and date, the programs, and the script that tries them out.
 *
 * @module
 */

import assert from "node:assert/strict";
import { CHECKOUT, CLI } from "../support/run.ts";
import { spawn } from "../support/spawn.ts";
import { tempTree } from "../support/tree.ts";
import { test } from "../support/needs.ts";

/** The Deno that the project is developed in. */
const DENO_VERSION = "2.9.6";

const read = (path: string) => Deno.readTextFile(CHECKOUT + path);
const { version } = JSON.parse(await read("deno.json")) as { version: string };
const workflow = await read(".github/workflows/release.yml");

Deno.test("the changelog has each release with its date, and deno.json the last one's version or the next one's", async () => {
  const headings = [...(await read("CHANGELOG.md")).matchAll(/^## (.*)$/gm)].map(([, text]) =>
    text!
  );
  assert.equal(headings[0], "[Unreleased]");
  const dated = /^\[(\d+\.\d+\.\d+)\] - (\d{4}-\d\d-\d\d)$/;
  for (const heading of headings.slice(1)) {
    const [, , date] = dated.exec(heading) ?? assert.fail(heading);
    assert.equal(new Date(date!).toISOString().slice(0, 10), date);
  }
  const last = dated.exec(headings[1]!)![1]!;
  const isNewer = last.localeCompare(version, "en", { numeric: true }) <= 0;
  assert.ok(isNewer, `${version} in deno.json, ${last} in the changelog`);
});

Deno.test("each kind of change stands once in a version, by Keep a Changelog's names, with no entry twice", async () => {
  const kinds = ["Added", "Changed", "Deprecated", "Removed", "Fixed", "Security"];
  for (const part of (await read("CHANGELOG.md")).split(/^## /m).slice(1)) {
    const found = [...part.matchAll(/^### (.*)$/gm)].map(([, kind]) => kind!);
    assert.deepEqual(found, kinds.filter((kind) => found.includes(kind)));
    const entries = part.split(/^- /m).slice(1);
    assert.equal(new Set(entries).size, entries.length);
  }
});

Deno.test("a release tries each of the five programs and the npm package out, sums them up and attests them", () => {
  const targets = [...workflow.matchAll(/runner: (\S+), target: (\S+) /g)].map(([, , name]) =>
    name
  );
  assert.deepEqual(targets, [
    "x86_64-unknown-linux-gnu",
    "aarch64-unknown-linux-gnu",
    "x86_64-apple-darwin",
    "aarch64-apple-darwin",
    "x86_64-pc-windows-msvc",
  ]);
  const steps = [
    "deno task compile:target",
    ".ci/smoke",
    "npm install -g",
    "SHA256SUMS",
    "attest-build-provenance",
    "gh release create",
  ].map((step) => workflow.indexOf(step));
  assert.ok(steps.every((place) => place > 0));
  assert.deepEqual(steps, steps.toSorted((a, b) => a - b));
  assert.match(workflow, /run: deno doc --html /);
});

function job(name: string): string {
  const [, rest] = workflow.split(`\n  ${name}:\n`);
  return rest!.split(/\n {2}(?=\w)/)[0]!;
}

Deno.test("the MCP registry names what npm has, and gemini-cli finds an archive for each system with its hook", () => {
  assert.match(job("registry"), /^ {4}needs: npm$/m);
  assert.match(job("registry"), /^ {6}id-token: write$/m);
  assert.match(job("registry"), /mcp-publisher login github-oidc\n *\.\/mcp-publisher publish$/m);
  const release = job("release");
  // These are the names of Node.js, with which an asset has to begin.
  assert.match(release, /for system in linux darwin win32; do\n *tar -czf "programs\/\$system\./);
  assert.match(release, /cp dist\/npm\/hooks\/gemini\.json dist\/npm\/hooks\/hooks\.json/);
});

Deno.test("a release publishes on JSR and npm what was tried out, with npm's provenance", async () => {
  for (const name of ["package", "npm"]) {
    assert.match(job(name), /^ {4}needs: program$/m);
    assert.match(job(name), /^ {6}id-token: write$/m);
  }
  assert.match(job("package"), /run: deno publish$/m);
  const environments = [...workflow.matchAll(/^ {4}environment: (\S+)$/gm)].map(([, name]) => name);
  assert.deepEqual(environments, ["npm"], "no other job can publish on npm");
  assert.match(job("npm"), /^ {4}environment: npm$/m);
  const trusted = /npm trust github .* --file release\.yml --env npm$/m;
  assert.match(await read("CONTRIBUTING.md"), trusted);
  const steps = [
    "deno task npm",
    "npm pack",
    ".ci/smoke",
    "npm publish --provenance --access public ./*.tgz",
  ];
  const places = steps.map((step) => job("npm").indexOf(step));
  assert.ok(places.every((place) => place > 0));
  assert.deepEqual(places, places.toSorted((a, b) => a - b));
  const texts = [workflow, await read("README.md"), await read(".github/workflows/ci.yml")];
  for (const text of texts) {
    const versions = [...text.matchAll(/\bdeno(?:-version: |@)(\d[\d.]*\d)/g)];
    assert.ok(versions.length > 0);
    for (const [, version] of versions) assert.equal(version, DENO_VERSION);
  }
});

test.slow("the script that tries a program out lets one that works pass, and no other version", async () => {
  await using tree = await tempTree({
    "pathgrep": `#!/bin/sh\nexec '${Deno.execPath()}' run -A '${CLI}' "$@"\n`,
  });
  await Deno.chmod(tree.path("pathgrep"), 0o755);
  const smoke = (expected: string) =>
    spawn("bash", [`${CHECKOUT}.ci/smoke`, tree.path("pathgrep"), expected], { cwd: tree.root });
  const [works, other] = await Promise.all([smoke(version), smoke("0.0.0")]);
  assert.equal(works.code, 0, works.stderr);
  assert.equal(other.code, 1);
  assert.match(other.stderr, /--version: expected pathgrep 0\.0\.0/);
});
