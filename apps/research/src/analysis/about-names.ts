import type { DatedSource, Note } from './notes.ts';

/** A source that names something as often is about it, too: its sentences need not repeat the name. */
const ABOUT_MIN = 3;
/** Of the sources. When as many name it, all of them may be about it, also those that say "the company". */
const COMMON_SHARE = 0.5;
const WORD_MIN_CHARS = 3;

interface AboutNames {
  isAbout: (note: Note) => boolean;
  /** The names, in small letters, that set sources apart. */
  words: readonly string[];
}

/**
 * Which notes can be about what the request names. A name that only some of the sources have sets them apart: of the
 * others, and of sources that mention it in passing, only sentences that name it themselves count.
 */
export function aboutNames(names: readonly string[], sources: readonly DatedSource[]): AboutNames {
  const distinctive = names.flatMap((name) => distinctiveName(name, sources));
  const isAbout = (note: Note) =>
    distinctive.some(({ word, about }) => about.has(note.source.source_id) || countOf(textOf(note), word, 1) > 0);
  return { isAbout: distinctive.length === 0 ? () => true : isAbout, words: distinctive.map(({ word }) => word) };
}

function textOf({ text, context, source }: Note): string {
  return `${source.title}\n${[...context].join(' ')}\n${text}`;
}

function distinctiveName(name: string, sources: readonly DatedSource[]) {
  // People and documents shorten names: "Halvorsen" of "Halvorsen Membranes".
  const [first = ''] = name.split(/\s+/);
  if (first.length < WORD_MIN_CHARS) return [];
  const word = first.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');
  if (word === '') return [];
  const counts = new Map(
    sources.map((source) => [source.source_id, countOf(`${source.title}\n${source.body}`, word, ABOUT_MIN)]),
  );
  const naming = [...counts.values()].filter((count) => count > 0).length;
  if (naming === 0 || naming >= sources.length * COMMON_SHARE) return [];
  const about = new Set([...counts].flatMap(([id, count]) => (count >= ABOUT_MIN ? [id] : [])));
  return [{ word, about }];
}

/** How often the word is in a text by itself, up to `most`. */
function countOf(body: string, word: string, most: number): number {
  const text = body.toLowerCase();
  let count = 0;
  for (let at = text.indexOf(word); at >= 0 && count < most; at = text.indexOf(word, at + word.length))
    if (!isPartOfWord(text[at - 1]) && !isPartOfWord(text[at + word.length])) count += 1;
  return count;
}

function isPartOfWord(character: string | undefined): boolean {
  return character !== undefined && /[\p{L}\p{N}]/u.test(character);
}
