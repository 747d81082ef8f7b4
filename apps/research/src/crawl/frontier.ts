import type { Tx } from '@cairn/postgres';
import { IS_SHAPE_ACTIVE } from './page-shapes.ts';
import { shapeOf } from '../reading/page-url.ts';

export interface FrontierPage {
  url: string;
  host: string;
  depth: number;
  hops: number;
  stale: number;
  shape: string;
  parent: number[] | null;
  parent_shape: string | null;
  template: string | null;
  parent_template: string | null;
  /** What the page promises to a crawl for records. */
  worth?: number;
}

type NewPage = Pick<FrontierPage, 'url' | 'depth'> &
  Partial<Pick<FrontierPage, 'hops' | 'stale' | 'parent_shape' | 'template' | 'parent_template'>> & {
    rank?: number;
  };

/**
 * Adds pages to the frontier, each once per run, however often it is linked; the most promising link counts. `parent` is
 * the fingerprint of the page that links them.
 */
export async function addPages(
  tx: Tx,
  run: { tenantId: string; runId: string },
  pages: readonly NewPage[],
  parent: readonly number[] | null = null,
): Promise<void> {
  // A statement cannot change one row twice.
  const best = new Map<string, NewPage>();
  for (const page of pages) {
    const other = best.get(page.url);
    if (other === undefined || (other.rank ?? 0) < (page.rank ?? 0)) best.set(page.url, page);
  }
  if (best.size === 0) return;
  const rows = [...best.values()].map((page) => ({
    ...page,
    host: new URL(page.url).host,
    shape: shapeOf(page.url),
    hops: page.hops ?? 0,
    stale: page.stale ?? 0,
    rank: page.rank ?? 0,
  }));
  await tx.execute(
    `INSERT INTO frontier (tenant_id, run_id, url, host, depth, hops, stale, shape, parent, parent_shape, rank, template,
                           parent_template)
     SELECT $1, $2, page ->> 'url', page ->> 'host', (page -> 'depth')::int, (page -> 'hops')::int,
            (page -> 'stale')::int, page ->> 'shape', $4::int[], page ->> 'parent_shape', (page -> 'rank')::real,
            page ->> 'template', page ->> 'parent_template'
       FROM jsonb_array_elements($3::jsonb) WITH ORDINALITY AS linked (page, place)
      ORDER BY place
     ON CONFLICT (run_id, url) DO UPDATE
       SET rank = EXCLUDED.rank, template = EXCLUDED.template, parent_template = EXCLUDED.parent_template
       WHERE frontier.rank < EXCLUDED.rank AND NOT frontier.done`,
    [run.tenantId, run.runId, JSON.stringify(rows), parent],
  );
}

export async function markPageDone(tx: Tx, runId: string, url: string): Promise<void> {
  await tx.execute('UPDATE frontier SET done = true WHERE run_id = $1 AND url = $2', [runId, url]);
}

/** The hosts with pages still to be requested. */
export async function pendingHosts(tx: Tx, runId: string): Promise<string[]> {
  const rows = await tx.query<{ host: string }>('SELECT DISTINCT host FROM frontier WHERE run_id = $1 AND NOT done', [
    runId,
  ]);
  return rows.map(({ host }) => host);
}

/** The next page of a host: lowest depth first, then URL shapes that were requested least. */
export async function nextPage(tx: Tx, runId: string, host: string): Promise<FrontierPage | null> {
  const rows = await tx.query<FrontierPage>(
    `SELECT url, host, depth, hops, stale, shape, parent, parent_shape, template, parent_template
       FROM frontier
      WHERE run_id = $1 AND host = $2 AND NOT done AND ${IS_SHAPE_ACTIVE} ORDER BY stale, depth, position LIMIT 1`,
    [runId, host],
  );
  return rows[0] ?? null;
}
