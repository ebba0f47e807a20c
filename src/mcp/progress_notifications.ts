/**
 * Progress notifications of one call.
 *
 * @module
 */

import type { ServerContext } from "./sdk_types.ts";
import type { SearchProgress } from "../search/search_context.ts";

/** The time between two notifications. */
const INTERVAL_MS = 100;

/** Reports the progress of a call to the client, if it asked for that. */
export function progressReporter(
  { mcpReq }: ServerContext,
): ((progress: SearchProgress) => void) | undefined {
  const progressToken = mcpReq._meta?.progressToken;
  if (progressToken === undefined) return undefined;
  let reported = -1; // progress has to grow
  let next = 0;
  const tell = ({ filesSearched }: SearchProgress) => {
    const now = performance.now();
    if (filesSearched <= reported || now < next) return;
    reported = filesSearched;
    next = now + INTERVAL_MS;
    mcpReq.notify({
      method: "notifications/progress",
      params: {
        progressToken,
        progress: filesSearched,
        message: `${filesSearched} files searched`,
      },
    }).catch(() => {}); // the client is gone, which the transport notices by itself
  };
  tell({ filesSearched: 0 });
  return tell;
}
