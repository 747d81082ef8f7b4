export const UPSTREAM_SILENT_MS = 90_000;
export const UPSTREAM_CONNECT_MS = 3_000;
/** To one of several replicas, which are near: long enough for one lost packet (TCP sends again after a second). */
export const REPLICA_CONNECT_MS = 1_200;
/** Shorter than any server keeps an idle connection (Node's default: 5 s), so that it is not closed under a request. */
export const UPSTREAM_IDLE_MS = 4_000;
