/**
 * The MCP SDK, which is fetched and loaded by `pathgrep mcp` alone.
 *
 * @module
 */

import type * as sdk from "@modelcontextprotocol/server";
import { importPackage } from "../util/npm_package.ts";

const PACKAGE = "@modelcontextprotocol/server";

/** The server of one client. */
export type Server = sdk.Server;

export const {
  CLIENT_CAPABILITIES_META_KEY,
  inputRequired,
  isJSONRPCRequest,
  isJSONRPCResponse,
  parseJSONRPCMessage,
  Server,
} = await importPackage<typeof sdk>(PACKAGE);

export const { serveStdio } = await importPackage<
  typeof import("@modelcontextprotocol/server/stdio")
>(PACKAGE, "/stdio");
