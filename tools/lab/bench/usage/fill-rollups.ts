import type pg from 'pg';

/** What a year of usage looks like. */
export interface YearOfUsage {
  days: number;
  tenants: number;
  models: number;
  /** Ids of each dimension besides the row that covers all of them. */
  ids: Readonly<Record<string, number>>;
}

export const YEAR: YearOfUsage = {
  days: 365,
  tenants: 50,
  models: 20,
  ids: { workspace: 3, memory: 4, space: 4, conversation: 3, user: 5, api_key: 4 },
};

export function rowsOf(year: YearOfUsage): number {
  const places = Object.values(year.ids).reduce((sum, ids) => sum + ids + 1, 1);
  return year.days * year.tenants * year.models * places;
}

/**
 * Writes the roll-ups of a year that ends today, day by day as they would have come, and within a day in no order, so
 * that what one reads is spread over pages as it is in life.
 */
export async function fillRollups(superuser: pg.Client, year: YearOfUsage, say: (line: string) => void): Promise<void> {
  await superuser.query("SET work_mem = '64MB'");
  await superuser.query('SET synchronous_commit = off');
  await superuser.query(
    `SELECT make_usage_month(month::date) FROM generate_series(date_trunc('month', current_date - $1::int), current_date, '1 month') month`,
    [year.days],
  );
  const places = [['tenant', '']];
  for (const [dimension, ids] of Object.entries(year.ids)) {
    places.push([dimension, '']);
    for (let n = 0; n < ids; n += 1) places.push([dimension, `${dimension}_${n}`]);
  }
  for (let ago = year.days - 1; ago >= 0; ago -= 1) {
    await superuser.query(
      `INSERT INTO llm_rollups
       SELECT 'tnt_' || tenant, place.dimension, place.id, current_date - $1::int, 'model-' || model,
              100, 0, 1000000 + model, 100000 + tenant, 1000, 500, 2000, 12345678 + model, 123456
         FROM generate_series(1, $2) tenant, generate_series(1, $3) model,
              unnest($4::text[], $5::text[]) AS place (dimension, id)
        ORDER BY random()`,
      [ago, year.tenants, year.models, places.map(([dimension]) => dimension), places.map(([, id]) => id)],
    );
    if (ago % 60 === 0) say(`roll-ups: ${ago} days to go`);
  }
  await superuser.query('ANALYZE llm_rollups');
}
