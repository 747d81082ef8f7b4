import type { Tx } from '@cairn/postgres';

export interface RateWish {
  keyId: string;
  requestsPerSecond: number;
  burst: number;
  want: number;
}

export interface RateState {
  key_id: string;
  granted: number;
  remaining: number;
  wait_ms: number;
}

/** Draws requests out of the buckets of keys. Needs the worker role. */
export async function drawRates(tx: Tx, wishes: readonly RateWish[]): Promise<RateState[]> {
  // What a crash of the database forgets is what was drawn in its last moments: a bucket is fuller by that much. A
  // commit that waits for the disk ten times a second would cost every gateway more.
  await tx.execute('SET LOCAL synchronous_commit = off');
  return tx.query<RateState>(
    `SELECT wish.key_id, drawn.*
       FROM (SELECT * FROM unnest($1::text[], $2::float8[], $3::float8[], $4::int[])
               AS wish (key_id, per_second, burst, want) ORDER BY key_id) wish,
            LATERAL draw_rate(wish.key_id, wish.per_second, wish.burst, wish.want) drawn`,
    [
      wishes.map((wish) => wish.keyId),
      wishes.map((wish) => wish.requestsPerSecond),
      wishes.map((wish) => wish.burst),
      wishes.map((wish) => wish.want),
    ],
  );
}

/** Forgets buckets that have been full for an hour. */
export async function forgetFullBuckets(tx: Tx): Promise<void> {
  await tx.execute("DELETE FROM rate_buckets WHERE earned_at < extract(epoch FROM now() - interval '1 hour')");
}
