import type { DateSpan } from '../text/dates.ts';
import type { Adjunct, Clauses } from './clauses.ts';
import type { Validity } from './relation.ts';
import type { SentenceView } from './view.ts';

const PAST_WORDS = new Set('former formerly ex previously once late onetime then-'.split(' '));
const BEGINNINGS = new Set(['since', 'from', 'after']);
const ENDINGS = new Set(['until', 'till', 'to', 'through', 'before']);
const STATES = new Set([
  'live',
  'work',
  'play',
  'serve',
  'lead',
  'head',
  'run',
  'own',
  'chair',
  'manage',
  'reside',
  'base',
]);

function range(date: DateSpan): { since: string; until: string } {
  return { since: date.value.from, until: date.value.to };
}

/** When what a verb says holds, from its tense and the dates with "since", "until", "from … to". */
export function validityOfVerb(
  clauses: Clauses,
  v: number,
  adjuncts: readonly Adjunct[],
  date: DateSpan | null,
): Validity {
  const { view } = clauses;
  const validity: Validity = {};
  for (const { preposition, head } of adjuncts) {
    const of = view.dateIn(head);
    if (of === null) continue;
    if (BEGINNINGS.has(preposition)) validity.since = range(of).since;
    if (ENDINGS.has(preposition)) {
      validity.until = range(of).until;
      validity.past = true;
    }
  }
  saidBeside(view, v, validity);
  if (validity.since === undefined && validity.until === undefined && date !== null) validity.since = date.value.from;
  const token = view.tokens[v]!;
  if (hasPastWord(view, v)) validity.past = true;
  if (token.tag === 'VBD' && STATES.has(token.lemma)) validity.past = true;
  return validity;
}

const SURE_BEGINNINGS = new Set(['since']);
const SURE_ENDINGS = new Set(['until', 'till']);

/** "since 2010" and "until 2015" belong to the verb before them, whatever noun the tree hangs them on. */
function saidBeside(view: SentenceView, v: number, validity: Validity): void {
  for (const date of view.dates) {
    const word = view.lower(date.from - 1);
    if (date.from <= v || (!SURE_BEGINNINGS.has(word) && !SURE_ENDINGS.has(word))) continue;
    if (view.tokens.slice(v + 1, date.from).some(({ verb }) => verb)) continue;
    if (SURE_BEGINNINGS.has(word)) validity.since ??= range(date).since;
    else {
      validity.until ??= range(date).until;
      validity.past = true;
    }
  }
}

/** When a role is held: "former", "since 2010", "until 2015", "from 2010 to 2015". */
export function validityOfRole(view: SentenceView, i: number): Validity {
  const validity: Validity = {};
  if (hasPastWord(view, i)) validity.past = true;
  const { head } = view.tokens[i]!;
  const near = [...view.tokens[i]!.children, ...(head >= 0 ? view.tokens[head]!.children : [])];
  for (const k of near) {
    const date = view.dateIn(k);
    if (date === null) continue;
    const preposition = view.preposition(k);
    if (BEGINNINGS.has(preposition)) validity.since = range(date).since;
    if (ENDINGS.has(preposition)) {
      validity.until = range(date).until;
      validity.past = true;
    }
  }
  const copula = view.kids(i, 'cop').at(0);
  if (copula !== undefined && view.tag(copula) === 'VBD') validity.past = true;
  return validity;
}

function hasPastWord(view: SentenceView, i: number): boolean {
  return view.tokens[i]!.children.some((k) => PAST_WORDS.has(view.lower(k))) || PAST_WORDS.has(view.lower(i - 1));
}
