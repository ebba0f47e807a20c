/**
 * The MCP SDK's types, named with their version: so a program elsewhere that imports a clone can be
 * checked without the clone's import map.
 *
 * @module
 */

export type * from "npm:@modelcontextprotocol/server@2.4.0";

export type Sdk = typeof import("npm:@modelcontextprotocol/server@2.4.0");
export type StdioSdk = typeof import("npm:@modelcontextprotocol/server@2.4.0/stdio");
