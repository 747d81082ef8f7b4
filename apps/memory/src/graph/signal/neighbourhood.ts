import type { Tx } from '@cairn/postgres';
import { CO_OCCURS } from '../extract/extraction.ts';
import { inVaults, seesAll, type Visibility } from '../../memories/visibility.ts';
import type { MemoryScope } from '../../memories/memory-scope.ts';

/** Names that occur in more chunks lead nowhere in particular. */
const MENTIONS_MAX = 60;
const CHUNKS_PER_NAME_MAX = 25;
const LINKS_PER_NAME_MAX = 12;

/** Rows that were read before for a name, in one state of the graph. */
export interface CachedRows<Value> {
  get(nameNo: number): Value | undefined;
  set(nameNo: number, value: Value): void;
}

export interface SignalName {
  name_no: number;
  entity_id: string;
  norm: string;
  chunks: number;
}

const NAME = 'name_no, entity_id, norm, chunks';

/**
 * Names that are called as one of the phrases, and those that occur in the chunks. `state` is that of the graph in this
 * snapshot, null where no name is: each change of names and links gives another one, and its time tells it from a state
 * of the same number that a restored backup does not know.
 */
export async function namesAround(
  tx: Tx,
  scope: MemoryScope,
  phrases: readonly string[],
  chunks: readonly { chunkId: string; docId: string }[],
): Promise<{ called: SignalName[]; said: SignalName[]; state: string | null }> {
  const rows = await tx.query<SignalName & { called: boolean; state: string }>({
    name: 'graph_signal_names',
    text: `SELECT around.*, (SELECT revision || ' ' || extract(epoch FROM changed_at) FROM graph_memories
                              WHERE tenant_id = $1 AND memory_id = $2) AS state FROM (
             SELECT true AS called, found.* FROM unnest($3::text[]) AS wanted (w)
              CROSS JOIN LATERAL (SELECT ${NAME} FROM graph_names WHERE tenant_id IS NOT DISTINCT FROM $1 AND memory_id IS NOT DISTINCT FROM $2 AND norm = w OFFSET 0) AS found
             UNION ALL
             SELECT false, found.* FROM (
               SELECT DISTINCT no FROM unnest($4::text[], $5::text[]) AS wanted (doc, chunk)
                CROSS JOIN LATERAL (SELECT names FROM graph_chunks
                                     WHERE tenant_id = $1 AND memory_id = $2 AND doc_id = doc AND chunk_id = chunk OFFSET 0) AS said
                CROSS JOIN LATERAL unnest(said.names) AS no) AS there
              CROSS JOIN LATERAL (SELECT ${NAME} FROM graph_names WHERE tenant_id = $1 AND memory_id = $2 AND name_no = no OFFSET 0) AS found
           ) AS around`,
    values: [
      scope.tenantId,
      scope.memoryId,
      phrases,
      chunks.map((chunk) => chunk.docId),
      chunks.map((chunk) => chunk.chunkId),
    ],
  });
  // Whatever the statement's plan, the same names come in the same order.
  const inOrder = (called: boolean) =>
    rows.filter((row) => row.called === called).sort((a, b) => a.name_no - b.name_no);
  return { called: inOrder(true), said: inOrder(false), state: rows[0]?.state ?? null };
}

export interface SignalLink {
  from: number;
  name_no: number;
  entity_id: string;
  norm: string;
  chunks: number;
  weight: number;
}

/** What is stated between these names and others, co-occurrence aside; the weightiest first. */
export async function statedLinks(
  tx: Tx,
  scope: MemoryScope,
  numbers: readonly number[],
  visible: Visibility,
  known: CachedRows<readonly SignalLink[]> | null,
): Promise<SignalLink[]> {
  const side = (own: string, other: string) =>
    `SELECT ${other} AS other, weight FROM graph_links
      WHERE tenant_id IS NOT DISTINCT FROM $1 AND memory_id IS NOT DISTINCT FROM $2
        AND ${own} = w AND type <> '${CO_OCCURS}' AND ${inVaults('vault_id', 4, 5)}`;
  return rowsOfNames(numbers, known, async (unknown) => {
    const rows = await tx.query<SignalLink>({
      name: 'graph_signal_links',
      text: `SELECT w AS "from", found.*, (link.weight / 100.0)::float8 AS weight FROM unnest($3::bigint[]) AS wanted (w)
              CROSS JOIN LATERAL (SELECT other, sum(weight) AS weight FROM (${side('source', 'target')} UNION ALL ${side('target', 'source')}) AS both_ways
                                   GROUP BY other ORDER BY 2 DESC, other LIMIT ${LINKS_PER_NAME_MAX}) AS link
              CROSS JOIN LATERAL (SELECT ${NAME} FROM graph_names WHERE tenant_id = $1 AND memory_id = $2 AND name_no = link.other OFFSET 0) AS found`,
      values: [scope.tenantId, scope.memoryId, unknown, visible.vaults, visible.hidden],
    });
    return Map.groupBy(rows, (row) => row.from);
  });
}

export interface Mention {
  name_no: number;
  doc_id: string;
  chunk_id: string;
}

/**
 * Chunks that the caller sees in which names occur, and in how many each does; names that occur in many are left out,
 * and returned as `everywhere`.
 */
export async function mentionsOf(
  tx: Tx,
  scope: MemoryScope,
  names: readonly SignalName[],
  visible: Visibility,
  known: CachedRows<readonly Mention[]> | null,
): Promise<{ mentions: Mention[]; counts: Map<number, number>; everywhere: ReadonlySet<number> }> {
  // Counts over the whole memory would tell a caller who sees a part of it about the rest.
  const isWhole = seesAll(visible);
  const rare = isWhole ? names.filter((name) => name.chunks <= MENTIONS_MAX) : names;
  const numbers = rare.map((name) => name.name_no);
  const rows = await rowsOfNames(numbers, known, async (unknown) => {
    const found = await tx.query<{ name_no: number; places: string | null }>({
      name: 'graph_signal_mentions',
      // One row for each name: a thousand rows take longer to be read than to be found. Ids have no white space.
      text: `SELECT w AS name_no, (SELECT string_agg(doc_id || ' ' || chunk_id, ' ')
                                     FROM (SELECT doc_id, chunk_id FROM graph_mentions
                                            WHERE tenant_id = $1 AND memory_id = $2 AND name_no = w AND ${inVaults('vault_id', 4, 5)}
                                            ORDER BY vault_id, doc_id, chunk_id LIMIT $6) AS found) AS places
               FROM unnest($3::bigint[]) AS wanted (w)`,
      values: [
        ...[scope.tenantId, scope.memoryId, unknown, visible.vaults, visible.hidden],
        // Where the counts are known, no more is read than is used.
        isWhole ? CHUNKS_PER_NAME_MAX : MENTIONS_MAX + 1,
      ],
    });
    return new Map(found.map(({ name_no, places }) => [name_no, places === null ? [] : mentionsAt(name_no, places)]));
  });
  const found = [...Map.groupBy(rows, (row) => row.name_no)];
  const byName = found.filter(([, own]) => own.length <= MENTIONS_MAX);
  const common = isWhole ? names.filter((name) => name.chunks > MENTIONS_MAX).map((name) => name.name_no) : [];
  const counted = found.filter(([, own]) => own.length > MENTIONS_MAX).map(([name]) => name);
  const stored = new Map(rare.map((name) => [name.name_no, name.chunks]));
  return {
    mentions: byName.flatMap(([, own]) => own.slice(0, CHUNKS_PER_NAME_MAX)),
    counts: new Map(byName.map(([name, own]) => [name, isWhole ? stored.get(name)! : own.length])),
    everywhere: new Set([...common, ...counted]),
  };
}

function mentionsAt(nameNo: number, places: string): Mention[] {
  const ids = places.split(' ');
  return Array.from({ length: ids.length / 2 }, (_, at) => ({
    name_no: nameNo,
    doc_id: ids[2 * at]!,
    chunk_id: ids[2 * at + 1]!,
  }));
}

/** Rows of all names in the names' order; those of unknown ones are asked for and known from then on. */
async function rowsOfNames<Row>(
  numbers: readonly number[],
  known: CachedRows<readonly Row[]> | null,
  ask: (unknown: readonly number[]) => Promise<ReadonlyMap<number, readonly Row[]>>,
): Promise<Row[]> {
  const rows = new Map<number, readonly Row[]>();
  for (const no of numbers) {
    const there = known?.get(no);
    if (there !== undefined) rows.set(no, there);
  }
  const unknown = [...new Set(numbers)].filter((no) => !rows.has(no));
  const asked = unknown.length === 0 ? new Map<number, readonly Row[]>() : await ask(unknown);
  for (const no of unknown) {
    const found = asked.get(no) ?? [];
    rows.set(no, found);
    known?.set(no, found);
  }
  return numbers.flatMap((no) => rows.get(no)!);
}
