import { laterOf } from '@cairn/reading';
import { compareValues } from '../extract/compare-values.ts';
import { relationOf } from '../extract/relations.ts';
import type { ComparedFact } from '../store/fact-store.ts';

/** What the statements about one relation of one entity come to. */
export interface Judgement {
  /** Statements that exclude one of another document, by id. */
  conflicting: ComparedFact[];
  /** The later statement that holds instead, by the id of the earlier one. */
  superseded: Map<string, string>;
  /** 0 to 1: how sure the surest of the conflicts is. */
  score: number;
}

/**
 * Compares the statements about one relation of one entity. Statements of one document never conflict: a document that
 * gives several values lists them. In a relation whose value changes with time, a statement that begins to hold later,
 * or still holds, supersedes an earlier one, and what is superseded is in conflict with nothing; two that are both said
 * to hold no longer say nothing about each other. All others that exclude each other conflict. Facts that say the same
 * are compared once, and comparing ends where its result is known, so that an entity about which much is said does not
 * take the square of it.
 */
export function judgeFacts(relation: string, facts: readonly ComparedFact[]): Judgement {
  const isComparable = ({ negated, value }: ComparedFact) =>
    negated || relationOf(relation, value.kind !== 'text').single;
  if (!facts.some(isComparable)) return { conflicting: [], superseded: new Map(), score: 0 };
  const judged = withoutLists(relation, facts);
  const superseded = supersededIn(statementsOf(relation, judged));
  const open = statementsOf(
    relation,
    judged.filter((fact) => !superseded.has(fact.fact_id)),
  );
  const conflicting = open.flatMap((one) => conflictingOf(one, open));
  return {
    conflicting: conflicting.sort((a, b) => (a.fact_id < b.fact_id ? -1 : 1)),
    superseded,
    score: conflicting.length === 0 ? 0 : surestConflict(open),
  };
}

/** What facts say that say the same, of the same time. */
interface Statement {
  /** In the order in which they came. */
  facts: ComparedFact[];
  docIds: Set<string>;
  /** Places of its first and its last fact among all. */
  firstAt: number;
  lastAt: number;
  fact: ComparedFact;
  single: boolean;
  changes: boolean;
  validity: Parameters<typeof laterOf>[0];
}

function statementsOf(relation: string, facts: readonly ComparedFact[]): Statement[] {
  const statements = new Map<string, Statement>();
  for (const [at, fact] of facts.entries()) {
    const validity = validityOf(fact);
    const key = JSON.stringify([fact.object_entity_id, fact.negated, fact.value, validity]);
    const known = statements.get(key);
    if (known === undefined) {
      const { single, changes } = relationOf(relation, fact.value.kind !== 'text');
      const docIds = new Set([fact.doc_id]);
      statements.set(key, { facts: [fact], docIds, firstAt: at, lastAt: at, fact, single, changes, validity });
      continue;
    }
    known.facts.push(fact);
    known.docIds.add(fact.doc_id);
    known.lastAt = at;
  }
  return [...statements.values()];
}

/**
 * For each fact that later ones of other values replace, one of those: the last in the order of the facts of those that
 * nothing replaces, so that a document of long ago that comes in today does not stand for what holds.
 */
function supersededIn(statements: readonly Statement[]): Map<string, string> {
  const fromLast = [...statements].sort((a, b) => b.lastAt - a.lastAt);
  const isLater = (earlier: Statement, other: Statement) =>
    laterStatement(earlier, other) === other && excludes(earlier, other);
  const found = new Map<Statement, Statement>();
  for (const earlier of statements) {
    if (!isTimed(earlier)) continue;
    const later = fromLast.find((other) => isLater(earlier, other));
    if (later !== undefined) found.set(earlier, later);
  }
  const superseded = new Map<string, string>();
  for (const [earlier, later] of found) {
    const holds = found.has(later) ? fromLast.find((other) => !found.has(other) && isLater(earlier, other)) : later;
    for (const fact of earlier.facts) superseded.set(fact.fact_id, (holds ?? later).facts.at(-1)!.fact_id);
  }
  return superseded;
}

/** What says nothing of its time holds until something contradicts it: nothing is later than it. */
function isTimed({ validity: { since, until, past } }: Statement): boolean {
  return since !== undefined || until !== undefined || past === true;
}

/** The facts of a statement that exclude one of another document, at what may be one time. */
function conflictingOf(one: Statement, all: readonly Statement[]): ComparedFact[] {
  let left = one.facts;
  for (const other of all) {
    if (left.length === 0) break;
    if (!conflict(one, other)) continue;
    left = other.docIds.size > 1 ? [] : left.filter((fact) => other.docIds.has(fact.doc_id));
  }
  if (left.length === 0) return one.facts;
  const alone = new Set(left);
  return one.facts.filter((fact) => !alone.has(fact));
}

/** The greatest confidence that both sides of a conflict have. */
function surestConflict(statements: readonly Statement[]): number {
  const sides = statements
    .map((statement) => ({ statement, surest: surestOfTwoDocuments(statement.facts) }))
    .sort((a, b) => b.surest[0]!.confidence - a.surest[0]!.confidence);
  let score = 0;
  for (const [at, { statement, surest }] of sides.entries()) {
    if (surest[0]!.confidence <= score) break;
    for (const other of sides.slice(0, at)) {
      if (!conflict(statement, other.statement)) continue;
      for (const a of surest)
        for (const b of other.surest)
          if (a.doc_id !== b.doc_id) score = Math.max(score, Math.min(a.confidence, b.confidence));
      if (score >= surest[0]!.confidence) break;
    }
  }
  return score;
}

/** The surest fact, and the surest of another document. */
function surestOfTwoDocuments(facts: readonly ComparedFact[]): ComparedFact[] {
  const surest = (some: readonly ComparedFact[]) =>
    some.reduce((best, fact) => (fact.confidence > best.confidence ? fact : best));
  const first = surest(facts);
  const others = facts.filter((fact) => fact.doc_id !== first.doc_id);
  return others.length === 0 ? [first] : [first, surest(others)];
}

/** Whether facts of the two, if they are of different documents, exclude each other and may be meant of one time. */
function conflict(a: Statement, b: Statement): boolean {
  if (a === b || laterStatement(a, b) !== null) return false;
  return !(a.fact.ended && b.fact.ended && a.changes && b.changes) && excludes(a, b);
}

/** Facts whose own document says another value of the same time are a list: a table of cases. */
function withoutLists(relation: string, facts: readonly ComparedFact[]): ComparedFact[] {
  const lists = new Set<string>();
  for (const [docId, own] of Map.groupBy(facts, (fact) => fact.doc_id)) {
    if (own.length === 1) continue;
    const statements = statementsOf(relation, own);
    if (
      statements.some((a, at) => statements.slice(at + 1).some((b) => laterStatement(a, b) === null && excludes(a, b)))
    )
      lists.add(docId);
  }
  return facts.filter((fact) => !lists.has(fact.doc_id));
}

/** Whether two statements cannot both be true at one time. */
function excludes(one: Statement, other: Statement): boolean {
  const [a, b] = [one.fact, other.fact];
  if (a.negated !== b.negated) return sameReading(a, b) && compareFacts(a, b) === 'same';
  return !a.negated && one.single && other.single && compareFacts(a, b) === 'excluding';
}

function compareFacts(a: ComparedFact, b: ComparedFact): ReturnType<typeof compareValues> {
  return a.object_entity_id !== null && a.object_entity_id === b.object_entity_id
    ? 'same'
    : compareValues(a.value, b.value);
}

/** A negation speaks of the same thing only when it names it in the same words. */
function sameReading(a: ComparedFact, b: ComparedFact): boolean {
  return a.value.kind === 'text' && b.value.kind === 'text' ? a.value.text === b.value.text : true;
}

/** Which of two statements holds later; null when they do not say, or the relation does not change with time. */
function laterStatement(one: Statement, other: Statement): Statement | null {
  if (!one.changes || !other.changes) return null;
  // Of two that each end before the other begins, the one that came later is taken to hold.
  const [a, b] = one.firstAt < other.firstAt ? [one, other] : [other, one];
  const later = laterOf(a.validity, b.validity);
  if (later === null) return null;
  return later === 'a' ? a : b;
}

/**
 * A document that says nothing else speaks of its own time: what it says holds then, or does no longer. What it says to
 * have ended before it was written began at a time that it does not say.
 */
function validityOf({ valid_from, valid_to, observed_at, ended }: ComparedFact): Parameters<typeof laterOf>[0] {
  const isOver = ended || (valid_to !== null && observed_at !== null && valid_to <= observed_at);
  const since = dayOf(valid_from ?? (isOver ? null : observed_at));
  const until = dayOf(valid_to ?? (ended ? observed_at : null));
  return { ...(since === null ? {} : { since }), ...(until === null ? {} : { until }), past: ended };
}

function dayOf(time: Date | null): string | null {
  return time === null ? null : time.toISOString().slice(0, 10);
}
