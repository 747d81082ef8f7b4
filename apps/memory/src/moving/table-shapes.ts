import type { Tx } from '@cairn/postgres';

/** A table of memories, as the mover needs to know it. */
export interface TableShape {
  name: string;
  columns: { name: string; type: string }[];
  /** The primary key without tenant and memory. */
  keys: { name: string; type: string }[];
  /** Tables whose rows these rows need, with pairs of columns: here and there. */
  parents: { table: string; pairs: [string, string][] }[];
  /** Other rows need these. */
  isParent: boolean;
}

/**
 * What belongs to an engine and not to what moves: notes about moves, who merges, and what is sent to the engine's
 * search cluster, which no memory has that moves.
 */
const STAYING = [
  'memory_moves',
  'memory_changes',
  'index_merge_leases',
  'index_placements',
  'index_sends',
  'search_changes',
];

/**
 * Copied last, as a whole, while nothing is written. Tombstones are numbered by transactions of their engine. Garbage
 * would have pages swept whose segment has not been copied yet.
 */
export const LATE_TABLES: readonly string[] = ['index_tombstones', 'index_garbage'];

/** Every table with a `memory_id`, those first whose rows are needed by others. Read from the catalogue, so that none is forgotten. */
export async function readShapes(tx: Tx): Promise<TableShape[]> {
  const rows = await tx.query<{ name: string; columns: [string, string][]; keys: [string, string][] | null }>(
    `SELECT c.relname::text AS name,
            (SELECT json_agg(json_build_array(a.attname, format_type(a.atttypid, a.atttypmod)) ORDER BY a.attnum)
               FROM pg_attribute a WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = '') AS columns,
            (SELECT json_agg(json_build_array(a.attname, format_type(a.atttypid, a.atttypmod)) ORDER BY place.n)
               FROM pg_index i CROSS JOIN LATERAL unnest(i.indkey::int[]) WITH ORDINALITY AS place (attnum, n)
               JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum = place.attnum
              WHERE i.indrelid = c.oid AND i.indisprimary AND a.attname NOT IN ('tenant_id', 'memory_id')) AS keys
       FROM pg_class c JOIN pg_attribute m ON m.attrelid = c.oid AND m.attname = 'memory_id' AND NOT m.attisdropped
      WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind = 'r' AND c.relname <> ALL($1)
      ORDER BY c.relname`,
    [STAYING],
  );
  const links = await tx.query<{ child: string; parent: string; pairs: [string, string][] }>(
    `SELECT child.relname::text AS child, parent.relname::text AS parent,
            (SELECT json_agg(json_build_array(here.attname, there.attname))
               FROM unnest(f.conkey, f.confkey) AS pair (here_no, there_no)
               JOIN pg_attribute here ON here.attrelid = f.conrelid AND here.attnum = pair.here_no
               JOIN pg_attribute there ON there.attrelid = f.confrelid AND there.attnum = pair.there_no) AS pairs
       FROM pg_constraint f JOIN pg_class child ON child.oid = f.conrelid JOIN pg_class parent ON parent.oid = f.confrelid
      WHERE f.contype = 'f' AND f.connamespace = current_schema()::regnamespace`,
  );
  const named = ([name, type]: [string, string]) => ({ name, type });
  const shapes = rows.map(({ name, columns, keys }) => ({
    name,
    columns: columns.map(named),
    keys: (keys ?? []).map(named),
    parents: links.filter((link) => link.child === name).map(({ parent, pairs }) => ({ table: parent, pairs })),
    isParent: links.some((link) => link.parent === name),
  }));
  return shapes.sort((a, b) => Number(b.isParent) - Number(a.isParent));
}

/** What both engines must have in common; a difference means that one of them runs an older schema. */
export function fingerprintOf(shapes: readonly TableShape[]): string {
  return JSON.stringify(
    shapes.map(({ name, columns }) => [name, columns.map((column) => `${column.name} ${column.type}`).sort()]).sort(),
  );
}
