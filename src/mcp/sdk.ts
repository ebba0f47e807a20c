/**
 * The MCP SDK, which is fetched and loaded by `pathgrep mcp` alone.
 *
 * @module
 */

import { importPackage } from "../util/npm_package.ts";
import type { Sdk, Server as SdkServer, StdioSdk } from "./sdk_types.ts";

const PACKAGE = "@modelcontextprotocol/server";

export type Server = SdkServer;

export const {
  CLIENT_CAPABILITIES_META_KEY,
  inputRequired,
  isJSONRPCRequest,
  isJSONRPCResponse,
  parseJSONRPCMessage,
  Server,
} = await importPackage<Sdk>(PACKAGE);

export const { serveStdio } = await importPackage<StdioSdk>(PACKAGE, "/stdio");
