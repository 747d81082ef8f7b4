import type { Database } from '@cairn/postgres';

interface UnpricedModel {
  provider: string;
  model: string;
  calls: number;
  last_called_at: Date;
}

const LISTED_MAX = 200;

/** Models that were called without a price, the latest call first; over all tenants. */
export function listUnpriced(database: Database): Promise<UnpricedModel[]> {
  return database.transaction((tx) =>
    tx.query<UnpricedModel>(
      `SELECT provider, model, count(*) AS calls, max(occurred_at) AS last_called_at
         FROM llm_calls WHERE cost_nano_usd IS NULL GROUP BY 1, 2 ORDER BY 4 DESC LIMIT ${LISTED_MAX}`,
    ),
  );
}
