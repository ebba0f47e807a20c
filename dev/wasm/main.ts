/**
 * `deno task wasm`: compiles the search of bytes, and writes it to the end of the module that uses it.
 *
 * @module
 */

/** As much of the compiler as is used. Its own types declare other methods for arrays everywhere. */
interface Compiler {
  main(args: string[], files: {
    readFile(name: string): string | null;
    writeFile(name: string, contents: Uint8Array): void;
    listFiles(): string[];
  }): Promise<{ error: Error | null; stderr: { toString(): string } }>;
}

/** In a variable, so that Deno does not load those types. */
const COMPILER: string = "assemblyscript/asc";
const SOURCE = new URL("../../src/read/byte_search.as.ts", import.meta.url);
const MODULE = new URL("../../src/read/byte_search.ts", import.meta.url);
/**
 * Higher levels of optimization move constants back into the loops, which V8 then runs up to 1.7
 * times slower. V8 checks bounds of a memory without an initial size, which costs a tenth.
 */
const OPTIONS = "--optimizeLevel 1 --noAssert --runtime stub --enable simd " +
  "--importMemory --noExportMemory --initialMemory 1";

/** The WebAssembly of the source, in Base64. */
export async function compileByteSearch(): Promise<string> {
  const { default: compiler } = await import(COMPILER) as { default: Compiler };
  const source = await Deno.readTextFile(SOURCE);
  let binary: Uint8Array | undefined;
  const { error, stderr } = await compiler.main(
    ["byte_search.ts", "--outFile", "byte_search.wasm", ...OPTIONS.split(" ")],
    {
      readFile: (name) => name === "byte_search.ts" ? source : null,
      writeFile: (_name, contents) => void (binary = contents),
      listFiles: () => [],
    },
  );
  if (error !== null || binary === undefined) throw new Error(`${stderr}`, { cause: error });
  return binary.toBase64();
}

if (import.meta.main) {
  const module = await Deno.readTextFile(MODULE);
  const lines = (await compileByteSearch()).match(/.{1,100}/g)!;
  const text = `${lines.map((line) => `\n  "${line}"`).join(" +")};\n`;
  await Deno.writeTextFile(MODULE, module.replace(/(?<=COMPILED =)[^]*/, text));
}
