import type { DateSpan } from '../text/dates.ts';
import type { Adjunct, Clauses } from './clauses.ts';
import type { Mention, Validity } from './relation.ts';
import { DATE_PREPOSITIONS, type VerbClass, verbClass } from '../vocabulary/word-classes.ts';
import { type Mood, moodOf } from './mood.ts';
import { endedAt, validityOfClause, validityOfVerb } from './validity.ts';

/** A verb with everything beside it, as its relations are read from. */
export interface Frame {
  v: number;
  lemma: string;
  kind: VerbClass | null;
  passive: boolean;
  negated: boolean;
  mood: Mood;
  subjects: Mention[];
  /** Heads of the objects, and what they name. */
  objects: number[];
  objectMentions: Mention[];
  adjuncts: Adjunct[];
  agents: Mention[];
  date: DateSpan | null;
  /** Of what the verb says; of a verb of leaving, of what it says to be over. */
  validity: Validity;
  /** The same by what says since or until when alone: a day on which something is said is no beginning. */
  bounds: Validity;
  /** Of what a change takes the place of. */
  before: Validity;
}

const PARTICLES = new Set('away up down out over off aside'.split(' '));
const EVENT_CLASSES = new Set<VerbClass | null>(['found', 'die', 'born']);
const SUBORDINATE = new Set(['acl', 'advcl', 'acl:relcl']);

/** The frame of the verb at `v`. What happens once may take the only date of its sentence. */
export function readFrame(clauses: Clauses, v: number): Frame {
  const { view } = clauses;
  const token = view.tokens[v]!;
  const { lemma, kind } = classOf(clauses, v);
  const adjuncts = clauses.adjuncts(v);
  const objects = view.kids(v, 'obj', 'iobj').flatMap((k) => view.listed(k));
  let date = clauses.dateOf(v, adjuncts, DATE_PREPOSITIONS);
  if (date === null && EVENT_CLASSES.has(kind) && !SUBORDINATE.has(token.label)) date = onlyDate(clauses, v);
  const at = (date === null ? null : clauses.times.dayOf(date, v)) ?? clauses.times.of(v).at ?? null;
  const mood = moodOf(view, v, at !== null);
  return {
    v,
    lemma,
    kind,
    passive: clauses.isPassive(v),
    negated: view.negated(v),
    mood,
    subjects: clauses.subjectsOf(v),
    objects,
    objectMentions: objects.flatMap((k) => view.mention(k) ?? clauses.about(k)[0] ?? []),
    adjuncts,
    agents: adjuncts.filter(({ agent }) => agent).flatMap(({ head }) => view.mention(head) ?? []),
    date,
    validity: kind === 'leave' ? endedAt(at, mood) : validityOfVerb(clauses, v, at),
    bounds: validityOfClause(clauses, v),
    before: endedAt(at, mood),
  };
}

/** Who directs a film does not lead it. */
export function leadingRelation({ lemma }: Frame, { type }: Mention): string {
  return lemma === 'direct' && type !== 'organisation' ? 'directed_by' : 'led_by';
}

/** The sentence's only date, unless it belongs to another verb. */
function onlyDate({ view }: Clauses, v: number): DateSpan | null {
  const [date, more] = view.dates;
  if (date === undefined || more !== undefined) return null;
  let at = date.from;
  for (let steps = 0; steps < 8 && at >= 0 && !view.tokens[at]!.verb; steps++) at = view.tokens[at]!.head;
  return at < 0 || at === v || !view.tokens[at]!.verb || view.subjectOf(at) === undefined ? date : null;
}

/** The verb with its particle, and the class it is read as; "born" is one whatever its lemma. */
function classOf({ view }: Clauses, v: number): { lemma: string; kind: VerbClass | null } {
  const token = view.tokens[v]!;
  const particle = token.children.find(
    (k) => k > v && PARTICLES.has(view.lower(k)) && (view.tokens[k]!.label === 'compound:prt' || k === v + 1),
  );
  const lemma = particle === undefined ? token.lemma : `${token.lemma} ${view.lower(particle)}`;
  const kind = token.lower === 'born' ? 'born' : verbClass(lemma);
  return { lemma, kind: kind === 'born' && token.lower !== 'born' ? null : kind };
}
