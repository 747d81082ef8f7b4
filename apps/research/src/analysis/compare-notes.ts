import type { Claim, Note } from './notes.ts';
import { amountsDiffer } from './quantities.ts';
import { yearsIn } from './document-date.ts';

/** Which notes about one thing still hold, and which contradict each other. */
interface NoteComparison {
  /** What no longer holds: a newer note says it again, or its document is superseded. */
  old: ReadonlySet<Note>;
  /** Notes of one time that cannot both hold. */
  disagreements: readonly (readonly [Note, Note])[];
  /** Notes of which the first, from a newer document, says otherwise than the second. */
  superseded: readonly (readonly [newer: Note, older: Note])[];
}

/** Most claims about one thing that are held against each other. */
const COMPARED_MAX = 60;
const KEY_WORDS_MIN = 2;

/**
 * Compares notes about one thing: those that say the same but for their values, and those that give amounts of the same
 * thing in other words. Values of different times are no disagreement: the newest holds. Of one time, or of times
 * unknown, different values are one.
 */
export function compareNotes(notes: readonly Note[]): NoteComparison {
  const old = new Set(notes.filter(({ documentDate }) => documentDate.isSuperseded));
  const series = newestOfSeries(notes);
  for (const note of notes) {
    const newest = series.get(seriesOf(note));
    if (newest !== undefined && note.documentDate.at !== null && note.documentDate.at < newest) old.add(note);
  }
  const disagreements: [Note, Note][] = [];
  const superseded: [Note, Note][] = [];
  for (const { a, b, claims } of pairsAboutOneThing(notes)) {
    let disagree = false;
    let replaced: [newer: Note, older: Note] | null = null;
    for (const [one, other] of claims) {
      const isOther = differ(one, other);
      const later = laterOf(one, other);
      if (later === null) {
        disagree ||= isOther;
        continue;
      }
      const [newer, older] = later === one ? [a, b] : [b, a];
      // What a newer document says again of its first sentence leaves the others as they are.
      if (isOther || older.claims.at(-1) === (later === one ? other : one)) old.add(older);
      if (isOther && isDatedByDocument(one) && isDatedByDocument(other)) replaced = [newer, older];
    }
    if (replaced !== null) superseded.push(replaced);
    else if (disagree && !old.has(a) && !old.has(b)) disagreements.push([a, b]);
  }
  return { old, disagreements, superseded };
}

/** Notes of different sources, and what they say of one thing. */
interface Compared {
  a: Note;
  b: Note;
  claims: (readonly [Claim, Claim])[];
}

/** Each pair once. */
function pairsAboutOneThing(notes: readonly Note[]): Compared[] {
  const stated = notes.flatMap((note) => note.claims.map((claim) => ({ note, claim })));
  const worded = Map.groupBy(stated.filter(isWorded), ({ claim }) => claim.key);
  const measured = Map.groupBy(
    // One word ("revenue") does not say whose it is.
    stated.filter(({ claim }) => claim.measured?.subject.includes(' ') === true),
    ({ claim }) => claim.measured!.subject,
  );
  const found = new Map<Note, Map<Note, Compared>>();
  for (const group of [...worded.values(), ...measured.values()]) {
    const compared = group.slice(0, COMPARED_MAX);
    for (const [i, one] of compared.entries())
      for (const other of compared.slice(i + 1)) {
        const [a, b] = [one.note, other.note];
        if (a.source.source_id === b.source.source_id || areOfTwo(one.claim, other.claim)) continue;
        const areWorded = isWorded(one) && one.claim.key === other.claim.key;
        if (!areWorded && !isSameAmount(one.claim, other.claim)) continue;
        const pair = found.get(a)?.get(b) ?? { a, b, claims: [] };
        pair.claims.push([one.claim, other.claim]);
        found.set(a, (found.get(a) ?? new Map<Note, Compared>()).set(b, pair));
      }
  }
  return [...found.values()].flatMap((pairs) => [...pairs.values()]);
}

function isWorded({ claim }: { claim: Claim }): boolean {
  return claim.key.split(' ').length >= KEY_WORDS_MIN;
}

/** Whether each is about what its document is about, and the documents are about different things. */
function areOfTwo(a: Claim, b: Claim): boolean {
  if (!DEFINITE.test(a.text) || !DEFINITE.test(b.text)) return false;
  const [one, other] = [topicOf(a.source), topicOf(b.source)];
  return one !== null && other !== null && one !== other;
}

/** "The population was …", "It has …": of what, another sentence says. */
const DEFINITE = /^(?:the|its?|they|their|he|his|she|her)\b/i;
const OPENING_CHARS = 300;

/** What a document is about that begins by saying what its title is: "Laie is a town". */
function topicOf({ title, body }: Claim['source']): string | null {
  const name = title.split(/[,(]/, 1)[0]!.trim().toLowerCase();
  const opening = body
    .slice(0, OPENING_CHARS)
    .toLowerCase()
    .replace(/^#[^\n]*\n+/, '');
  const start = opening.startsWith('the ') ? 4 : 0;
  if (name === '' || !opening.startsWith(name, start)) return null;
  return /^[^.\n]{0,80}\b(?:is|was|are|were)\b/.test(opening.slice(start + name.length)) ? name : null;
}

function isSameAmount({ measured: a }: Claim, { measured: b }: Claim): boolean {
  return a !== null && b !== null && amountsDiffer(a, b) !== null;
}

function laterOf(a: Claim, b: Claim): Claim | null {
  if (a.at === null || b.at === null || a.at === b.at) return null;
  return a.at > b.at ? a : b;
}

/** A statement that names its own time goes on holding for that time. */
function isDatedByDocument(claim: Claim): boolean {
  return yearsIn(claim.text).length === 0;
}

function differ(a: Claim, b: Claim): boolean {
  if (a.denies !== b.denies) return a.key === b.key && a.values === b.values;
  if (a.measured === null || b.measured === null) return false;
  return amountsDiffer(a.measured, b.measured) === true;
}

/** Documents that are called alike but for their date follow each other: "Operations report 2024", "… 2025". */
function seriesOf({ source }: Note): string {
  return source.title
    .toLowerCase()
    .replace(/_/g, ' ')
    .replace(/[^\p{L}\s]+/gu, ' ')
    .replace(
      /\b(?:january|february|march|april|may|june|july|august|september|october|november|december|archive|v|version|q|h)\b/g,
      ' ',
    )
    .replace(/\s+/g, ' ')
    .trim();
}

function newestOfSeries(notes: readonly Note[]): Map<string, number> {
  const newest = new Map<string, number>();
  for (const note of notes) {
    const { at, isSuperseded } = note.documentDate;
    // A message of a conversation does not replace the one before it.
    if (at === null || isSuperseded || note.documentDate.label === null || !/\d{4}/.test(note.source.title)) continue;
    const name = seriesOf(note);
    if (name !== '') newest.set(name, Math.max(at, newest.get(name) ?? at));
  }
  return newest;
}
