import { encodeEvent, type EncodedEvent, newId } from '@cairn/contracts';
import type { Tx } from '@cairn/postgres';
import {
  type ContradictionRow,
  contradictionsOfEntities,
  type DecidedValue,
  deleteContradictions,
  saveContradictions,
} from '../store/contradiction-store.ts';
import { compareValues } from '../extract/compare-values.ts';
import {
  type ComparedFact,
  factsById,
  factsToCompare,
  relationsOfEntities,
  supersede,
  type RelationToCompare,
} from '../store/fact-store.ts';
import { relationOf } from '../extract/relations.ts';
import { type Judgement, judgeFacts } from './judge-facts.ts';
import type { AttributedMemory } from '../../memories/memory-scope.ts';

/** A relation of an entity of which statements came or went; null for all of its relations. */
export interface ChangedRelation {
  entityId: string;
  relation: string | null;
}

/**
 * Compares again what is said of these relations: contradictions appear, change with their statements, and go when
 * nothing contradicts any more. A resolution stays until a value comes that was not known when it was made. Gives the
 * events, for the transaction's outbox.
 */
export async function detectContradictions(
  tx: Tx,
  memory: AttributedMemory,
  touched: readonly ChangedRelation[],
): Promise<EncodedEvent[]> {
  if (touched.length === 0) return [];
  const stored = await contradictionsOfEntities(tx, memory, [...new Set(touched.map((each) => each.entityId))]);
  const wanted = await wantedOf(tx, memory, touched, stored);
  const asked = new Set(wanted.map((each) => keyOf(each.entityId, each.relation)));
  const before = new Map(stored.map((row) => [rowKey(row), row]));
  for (const key of before.keys()) if (!asked.has(key)) before.delete(key);
  const facts = await factsToCompare(tx, memory, wanted);
  const groups = Map.groupBy(await withDisputedFacts(tx, memory, facts, [...before.values()]), rowKey);
  const events: EncodedEvent[] = [];
  const gone: string[] = [];
  const saved: NextRow[] = [];
  const superseded: { factId: string; by: string | null }[] = [];
  for (const key of new Set([...groups.keys(), ...before.keys()])) {
    const group = groups.get(key) ?? [];
    const known = before.get(key) ?? null;
    const relation = key.slice(key.indexOf(' ') + 1);
    const judgement = judgeFacts(relation, group);
    const row = nextState(key, known, judgement, group);
    if (row !== null) {
      if (known === null || !sameState(known, row)) saved.push(row);
      if (row.status === 'open' && (known === null || known.status === 'resolved'))
        events.push(detected(memory, row, judgement.conflicting));
    } else if (known !== null) gone.push(known.contradiction_id);
    superseded.push(...supersessions(group, judgement, row));
  }
  await saveContradictions(tx, memory, saved);
  await deleteContradictions(tx, memory, gone);
  await supersede(tx, memory, superseded);
  return events;
}

const keyOf = (entityId: string, relation: string) => `${entityId} ${relation}`;
const rowKey = (row: ComparedFact | ContradictionRow) => keyOf(row.entity_id, row.relation);

/** Each relation once; of an entity that is touched as a whole, all that something is said of or was contradicted in. */
async function wantedOf(
  tx: Tx,
  memory: AttributedMemory,
  touched: readonly ChangedRelation[],
  stored: readonly ContradictionRow[],
): Promise<RelationToCompare[]> {
  const whole = new Set(touched.filter(({ relation }) => relation === null).map(({ entityId }) => entityId));
  const named = touched.flatMap(({ entityId, relation }) => (relation === null ? [] : [{ entityId, relation }]));
  const stood = stored.filter((row) => whole.has(row.entity_id));
  const all = [
    ...named,
    ...(await relationsOfEntities(tx, memory, [...whole])),
    ...stood.map((row) => ({ entityId: row.entity_id, relation: row.relation })),
  ];
  return [...new Map(all.map((each) => [keyOf(each.entityId, each.relation), each])).values()].map(
    ({ entityId, relation }) => ({
      entityId,
      relation,
      texts: relationOf(relation, false).single,
      measures: relationOf(relation, true).single,
    }),
  );
}

/** A contradiction of statements that are not among the newest any more stands as long as they do. */
async function withDisputedFacts(
  tx: Tx,
  memory: AttributedMemory,
  facts: readonly ComparedFact[],
  stored: readonly ContradictionRow[],
): Promise<ComparedFact[]> {
  const found = new Set(facts.map((fact) => fact.fact_id));
  const keys = new Map(stored.flatMap((row) => row.fact_ids.map((id) => [id, rowKey(row)])));
  const missing = await factsById(
    tx,
    memory,
    [...keys.keys()].filter((id) => !found.has(id)),
  );
  const older = missing.filter((fact) => keys.get(fact.fact_id) === rowKey(fact));
  return older.length === 0
    ? [...facts]
    : [...facts, ...older].sort((a, b) => (a.fact_id < b.fact_id ? -1 : a.fact_id > b.fact_id ? 1 : 0));
}

type NextRow = Omit<ContradictionRow, 'created_at' | 'updated_at'>;

function nextState(
  key: string,
  known: ContradictionRow | null,
  judgement: Judgement,
  group: readonly ComparedFact[],
): NextRow | null {
  if (judgement.conflicting.length === 0) return null;
  const at = key.indexOf(' ');
  const base = {
    contradiction_id: known?.contradiction_id ?? newId('contradiction'),
    entity_id: key.slice(0, at),
    relation: key.slice(at + 1),
    score: judgement.score,
    fact_ids: cappedFactIds(judgement.conflicting, known?.winner ?? null),
  };
  if (known !== null && known.status === 'resolved') {
    const winner = winnerOf(known, judgement.conflicting);
    if (winner !== null)
      return {
        ...base,
        status: 'resolved',
        winner,
        decided: stillStated(known.decided, group),
        note: known.note,
        resolved_by: known.resolved_by,
        resolved_at: known.resolved_at,
      };
  }
  return {
    ...base,
    status: 'open',
    winner: null,
    decided: null,
    note: known?.note ?? null,
    resolved_by: null,
    resolved_at: null,
  };
}

/** Without what only documents said that are gone: nothing is kept of those. */
function stillStated(decided: readonly DecidedValue[] | null, group: readonly ComparedFact[]): DecidedValue[] {
  return (decided ?? []).filter((value) => group.some((fact) => agrees(value, fact)));
}

/** Of a contradiction. */
const FACTS_MAX = 100;

/** Of very many facts the newest of each value in turn, and the one that was decided for, in the order of their ids. */
function cappedFactIds(facts: readonly ComparedFact[], winner: string | null): string[] {
  if (facts.length <= FACTS_MAX) return facts.map((fact) => fact.fact_id);
  const newestFirst = facts.toSorted((a, b) => (a.fact_id < b.fact_id ? 1 : -1));
  const sides = [...Map.groupBy(newestFirst, ({ value, negated }) => JSON.stringify([value, negated])).values()];
  const kept = new Set(winner !== null && facts.some((fact) => fact.fact_id === winner) ? [winner] : []);
  for (let turn = 0; kept.size < FACTS_MAX; turn += 1)
    for (const { fact_id: id } of sides.flatMap((side) => side.slice(turn, turn + 1)))
      if (kept.size < FACTS_MAX) kept.add(id);
  return [...kept].sort();
}

/** The fact that says today what was decided; null when a value came that nobody has decided about, or the winner went. */
function winnerOf(known: ContradictionRow, facts: readonly ComparedFact[]): string | null {
  const decided = known.decided ?? [];
  if (!facts.every((fact) => decided.some((value) => agrees(value, fact)))) return null;
  if (known.winner === 'both') return 'both';
  const holds = facts.filter((fact) => decided[0] !== undefined && agrees(decided[0], fact));
  return holds.find((fact) => fact.fact_id === known.winner)?.fact_id ?? holds[0]?.fact_id ?? null;
}

export function agrees(decided: DecidedValue, fact: Pick<ComparedFact, 'value' | 'negated'>): boolean {
  return decided.negated === fact.negated && compareValues(decided.value, fact.value) === 'same';
}

function sameState(known: ContradictionRow, next: NextRow): boolean {
  return (
    known.status === next.status &&
    known.winner === next.winner &&
    known.score === next.score &&
    known.fact_ids.join() === next.fact_ids.join() &&
    // Of a decision values only go.
    known.decided?.length === next.decided?.length
  );
}

/** What time or a person decided against points to what holds instead; both are kept. */
function supersessions(
  group: readonly ComparedFact[],
  judgement: Judgement,
  row: NextRow | null,
): { factId: string; by: string | null }[] {
  const conflicting = new Set(judgement.conflicting.map((fact) => fact.fact_id));
  return group.flatMap((fact) => {
    let by = judgement.superseded.get(fact.fact_id) ?? null;
    if (
      row !== null &&
      row.status === 'resolved' &&
      row.winner !== 'both' &&
      row.winner !== null &&
      conflicting.has(fact.fact_id)
    ) {
      const decided = row.decided?.[0];
      if (decided !== undefined && !agrees(decided, fact)) by = row.winner;
    }
    return by === fact.superseded_by ? [] : [{ factId: fact.fact_id, by }];
  });
}

function detected(memory: AttributedMemory, row: NextRow, facts: readonly ComparedFact[]): EncodedEvent {
  return encodeEvent('contradictionDetected', memory, {
    contradictionId: row.contradiction_id,
    entityId: row.entity_id,
    relation: row.relation,
    facts: facts.map((fact) => ({
      factId: fact.fact_id,
      value: fact.value_text,
      docId: fact.doc_id,
      vaultId: fact.vault_id,
    })),
  });
}
