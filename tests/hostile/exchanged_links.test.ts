/**
 * Where links lead is told only if it was proven to be so in the workspace, also of what does not exist.
 *
 * @module
 */

import assert from "node:assert/strict";
import {
  PathgrepError,
  ResolvePathTool,
  resolveProjectPath,
  resolveTextSearchTarget,
  Workspace,
} from "../../mod.ts";
import { tree } from "../support/acceptance.ts";
import { startExchanger } from "./exchanges.ts";

const CALLS = 4000;

Deno.test("where a link outside leads is not told while a directory is exchanged for it", {
  ignore: Deno.build.os !== "linux",
}, async () => {
  await using t = await tree({
    "d/a.txt": "",
    "aside": { link: "../outside" },
    "../outside/missing": { link: "SECRET" },
    "../outside/shut": { link: "../SECRET/../d/SECRET" },
  });
  const workspace = await Workspace.open(t.ws);
  const tool = new ResolvePathTool({ workspace });
  const leaks: string[] = [];
  {
    await using _exchanger = await startExchanger(t.at("d"), t.at("aside"), 0);
    for (let call = 0; call < CALLS; call++) {
      const path = call % 2 === 0 ? "d/missing" : "d/shut";
      const ways = [
        () => resolveProjectPath(t.ws, path),
        () => resolveTextSearchTarget(workspace, path),
        () => tool.execute({ path }),
      ];
      const shown = JSON.stringify(
        await ways[call % ways.length]!().catch((error) => PathgrepError.from(error).toJSON()),
      );
      if (shown.includes("SECRET")) leaks.push(shown);
    }
  }
  assert.equal(leaks.length, 0, `${leaks.length} of ${CALLS}: ${leaks[0]}`);
});

Deno.test("where a link that stays in its place leads is told as before", async () => {
  await using t = await tree({
    "d/a.txt": "",
    "d/link": { link: "new.txt" },
    "loop": { link: "loop" },
    "way": { link: "d" },
  });
  const workspace = await Workspace.open(t.ws);
  assert.equal(await resolveProjectPath(t.ws, "way/link"), t.at("d/new.txt"));
  const told = async (path: string) => {
    const error = await resolveTextSearchTarget(workspace, path).catch((error) => error);
    return [error.code, error.details?.resolved_path];
  };
  assert.deepEqual(await told("way/link"), ["path_not_found", t.at("d/new.txt")]);
  assert.equal((await told("loop"))[0], "path_unsupported");
  const target = await resolveTextSearchTarget(workspace, "way/a.txt");
  assert.equal(target.kind === "file" && target.filePath, t.at("d/a.txt"));
});
