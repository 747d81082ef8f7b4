import unhomoglyph from 'unhomoglyph';

/** A text as detectors read it, with the way back. */
export interface NormalizedText {
  text: string;
  /** The place in the original of a place in `text`. */
  originalOf(position: number): number;
}

// Zero-width characters, joiners and soft hyphens: nobody sees them. Direction marks come apart below.
const INVISIBLE = /\p{Default_Ignorable_Code_Point}/u;
const DIRECTIONS = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/;
const SPACES = /[\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000]/;
const DASHES = /[\u2010-\u2015\u2212\ufe58\ufe63]/;
/** Latin letters and their punctuation are read as they are. */
const NEEDS_VIEW = /[^\p{ASCII}\u00c0-\u024f]/u;

/**
 * Undoes what hides a value from a pattern while a person still reads it: full-width digits and letters, invisible
 * characters, odd spaces and dashes. A text without any of them is its own view.
 */
export function normalizeText(original: string): NormalizedText {
  if (!NEEDS_VIEW.test(original)) return { text: original, originalOf: (position) => position };
  const starts: number[] = [];
  let text = '';
  let position = 0;
  for (const char of original) {
    const plain = plainOf(char);
    for (let index = 0; index < plain.length; index += 1) starts.push(position);
    text += plain;
    position += char.length;
  }
  starts.push(original.length);
  return { text: withoutLookalikes(text), originalOf: (at) => starts[at] ?? original.length };
}

function plainOf(char: string): string {
  const code = char.charCodeAt(0);
  if (code < 0x80) return char;
  if (INVISIBLE.test(char) || DIRECTIONS.test(char)) return '';
  if (SPACES.test(char)) return ' ';
  if (DASHES.test(char)) return '-';
  // Full-width forms, mathematical letters, digits in circles: as they are read.
  if (code >= 0xff01 || (code >= 0x2460 && code <= 0x24ff)) {
    const folded = char.normalize('NFKC');
    return folded.length <= 4 ? folded : char;
  }
  if (DIGIT.test(char)) return digitOf(char);
  return char;
}

/** Digits of other scripts; every set is ten in a row. */
const DIGIT = /\p{Nd}/u;

function digitOf(char: string): string {
  let value = 0;
  while (value < 9 && DIGIT.test(String.fromCodePoint(char.codePointAt(0)! - value - 1))) value += 1;
  return String(value);
}

const WORD = /\S{2,4000}/g;
const FOREIGN_LETTER = /(?!\p{Script=Latin})\p{L}/gu;

/** Letters of other scripts that look like ours, in words that have some of ours: `р` of Cyrillic in `pаssword`. */
function withoutLookalikes(text: string): string {
  return text.replace(WORD, (word) => (/[a-z0-9]/i.test(word) ? word.replace(FOREIGN_LETTER, lookalikeOf) : word));
}

function lookalikeOf(char: string): string {
  const plain = unhomoglyph(char);
  return /^[a-z0-9]$/i.test(plain) && char.length === 1 ? plain : char;
}
