import type { Tx } from '@cairn/postgres';

export interface RateRequest {
  keyId: string;
  requestsPerSecond: number;
  burst: number;
  want: number;
}

interface RateState {
  key_id: string;
  granted: number;
  remaining: number;
  wait_ms: number;
}

/** Draws requests out of the buckets of keys. Needs the worker role. */
export async function drawRates(tx: Tx, requests: readonly RateRequest[]): Promise<RateState[]> {
  // A crash of the database loses what was drawn in its last moments: a bucket is fuller by that much. Commits that
  // wait for the disk ten times a second would cost every gateway more.
  await tx.execute('SET LOCAL synchronous_commit = off');
  return tx.query<RateState>(
    `SELECT request.key_id, drawn.*
       FROM (SELECT * FROM unnest($1::text[], $2::float8[], $3::float8[], $4::int[])
               AS request (key_id, per_second, burst, want) ORDER BY key_id) request,
            LATERAL draw_rate(request.key_id, request.per_second, request.burst, request.want) drawn`,
    [
      requests.map((request) => request.keyId),
      requests.map((request) => request.requestsPerSecond),
      requests.map((request) => request.burst),
      requests.map((request) => request.want),
    ],
  );
}

/** Deletes buckets that have been full for an hour. */
export async function deleteFullBuckets(tx: Tx): Promise<void> {
  await tx.execute("DELETE FROM rate_buckets WHERE earned_at < extract(epoch FROM now() - interval '1 hour')");
}
