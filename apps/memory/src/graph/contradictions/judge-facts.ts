import { laterOf } from '@cairn/reading';
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

/**
 * Compares the statements about one relation of one entity. Statements of one document never conflict: a document that
 * gives several values lists them. In a relation whose value changes with time, a statement that begins to hold later,
 * or still holds, supersedes an earlier one; two that are both said to hold no longer say nothing about each other. All
 * others that exclude each other conflict.
 */
export function judgeFacts(relation: string, facts: readonly FactOfEntity[]): Judgement {
  const judged = withoutLists(relation, facts);
  const superseded = new Map<string, string>();
  const conflicting = new Map<string, FactOfEntity>();
  let score = 0;
  for (const [at, a] of judged.entries())
    for (const b of judged.slice(at + 1)) {
      if (!excludes(relation, a, b)) continue;
      const order = orderInTime(relation, a, b);
      if (order !== null) {
        superseded.set(order.earlier.fact_id, order.later.fact_id);
        continue;
      }
      if (!conflict(relation, a, b)) continue;
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
  return facts.some((a, at) => facts.slice(at + 1).some((b) => conflict(relation, a, b)));
}

/** Whether two statements of different documents exclude each other and may be meant of one time. */
function conflict(relation: string, a: FactOfEntity, b: FactOfEntity): boolean {
  if (a.doc_id === b.doc_id || !excludes(relation, a, b)) return false;
  return !(a.ended && b.ended && changesWithTime(relation, a));
}

/** Facts whose own document says another value of the same time are a list: a table of cases. */
function withoutLists(relation: string, facts: readonly FactOfEntity[]): FactOfEntity[] {
  const lists = new Set<string>();
  for (const [docId, own] of Map.groupBy(facts, (fact) => fact.doc_id))
    if (
      own.some((a, at) =>
        own.slice(at + 1).some((b) => excludes(relation, a, b) && orderInTime(relation, a, b) === null),
      )
    )
      lists.add(docId);
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

/** Which of two statements holds later; null when they do not say, or the relation does not change with time. */
function orderInTime(
  relation: string,
  a: FactOfEntity,
  b: FactOfEntity,
): { earlier: FactOfEntity; later: FactOfEntity } | null {
  const later = changesWithTime(relation, a) ? laterOf(validityOf(a), validityOf(b)) : null;
  if (later === null) return null;
  return later === 'a' ? { earlier: b, later: a } : { earlier: a, later: b };
}

/** A document that says nothing else speaks of its own time: what it says holds then, or does no longer. */
function validityOf({ valid_from, valid_to, observed_at, ended }: FactOfEntity): Parameters<typeof laterOf>[0] {
  const since = dayOf(valid_from ?? (ended ? null : observed_at));
  const until = dayOf(valid_to ?? (ended ? observed_at : null));
  return { ...(since === null ? {} : { since }), ...(until === null ? {} : { until }), past: ended };
}

function dayOf(time: Date | null): string | null {
  return time === null ? null : time.toISOString().slice(0, 10);
}
