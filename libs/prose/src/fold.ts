import { decodeNamedCharacterReference } from 'decode-named-character-reference';

/** Characters that nobody sees; joiners between letters of scripts that need them are kept. */
const INVISIBLE = /\p{Default_Ignorable_Code_Point}|(?![\n\t])\p{Cc}|[\u2028\u2029\ufff9-\ufffb]/gu;
const BREAKS = /\r\n?|[\u0085\u2028\u2029]/g;
const JOINERS: ReadonlySet<string> = new Set(['\u200c', '\u200d', '\ufe0e', '\ufe0f']);
/** Scripts whose spelling needs joiners, and emoji, whose sequences do. */
const NEEDS_JOINER =
  /[\p{Script=Arabic}\p{Script=Devanagari}\p{Script=Bengali}\p{Script=Gurmukhi}\p{Script=Gujarati}\p{Script=Oriya}\p{Script=Tamil}\p{Script=Telugu}\p{Script=Kannada}\p{Script=Malayalam}\p{Script=Sinhala}\p{Script=Khmer}\p{Script=Mongolian}\p{Extended_Pictographic}]/u;

/** Removes what could hide an address from a reader or from the patterns, and makes every line break one. */
export function withoutInvisible(text: string): string {
  return text.replace(BREAKS, '\n').replace(INVISIBLE, (char, offset: number) => {
    if (!JOINERS.has(char)) return '';
    const before = [...text.slice(Math.max(0, offset - 2), offset)].at(-1) ?? '';
    return NEEDS_JOINER.test(before) ? char : '';
  });
}

const LOOKALIKES: ReadonlyMap<string, string> = new Map(
  Object.entries<string>({
    '\u2044': '/',
    '\u2215': '/',
    '\u29f8': '/',
    '\u2571': '/',
    '\u27cb': '/',
    '\u1735': '/',
    '\u2cc6': '/',
    '\u29f5': '\\',
    '\u2216': '\\',
    '\ufe68': '\\',
    '\u2236': ':',
    '\u02d0': ':',
    '\ua789': ':',
    '\u0589': ':',
    '\u05c3': ':',
    '\u2024': '.',
    '\u3002': '.',
    '\uff61': '.',
    '\u06d4': '.',
    '\u2027': '.',
    '\u00b7': '.',
  }),
);
const DECODE_ROUNDS_MAX = 3;

/** A word as a renderer, a browser or a reader may take it: decoded, in compatibility form, with plain separators. */
export function foldWord(word: string): string {
  let folded = word;
  for (let round = 0; round < DECODE_ROUNDS_MAX; round += 1) {
    const next = decodeOnce(folded);
    if (next === folded) break;
    folded = next;
  }
  return [...folded.normalize('NFKC')].map((char) => LOOKALIKES.get(char) ?? char).join('');
}

function decodeOnce(word: string): string {
  return word
    .replace(/%([0-9a-f]{2})/gi, (whole, hex: string) => printable(Number.parseInt(hex, 16)) ?? whole)
    .replace(/&#(\d{1,7});?/g, (whole, digits: string) => printable(Number(digits)) ?? whole)
    .replace(/&#x([0-9a-f]{1,6});?/gi, (whole, hex: string) => printable(Number.parseInt(hex, 16)) ?? whole)
    .replace(/&([a-z][a-z0-9]{1,31});/gi, (whole, name: string) => named(name) ?? whole)
    .replace(/\\u\{?([0-9a-f]{4})\}?/gi, (whole, hex: string) => printable(Number.parseInt(hex, 16)) ?? whole)
    .replace(/\\(?=[!-/:-@[-`{-~])/g, '');
}

function named(name: string): string | null {
  const decoded = decodeNamedCharacterReference(name);
  return decoded === false ? null : decoded;
}

function printable(code: number): string | null {
  return code > 0x20 && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff) ? String.fromCodePoint(code) : null;
}
