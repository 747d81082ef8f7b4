import { timeSlice } from '@cairn/background';
import type { Tx } from '@cairn/postgres';
import type { MemoryScope } from '../../memories/memory-scope.ts';
import {
  type Adjacency,
  type AdjacencyChange,
  buildAdjacency,
  bytesOf,
  checkedWeight,
  emptyLinks,
  type LinkColumns,
  type NameMetrics,
  Numbers,
  GraphTooLarge,
} from './adjacency.ts';

/** The state of a memory's graph in a snapshot. */
export interface GraphState {
  revision: number;
  /** Distinguishes the revision from one of the same number that a restored backup does not know. */
  changedAt: number;
  /** Communities and centrality are of this analysis. */
  analysedAt: number;
}

/** The state of the graph; null for a memory that has none. */
export async function stateOf(tx: Tx, scope: MemoryScope): Promise<GraphState | null> {
  const rows = await tx.query<{ revision: number; changed_at: number; analysed_at: number | null }>({
    name: 'graph_state',
    text: `SELECT revision, extract(epoch FROM changed_at)::float8 AS changed_at, extract(epoch FROM analysed_at)::float8 AS analysed_at
             FROM graph_memories WHERE tenant_id = $1 AND memory_id = $2`,
    values: [scope.tenantId, scope.memoryId],
  });
  const row = rows[0];
  if (row === undefined) return null;
  return { revision: row.revision, changedAt: row.changed_at, analysedAt: row.analysed_at ?? 0 };
}

const NAMES_PER_PAGE = 5_000;
/** Names whose incoming links are read at once. */
const TARGETS_PER_PAGE = 2_000;

/** All names of a memory, by number, with their entities and what the analysis says of those. */
export async function readNameMetrics(tx: Tx, scope: MemoryScope, bytesMax: number): Promise<NameMetrics[]> {
  const names: NameMetrics[] = [];
  for (let after = 0, isLast = false; !isLast;) {
    const page = await tx.query<NameMetrics>({
      name: 'graph_name_metrics_page',
      text: `SELECT ${METRIC_COLUMNS} FROM graph_names
              WHERE tenant_id = $1 AND memory_id = $2 AND name_no > $3 ORDER BY name_no LIMIT ${NAMES_PER_PAGE}`,
      values: [scope.tenantId, scope.memoryId, after],
    });
    names.push(...page);
    if (bytesOf(names.length, 0) > bytesMax) throw new GraphTooLarge('too many names');
    isLast = page.length < NAMES_PER_PAGE;
    after = page.at(-1)?.name_no ?? after;
  }
  return names;
}

/** Reads the whole graph of a memory. Throws `GraphTooLarge` for one of more than `bytesMax`. */
export async function readAdjacency(tx: Tx, scope: MemoryScope, bytesMax: number): Promise<Adjacency> {
  const numbers = new Numbers();
  const names = await readNameMetrics(tx, scope, bytesMax);
  for (const { name_no } of names) numbers.nameOf(name_no);
  const parts: LinkColumns[] = [];
  let links = 0;
  for (let from = 0; from < names.length; from += TARGETS_PER_PAGE) {
    const last = names[Math.min(from + TARGETS_PER_PAGE, names.length) - 1]!.name_no;
    const rows = await tx.query<PackedLinks>({
      name: 'graph_links_packed',
      text: `SELECT type, vault_id, ${PACKED} AS links FROM graph_links
              WHERE tenant_id = $1 AND memory_id = $2 AND target > $3 AND target <= $4 GROUP BY type, vault_id`,
      values: [scope.tenantId, scope.memoryId, from === 0 ? 0 : names[from - 1]!.name_no, last],
    });
    for (const part of await unpacked(numbers, rows)) {
      parts.push(part);
      links += part.source.length;
    }
    if (bytesOf(names.length, links) > bytesMax) throw new GraphTooLarge('too many links');
  }
  return buildAdjacency(numbers, names, parts);
}

/**
 * The names that changes touched since `known`, up to `state`; null when that is not recorded. The change that made
 * `known` must be among them as it was then: a restored backup has another one of the same number.
 */
export async function changedNamesSince(
  tx: Tx,
  scope: MemoryScope,
  known: GraphState,
  state: GraphState,
): Promise<number[] | null> {
  const rows = await tx.query<{ changed_at: number; names: string[] }>({
    name: 'graph_changes_since',
    text: `SELECT extract(epoch FROM changed_at)::float8 AS changed_at, names FROM graph_changes
            WHERE tenant_id = $1 AND memory_id = $2 AND revision BETWEEN $3 AND $4 ORDER BY revision`,
    values: [scope.tenantId, scope.memoryId, known.revision, state.revision],
  });
  const isComplete = rows.length === state.revision - known.revision + 1 && rows[0]!.changed_at === known.changedAt;
  // Arrays of bigint come as text.
  return isComplete ? [...new Set(rows.slice(1).flatMap((row) => row.names.map(Number)))] : null;
}

/** Reads what touched names and the links among them are now. */
export async function readChange(
  tx: Tx,
  scope: MemoryScope,
  numbers: Numbers,
  touched: readonly number[],
): Promise<AdjacencyChange> {
  const names = await tx.query<NameMetrics>({
    name: 'graph_name_metrics_of',
    text: `SELECT found.* FROM unnest($3::bigint[]) AS wanted (w)
            CROSS JOIN LATERAL (SELECT ${METRIC_COLUMNS} FROM graph_names
                                 WHERE tenant_id = $1 AND memory_id = $2 AND name_no = w OFFSET 0) AS found`,
    values: [scope.tenantId, scope.memoryId, touched],
  });
  for (const row of names) numbers.nameOf(row.name_no);
  const rows = await tx.query<PackedLinks>({
    name: 'graph_links_among',
    // By target, and IS TRUE: as in the statement that reads the links between the nodes of a walk.
    text: `WITH touched AS MATERIALIZED (SELECT no FROM unnest($3::bigint[]) AS wanted (no))
           SELECT type, vault_id, ${PACKED} AS links FROM touched CROSS JOIN LATERAL (
             SELECT source, target, type, vault_id, weight FROM graph_links
              WHERE tenant_id = $1 AND memory_id = $2 AND target = touched.no AND (source IN (SELECT no FROM touched)) IS TRUE OFFSET 0) AS link
            GROUP BY type, vault_id`,
    values: [scope.tenantId, scope.memoryId, touched],
  });
  return { touched, names, links: await unpacked(numbers, rows) };
}

const METRIC_COLUMNS = 'name_no, entity_id, centrality, community_id';
/** A row for each link takes several times longer to be read than the numbers of all in one. */
const PACKED = `string_agg(int8send(source) || int8send(target) || int8send(weight), ''::bytea)`;
const PACKED_BYTES = 24;

interface PackedLinks {
  type: string;
  vault_id: string;
  links: Buffer;
}

/** Links in columns; those of a name that is not there are left out. */
async function unpacked(numbers: Numbers, rows: readonly PackedLinks[]): Promise<LinkColumns[]> {
  const parts: LinkColumns[] = [];
  const slice = timeSlice();
  for (const { type, vault_id, links } of rows) {
    const columns = emptyLinks(links.length / PACKED_BYTES);
    const [typeNumber, vaultNumber] = [numbers.typeOf(type), numbers.vaultOf(vault_id)];
    let count = 0;
    for (let at = 0; at < links.length; at += PACKED_BYTES) {
      const source = numbers.names.get(int8At(links, at));
      const target = numbers.names.get(int8At(links, at + 8));
      if (source === undefined || target === undefined) continue;
      columns.source[count] = source;
      columns.target[count] = target;
      columns.type[count] = typeNumber;
      columns.vault[count] = vaultNumber;
      columns.weight[count] = checkedWeight(int8At(links, at + 16));
      count += 1;
    }
    parts.push(count * PACKED_BYTES === links.length ? columns : firstOf(columns, count));
    if (slice.isOver) await slice.yieldToEventLoop();
  }
  return parts;
}

function firstOf({ source, target, type, vault, weight }: LinkColumns, count: number): LinkColumns {
  return {
    source: source.subarray(0, count),
    target: target.subarray(0, count),
    type: type.subarray(0, count),
    vault: vault.subarray(0, count),
    weight: weight.subarray(0, count),
  };
}

/** An int8 as PostgreSQL sends it; the numbers here are far below 2^53. */
function int8At(bytes: Buffer, at: number): number {
  return bytes.readInt32BE(at) * 2 ** 32 + bytes.readUInt32BE(at + 4);
}
