import { randomInt } from 'node:crypto';
import { dateTermsOf, isOfDates } from './dates.ts';
import { isPlain } from './plain-text.ts';
import { normalised, PLAIN_RUN, RUN, wordsOfRun } from './tokenise.ts';
import type { IndexWord } from './word.ts';
import { termsOf } from './word-terms.ts';

const PLAIN_RUN_HERE = new RegExp(PLAIN_RUN.source, 'y');
const RUN_HERE = new RegExp(RUN.source, 'uy');
const [SMALL_A, SMALL_Z, DIGIT_0, DIGIT_9, SPACE, PLUS, NUMBER_SIGN] = [0x61, 0x7a, 0x30, 0x39, 0x20, 0x2b, 0x23];
const ASCII_END = 0x80;
/** The bit that distinguishes small letters from capitals. */
const SMALL = 0x20;
/** The characters that join the parts of a run. */
const CONNECTORS: ReadonlySet<number> = new Set(Array.from("'’_.@-/:+#&", (sign) => sign.charCodeAt(0)));
const DIGIT = /[0-9]/;

/** 30 bits, which engines keep without a box: FNV-1a (http://www.isthe.com/chongo/tech/comp/fnv/). */
export function termNumber(term: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < term.length; at += 1) hash = Math.imul(hash ^ term.charCodeAt(at), 0x01000193);
  return (hash ^ (hash >>> 30)) & 0x3fffffff;
}

/**
 * Words of ASCII's letters that were read before, in 1 MB, so that they stay in a processor's cache: the map of stems,
 * its strings and its lists do not, and looking words up in it led the profile of reading. A slot has a check and
 * the number of the word's term with two marks; 49 bits tell two words of a language apart. Seeds are the process's
 * own, so that nobody can write words that are taken for others.
 */
const SLOTS = 131_072;
const slots = new Int32Array(2 * SLOTS);
const slotTerms = Array.from({ length: SLOTS }, () => '');
const STOP_WORD = 1 << 30;
const OF_DATES = 1 << 31;
const NUMBER = 0x3fffffff;
const [PLACE_SEED, CHECK_SEED] = [randomInt(0x7fffffff), randomInt(0x7fffffff)];
const CHECK_PRIME = 0x85ebca6b;

const languageSeeds = new Map<string, number>();

function seedOf(language: string): number {
  let seed = languageSeeds.get(language);
  if (seed === undefined) languageSeeds.set(language, (seed = Math.imul(languageSeeds.size + 1, 0x9e3779b1)));
  return seed;
}

/** What a reader takes of a term. */
interface TermForm<T> {
  /** Of a word that was read before, by its slot. */
  at: (slot: number) => T;
  of: (term: string) => T;
}

export const TERM_NUMBERS: TermForm<number> = { at: (slot) => slots[2 * slot + 1]! & NUMBER, of: termNumber };
export const TERMS: TermForm<string> = { at: (slot) => slotTerms[slot]!, of: (term) => term };

/**
 * Passes on the terms of a text with their positions, in the order of `tokenise`, at most `wordsMax` positions, stop words
 * left out. Returns the last word's position, 0 for a text of none.
 */
export function eachTerm<T>(
  text: string,
  { language, wordsMax, form }: { language: string; wordsMax: number; form: TermForm<T> },
  take: (term: T, position: number) => void,
): number {
  const normal = normalised(text);
  const plain = isPlain(normal);
  const pattern = plain ? PLAIN_RUN_HERE : RUN_HERE;
  // A text without digits has no dates.
  const ofDates: IndexWord[] | null = DIGIT.test(normal) ? [] : null;
  const dated = ofDates === null ? null : { terms: [] as T[], positions: [] as number[] };
  const seed = seedOf(language);
  let hasNumber = false;
  let position = 0;
  let last = 0;
  const found = (term: T, place: number) => {
    if (dated === null) return take(term, place);
    dated.terms.push(term);
    dated.positions.push(place);
  };
  for (let at = 0; at < normal.length && position < wordsMax;) {
    const code = normal.charCodeAt(at);
    const end = isLetter(code) ? lettersEnd(normal, at, plain) : -1;
    if (end >= 0) {
      const slot = slotOf(normal, at, end, language, seed);
      const value = slots[2 * slot + 1]!;
      if ((value & STOP_WORD) === 0) found(form.at(slot), position);
      if (ofDates !== null) {
        const said = (value & OF_DATES) === 0 ? '' : normal.slice(at, end).toLowerCase();
        ofDates.push({ text: said, plain: true, position });
      }
      last = position;
      position += 1;
      at = end;
      continue;
    }
    if (!mayBeginRun(code, plain)) {
      at += 1;
      continue;
    }
    pattern.lastIndex = at;
    const run = pattern.exec(normal)?.[0];
    if (run === undefined) {
      at += characterLength(code);
      continue;
    }
    at += run.length;
    const { words, next } = wordsOfRun(run, position);
    while (words.length > 0 && words.at(-1)!.position >= wordsMax) words.pop();
    position = next;
    if (ofDates !== null)
      for (const word of words) {
        ofDates.push(word);
        hasNumber ||= !word.plain && DIGIT.test(word.text);
      }
    for (const word of words.sort((a, b) => a.position - b.position)) {
      const { terms, stopWord } = termsOf(word, language);
      if (!stopWord) for (const term of terms) found(form.of(term), word.position);
      last = word.position;
    }
  }
  if (dated === null) return last;
  const dates = hasNumber ? dateTermsOf(ofDates!) : [];
  const termsOfDates = dates.map((date) => ({
    term: form.of(termsOf(date, language).terms[0]!),
    place: date.position,
  }));
  takeDated(dated, termsOfDates, take);
  return last;
}

/** The terms of dates stand behind the others of their positions. */
function takeDated<T>(
  { terms, positions }: { terms: readonly T[]; positions: readonly number[] },
  dates: { term: T; place: number }[],
  take: (term: T, position: number) => void,
): void {
  let next = 0;
  const takeUpTo = (position: number) => {
    for (; next < terms.length && positions[next]! <= position; next += 1) take(terms[next]!, positions[next]!);
  };
  for (const { term, place } of dates.sort((a, b) => a.place - b.place)) {
    takeUpTo(place);
    take(term, place);
  }
  takeUpTo(Number.POSITIVE_INFINITY);
}

/** Where a word of ASCII's letters is kept. */
function slotOf(text: string, start: number, end: number, language: string, seed: number): number {
  let place = PLACE_SEED ^ seed;
  let check = CHECK_SEED ^ seed;
  for (let at = start; at < end; at += 1) {
    const letter = text.charCodeAt(at) | SMALL;
    place = Math.imul(place ^ letter, 0x01000193);
    check = Math.imul((check << 5) ^ (check >>> 27) ^ letter, CHECK_PRIME);
  }
  // Never that of an empty slot.
  check |= 1;
  const slot = (place ^ (place >>> 15)) & (SLOTS - 1);
  if (slots[2 * slot] === check) return slot;
  // A string of its own: what is kept of a slice would keep the whole text.
  const word = Buffer.from(text.slice(start, end).toLowerCase(), 'latin1').toString('latin1');
  const { terms, stopWord } = termsOf({ text: word, plain: true, position: 0 }, language);
  // A word without accents has one term.
  const [term] = terms as [string];
  slots[2 * slot] = check;
  slots[2 * slot + 1] = termNumber(term) | (stopWord ? STOP_WORD : 0) | (isOfDates(word) ? OF_DATES : 0);
  slotTerms[slot] = term;
  return slot;
}

/** Where a run of ASCII's letters that is one word ends; -1 when the run is more than that, or may be. */
function lettersEnd(text: string, start: number, plain: boolean): number {
  let end = start;
  let wasSmall = false;
  for (; end < text.length && isLetter(text.charCodeAt(end)); end += 1) {
    const isSmall = text.charCodeAt(end) >= SMALL_A;
    if (wasSmall && !isSmall) return -1;
    wasSmall = isSmall;
  }
  if (end === text.length) return end;
  const next = text.charCodeAt(end);
  if (next === SPACE) return end;
  // They may belong to the word before them: C++, C#.
  if (next === PLUS || next === NUMBER_SIGN) return -1;
  let after = end;
  while (after < text.length && CONNECTORS.has(text.charCodeAt(after))) after += 1;
  return after < text.length && mayBeginRun(text.charCodeAt(after), plain) ? -1 : end;
}

/** Whether a character is a letter, a mark or a digit; of those that are not ASCII's, whether it may be. */
function mayBeginRun(code: number, plain: boolean): boolean {
  return code < ASCII_END ? isLetter(code) || (code >= DIGIT_0 && code <= DIGIT_9) : !plain;
}

/** True for the letters of ASCII. */
function isLetter(code: number): boolean {
  const small = code | SMALL;
  return small >= SMALL_A && small <= SMALL_Z;
}

function characterLength(code: number): 1 | 2 {
  return code >= 0xd800 && code < 0xdc00 ? 2 : 1;
}
