import { LEGAL_FORMS, UNIT_WORDS } from './extract/organisation-words.ts';

const ARTICLES = new Set([
  'the',
  'a',
  'an',
  'our',
  'der',
  'die',
  'das',
  'le',
  'la',
  'les',
  'every',
  'each',
  'all',
  'its',
  'their',
  'his',
  'her',
  'your',
  'my',
  'this',
  'that',
]);
const NORMAL_MAX_CHARS = 200;

/**
 * What two spellings of a name share: NFKC, small letters, no marks on Latin letters, no articles, legal forms and
 * words for a unit. Letters of every script survive; empty only when the name has no letter and no digit.
 */
export function normalForm(name: string): string {
  const words = name
    .normalize('NFKD')
    .replace(/(?<=\p{Script=Latin})\p{Mn}+/gu, '')
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[’'`´]s(?=$|[^\p{L}])/gu, '')
    .replace(/ß/g, 'ss')
    .replace(/[^\p{L}\p{N}\p{M}+#]+/gu, ' ')
    .trim()
    .split(' ');
  let from = 0;
  let to = words.length;
  while (from < to - 1 && ARTICLES.has(words[from]!)) from += 1;
  while (from < to - 1 && (LEGAL_FORMS.has(words[to - 1]!) || UNIT_WORDS.has(words[to - 1]!))) to -= 1;
  return words.slice(from, to).join(' ').slice(0, NORMAL_MAX_CHARS);
}

/** The words of a normal form in one order, so that "Voss, Annegret" is "Annegret Voss". */
export function sortedForm(normal: string): string {
  return normal.split(' ').sort().join(' ');
}

/** Jaccard similarity of the character trigrams of two normal forms, 0 to 1. */
export function trigramSimilarity(a: string, b: string): number {
  const [of, others] = [trigramsOf(a), trigramsOf(b)];
  let shared = 0;
  for (const trigram of of) if (others.has(trigram)) shared += 1;
  return shared / (of.size + others.size - shared);
}

function trigramsOf(text: string): Set<string> {
  const padded = `  ${text} `;
  const trigrams = new Set<string>();
  for (let at = 0; at + 3 <= padded.length; at += 1) trigrams.add(padded.slice(at, at + 3));
  return trigrams;
}
