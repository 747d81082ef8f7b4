import type { Word } from '@cairn/language';
import type { Finding } from './finding.ts';
import { isFunctionWord, isKeyLike, isLiteral, isNoValue } from './value-shapes.ts';

// How sentences bind a secret's name to its value. A sentence is taken apart into words, and four bonds are known:
// the value stands right behind the name ("the password x", "(pw x)"), it is said of the name ("the password for … is
// x"), it becomes it ("change the password to x"), or the name is said of it ("use x as the password", "x is the PIN").
// What stands there counts only if it is no word.

/** How surely a name means a secret in prose. */
type Strength = 'password' | 'pin' | 'key';

const NAMES: readonly (readonly [Strength, RegExp])[] = [
  [
    'password',
    /(?<![\p{L}\p{N}_])(?:(?:\p{L}{1,20}-?)?(?:password|passwort|passphrase|passcode|kennwort|wachtwoord)|passwd|pwd|pw|pass ?code|mot de passe|contraseña|senha|hasło)(?![\p{L}\p{N}_-])/giu,
  ],
  ['pin', /(?<![\p{L}\p{N}_])(?:PIN|pin|Pin)(?:[ -]?(?:code|number|nummer))?(?![\p{L}\p{N}_-])/gu],
  [
    'key',
    /(?<![\p{L}\p{N}_])(?:secret|token|credentials?|(?:api|access|secret|private|auth|signing|encryption|master|bearer|licen[cs]e)[ -](?:key|token|secret|code))(?![\p{L}\p{N}_-])/giu,
  ],
];
const MAY_NAME =
  /pass|pwd|\bpw\b|kennwort|wachtwoord|contrase|senha|has[lł]o|\bpin\b|secret|token|credential|(?:key|code)\b/i;
/** As far as a sentence is looked at on either side of a name. */
const CONTEXT_CHARS = 240;
const WORDS_BETWEEN_MAX = 14;
const WORDS_BEFORE_MAX = 6;

const COPULAS = setOf(
  'is was are were be remains remain reads = : -> => → ist war lautet lautete est était sont es era é foi to jest é is: was',
);
const BEHIND_NAME = setOf('is was to from = : - – — -> => → ist lautet auf est à es é a jest van naar');
const BEFORE_NAME = setOf('as is was are remains for = als wie ist war comme est como es è é jako jest');
const ADVERBS = setOf(
  'now still currently just simply then again temporarily always set changed reset jetzt noch nun toujours encore ahora nu',
);
/** Words that begin what is said about a name before its verb. */
const STOPS = setOf('and but or because while when if unless until und aber oder weil wenn et mais ou y pero en maar');

interface ClauseWord extends Word {
  isQuoted: boolean;
  /** A mark that ends a clause stands behind it. */
  endsClause: boolean;
}

export function findStatedSecrets(text: string): Finding[] {
  const findings = findPairs(text);
  if (!MAY_NAME.test(text)) return findings;
  for (const [strength, pattern] of NAMES) {
    for (const match of text.matchAll(pattern)) {
      const value =
        valueBehind(text, match.index + match[0].length, strength) ??
        valueBefore(text, match.index, match[0], strength);
      if (value !== null) findings.push({ kind: 'password', start: value.start, end: value.start + value.text.length });
    }
  }
  return findings;
}

function valueBehind(text: string, from: number, strength: Strength): ClauseWord | null {
  // A call of a function.
  if (text[from] === '(') return null;
  const words = wordsIn(sentenceFrom(text.slice(from, from + CONTEXT_CHARS)), from);
  const next = skip(words, 0, BEHIND_NAME, ADVERBS);
  const direct = valueAt(words, next, strength, next > 0);
  // What nothing but its place binds to the name stands in the same line.
  if (direct !== null && (next > 0 || !text.slice(from, direct.start).includes('\n'))) return direct;
  // What follows the name must be said about it, or another noun is the one that is spoken of: "password policy".
  if (words[0] === undefined || !(isFunctionWord(words[0].text) || /^[,(]/.test(text.slice(from).trimStart())))
    return null;
  for (const [at, word] of words.slice(0, WORDS_BETWEEN_MAX).entries()) {
    if (STOPS.has(word.text.toLowerCase())) return null;
    const isStated = COPULAS.has(word.text.toLowerCase());
    if (!isStated) continue;
    const value = valueAt(words, skip(words, at + 1, COPULAS, ADVERBS), strength, true);
    if (value !== null) return value;
  }
  return null;
}

/** Behind connecting words, of which there are few. */
function skip(words: readonly ClauseWord[], from: number, ...kinds: readonly ReadonlySet<string>[]): number {
  let at = from;
  while (at < from + 3 && at < words.length && kinds.some((kind) => kind.has(words[at]!.text.toLowerCase()))) at += 1;
  return at;
}

/** The word if it is a value that ends its clause: "24h valid" and "SHA-256 hashed" say something else. */
function valueAt(words: readonly ClauseWord[], at: number, strength: Strength, isBound: boolean): ClauseWord | null {
  const word = words[at];
  if (word === undefined || !fits(word, strength)) return null;
  const next = words[at + 1];
  const ends = word.isQuoted || word.endsClause || next === undefined || isFunctionWord(next.text);
  if (ends || isManifold(word.text)) return word;
  return isBound && ADVERBS.has(next.text.toLowerCase()) ? word : null;
}

function fits({ text, isQuoted }: ClauseWord, strength: Strength): boolean {
  if (strength === 'pin') return /^\d{4,8}[#*]?$/.test(text) || (isQuoted && /^\d{3,8}$/.test(text));
  if (strength === 'key') return isKeyLike(text);
  return isLiteral(text) || (isQuoted && text.length >= 3 && !isNoValue(text));
}

/** Letters, digits and signs: nothing but a secret looks like it, whatever follows. */
function isManifold(text: string): boolean {
  return text.length >= 6 && /\p{L}/u.test(text) && /\d/.test(text) && /[!@#$%^&*+=?~_]/.test(text);
}

/** "Use x as the new password", "x is still the root password", "enter x (PIN)". */
function valueBefore(text: string, nameStart: number, name: string, strength: Strength): ClauseWord | null {
  const after = text.slice(nameStart + name.length, nameStart + name.length + 40);
  const [behind] = wordsIn(after, 0);
  if (behind !== undefined && !/^\s*(?:[.,;:!?)\n]|$)/.test(after) && !isFunctionWord(behind.text)) return null;
  const words = wordsIn(sentenceBefore(text.slice(Math.max(0, nameStart - CONTEXT_CHARS), nameStart)), 0);
  const offset = nameStart - sentenceBefore(text.slice(Math.max(0, nameStart - CONTEXT_CHARS), nameStart)).length;
  let isBound = /[([]\s?$/.test(text.slice(0, nameStart));
  for (let back = 1; back <= Math.min(WORDS_BEFORE_MAX, words.length); back += 1) {
    const word = words.at(-back)!;
    if (isBound && fits(word, strength) && !(word.isQuoted && !isLiteral(word.text) && back > 3))
      return { ...word, start: word.start + offset };
    if (BEFORE_NAME.has(word.text.toLowerCase())) isBound = true;
    else if (word.endsClause || (isBound && !ADVERBS.has(word.text.toLowerCase()))) return null;
  }
  return null;
}

/** Up to the sentence's end: a full stop before a blank, or an empty line. */
function sentenceFrom(text: string): string {
  const end = /[.!?](?=\s|$)|\n\s{0,4}\n/.exec(text);
  return end === null ? text : text.slice(0, end.index + 1);
}

function sentenceBefore(text: string): string {
  let start = 0;
  for (const end of text.matchAll(/[.!?](?=\s)|\n\s{0,4}\n/g)) start = end.index + end[0].length;
  return text.slice(start);
}

const QUOTES = '"\'`“”„‘’«»‹›';
/** What may stand before a word, such as the sign behind a name in `token=x`. */
const OPENING = new RegExp(`^[=:([{${QUOTES}]+`);
const CLOSING = new RegExp(`(?<![)\\]}${QUOTES}.,;:!?])[)\\]}${QUOTES}.,;:!?]+$`);

function wordsIn(text: string, offset: number): ClauseWord[] {
  return [...text.matchAll(/\S{1,200}/g)].flatMap(({ index, 0: raw }) => {
    const opening = OPENING.exec(raw)?.[0] ?? '';
    const closing = opening.length === raw.length ? '' : (CLOSING.exec(raw)?.[0] ?? '');
    const inner = raw.slice(opening.length, raw.length - closing.length);
    if (inner === '')
      return /[:=]/.test(raw) ? [{ text: ':', start: offset + index, isQuoted: false, endsClause: false }] : [];
    const isQuoted =
      [...opening].some((mark) => QUOTES.includes(mark)) && [...closing].some((mark) => QUOTES.includes(mark));
    const word = {
      text: inner,
      start: offset + index + opening.length,
      isQuoted,
      endsClause: /[.,;!?)\]}]/.test(closing),
    };
    // A colon binds what follows it, as a verb does.
    if (!closing.includes(':')) return [word];
    return [word, { text: ':', start: word.start + inner.length, isQuoted: false, endsClause: false }];
  });
}

const PAIR =
  /(?<![\p{L}\p{N}_])(?:log(?:ged)?[ -]?(?:in|on)|sign(?:ed)?[ -]?in|credentials?|creds|zugangsdaten|anmeldung|anmelden|user(?:name)?|account|access|acceso|accès)[\s:,]{1,3}(?:(?:with|as|is|are|mit|als|avec|con)[\s:]{1,2}){0,2}["'`]?[^\s"'`:/|]{1,64}["'`]?(?:\s?[/|:]\s?|\s(?:and|und|et|y|en)\s)["'`]?([^\s"'`]{4,128})/giu;

/** A user and a password behind one another: "log in with admin / x", "credentials: admin:x". */
function findPairs(text: string): Finding[] {
  return [...text.matchAll(PAIR)].flatMap((match) => {
    const value = match[1]!.replace(/(?<![.,;:!?)\]])[.,;:!?)\]]+$/, '');
    const start = match.index + match[0].lastIndexOf(match[1]!);
    if (value.startsWith('/')) return [];
    return isKeyLike(value) || (isLiteral(value) && !/^[A-Z]/.test(value))
      ? [{ kind: 'password' as const, start, end: start + value.length }]
      : [];
  });
}

function setOf(words: string): ReadonlySet<string> {
  return new Set(words.split(' '));
}
