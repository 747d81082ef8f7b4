import { type ClassPhrase, type ClassTerm, readClassPhrase } from './class-phrase.ts';
import { type EntityKind, loadNouns } from './nouns.ts';

/** One of the kinds of people or organisations that a request asks for. */
export interface RequestedClass {
  /** A singular noun; null for every person, or every organisation. */
  head: string | null;
  /** Further words that must be said: "reggae" of "reggae singers". */
  modifiers: string[];
  /** Only those of the past are asked for. */
  past: boolean;
}

const ANYBODY = new Set(
  'person people individual someone anyone everyone everybody candidate expert employee colleague staff member figure one those anybody'.split(
    ' ',
  ),
);
const ANY_ORGANISATION = new Set(
  'company firm business organisation organization corporation enterprise startup start-up vendor supplier maker manufacturer producer provider operator concern seller distributor house'.split(
    ' ',
  ),
);
/** Adjectives of requests that narrow nothing. */
const EMPTY = new Set(
  'all any known named various different certain famous notable well-known other several many mentioned'.split(' '),
);
const OBJECTS = /^(?:of|for) (\S.*)$/u;

/** Whether a class is every person, or every organisation. */
export function isUnrestrictedClass({ head, modifiers, past }: RequestedClass): boolean {
  return head === null && modifiers.length === 0 && !past;
}

/** Whether the noun stands for every person or organisation. */
export function isGenericNoun(noun: string, kind: EntityKind): boolean {
  return (kind === 'person' ? ANYBODY : ANY_ORGANISATION).has(noun);
}

/** The kinds that a noun phrase asks for: "beer and publishing companies" → companies of beer, companies of publishing. */
export function requestedClasses(
  text: string,
  kind: EntityKind,
): { classes: RequestedClass[]; demonyms: string[]; rest: string } {
  const phrase = readClassPhrase(text);
  const rest = text.slice(phrase.end);
  // "American football" is a sport, wherever it is played.
  const demonyms = phrase.demonyms.filter((demonym) => !text.includes(`${demonym} football`));
  const terms = phrase.terms.filter(({ words }) => words.some((word) => !EMPTY.has(word)));
  const objects = objectsOf(phrase, rest, kind);
  if (objects !== null)
    return {
      classes: objects.map((object) => ({ head: null, modifiers: object, past: false })),
      demonyms,
      rest: '',
    };
  const last = terms.at(-1);
  // "video game developers and publishers" are publishers of video games.
  const [first] = terms;
  const before = first?.words.slice(0, -1) ?? [];
  if (kind === 'organisation' && first !== undefined && terms.every(({ head }) => isMaker(head)))
    for (const term of terms) if (term.words.length === 1) term.words.unshift(...before);
  const classes = last === undefined ? [] : terms.flatMap((term) => classOf(term, last, kind));
  return { classes, demonyms, rest };
}

/** "developer": a noun for persons that organisations bear as well. */
function isMaker(head: string): boolean {
  return /(?:er|or)$/.test(head) && loadNouns().canBe(head, 'person');
}

/** What "makers of rifles or pistols" make. */
function objectsOf({ terms }: ClassPhrase, rest: string, kind: EntityKind): string[][] | null {
  const object = OBJECTS.exec(rest.trim())?.[1];
  if (kind !== 'organisation' || object === undefined || terms.length === 0) return null;
  if (!terms.every(({ head }) => ANY_ORGANISATION.has(head) || isMaker(head))) return null;
  const found = readClassPhrase(object).terms.map(({ words }) => words);
  return found.length === 0 ? null : found;
}

function classOf(term: ClassTerm, last: ClassTerm, kind: EntityKind): RequestedClass[] {
  const nouns = loadNouns();
  const words = term.words.filter((word) => !EMPTY.has(word));
  const isAgent = kind === 'organisation' && isMaker(term.head);
  const own = nouns.canBe(term.head, kind) || isGenericNoun(term.head, kind) || isAgent || term === last;
  const shared = last.head.split(' ').at(-1)!;
  const head = own ? term.head : isGenericNoun(shared, kind) ? shared : last.head;
  const tail = head.split(' ').at(-1)!;
  const before = own ? words.slice(0, words.length - head.split(' ').length) : words;
  if (isGenericNoun(head, kind)) return [{ head: null, modifiers: before, past: term.past }];
  if (kind === 'organisation' && isGenericNoun(tail, kind) && head.includes(' '))
    return [
      { head, modifiers: before, past: term.past },
      { head: null, modifiers: [...before, ...head.split(' ').slice(0, -1)], past: term.past },
    ];
  if (head.includes(' '))
    return [
      { head, modifiers: before, past: term.past },
      { head: tail, modifiers: [...before, ...head.split(' ').slice(0, -1)], past: term.past },
    ];
  return [{ head, modifiers: before, past: term.past }];
}
