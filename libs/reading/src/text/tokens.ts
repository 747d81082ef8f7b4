import { classAt, DIGIT, isLetter, isWordPart, LETTER, OTHER, SPACE, UPPER } from './characters.ts';

/** A token of the text and where it stands. `form` is always `text.slice(start, end)`. */
export interface TextToken {
  form: string;
  start: number;
  end: number;
}

/** Longer runs without a blank are no words of a language; they are cut into tokens of this length. */
const TOKEN_MAX_CHARS = 200;

const ABBREVIATIONS = new Set(
  (
    'mr mrs ms dr prof st vs etc fig no nr inc ltd jr sr approx ca corp co bros lt col gen sgt capt cmdr adm rev hon ' +
    'sen rep gov pres jan feb mar apr jun jul aug sep sept oct nov dec ph.d b.sc m.sc ft mt bd vol dept univ est pp al'
  ).split(' '),
);
/** After these a full stop may end the sentence as well. */
const CLOSING = new Set(['inc', 'ltd', 'corp', 'co', 'jr', 'sr', 'etc', 'no']);
const BOUND_PREFIXES = new Set(
  'e co non anti pre post re un sub semi multi counter over mis inter pro ex vice self mid al el ul abd'.split(' '),
);
const SENTENCE_OPENERS = new Set('The It He She They In This On His Her But A An As At When After We'.split(' '));
const CLITICS = new Set(['s', 're', 've', 'll', 'd', 'm']);
const NUMBER_SUFFIXES = new Set(['st', 'nd', 'rd', 'th', 's', 'bn', 'm', 'k']);

function isApostrophe(character: string | undefined): boolean {
  return character === "'" || character === '’';
}

/**
 * Cuts text as the English treebanks of Universal Dependencies do: clitics and possessive endings by themselves,
 * hyphenated words in three tokens unless the first part is a prefix or both parts are capitalised, abbreviations
 * together with their full stop. One pass over the characters.
 */
export function tokenize(text: string): TextToken[] {
  const scanner = new Scanner(text);
  scanner.run();
  return scanner.tokens;
}

class Scanner {
  readonly tokens: TextToken[] = [];
  private readonly text: string;
  private at = 0;

  constructor(text: string) {
    this.text = text;
  }

  run(): void {
    const { text } = this;
    while (this.at < text.length) {
      const kind = classAt(text, this.at);
      if (kind === SPACE) this.at++;
      else if (isLetter(kind)) this.word();
      else if (kind === DIGIT) this.number();
      else this.sign();
    }
  }

  private push(start: number, end: number): void {
    this.tokens.push({ form: this.text.slice(start, end), start, end });
    this.at = end;
  }

  private word(): void {
    const { text } = this;
    const start = this.at;
    if (this.address(start)) return;
    if (this.initials(start)) return;
    const end = this.endOfWord(start);
    if (text[end] === '@' && isWordPart(classAt(text, end + 1))) return this.push(start, this.endOfRun(end));
    this.splitClitic(start, end);
    this.hyphens();
    this.abbreviation();
  }

  private endOfWord(start: number): number {
    const { text } = this;
    let end = start + 1;
    while (end < text.length && end - start < TOKEN_MAX_CHARS) {
      if (isWordPart(classAt(text, end)) || text[end] === '_') end++;
      else if ((isApostrophe(text[end]) || text[end] === '&') && isLetter(classAt(text, end + 1))) end += 2;
      else break;
    }
    return Math.min(end, text.length);
  }

  /** A web address runs to the next blank, without the punctuation that ends it. */
  private address(start: number): boolean {
    const { text } = this;
    const first = text[start];
    if (first !== 'h' && first !== 'w') return false;
    if (!text.startsWith('http://', start) && !text.startsWith('https://', start) && !text.startsWith('www.', start))
      return false;
    this.push(start, this.endOfRun(start));
    return true;
  }

  private endOfRun(start: number): number {
    const { text } = this;
    let end = start;
    const stop = Math.min(text.length, start + 10 * TOKEN_MAX_CHARS);
    while (end < stop && classAt(text, end) !== SPACE) end++;
    while (end > start + 1 && '.,;:!?)"\''.includes(text[end - 1]!)) end--;
    return end;
  }

  /** "U.S.", "e.g.", "J.R.R." */
  private initials(start: number): boolean {
    const { text } = this;
    let end = start;
    while (isLetter(classAt(text, end)) && text[end + 1] === '.' && isLetter(classAt(text, end + 2))) end += 2;
    if (end === start || isWordPart(classAt(text, end + 1))) return false;
    end++;
    if (text[end] === '.' && !(end + 1 >= text.length)) end++;
    this.push(start, end);
    return true;
  }

  private splitClitic(start: number, end: number): void {
    const { text } = this;
    const length = end - start;
    const c = text[end - 1]!;
    if (length > 3 && (c === 't' || c === 'T') && isApostrophe(text[end - 2]) && 'nN'.includes(text[end - 3]!)) {
      this.push(start, end - 3);
      return this.push(end - 3, end);
    }
    for (let back = 2; back <= 3; back++) {
      if (length <= back || !isApostrophe(text[end - back])) continue;
      if (!CLITICS.has(text.slice(end - back + 1, end).toLowerCase())) continue;
      this.push(start, end - back);
      return this.push(end - back, end);
    }
    if (length === 6 && text.slice(start, end).toLowerCase() === 'cannot') {
      this.push(start, start + 3);
      return this.push(start + 3, end);
    }
    this.push(start, end);
  }

  /** Joins "co-founder", "Jean-Pierre" and "al-Assad" into one token; other hyphens stand by themselves. */
  private hyphens(): void {
    const { text, tokens } = this;
    let joined = 0;
    while (text[this.at] === '-' && isLetter(classAt(text, this.at + 1)) && joined++ < 4) {
      const last = tokens.at(-1)!;
      const end = this.endOfWord(this.at + 1);
      const next = classAt(text, this.at + 1);
      const short = end - this.at - 1 <= 3;
      const names = classAt(text, last.start) === UPPER && (next === UPPER || short);
      if (!names && !BOUND_PREFIXES.has(last.form.toLowerCase())) return;
      tokens.pop();
      this.splitClitic(last.start, end);
    }
  }

  private abbreviation(): void {
    const { text, tokens } = this;
    if (text[this.at] !== '.' || this.at + 1 >= text.length) return;
    const last = tokens.at(-1)!;
    const lower = last.form.toLowerCase();
    const initial = last.end - last.start === 1 && classAt(text, last.start) === UPPER;
    if (!initial && !ABBREVIATIONS.has(lower)) return;
    if (CLOSING.has(lower) && this.opensSentence(this.at + 1)) return;
    tokens.pop();
    this.push(last.start, this.at + 1);
  }

  private opensSentence(from: number): boolean {
    const { text } = this;
    let start = from;
    while (start < text.length && start - from < 3 && classAt(text, start) === SPACE) start++;
    if (start === from) return false;
    let end = start;
    while (end - start < 12 && isLetter(classAt(text, end))) end++;
    return SENTENCE_OPENERS.has(text.slice(start, end));
  }

  private number(): void {
    const { text } = this;
    const start = this.at;
    let end = start + 1;
    while (end < text.length && end - start < TOKEN_MAX_CHARS) {
      const kind = classAt(text, end);
      if (kind === DIGIT) end++;
      else if ('.,:'.includes(text[end]!) && classAt(text, end + 1) === DIGIT) end += 2;
      else break;
    }
    let after = end;
    while (after - end < 12 && isWordPart(classAt(text, after))) after++;
    if (after > end && !NUMBER_SUFFIXES.has(text.slice(end, after).toLowerCase())) end = this.endOfWord(end);
    else end = after;
    this.push(start, end);
  }

  /** Everything else: runs of dots and dashes, an apostrophe's ending, single signs. */
  private sign(): void {
    const { text } = this;
    const start = this.at;
    const character = text[start]!;
    let end = start + 1;
    if (
      isApostrophe(character) &&
      this.tokens.at(-1)?.end === start &&
      CLITICS.has((text[end] ?? '').toLowerCase()) &&
      !isWordPart(classAt(text, end + 1))
    )
      return this.push(start, end + 1);
    if (character === '.') while (text[end] === '.' && end - start < TOKEN_MAX_CHARS) end++;
    else if (isDash(character)) while (isDash(text[end] ?? '') && end - start < TOKEN_MAX_CHARS) end++;
    else if (text.charCodeAt(start) >= 0xd800 && text.charCodeAt(start) <= 0xdbff && end < text.length) end++;
    this.push(start, end);
  }
}

function isDash(character: string): boolean {
  return character === '-' || character === '–' || character === '—';
}

const ENDS = new Set(['.', '!', '?', '…', '...', '。', '！', '？']);
const OPENERS = new Set(['"', '“', '‘', "'", '(', '[']);
/** No sentence is longer: what follows is read as another one. */
const SENTENCE_MAX_TOKENS = 120;

/** Groups the tokens of a text into sentences. A blank line, or a line that begins like a list, ends one, too. */
export function groupSentences(text: string, tokens: TextToken[]): TextToken[][] {
  const sentences: TextToken[][] = [];
  let current: TextToken[] = [];
  let depth = 0;
  for (const [i, token] of tokens.entries()) {
    current.push(token);
    if (token.form === '(' || token.form === '[') depth++;
    else if (token.form === ')' || token.form === ']') depth = Math.max(0, depth - 1);
    const next = tokens[i + 1];
    if (next === undefined) break;
    if (current.length < SENTENCE_MAX_TOKENS && !endsSentence(text, token, next, tokens[i - 1], depth)) continue;
    sentences.push(current);
    current = [];
    depth = 0;
  }
  if (current.length > 0) sentences.push(current);
  return sentences;
}

function endsSentence(
  text: string,
  token: TextToken,
  next: TextToken,
  before: TextToken | undefined,
  depth: number,
): boolean {
  if (token.end === next.start) return false;
  if (lineEnds(text, token.end, next.start)) return true;
  if (depth > 0) return false;
  const opens = opensSentence(next.form);
  if (ENDS.has(token.form)) return opens;
  const closes = token.form === '"' || token.form === '”' || token.form === ')';
  return closes && before !== undefined && ENDS.has(before.form) && opens;
}

function opensSentence(form: string): boolean {
  const kind = classAt(form, 0);
  return kind === UPPER || kind === DIGIT || OPENERS.has(form) || (kind === LETTER && form.charCodeAt(0) > 0x24f);
}

const LIST_SIGNS = new Set(['-', '*', '•', '|', '#', '>']);

function lineEnds(text: string, from: number, to: number): boolean {
  let lines = 0;
  for (let i = from; i < to; i++) if (text.charCodeAt(i) === 10) lines++;
  if (lines === 0) return false;
  if (lines > 1) return true;
  const kind = classAt(text, to);
  return (
    kind === UPPER ||
    LIST_SIGNS.has(text[to] ?? '') ||
    (kind === DIGIT && text[to + 1] === '.') ||
    (kind === OTHER && text[to] === '–')
  );
}
