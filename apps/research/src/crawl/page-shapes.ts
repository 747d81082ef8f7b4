import type { Tx } from '@cairn/postgres';
import { isNearDuplicate } from '../reading/fingerprint.ts';

/**
 * Pages of one URL shape in a row that bring nothing new; then the rest of them is left, for the series may have no end.
 * A shape whose pages go on bringing news is read on, however many there are.
 */
const BARREN_MAX = 10;
/** Pages of a shape that a further one is compared with. */
const RECENT_MAX = 20;

/** Holds for the pages of the frontier whose shape has not been left. */
export const IS_SHAPE_ACTIVE = `NOT EXISTS (SELECT FROM crawl_shapes WHERE crawl_shapes.run_id = frontier.run_id
  AND crawl_shapes.shape = frontier.shape AND barren >= ${BARREN_MAX})`;

/**
 * Notes whether a page says anything that the last ones of its shape did not say in the same words.
 */
export async function recordShape(
  tx: Tx,
  run: { tenantId: string; runId: string },
  { shape, fingerprint }: { shape: string; fingerprint: readonly number[] },
): Promise<{ isNews: boolean }> {
  const [known] = await tx.query<{ recent: number[][] }>(
    'SELECT recent FROM crawl_shapes WHERE run_id = $1 AND shape = $2 FOR UPDATE',
    [run.runId, shape],
  );
  const recent = known?.recent ?? [];
  const isNews = !recent.some((other) => isNearDuplicate(other, fingerprint));
  const kept = isNews ? [...recent, fingerprint].slice(-RECENT_MAX) : recent;
  await tx.execute(
    `INSERT INTO crawl_shapes (tenant_id, run_id, shape, barren, recent) VALUES ($1, $2, $3, $4, $5)
     ON CONFLICT (run_id, shape) DO UPDATE
       SET barren = CASE WHEN $4 = 0 THEN 0 ELSE crawl_shapes.barren + 1 END, recent = EXCLUDED.recent`,
    [run.tenantId, run.runId, shape, isNews ? 0 : 1, JSON.stringify(kept)],
  );
  return { isNews };
}
