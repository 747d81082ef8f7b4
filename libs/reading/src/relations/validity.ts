import type { DateSpan, DateValue } from '../text/dates.ts';
import type { VerbClass } from '../vocabulary/word-classes.ts';
import type { Clauses } from './clauses.ts';
import type { Validity } from './relation.ts';
import type { Period } from './times.ts';

/** Verbs that say what somebody is or does for a time, so that their past tense says that it is over. */
const STATES = new Set('live work play serve lead head run own chair manage reside base belong'.split(' '));
const ENDING_CLASSES = new Set<VerbClass | null>(['leave']);

/** When what a verb says holds, by the times of its clause and its tense. */
export function validityOfVerb(
  { times, view }: Clauses,
  v: number,
  kind: VerbClass | null,
  date: DateSpan | null,
): Validity {
  const period = times.of(v);
  const at = date?.value ?? period.at;
  if (ENDING_CLASSES.has(kind)) return endedAt(at ?? null);
  const validity = ofState(period, times.isPresent(v));
  if (validity.since === undefined && validity.until === undefined && at !== undefined) validity.since = at.from;
  const { tag, lemma } = view.tokens[v]!;
  if (times.hasPastWord(v) || (tag === 'VBD' && STATES.has(lemma))) validity.past = true;
  return validity;
}

/** When a role is held, by the times of its phrase or of the clause whose predicate it is. */
export function validityOfRole({ times, view }: Clauses, i: number): Validity {
  const validity = ofState(times.ofNoun(i), times.isPresent(times.clauseOf(i)));
  const copula = view.kids(i, 'cop').at(0);
  if (times.hasPastWord(i) || (copula !== undefined && view.tag(copula) === 'VBD')) validity.past = true;
  return validity;
}

/** When what the clause around a token says holds, for what has no verb or role of its own. */
export function validityOfClause({ times }: Clauses, i: number): Validity {
  const clause = times.clauseOf(i);
  return ofState(times.of(clause), times.isPresent(clause));
}

/** Of what a change ends. */
export function endedAt(at: DateValue | null): Validity {
  return { ...(at === null ? {} : { until: at.to }), past: true };
}

/** What has an end is over, unless it is said of the present. */
function ofState({ since, until }: Period, isPresent: boolean): Validity {
  return {
    ...(since === undefined ? {} : { since }),
    ...(until === undefined ? {} : { until }),
    ...(until === undefined || isPresent ? {} : { past: true }),
  };
}
