import type { DatedSource, Note } from './notes.ts';

/** A source that names something as often is about it, too: its sentences need not repeat the name. */
const ABOUT_MIN = 3;
/** Of the sources. When as many name it, all of them may be about it, also those that say "the company". */
const COMMON_SHARE = 0.5;
const WORD_MIN_CHARS = 3;

/**
 * Whether a note can be about what the request names. A name that only some of the sources have sets them apart: of the
 * others, and of sources that mention it in passing, only sentences that name it themselves count.
 */
export function aboutNames(names: readonly string[], sources: readonly DatedSource[]): (note: Note) => boolean {
  const telling = names.flatMap((name) => tellingName(name, sources));
  if (telling.length === 0) return () => true;
  return (note) => telling.some(({ pattern, about }) => about.has(note.source.source_id) || pattern.test(said(note)));
}

function said({ text, context, source }: Note): string {
  return `${source.title}\n${[...context].join(' ')}\n${text}`;
}

function tellingName(name: string, sources: readonly DatedSource[]) {
  // People and documents shorten names: "Halvorsen" of "Halvorsen Membranes".
  const [first = ''] = name.split(/\s+/);
  if (first.length < WORD_MIN_CHARS) return [];
  const word = first.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');
  if (word === '') return [];
  const pattern = new RegExp(`(?<![\\p{L}\\p{N}])${word}(?![\\p{L}\\p{N}])`, 'iu');
  const counts = new Map(sources.map((source) => [source.source_id, countOf(source, word)]));
  const naming = [...counts.values()].filter((count) => count > 0).length;
  if (naming === 0 || naming >= sources.length * COMMON_SHARE) return [];
  const about = new Set([...counts].flatMap(([id, count]) => (count >= ABOUT_MIN ? [id] : [])));
  return [{ pattern, about }];
}

/** As often as is needed to know. */
function countOf({ title, body }: DatedSource, word: string): number {
  const text = `${title}\n${body}`.toLowerCase();
  let count = 0;
  for (let at = text.indexOf(word); at >= 0 && count < ABOUT_MIN; at = text.indexOf(word, at + word.length)) {
    const isWhole = !/[\p{L}\p{N}]/u.test(text[at - 1] ?? ' ') && !/[\p{L}\p{N}]/u.test(text[at + word.length] ?? ' ');
    if (isWhole) count += 1;
  }
  return count;
}
