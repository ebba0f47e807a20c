import assert from "node:assert/strict";

const MODULE = new URL("../../src/util/heap.ts", import.meta.url);

/** Objects that survive make V8 keep room for more; then nobody needs them, nor a buffer. */
const SCRIPT = `
import { atWork } from ${JSON.stringify(MODULE.href)};
const held = () => {
  const { heapTotal, external } = Deno.memoryUsage();
  return heapTotal + external;
};
let kept = Array.from({ length: 400_000 }, (_, index) => ({ index, list: [index] }));
let buffer = new Uint8Array(64 << 20);
const before = held();
kept = buffer = undefined;
const other = Deno.args[0] === "work" ? atWork() : undefined;
if (Deno.args[0] !== "wait") atWork()[Symbol.dispose]();
const end = performance.now() + Number(Deno.args[1]);
while (held() > before / 4 && performance.now() < end) await new Promise((r) => setTimeout(r, 50));
console.log(held() <= before / 4);
other?.[Symbol.dispose]();
`;

async function run(...args: string[]): Promise<string> {
  const file = await Deno.makeTempFile({ suffix: ".js" });
  try {
    await Deno.writeTextFile(file, SCRIPT);
    const command = ["run", "--no-config", "--no-lock", "--no-prompt", `--allow-read=${file}`];
    const output = await new Deno.Command(Deno.execPath(), {
      args: [...command, file, ...args],
      stderr: "inherit",
    }).output();
    return new TextDecoder().decode(output.stdout);
  } finally {
    await Deno.remove(file);
  }
}

Deno.test("a thread that rests returns what nobody uses", async () => {
  assert.equal(await run("trim", "60000"), "true\n");
});

Deno.test("without that, V8 would keep it", async () => {
  assert.equal(await run("wait", "2500"), "false\n");
});

Deno.test("nothing is collected while the thread has other work", async () => {
  assert.equal(await run("work", "2500"), "false\n");
});
