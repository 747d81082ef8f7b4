import { MONTHS, plainText, type Statement, statementsOf } from '@cairn/language';
import { stemsOf } from '../text/words.ts';
import { type MeasuredAmounts, measuredAmountsIn } from './quantities.ts';
import { timeIn, type DocumentDate, documentDateOf, yearsIn } from './document-date.ts';

/** What can be compared with what another source says. */
export interface Claim {
  source: DatedSource;
  /** On one line, without Markdown. */
  text: string;
  /** What it says apart from its values: statements with one key say the same of different times, or disagree. */
  key: string;
  /** Its numbers, as they are written. */
  values: string;
  denies: boolean;
  /** What it gives amounts of; null when it gives none. */
  measured: MeasuredAmounts | null;
  /** When what it says holds: the year that it names, else its document's time. */
  at: number | null;
}

/** A statement of a source that can stand by itself, with what is needed to weigh and to compare it. */
export interface Note extends Claim {
  documentDate: DocumentDate;
  start: number;
  quote: string;
  stems: ReadonlySet<string>;
  /** Stems of the title and the headings above it. */
  context: ReadonlySet<string>;
  isRow: boolean;
  /**
   * What it says up to each of its sentences, all of it last: sentences that lean on the one before them are quoted with
   * it, and another source may say the first alone.
   */
  claims: readonly Claim[];
}

/** A text with its title, and the time of its message or publication. */
export interface DatedSource {
  source_id: string;
  title: string;
  body: string;
  occurred_at?: Date | string | null | undefined;
}

const CHARS_MAX = 700;
const JOINED_MAX_CHARS = 500;
const ROW = /^[^\s:;][^:;.]{0,60}:\s[^;]+;\s*[^\s:;][^:;.]{0,60}:\s/;
const LABELLED = /^[^\s:.;?!][^:.;?!]{1,50}:\s\S/;
const CONTENTS_LINE = /\.{4,}|(?:\. ){4,}|…{2,}/;
/** `[guide]: https://…`: where a link of Markdown leads. */
const LINK_DEFINITION = /^\[[^\]\n]{1,100}\]: ?\S/;
/** Says who wrote the document, or to whom. */
const BYLINE =
  /^(?:from|to|cc|bcc|owner|author|authors|prepared by|written by|approved by|subject|present|attendees|date|contact|status|version|as of|updated|last updated|reference|page)\b(?::| )/i;
const POINTER =
  /^see (?:also )?|\b(?:is|are|see) (?:described |explained |those |listed )?(?:on|in|under) (?:the )?(?:page|pages|section|chapter)\b/i;
/** Begins what can only be understood with the sentence before it. */
export const ANAPHORIC_START =
  /^(?:It|Its|They|Their|Them|This|That|These|Those|He|She|His|Her|Both|Neither|All of (?:them|these|it)|None of them|Some of them|Most of them|One of them|In (?:19|20)\d{2} (?:it|they) |However|Therefore|Thus|Hence|Otherwise|In addition|Moreover|Also|Then|So|But|And|Instead|For example|For instance)\b/;
const NEGATION =
  /\b(?:not|no|never|without|cannot|can['’]t|isn['’]t|aren['’]t|wasn['’]t|weren['’]t|don['’]t|doesn['’]t|didn['’]t|won['’]t|neither|nor|none|prohibited|forbidden)\b/gi;

/** The statements of a source worth noting. */
export function notesOf(source: DatedSource): Note[] {
  const documentDate = documentDateOf(source);
  const notes: Note[] = [];
  let before: { start: number; end: number; headings: string } | null = null;
  for (const statement of statementsOf(source.body)) {
    const end = statement.start + statement.text.length;
    const headings = statement.headings.join(' › ');
    const last = notes.at(-1);
    const near =
      before !== null &&
      last !== undefined &&
      before.headings === headings &&
      isNear(source.body, before.end, statement.start);
    if (near && ANAPHORIC_START.test(statement.text) && end - last.start <= JOINED_MAX_CHARS && !last.isRow) {
      const joined = { ...statement, start: last.start, text: source.body.slice(last.start, end) };
      notes[notes.length - 1] = noteOf(source, documentDate, joined, last.claims);
      before = { start: last.start, end, headings };
      continue;
    }
    before = null;
    if (!isWorthNoting(statement)) continue;
    notes.push(noteOf(source, documentDate, statement));
    before = { start: statement.start, end, headings };
  }
  return notes;
}

/** Only white space, and no empty line, is between them. */
function isNear(body: string, end: number, start: number): boolean {
  const between = body.slice(end, start);
  return between.trim() === '' && (between.match(/\n/g)?.length ?? 0) < 2;
}

function isWorthNoting({ text }: Statement): boolean {
  if (text.length > CHARS_MAX || CONTENTS_LINE.test(text) || LINK_DEFINITION.test(text)) return false;
  const plain = plainText(text);
  const words = plain.split(' ').length;
  if (BYLINE.test(plain) && !/[.!]$/.test(plain) && !ROW.test(plain)) return false;
  if (/\?\s*$/.test(plain) || plain.endsWith(':') || POINTER.test(plain)) return false;
  if (LABELLED.test(plain) && /\d/.test(plain)) return true;
  if (words < 4 || plain.length < 20) return false;
  // Without an end, a line is a heading, a byline or an entry of a list of contents; a list's item may be long.
  return /[.!…]["”’')\]]{0,2}(?:\s*\[\d{1,3}\])*$/.test(plain) || ROW.test(plain) || LABELLED.test(plain) || words >= 8;
}

function noteOf(
  source: DatedSource,
  documentDate: DocumentDate,
  { text: quote, start, headings }: Statement,
  before: readonly Claim[] = [],
): Note {
  const text = plainText(quote);
  const claim = claimOf(source, documentDate, text);
  return {
    ...claim,
    documentDate,
    start,
    quote,
    stems: new Set(stemsOf(text)),
    context: new Set(stemsOf([source.title.replace(/_/g, ' '), ...headings].join(' '))),
    isRow: ROW.test(text),
    claims: [...before, claim],
  };
}

function claimOf(source: DatedSource, documentDate: DocumentDate, text: string): Claim {
  const years = yearsIn(text);
  const own = years.length === 0 ? null : timeIn(text.replace(/_/g, ' '));
  return {
    source,
    text,
    ...comparable(text),
    measured: measuredAmountsIn(text.replace(/_/g, ' ')),
    at: new Set(years).size === 1 ? (own?.at ?? years[0]! * 12 + 11) : (own?.at ?? documentDate.at),
  };
}

const WORD_OR_NUMBER = /[\p{L}]+(?:-?\p{N}+[\p{L}\p{N}]*)*|\p{N}+(?:[.,]\p{N}+)*/gu;

/** Splits what a statement says from the values that it says it with. Names with digits ("HM-20") are no values. */
function comparable(text: string): { key: string; values: string; denies: boolean } {
  const denies = (text.match(NEGATION)?.length ?? 0) % 2 === 1;
  const words: string[] = [];
  const values: string[] = [];
  for (const [word] of text.replace(/_/g, ' ').replace(NEGATION, ' ').matchAll(WORD_OR_NUMBER)) {
    if (/^(?:19|20)\d{2}$/.test(word) || MONTHS.includes(word.toLowerCase())) continue;
    if (/^\p{N}/u.test(word)) values.push(word);
    else words.push(word.toLowerCase());
  }
  return { key: words.join(' '), values: values.join(' '), denies };
}
