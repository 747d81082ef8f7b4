import { compareValues } from '../extract/compare-values.ts';
import { relationOf } from '../extract/relations.ts';
import type { FactOfEntity } from '../store/fact-store.ts';

/** What the statements about one relation of one entity come to. */
export interface Judgement {
  /** Statements that exclude one of another document, by id. */
  conflicting: FactOfEntity[];
  /** The later statement that holds instead, by the id of the earlier one. */
  superseded: Map<string, string>;
  /** 0 to 1: how sure the surest of the conflicts is. */
  score: number;
}

const DAY_MS = 86_400_000;

/**
 * Compares the statements about one relation of one entity. Statements of one document never conflict: a document that
 * gives several values lists them. In a relation whose value changes with time, a statement that begins to hold later
 * supersedes an earlier one, provided that both say when; all others that exclude each other conflict.
 */
export function judgeFacts(relation: string, facts: readonly FactOfEntity[]): Judgement {
  const judged = withoutLists(relation, facts);
  const superseded = new Map<string, string>();
  const conflicting = new Map<string, FactOfEntity>();
  let score = 0;
  for (const [at, a] of judged.entries())
    for (const b of judged.slice(at + 1)) {
      if (a.doc_id === b.doc_id || !excludes(relation, a, b)) continue;
      const order = changesWithTime(relation, a) ? orderInTime(a, b) : null;
      if (order !== null) {
        superseded.set(order.earlier.fact_id, order.later.fact_id);
        continue;
      }
      conflicting.set(a.fact_id, a).set(b.fact_id, b);
      score = Math.max(score, Math.min(a.confidence, b.confidence));
    }
  // What time has settled is no longer in conflict with anything.
  for (const factId of superseded.keys()) conflicting.delete(factId);
  const rest = [...conflicting.values()].sort((a, b) => (a.fact_id < b.fact_id ? -1 : 1));
  return stillConflict(relation, rest)
    ? { conflicting: rest, superseded, score }
    : { conflicting: [], superseded, score: 0 };
}

function stillConflict(relation: string, facts: readonly FactOfEntity[]): boolean {
  return facts.some((a, at) => facts.slice(at + 1).some((b) => a.doc_id !== b.doc_id && excludes(relation, a, b)));
}

/** Facts whose own document says another value too are a list: a history, a table of cases. */
function withoutLists(relation: string, facts: readonly FactOfEntity[]): FactOfEntity[] {
  const lists = new Set<string>();
  for (const [docId, own] of Map.groupBy(facts, (fact) => fact.doc_id))
    if (own.some((a, at) => own.slice(at + 1).some((b) => excludes(relation, a, b)))) lists.add(docId);
  return facts.filter((fact) => !lists.has(fact.doc_id));
}

/** Whether two statements cannot both be true at one time. */
function excludes(relation: string, a: FactOfEntity, b: FactOfEntity): boolean {
  const compared =
    a.object_entity_id !== null && a.object_entity_id === b.object_entity_id ? 'same' : compareValues(a.value, b.value);
  if (a.negated !== b.negated) return compared === 'same' && sameReading(a, b);
  return !a.negated && compared === 'excluding' && relationOf(relation, a.value.kind !== 'text').single;
}

/** A negation speaks of the same thing only when it names it in the same words. */
function sameReading(a: FactOfEntity, b: FactOfEntity): boolean {
  return a.value.kind === 'text' && b.value.kind === 'text' ? a.value.text === b.value.text : true;
}

function changesWithTime(relation: string, fact: FactOfEntity): boolean {
  return relationOf(relation, fact.value.kind !== 'text').changes;
}

/** Which of two statements began to hold later; null when one of them does not say, or both say the same day. */
function orderInTime(a: FactOfEntity, b: FactOfEntity): { earlier: FactOfEntity; later: FactOfEntity } | null {
  if (a.valid_to !== null && b.valid_from !== null && a.valid_to < b.valid_from) return { earlier: a, later: b };
  if (b.valid_to !== null && a.valid_from !== null && b.valid_to < a.valid_from) return { earlier: b, later: a };
  const [from, other] = [a.valid_from ?? a.observed_at, b.valid_from ?? b.observed_at];
  if (from === null || other === null || Math.abs(from.getTime() - other.getTime()) < DAY_MS) return null;
  return from < other ? { earlier: a, later: b } : { earlier: b, later: a };
}
