/** The guide that lists commands says of each what the hook says after it. */

import assert from "node:assert/strict";
import { CHECKOUT } from "../support/run.ts";
import { testNeeding } from "../support/needs.ts";
import { commandLists, GUIDE, plainItems } from "./typed_commands.ts";

testNeeding("ugrep").slow("after each listed command the hook says what is listed", async () => {
  const guide = await Deno.readTextFile(CHECKOUT + GUIDE);
  const listed = plainItems(guide);
  assert.ok(listed.length >= 100, `${listed.length} commands`);
  assert.deepEqual(listed, plainItems(await commandLists(guide)), "`deno task commands` writes it");
});
