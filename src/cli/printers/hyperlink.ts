/**
 * File names as links (`OSC 8`), which terminals that support none ignore.
 *
 * @module
 */
import { isAbsolute, sep } from "../../util/path.ts";
import { hostname, isGranted, readVariable } from "../../system/platform.ts";

/** Terminals that would show a link's address, or any escape, as text. */
const WITHOUT_LINKS: ReadonlySet<string> = new Set(["dumb", "linux"]);

export type Linker = (name: string, path: string) => string;

/**
 * The scheme and host of links to files of this machine. It requests no permission: without
 * `--allow-sys=hostname` links name no host, and without `--allow-env=TERM` every terminal is assumed to
 * support them.
 *
 * @returns nothing if the terminal is known not to support links
 */
export function linkOrigin(): string | undefined {
  if (WITHOUT_LINKS.has(readVariable("TERM") ?? "")) return undefined;
  // Over SSH, the host shows the terminal that the file is not on its own machine.
  const host = sep === "/" && isGranted({ name: "sys", kind: "hostname" }) ? hostname() : "";
  return `file://${/^[\w.-]+$/.test(host) ? host : ""}`;
}

/** Makes links whose addresses begin with `origin`. */
export function linker(origin: string): Linker {
  return (name, path) =>
    isAbsolute(path) ? `\x1b]8;;${origin}${urlPath(path)}\x1b\\${name}\x1b]8;;\x1b\\` : name;
}

/** An absolute path as a URL has it: printable ASCII without anything that ends the path. */
function urlPath(path: string): string {
  const uri = encodeURI(path.toWellFormed().replaceAll(sep, "/"));
  const plain = uri.replace(/[?#;]/g, encodeURIComponent);
  return plain.startsWith("/") ? plain : `/${plain}`;
}
