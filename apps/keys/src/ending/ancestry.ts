import type { Tx } from '@cairn/postgres';
import { type KeyRow, listKeyRows } from '../credentials/key-store.ts';

type DescentRow = Pick<KeyRow, 'key_id' | 'kind' | 'parent_key_id' | 'rotated_from' | 'rotated_by'>;

/** What each of some keys came of, up to the nearest members, with whom a descent ends. */
export interface Ancestry {
  rows: ReadonlyMap<string, DescentRow>;
  members: ReadonlyMap<string, KeyRow>;
}

/**
 * Reads the descent of the keys: the inverse of a lineage, so that whatever is revoked with a key also has that key
 * among its ancestors. Needs the worker role where a test key may have come of a live one.
 */
export async function readAncestry(tx: Tx, keyIds: readonly string[]): Promise<Ancestry> {
  const rows = await tx.query<DescentRow>(
    `WITH RECURSIVE descent AS (
       SELECT key_id, kind, parent_key_id, rotated_from, rotated_by FROM api_keys WHERE key_id = ANY($1)
       UNION
       SELECT above.key_id, above.kind, above.parent_key_id, above.rotated_from, above.rotated_by
         FROM descent JOIN api_keys above
           ON above.key_id IN (descent.parent_key_id, descent.rotated_from, descent.rotated_by)
        WHERE descent.kind <> 'member'
     ) SELECT * FROM descent`,
    [keyIds],
  );
  const members = await listKeyRows(
    tx,
    rows.filter(({ kind }) => kind === 'member').map(({ key_id }) => key_id),
  );
  return { rows: new Map(rows.map((row) => [row.key_id, row])), members };
}

/** The key or member itself and everything it came of. */
export function originsOf({ rows }: Pick<Ancestry, 'rows'>, keyId: string): Set<string> {
  const found = new Set<string>();
  const open = [keyId];
  for (let id = open.pop(); id !== undefined; id = open.pop()) {
    const row = rows.get(id);
    if (row === undefined || found.has(id)) continue;
    found.add(id);
    if (row.kind !== 'member') open.push(...directOriginsOf(row));
  }
  return found;
}

/** For each key the nearest members it came of; a member came of itself. Linear in the number of rows. */
export function peopleByKey({ rows }: Pick<Ancestry, 'rows'>): Map<string, Set<string>> {
  const known = new Map<string, Set<string>>();
  for (const start of rows.keys()) {
    const open = [start];
    const entered = new Set<string>();
    for (let id = open.at(-1); id !== undefined; id = open.at(-1)) {
      const row = rows.get(id)!;
      const origins = row.kind === 'member' ? [] : directOriginsOf(row).filter((origin) => rows.has(origin));
      const waiting = entered.has(id) ? [] : origins.filter((origin) => !known.has(origin));
      entered.add(id);
      if (waiting.length > 0) {
        open.push(...waiting);
        continue;
      }
      const people = row.kind === 'member' ? [id] : origins.flatMap((origin) => [...(known.get(origin) ?? [])]);
      known.set(id, new Set(people));
      open.pop();
    }
  }
  return known;
}

function directOriginsOf(row: DescentRow): string[] {
  return [row.parent_key_id, row.rotated_from, row.rotated_by].filter((id) => id !== null);
}
