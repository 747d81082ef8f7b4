import { cutText } from '@cairn/language';
import { INVISIBLE } from '../../text/tokenise.ts';
import { LEGAL_FORMS, UNIT_WORDS } from './organisation-words.ts';

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
  const known = normalForms.get(name);
  if (known !== undefined) return known;
  if (normalForms.size >= REMEMBERED_MAX) normalForms.clear();
  // A piece of a text would keep the whole text in memory.
  const own = Buffer.from(name, 'utf16le').toString('utf16le');
  const normal = computeNormalForm(own);
  normalForms.set(own, normal);
  return normal;
}

/** The same names come again and again: in a text, in a batch, in a memory. */
const normalForms = new Map<string, string>();
const REMEMBERED_MAX = 10_000;

function computeNormalForm(name: string): string {
  const words = name
    .normalize('NFKD')
    .replace(/(?<=\p{Script=Latin})\p{Mn}+/gu, '')
    .normalize('NFKC')
    .replace(INVISIBLE, '')
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
  return cutText(words.slice(from, to).join(' '), NORMAL_MAX_CHARS);
}

/** The words of a normal form in one order, so that "Voss, Annegret" is "Annegret Voss". */
export function sortedForm(normal: string): string {
  return normal.split(' ').sort().join(' ');
}

/** The character trigrams of a normal form, packed into numbers, each once and in order. */
export function trigramsOf(normal: string): Float64Array {
  const padded = `  ${normal} `;
  const trigrams = new Float64Array(padded.length - 2);
  for (let at = 0; at < trigrams.length; at += 1)
    trigrams[at] =
      (padded.charCodeAt(at) * CODE_UNITS + padded.charCodeAt(at + 1)) * CODE_UNITS + padded.charCodeAt(at + 2);
  trigrams.sort();
  let distinct = 0;
  for (const trigram of trigrams)
    if (distinct === 0 || trigrams[distinct - 1] !== trigram) trigrams[distinct++] = trigram;
  return trigrams.slice(0, distinct);
}

const CODE_UNITS = 65_536;

/** Jaccard similarity of two sets of trigrams, 0 to 1. */
export function trigramSimilarity(a: Float64Array, b: Float64Array): number {
  let shared = 0;
  for (let at = 0, other = 0; at < a.length && other < b.length;) {
    const difference = a[at]! - b[other]!;
    if (difference === 0) shared += 1;
    if (difference <= 0) at += 1;
    if (difference >= 0) other += 1;
  }
  return shared / (a.length + b.length - shared);
}
