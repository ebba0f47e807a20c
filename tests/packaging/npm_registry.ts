/**
 * A registry of npm on loopback that has the packed package, and sends for all others to the usual one.
 *
 * @module
 */

import { npm, packedPackage } from "./npm_package.ts";

/** The registry. Disposed of, it ends. */
export interface NpmRegistry extends AsyncDisposable {
  /** Its address, as the variable `npm_config_registry` takes it. */
  readonly url: string;
}

/** Serves the package as npm does once it is published. */
export async function npmRegistry(): Promise<NpmRegistry> {
  const { directory, file } = await packedPackage();
  const manifest = JSON.parse(await Deno.readTextFile(`${directory}/package.json`));
  const { name, version } = manifest as { name: string; version: string };
  const bytes = await Deno.readFile(file);
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-512", bytes));
  const usual = (await npm(["config", "get", "registry"], directory)).stdout.trim();
  const server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen() {} }, (request) => {
    const { origin, pathname: path, search } = new URL(request.url);
    const pathname = decodeURIComponent(path); // npm writes the slash after a scope as %2f
    if (pathname === `/${name}.tgz`) return new Response(bytes);
    if (pathname !== `/${name}`) {
      return Response.redirect(new URL(path.slice(1) + search, usual), 302);
    }
    const dist = { tarball: `${origin}/${name}.tgz`, integrity: `sha512-${digest.toBase64()}` };
    return Response.json({
      name,
      "dist-tags": { latest: version },
      versions: { [version]: { ...manifest, dist } },
    });
  });
  return {
    url: `http://127.0.0.1:${server.addr.port}/`,
    [Symbol.asyncDispose]: () => server.shutdown(),
  };
}
