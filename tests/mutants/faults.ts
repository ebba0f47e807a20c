/**
 * Every fault, by folder.
 *
 * @module
 */

import type { Fault } from "./fault.ts";
import { CLI_FAULTS } from "./faults/cli.ts";
import { ENGINE_FAULTS } from "./faults/engines.ts";
import { GLOB_FAULTS } from "./faults/glob.ts";
import { GUARD_FAULTS } from "./faults/guard.ts";
import { JS_FAULTS } from "./faults/js.ts";
import { MCP_FAULTS } from "./faults/mcp.ts";
import { ROOT_FAULTS } from "./faults/root.ts";
import { SEARCH_FAULTS } from "./faults/search.ts";
import { TOOL_FAULTS } from "./faults/tools.ts";
import { WALK_FAULTS } from "./faults/walk.ts";
import { WORKSPACE_FAULTS } from "./faults/workspace.ts";

/** Every fault, those of the lowest floors first. */
export const FAULTS: readonly Fault[] = [
  ...ROOT_FAULTS,
  ...GLOB_FAULTS,
  ...WORKSPACE_FAULTS,
  ...GUARD_FAULTS,
  ...WALK_FAULTS,
  ...JS_FAULTS,
  ...ENGINE_FAULTS,
  ...SEARCH_FAULTS,
  ...TOOL_FAULTS,
  ...MCP_FAULTS,
  ...CLI_FAULTS,
];
