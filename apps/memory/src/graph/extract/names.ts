import { isAgent, isCommon, wordKind } from '../../text/lexicon.ts';
import { NAME_PARTICLES, ORGANISATION_ENDINGS, PLACE_ENDINGS } from '../names/organisation-words.ts';
import type { EntityClass } from './entity-classes.ts';
import { type Token, tokensOf } from './tokens.ts';

/** A name in a text, with its place in UTF-16 units. */
export interface NameSpan {
  text: string;
  start: number;
  end: number;
  class: EntityClass;
}

/** What one institution is called when it was named before. */
const INSTITUTIONS: ReadonlySet<string> = new Set(
  'bank university ministry court parliament congress senate council commission'.split(' '),
);
const NAME_WORDS_MAX = 8;
/** Share of capitalised words from which capitals say nothing any more, and the words that takes. */
const TITLE_CASE_SHARE = 0.6;
const TITLE_CASE_WORDS_MIN = 5;
const CODE = /^(?=.*\p{N})(?=.*\p{Lu})[\p{L}\p{N}][\p{L}\p{N}.\-_/]*$/u;
const BARE_CODE = /^\p{Lu}{1,2}\p{N}{1,2}$/u;

interface Context {
  tokens: readonly Token[];
  /** Every noun has a capital here, so that one capitalised word alone is no sign of a name. */
  german: boolean;
  /** Capitals carry no sign here: a line of capitals, or a title. */
  loud: boolean;
}

/** Finds names by capitals, word lists and form, in one pass over the text. */
export function findNames(text: string): NameSpan[] {
  const spans: NameSpan[] = [];
  const all = tokensOf(text);
  const german = isGerman(all);
  for (const tokens of linesOf(all, text)) {
    const context: Context = { tokens, german, loud: isLoud(tokens) };
    for (let at = 0; at < tokens.length;) {
      const length = nameLength(context, at);
      if (length === 0) {
        at += 1;
        continue;
      }
      const span = spanOf(context, at, length, text);
      if (span !== null) spans.push(span);
      at += length;
    }
  }
  return spans;
}

/** Runs of tokens that no line break cuts. */
function linesOf(tokens: readonly Token[], text: string): Token[][] {
  const lines: Token[][] = [];
  let line: Token[] = [];
  for (const token of tokens) {
    const before = line.at(-1);
    if (before !== undefined && text.slice(before.end, token.start).includes('\n')) {
      lines.push(line);
      line = [];
    }
    line.push(token);
  }
  if (line.length > 0) lines.push(line);
  return lines;
}

const GERMAN_WORDS: ReadonlySet<string> = new Set(
  'der die das und ist sind ein eine einen einem einer mit für auf den dem des nicht wir sie ihre ihr zu zur zum von vom im wird werden bei oder auch nach aus'.split(
    ' ',
  ),
);
const ENGLISH_WORDS: ReadonlySet<string> = new Set(
  'the of and to is are was were for that with on by it as this be has have from not will'.split(' '),
);
const GERMAN_WORDS_MIN = 3;

function isGerman(tokens: readonly Token[]): boolean {
  let [german, english] = [0, 0];
  for (const { lower } of tokens) {
    if (GERMAN_WORDS.has(lower)) german += 1;
    else if (ENGLISH_WORDS.has(lower)) english += 1;
  }
  return german >= GERMAN_WORDS_MIN && german > 2 * english;
}

function isLoud(tokens: readonly Token[]): boolean {
  let words = 0;
  let capitals = 0;
  for (const token of tokens) {
    if (!token.word || wordKind(token.lower) === 'function') continue;
    words += 1;
    if (token.capital) capitals += 1;
  }
  return words >= TITLE_CASE_WORDS_MIN && capitals / words > TITLE_CASE_SHARE;
}

/** How many tokens from `at` on make a name; 0 when none begins there. */
function nameLength({ tokens, loud }: Context, at: number): number {
  const first = tokens[at]!;
  if (!canBegin(first, loud)) return 0;
  let end = at + 1;
  while (end < tokens.length && end - at < NAME_WORDS_MAX) {
    const next = tokens[end]!;
    if (continues(tokens, end)) end += 1;
    else if (NAME_PARTICLES.has(next.lower) && joins(tokens, end))
      end += next.lower === 'of' && tokens[end + 1]?.lower === 'the' ? 3 : 2;
    else break;
  }
  return end - at;
}

function canBegin(token: Token, loud: boolean): boolean {
  if (!token.word || !(token.capital || (!loud && isKnownSmall(token)))) return false;
  if (token.text.length === 1) return false;
  const kind = wordKind(token.lower);
  return kind !== 'function' && kind !== 'calendar';
}

/** Names that people write small, too, and that mean nothing else. */
function isKnownSmall(token: Token): boolean {
  if (token.lower.length < 4) return false;
  const kind = wordKind(token.lower);
  return kind === 'given' || kind === 'place';
}

function continues(tokens: readonly Token[], at: number): boolean {
  const token = tokens[at]!;
  const before = tokens[at - 1]!;
  if (!token.word || token.start - before.end > 1 || !before.word) return false;
  if (!token.capital) return false;
  const kind = wordKind(token.lower);
  return kind !== 'function' || token.shout ? kind !== 'calendar' : false;
}

/** A joint inside a name has capitalised words on both sides: University of Bremen, Mireille van den Berg. */
function joins(tokens: readonly Token[], at: number): boolean {
  const joint = tokens[at]!.lower;
  let next = tokens[at + 1];
  if (joint === 'of' && next?.lower === 'the') next = tokens[at + 2];
  if (next === undefined || !next.capital || next.start - tokens[at]!.end > 5) return false;
  if (joint === 'and' || joint === 'und' || joint === 'for' || joint === 'the') return false;
  if (joint === 'of') return isInstitution(tokens[at - 1]!.lower);
  return true;
}

function isInstitution(lower: string): boolean {
  return (
    ORGANISATION_ENDINGS.has(lower) ||
    PLACE_ENDINGS.has(lower) ||
    lower === 'head' ||
    lower === 'house' ||
    lower === 'republic' ||
    lower === 'kingdom' ||
    lower === 'states'
  );
}

/** Trims what does not belong to the name, and says what it is of; null when nothing of a name is left. */
function spanOf(context: Context, at: number, length: number, text: string): NameSpan | null {
  let words = context.tokens.slice(at, at + length);
  // A common word that begins a sentence is capitalised for that alone.
  while (words.length > 1 && words[0]!.initial && isOrdinary(words[0]!)) words = words.slice(1);
  while (words.length > 1 && wordKind(words.at(-1)!.lower) === 'function') words = words.slice(0, -1);
  const honorific = words.length > 1 && wordKind(words[0]!.lower) === 'honorific';
  const before = context.tokens[at - 1];
  const titled = honorific || (before !== undefined && isHonorificBefore(context.tokens, at));
  if (honorific) words = words.slice(1);
  const found = classOf(words, titled, context.loud);
  if (found === null || (context.german && found === 'other' && isPlainGerman(words))) return null;
  const start = words[0]!.start;
  const end = words.at(-1)!.end;
  return { text: text.slice(start, end), start, end, class: found };
}

/** A noun, or "Ursache der Störung"; not an abbreviation. */
function isPlainGerman(words: readonly Token[]): boolean {
  return (words.length === 1 && !words[0]!.shout) || words.some((word) => !word.capital);
}

function isHonorificBefore(tokens: readonly Token[], at: number): boolean {
  const before = tokens[at - 1]!.text === '.' ? tokens[at - 2] : tokens[at - 1];
  return before !== undefined && before.capital && wordKind(before.lower) === 'honorific';
}

/** Verbs, adverbs and the like, which no name begins with; nouns and adjectives may begin one. */
function isOrdinary(token: Token): boolean {
  return isCommon(token.lower) && !CODE.test(token.text);
}

function classOf(words: readonly Token[], titled: boolean, loud: boolean): EntityClass | null {
  const last = words.at(-1)!;
  if (words.length === 1) return classOfWord(last, titled, loud);
  const kinds = words.map((word) => wordKind(word.lower));
  if (words.some(({ text }) => CODE.test(text) && !/^\p{N}/u.test(text))) return 'product';
  if (ORGANISATION_ENDINGS.has(last.lower) || ORGANISATION_ENDINGS.has(words[0]!.lower)) return 'organisation';
  if (PLACE_ENDINGS.has(last.lower)) return 'place';
  if (titled || kinds[0] === 'given') return 'person';
  if (kinds.every((kind) => kind === 'place')) return 'place';
  if (kinds.includes('organisation')) return 'organisation';
  const common = words.filter((word) => isCommon(word.lower)).length;
  if (loud && common * 2 >= words.length) return 'term';
  if (kinds.at(-1) === 'family' && common === 0) return 'person';
  if (common === words.length) return 'term';
  return 'other';
}

function classOfWord(word: Token, titled: boolean, loud: boolean): EntityClass | null {
  const kind = wordKind(word.lower);
  if (CODE.test(word.text)) return BARE_CODE.test(word.text) ? 'term' : 'code';
  if (titled && word.capital && kind !== 'function') return 'person';
  if (kind === 'given' || kind === 'family') return 'person';
  if (kind === 'place') return 'place';
  if (kind === 'organisation') return 'organisation';
  if (kind === 'demonym') return word.capital ? 'other' : null;
  if (kind === 'function' || kind === 'calendar' || kind === 'honorific') return null;
  if (isAgent(word.lower)) return word.capital && !word.initial && !loud ? 'person' : null;
  if (INSTITUTIONS.has(word.lower)) return word.capital && !word.initial && !loud ? 'organisation' : null;
  if (isCommon(word.lower)) return word.initial || loud ? null : 'term';
  if (word.text.length < 2 || /^\p{N}/u.test(word.text)) return null;
  if (word.shout && loud) return null;
  return loud && word.initial ? null : 'other';
}

/** A word of letters and digits with a capital: E-417, B7. */
export function isCode(word: string): boolean {
  return CODE.test(word) && !BARE_CODE.test(word);
}

/** One word with letters and digits: B7, too, which is none by itself. */
export function isCoded(word: string): boolean {
  return !word.includes(' ') && hasCode(word);
}

/** Whether one of the words is a code, as in "Bolt Reader B7". */
export function hasCode(name: string): boolean {
  return name.split(' ').some((word) => CODE.test(word) && !/^\p{N}/u.test(word));
}
