import { cutText } from '@cairn/language';
import type { Statement } from '@cairn/language';
import { aliasesIn, definitionIn, withoutBrackets } from './definitions.ts';
import { nameKey, personNameIn } from './names.ts';
import { loadNouns } from './nouns.ts';

/** Whom a section of a text is about. */
export interface Subject {
  name: string;
  aliases: string[];
}

const PRONOUN = /^(?:he|she|it|they|this|these|who|which|there|we|i|you|his|her|its|their|our|my|both|all|each)\b/i;
const PERSONAL = /^(?:he|she|it|they)$/i;
const NOMINAL = /^(?:the|this)\s(?:\p{Ll}[\p{Ll}-]*\s){0,2}(\p{Ll}[\p{Ll}-]*)$/u;
const SMALL = new Set(
  'of the and for in de la le du von van der den di da del al el ap bin ibn y e on at to & - a an'.split(' '),
);
const NAME_WORDS_MAX = 9;
const TITLE_MAX = 200;

/** A title without brackets and without what follows a dash: "Pliers (singer) - Wikipedia" → "Pliers". */
function bareTitle(title: string): string {
  return cutText(title, TITLE_MAX)
    .replace(/\([^()]*\)/g, ' ')
    .split(/\s[—–|-]\s/u, 1)[0]!
    .replaceAll('&amp;', '&')
    .replace(/\s+/g, ' ')
    .trim();
}

/** Whether a text is written as a name: a few words, all but the small ones capitalised. */
export function isWrittenAsName(text: string): boolean {
  const words = text.split(/\s+/).filter((word) => word !== '');
  if (words.length === 0 || words.length > NAME_WORDS_MAX || PRONOUN.test(text)) return false;
  const main = words.filter((word) => !SMALL.has(word.toLowerCase()));
  return main.length > 0 && main.every((word) => /^["'“(]?[\p{Lu}\p{N}]/u.test(word)) && /\p{Lu}/u.test(text);
}

/** The words of a name that tell it from others, normalised. */
export function tokensOf(name: string): string[] {
  return nameKey(name)
    .split(' ')
    .filter((token) => token !== '' && !SMALL.has(token));
}

/** Whether both may name the same within one text: one's words are among the other's, or they end alike. */
export function namesSame(one: string, other: string): boolean {
  const [short, long] = [tokensOf(one), tokensOf(other)].sort((a, b) => a.length - b.length) as [string[], string[]];
  if (short.length === 0) return false;
  if (short.every((token) => long.includes(token))) return true;
  return short.length > 1 && short.at(-1) === long.at(-1) && short[0] === long[0];
}

/** Whether the words stand for whom the sentence before is about: "she", "the company". */
export function isPronoun(text: string): boolean {
  const noun = NOMINAL.exec(text)?.[1];
  return PERSONAL.test(text) || (noun !== undefined && loadNouns().kindOf(noun) !== null);
}

/**
 * Whom the text as a whole is about: the one that its title names, when its first sentences begin with that name or
 * say that it is another name of whom they begin with.
 */
export function titleSubject(title: string, statements: readonly Statement[]): Subject | null {
  const bare = bareTitle(title);
  const first = statements[0]?.text ?? '';
  if (!isWrittenAsName(bare)) return null;
  // Initials may end what was taken for the first sentence.
  const definition = statements
    .slice(0, 3)
    .map(({ text }) => definitionIn(text))
    .find((found) => found !== null);
  const plain = withoutBrackets(first).replace(/\s+/g, ' ').trim();
  const named = [...(definition === undefined ? [] : [definition.subject]), ...aliasesIn(first)];
  if (named.some((name) => namesSame(name, bare))) return { name: bare, aliases: named };
  const head = plain.slice(0, bare.length + 30);
  const shared = tokensOf(bare).filter((token) => tokensOf(head).includes(token));
  const begins = shared.length > 0 && shared.length >= tokensOf(bare).length / 2;
  return begins || (definition !== undefined && sharesWord(definition.subject, bare))
    ? { name: bare, aliases: named }
    : null;
}

function sharesWord(one: string, other: string): boolean {
  const words = tokensOf(other);
  return tokensOf(one).some((token) => token.length > 2 && words.includes(token));
}

/** The person that the innermost heading of a section names. */
export function headingSubject(headings: readonly string[]): Subject | null {
  const parts = headings.flatMap((part) => part.split(' › ')).toReversed();
  for (const part of parts) {
    const name = personNameIn(part.split(/\s[—–|-]\s|:|,/, 1)[0]!);
    if (name !== null) return { name, aliases: [] };
  }
  return null;
}
