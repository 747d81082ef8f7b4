import type { DateValue } from '../text/dates.ts';
import type { Clauses } from './clauses.ts';
import { type Mood, moodOf } from './mood.ts';
import type { Validity } from './relation.ts';
import type { Period } from './times.ts';

/** Verbs that say what somebody is or does for a time, so that their past tense says that it is over. */
const STATES = new Set('live work play serve lead head run own chair manage reside base belong'.split(' '));

/** When what a verb says holds, by the times of its clause and its tense; `at`: the day that it is dated by. */
export function validityOfVerb(clauses: Clauses, v: number, at: DateValue | null): Validity {
  const { times, view } = clauses;
  const isPast = isOver(clauses, v);
  const validity = ofState(times.of(v), isPast);
  if (validity.since === undefined && validity.until === undefined && at !== null) validity.since = at.from;
  const { tag, lemma } = view.tokens[v]!;
  if (times.hasPastWord(v) || (tag === 'VBD' && STATES.has(lemma) && isPast)) validity.past = true;
  return validity;
}

/** When a role is held, by the times of its phrase or of the clause whose predicate it is. */
export function validityOfRole(clauses: Clauses, i: number): Validity {
  const { times, view } = clauses;
  const isPast = isOver(clauses, times.clauseOf(i));
  const validity = ofState(times.ofNoun(i), isPast);
  const copula = view.kids(i, 'cop').at(0);
  if (times.hasPastWord(i) || (copula !== undefined && view.tag(copula) === 'VBD' && isPast)) validity.past = true;
  return validity;
}

/** When what the clause around a token says holds, for what has no verb or role of its own. */
export function validityOfClause(clauses: Clauses, i: number): Validity {
  const clause = clauses.times.clauseOf(i);
  return ofState(clauses.times.of(clause), isOver(clauses, clause));
}

/** Of what a change ends: what is to come has ended nothing yet. */
export function endedAt(at: DateValue | null, mood: Mood): Validity {
  return { ...(at === null ? {} : { until: at.to }), ...(mood === 'fact' ? { past: true } : {}) };
}

/** Whether what a clause bounds by an end is over: it is neither said of the present nor wished, planned or denied. */
function isOver({ times, view }: Clauses, predicate: number): boolean {
  return predicate < 0 || (!times.isPresent(predicate) && moodOf(view, predicate, true) === 'fact');
}

function ofState({ since, until }: Period, isPast: boolean): Validity {
  return {
    ...(since === undefined ? {} : { since }),
    ...(until === undefined ? {} : { until }),
    ...(until === undefined || !isPast ? {} : { past: true }),
  };
}
