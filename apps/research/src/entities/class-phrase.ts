import { countryNamed } from './nationality.ts';
import { loadNouns } from './nouns.ts';

/** One thing that a phrase calls somebody: "former ski jumper" of "German former ski jumper and footballer". */
export interface ClassTerm {
  /** All words in lower case, demonyms and "former" left out. */
  words: string[];
  /** The singular noun at its end, of several words where these are one noun. */
  head: string;
  past: boolean;
}

export interface ClassPhrase {
  terms: ClassTerm[];
  /** Adjectives of places, as written. */
  demonyms: string[];
  /** Where the phrase ends in the text it was read from. */
  end: number;
}

/** Words that a noun phrase ends before. */
const ENDS = new Set(
  (
    'who whom whose which that where when while because since from in of at for with known best better most born based headquartered to by on as ' +
    'specialising specializing named called founded established located situated formed is was are were has had during ' +
    'after before under whom having working living active about into near through between within without noted famous ' +
    'notable perhaps whose currently considered using making made producing featuring owned operated created ' +
    'designed published released written directed produced serving playing credited associated nicknamed also but'
  ).split(' '),
);
const PAST = new Set(['former', 'ex', 'retired', 'erstwhile', 'one-time', 'onetime', 'late']);
const ARTICLES = new Set(['a', 'an', 'the', 'one', 'now', 'currently', 'both', 'all', 'some', 'any', 'every']);
const WORDS_MAX = 60;
const WORD = /[\p{L}\p{N}][\p{L}\p{N}\p{M}.’']*(?:-[\p{L}\p{N}\p{M}.’']+)*|[,;/&()]|\.(?=\s|$)/gu;

/** A phrase as a cell shows it: without an article before it and marks after it. */
export function shownPhrase(text: string): string {
  return text
    .trim()
    .replace(/^(?:an?|the|one of the)\s/i, '')
    .replace(/(?<![.,;])[.,;]+$/, '');
}

/** Reads what a phrase such as "American actor, producer and former model from Ohio" calls somebody. */
export function readClassPhrase(text: string): ClassPhrase {
  const nouns = loadNouns();
  const phrase: ClassPhrase = { terms: [], demonyms: [], end: 0 };
  let words: string[] = [];
  let past = false;
  const close = () => {
    if (words.length > 0) phrase.terms.push({ words, head: nouns.headOf(words), past });
    words = [];
    past = false;
  };
  const tokens = [...text.matchAll(WORD)].slice(0, WORDS_MAX);
  for (let at = 0; at < tokens.length; at += 1) {
    const { 0: token, index } = tokens[at]!;
    const pair = `${token} ${tokens[at + 1]?.[0] ?? ''}`;
    if (isPlacePair(pair)) {
      phrase.demonyms.push(pair);
      at += 1;
      continue;
    }
    const lower = token
      .toLowerCase()
      .replace(/[’']s?$/, '')
      .replace(/(?<=\p{L}{2})\.$/u, '');
    if (ENDS.has(lower) || /^[.;()]$/.test(token) || isParticiple(lower, tokens[at + 1]?.[0])) break;
    phrase.end = index + token.replace(/(?<=\p{L}{4})\.$/u, '').length;
    if (/^[,/&]$/.test(token) || lower === 'and' || lower === 'or') close();
    else if (PAST.has(lower) || lower.startsWith('ex-')) {
      past = true;
      if (lower.startsWith('ex-')) words.push(lower.slice(3));
    } else if (/^(?:American|Australian rules|Canadian) football$/u.test(pair)) {
      phrase.demonyms.push(token);
      words.push(lower);
    } else if (!addDemonyms(token, phrase.demonyms) && !ARTICLES.has(lower)) words.push(lower);
    if (/\p{L}{4}\.$/u.test(token)) break;
  }
  close();
  return phrase;
}

const AFTER_PARTICIPLE = new Set([
  'by',
  'and',
  'in',
  'to',
  'as',
  'for',
  'on',
  'at',
  'from',
  'with',
  'since',
  'primarily',
  'mainly',
]);

/** "developed by", "devoted to": what is said of the noun before, not a part of its phrase. */
function isParticiple(word: string, next: string | undefined): boolean {
  return word.endsWith('ed') && word.length > 4 && next !== undefined && AFTER_PARTICIPLE.has(next.toLowerCase());
}

/** "South Korean", "New Zealand". */
function isPlacePair(pair: string): boolean {
  if (!/^\p{Lu}\p{L}+ \p{Lu}\p{L}+$/u.test(pair)) return false;
  return countryNamed(pair) !== null || loadNouns().placesOf(pair).length > 0;
}

const NOT_CITIZENS = new Set(['born', 'based', 'style', 'language', 'speaking', 'owned']);

/** Whether the word is an adjective of a place, or several ("Canadian-American"). "Italian-born" is none. */
function addDemonyms(token: string, demonyms: string[]): boolean {
  if (!/^\p{Lu}/u.test(token)) return false;
  const nouns = loadNouns();
  if (nouns.placesOf(token).length > 0) {
    demonyms.push(token);
    return true;
  }
  const parts = token.split('-');
  if (parts.length === 1) return false;
  if (NOT_CITIZENS.has(parts.at(-1)!.toLowerCase())) return true;
  const known = parts.filter((part) => nouns.placesOf(part).length > 0);
  demonyms.push(...known);
  return known.length > 0;
}
