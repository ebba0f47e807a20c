/**
 * How Deno reads the examples of the documentation.
 *
 * @module
 */

import { CHECKOUT } from "../support/run.ts";

/** A configuration file, removed with the block that uses it. */
export interface ExampleConfig extends AsyncDisposable {
  readonly path: string;
}

/**
 * The checkout's own configuration, in which the package's name leads to the checkout and a name may go
 * unused, as it does in an example.
 */
export async function configOfExamples(): Promise<ExampleConfig> {
  const { compilerOptions, imports, name } = JSON.parse(
    await Deno.readTextFile(`${CHECKOUT}deno.json`),
  );
  const config = {
    imports: { ...imports, [name]: `file://${CHECKOUT}mod.ts` },
    compilerOptions: { ...compilerOptions, noUnusedLocals: false, noUnusedParameters: false },
  };
  const directory = await Deno.makeTempDir();
  await Deno.writeTextFile(`${directory}/deno.json`, JSON.stringify(config));
  return {
    path: `${directory}/deno.json`,
    [Symbol.asyncDispose]: () => Deno.remove(directory, { recursive: true }),
  };
}
