/**
 * The MCP SDK, which is fetched and loaded by `pathgrep mcp` alone. Its types are named with their version: so a
 * program elsewhere that imports a clone can be checked without the clone's import map.
 *
 * @module
 */

import { importPackage } from "../util/npm_package.ts";

export type * from "npm:@modelcontextprotocol/server@2.4.0";

type Sdk = typeof import("npm:@modelcontextprotocol/server@2.4.0");
type StdioSdk = typeof import("npm:@modelcontextprotocol/server@2.4.0/stdio");
export type Server = InstanceType<Sdk["Server"]>;

const PACKAGE = "@modelcontextprotocol/server";

export const {
  CLIENT_CAPABILITIES_META_KEY,
  inputRequired,
  isJSONRPCRequest,
  isJSONRPCResponse,
  parseJSONRPCMessage,
  Server,
} = await importPackage<Sdk>(PACKAGE);

export const { serveStdio } = await importPackage<StdioSdk>(PACKAGE, "/stdio");
