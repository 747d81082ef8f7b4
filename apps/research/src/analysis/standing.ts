import type { Note } from './notes.ts';

/** How notes about one thing stand to each other. */
interface Standing {
  /** What no longer holds: a newer note says it again, or its document is superseded. */
  old: ReadonlySet<Note>;
  /** Notes of one time that cannot both hold. */
  disagreements: readonly (readonly [Note, Note])[];
}

/** Most notes of one key that are held against each other. */
const COMPARED_MAX = 60;
const KEY_WORDS_MIN = 2;

/**
 * Compares notes that say the same of different values. Values of different times are no disagreement: the newest
 * holds. Of one time, or of times unknown, different values are one.
 */
export function standingOf(notes: readonly Note[]): Standing {
  const old = new Set(notes.filter(({ vintage }) => vintage.isSuperseded));
  const series = newestOfSeries(notes);
  for (const note of notes) {
    const newest = series.get(seriesOf(note));
    if (newest !== undefined && note.vintage.at !== null && note.vintage.at < newest) old.add(note);
  }
  const disagreements: [Note, Note][] = [];
  for (const [key, group] of Map.groupBy(notes, ({ key }) => key)) {
    if (group.length < 2 || key.split(' ').length < KEY_WORDS_MIN) continue;
    const compared = group.slice(0, COMPARED_MAX);
    compared.forEach((a, i) => {
      for (const b of compared.slice(i + 1)) {
        if (a.source.source_id === b.source.source_id) continue;
        const later = laterOf(a, b);
        if (later !== null) old.add(later === a ? b : a);
        else if (differ(a, b) && !old.has(a) && !old.has(b)) disagreements.push([a, b]);
      }
    });
  }
  return { old, disagreements };
}

function laterOf(a: Note, b: Note): Note | null {
  if (a.at === null || b.at === null || a.at === b.at) return null;
  return a.at > b.at ? a : b;
}

function differ(a: Note, b: Note): boolean {
  return a.denies !== b.denies ? a.values === b.values : a.values !== b.values;
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
    const { at, isSuperseded } = note.vintage;
    // A message of a conversation does not replace the one before it.
    if (at === null || isSuperseded || note.vintage.label === null || !/\d{4}/.test(note.source.title)) continue;
    const name = seriesOf(note);
    if (name !== '') newest.set(name, Math.max(at, newest.get(name) ?? at));
  }
  return newest;
}
