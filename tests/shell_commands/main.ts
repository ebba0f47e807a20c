/**
 * `deno task commands`: runs a hundred commands as agents type them, and writes what the hook says then
 * into the guide that lists them.
 *
 * @module
 */

import { publish } from "../support/publish.ts";
import { CHECKOUT } from "../support/run.ts";
import { commandLists, GUIDE } from "./typed_commands.ts";

const lists = await commandLists(await Deno.readTextFile(CHECKOUT + GUIDE));
console.log(lists);
await publish(GUIDE, "commands", lists);
await new Deno.Command(Deno.execPath(), { args: ["fmt", "--quiet", GUIDE], cwd: CHECKOUT })
  .output();
