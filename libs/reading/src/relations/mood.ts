import { isSubject, type SentenceView } from './view.ts';

/** How a sentence says what a verb means: as a fact, as what is to come, or as neither of them. */
export type Mood = 'fact' | 'coming' | 'open';

const FUTURE = new Set(['will', "'ll", '’ll', 'shall']);
/** What leaves open or denies what its clause says. */
const OPENING_MARKS = new Set('if unless whether lest without'.split(' '));
const OPENING_ADVERBS = new Set(
  'neither nor hardly barely almost nearly perhaps maybe possibly probably allegedly reportedly supposedly'.split(' '),
);
const ALTERNATIVES = new Set(['or', 'nor']);
/** A clause under a verb is said only if the verb says no more than that somebody says or knows it. */
const SAYING = new Set('say tell state announce report confirm reveal know show note add'.split(' '));
const PRESENT = new Set(['VBZ', 'VBP']);
const NON_FINITE = new Set(['VB', 'VBG', 'VBN']);
const DEPTH_MAX = 6;

/** The mood of a verb by its auxiliaries, its tense and the clauses above it; `isDated`: it says when. */
export function moodOf(view: SentenceView, v: number, isDated: boolean): Mood {
  if (v < 0 || view.form(view.tokens.length - 1) === '?') return 'open';
  const mood = modeOf(view, v, 0);
  if (mood !== 'fact') return mood;
  const auxiliaries = auxiliariesOf(view, v);
  if (view.tag(v) === 'VBG' && auxiliaries.length > 0) return 'coming';
  const isPerfect = auxiliaries.some((k) => view.tokens[k]!.lemma === 'have');
  const isPresent = [v, ...auxiliaries].some((k) => PRESENT.has(view.tag(k))) && !isPerfect;
  // "Leaves in 2030" is planned; "leaves" alone may have happened as well.
  return isPresent ? (isDated ? 'coming' : 'open') : 'fact';
}

function modeOf(view: SentenceView, v: number, depth: number): Mood {
  const own = ownMode(view, v);
  if (own === 'open') return own;
  const above = modeAbove(view, v, depth);
  return above === 'fact' ? own : above;
}

function ownMode(view: SentenceView, v: number): Mood {
  if (view.negated(v)) return 'open';
  let mood: Mood = 'fact';
  for (const k of view.tokens[v]!.children) {
    const { label, lower, tag } = view.tokens[k]!;
    if (tag === 'TO' && k < v && label !== 'case') return 'open';
    if ((label === 'mark' || label === 'case') && OPENING_MARKS.has(lower)) return 'open';
    if (OPENING_ADVERBS.has(lower)) return 'open';
    if (tag !== 'MD') continue;
    if (!FUTURE.has(lower)) return 'open';
    mood = 'coming';
  }
  return mood;
}

/** What the clauses around a verb's make of it. */
function modeAbove(view: SentenceView, v: number, depth: number): Mood {
  const { head, label, tag } = view.tokens[v]!;
  const isThat = label !== 'conj' && isThatClause(view, v);
  if (head < 0) return isThat ? 'open' : 'fact';
  if (depth >= DEPTH_MAX) return 'open';
  if (label === 'ccomp' || isThat) {
    const { verb, lemma } = view.tokens[head]!;
    return verb && SAYING.has(lemma) && modeOf(view, head, depth + 1) === 'fact' ? 'fact' : 'open';
  }
  const finite = !NON_FINITE.has(tag) || auxiliariesOf(view, v).length > 0;
  switch (label) {
    case 'xcomp':
    case 'csubj':
      return 'open';
    case 'acl':
      return view.hasKid(v, 'mark') ? 'open' : 'fact';
    case 'advcl':
      return finite ? 'fact' : modeOf(view, head, depth + 1);
    case 'conj': {
      const shares = !finite || view.kids(v, 'cc').some((k) => ALTERNATIVES.has(view.lower(k)));
      return (shares ? modeOf : modeAbove)(view, head, depth + 1);
    }
    default:
      return 'fact';
  }
}

/** "(The claim) that X left Y": what the tree takes for a relative clause has a subject besides "that". */
function isThatClause(view: SentenceView, v: number): boolean {
  const kids = view.tokens[v]!.children;
  const that = kids.find((k) => k < v && view.lower(k) === 'that');
  return that !== undefined && kids.some((k) => k > that && k < v && isSubject(view.tokens[k]!.label));
}

function auxiliariesOf(view: SentenceView, v: number): number[] {
  return view.tokens[v]!.children.filter((k) => view.tokens[k]!.label.startsWith('aux'));
}
