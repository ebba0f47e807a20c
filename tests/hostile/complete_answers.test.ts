/**
 * Complete, or it says what is missing: what an answer shows and what it says is not shown are all that a
 * plain and slow searcher finds, in random workspaces. `TREES` in the environment says how many
 * (`deno task test:complete`: 5,000).
 */

import assert from "node:assert/strict";
import { assertOften, seeded } from "../support/draw.ts";
import { test } from "../support/needs.ts";
import { compareCase, Tally } from "./complete_answers.ts";
import { drawCase } from "./random_workspace.ts";

const TREES = Number(Deno.env.get("TREES") ?? 40);
/** Cases of a seed have seeds of their own. */
const PER_SEED = 1_000_000;

test.slow(
  "what is shown and what is said not to be are all there is, and what is advised shows it",
  seeded(async (seed) => {
    const tally = new Tally();
    for (let at = 0; at < TREES; at++) await compareCase(drawCase(seed * PER_SEED + at), tally);
    const answers = tally.of("empty") + tally.of("with matches");
    assert.ok(tally.of("in part") <= answers / 50, `${tally.of("in part")} answers in part`);
    const least = {
      "empty": 1,
      "with matches": 1,
      "form": 1 / 4,
      "binary": 1 / 4,
      "ignored": 1 / 8,
    };
    const rare = ["hidden", "too_large", "compressed", "encoding", "link", "worktree"];
    for (const [what, share] of Object.entries(least)) {
      assertOften(tally.of(what), TREES * share, what);
    }
    for (const what of rare) assertOften(tally.of(what), Math.floor(TREES / 250), what);
  }),
);
