/**
 * A JSR registry on loopback, and the package in it as `deno publish` itself uploads it.
 *
 * @module
 */

import assert from "node:assert/strict";
import { CHECKOUT } from "../support/run.ts";
import { encode } from "../support/spawn.ts";

/** The package's name and version. */
export const { name: PACKAGE, version: VERSION, exports: EXPORTS } = JSON.parse(
  Deno.readTextFileSync(`${CHECKOUT}deno.json`),
) as { name: string; version: string; exports: Record<string, string> };

/** A registry that serves one version of the package. */
export interface Registry extends AsyncDisposable {
  /** Its address, as the variable `JSR_URL` takes it. */
  readonly url: string;
  /** The files of the package by their paths, which begin with a slash. */
  readonly files: ReadonlyMap<string, Uint8Array<ArrayBuffer>>;
}

/** What `deno publish` uploads, once for all tests of a file. */
let archive: Promise<Uint8Array<ArrayBuffer>> | undefined;

/**
 * Publishes the checkout to a registry on loopback and serves it from there.
 *
 * @param edit changes a source file before it is served
 */
export async function publishedPackage(
  edit: (path: string, text: string) => string = (_, text) => text,
): Promise<Registry> {
  archive ??= uploaded();
  const files = new Map<string, Uint8Array<ArrayBuffer>>();
  for await (const [path, bytes] of entries(await archive)) {
    const isText = path.endsWith(".ts");
    files.set(path, isText ? encode(edit(path, new TextDecoder().decode(bytes))) : bytes.slice());
  }
  const responses = await registryFiles(files);
  const server = Deno.serve(
    { hostname: "127.0.0.1", port: 0, onListen() {} },
    (request) => responses.get(new URL(request.url).pathname)?.() ?? notFound(),
  );
  return {
    url: `http://127.0.0.1:${server.addr.port}/`,
    files,
    [Symbol.asyncDispose]: () => server.shutdown(),
  };
}

/** What a registry answers, by path: the package's and the version's description, and the files. */
async function registryFiles(
  files: ReadonlyMap<string, Uint8Array<ArrayBuffer>>,
): Promise<Map<string, () => Response>> {
  const [scope, name] = PACKAGE.slice(1).split("/");
  const manifest: Record<string, { size: number; checksum: string }> = {};
  const responses = new Map<string, () => Response>();
  for (const [path, bytes] of files) {
    const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
    manifest[path] = { size: bytes.length, checksum: `sha256-${digest.toHex()}` };
    const type = path.endsWith(".ts") ? "text/typescript" : "application/json";
    responses.set(
      `/${PACKAGE}/${VERSION}${path}`,
      () => new Response(bytes, { headers: { "content-type": type } }),
    );
  }
  const versions = { [VERSION]: {} };
  return responses
    .set(`/${PACKAGE}/meta.json`, () => Response.json({ scope, name, latest: VERSION, versions }))
    .set(`/${PACKAGE}/${VERSION}_meta.json`, () => Response.json({ manifest, exports: EXPORTS }));
}

/** The archive that `deno publish` uploads for the checkout. */
async function uploaded(): Promise<Uint8Array<ArrayBuffer>> {
  let archive: Uint8Array<ArrayBuffer> | undefined;
  await using server = Deno.serve(
    { hostname: "127.0.0.1", port: 0, onListen() {} },
    async (request) => {
      if (request.method === "POST") {
        archive = new Uint8Array(await request.arrayBuffer());
        return Response.json({ id: "1", status: "success", error: null });
      }
      return request.url.includes("/versions/") ? notFound() : Response.json({});
    },
  );
  const { code, stderr } = await new Deno.Command(Deno.execPath(), {
    args: [
      "publish",
      "--quiet",
      "--allow-dirty",
      "--no-check",
      "--no-provenance",
      "--token",
      "none",
    ],
    cwd: CHECKOUT,
    env: { JSR_URL: `http://127.0.0.1:${server.addr.port}/`, NO_COLOR: "1" },
  }).output();
  assert.equal(code, 0, new TextDecoder().decode(stderr));
  assert.ok(archive !== undefined, "deno publish has uploaded an archive");
  return archive;
}

function notFound(): Response {
  return Response.json({ code: "notFound", message: "not found" }, { status: 404 });
}

/** Size of the blocks that a tar archive is made of, in bytes. */
const BLOCK = 512;

/** The files of a gzipped tar archive. */
async function* entries(archive: Uint8Array<ArrayBuffer>): AsyncGenerator<[string, Uint8Array]> {
  const stream = new Blob([archive]).stream().pipeThrough(new DecompressionStream("gzip"));
  const tar = await new Response(stream).bytes();
  const text = (start: number, end: number) =>
    new TextDecoder().decode(tar.subarray(start, end)).replace(/\0.*/s, "");
  for (let at = 0; tar[at] !== undefined && tar[at] !== 0;) {
    const size = parseInt(text(at + 124, at + 136), 8);
    const [path, prefix] = [text(at, at + 100), text(at + 345, at + 500)];
    at += BLOCK;
    yield [`/${prefix === "" ? path : `${prefix}/${path}`}`, tar.subarray(at, at + size)];
    at += Math.ceil(size / BLOCK) * BLOCK;
  }
}
