/**
 * Where the program of a worker is. `npm/bundle.ts` puts another module in the place of this one: a bundle
 * has that program as a text, so that workers start without permission to read a file.
 *
 * @module
 */

/**
 * Never called. That it names the worker's module makes Deno download and compile it with all others,
 * so that a worker starts without a network.
 */
export const workerModule = (): Promise<unknown> => import("./worker.ts");

/** The files that a worker reads to start, if there are any: it imports from all over the source. */
export const WORKER_SOURCES: URL | undefined = new URL("../", import.meta.url);

/** What a worker is started with. For Node.js, JSR makes modules whose names end in `js`. */
export function workerAddress(): Promise<URL> {
  return Promise.resolve(new URL(`./worker.${import.meta.url.slice(-2)}`, import.meta.url));
}
