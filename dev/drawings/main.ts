/**
 * `deno task readme`: draws the pictures of the README and of `docs/architecture.md`, and writes the
 * README's figures, its links and those of the changelog.
 *
 * @module
 */

import { CHECKOUT } from "../../tests/support/run.ts";
import { publish } from "../../tests/support/publish.ts";
import { readFigures } from "../bench/figures.ts";
import { drawFloors } from "./floor_plan.ts";
import { floorsOf, importsOf, stepsOf } from "../../tests/docs/imports.ts";
import { drawPicture } from "./picture.ts";
import {
  CALLS,
  callsSentence,
  figuresTable,
  linkDefinitions,
  repositoryOf,
  versionLinks,
} from "./readme_parts.ts";

const read = (path: string) => Deno.readTextFile(CHECKOUT + path);
const costs = await read("docs/costs.md");
await Deno.writeTextFile(`${CHECKOUT}.github/terminal.svg`, await drawPicture());
const page = await read("docs/architecture.md");
const floors = drawFloors(await importsOf("mod.ts", "cli.ts"), floorsOf(page), stepsOf(page));
await Deno.writeTextFile(`${CHECKOUT}docs/architecture.svg`, floors);
await publish("README.md", "figures", figuresTable(costs, await readFigures()));
const readme = (await read("README.md")).replace(CALLS, callsSentence(costs));
await Deno.writeTextFile(`${CHECKOUT}README.md`, readme);
await publish("README.md", "links", linkDefinitions(readme));
const changelog = await read("CHANGELOG.md");
await publish("CHANGELOG.md", "links", versionLinks(repositoryOf(readme), changelog));
await new Deno.Command(Deno.execPath(), { args: ["fmt", "--quiet", "README.md"], cwd: CHECKOUT })
  .output();
