import {
  CURRENCY_CODES,
  MONTH_PATTERN,
  monthOf,
  NUMBER_WORD_PATTERN,
  parseNumber,
  SCALES,
  SECONDS_OF_UNIT,
} from '@cairn/language';
import type { PlaceValue } from '@cairn/reading';
import type { KeyClass } from './entity-classes.ts';

/** How a stated value is bound: as it is, or as a limit. */
type Bound = 'exact' | 'about' | 'at_least' | 'at_most';

/** A value of a statement in a form that two documents' ways of writing share. */
export type Value =
  | { kind: 'money'; amount: number; currency: string; per?: string; bound: Bound }
  | { kind: 'duration'; seconds: number; bound: Bound }
  | { kind: 'quantity'; amount: number; unit: string; bound: Bound }
  | { kind: 'date'; from: string; to: string }
  | { kind: 'version'; version: string }
  | ({ kind: 'place' } & PlaceValue)
  /** `type`: class of the entity that the text names. */
  | { kind: 'text'; text: string; type?: KeyClass };

/** A value that was read at the beginning of a text. */
export interface ReadValue {
  value: Value;
  /** The words it was written in. */
  text: string;
  length: number;
}

const NUMBER = String.raw`[-−]?\d{1,3}(?:[,'’ \u202f]\d{3})+(?:\.\d+)?|[-−]?\d+(?:\.\d+)?`;
const BOUND =
  /^(?:(about|around|roughly|approximately|nearly|almost|some|circa|ca\.)|(at least|more than|over|no less than|not less than|a minimum of|from)|(at most|up to|less than|under|below|no more than|not more than|a maximum of|within))\s+/i;
const MONEY = new RegExp(
  `^(?:([€$£¥])\\s?(${NUMBER})(?:\\s?(thousand|million|billion|bn|m|k)\\b)?|(${NUMBER})(?:\\s(thousand|million|billion|bn))?\\s?(€|EUR|USD|GBP|CHF|JPY|euros?|dollars?|pounds)(?![\\p{L}])|(EUR|USD|GBP|CHF|JPY)\\s(${NUMBER})(?:\\s(thousand|million|billion|bn))?)`,
  'iu',
);
const PER = /^\s+(?:per|an?|each)\s+(\p{L}+)/iu;
const DURATION = new RegExp(
  `^(${NUMBER}|(?:${NUMBER_WORD_PATTERN})(?:[- ](?:${NUMBER_WORD_PATTERN}))?|an?)[ -](?:(?:working|business|calendar|full|consecutive)\\s)?(second|minute|hour|day|week|fortnight|month|quarter|year)s?(?![\\p{L}])`,
  'iu',
);
const DATE_DMY = new RegExp(`^(\\d{1,2})(?:st|nd|rd|th|\\.)?\\s(${MONTH_PATTERN})\\.?,?\\s(\\d{4})`, 'i');
const DATE_MDY = new RegExp(`^(${MONTH_PATTERN})\\.?\\s(\\d{1,2})(?:st|nd|rd|th)?,?\\s(\\d{4})`, 'i');
const DATE_MY = new RegExp(`^(?:(?:early|mid|late)[- ])?(${MONTH_PATTERN})\\.?,?\\s(\\d{4})`, 'i');
const DATE_ISO = /^(\d{4})-(\d{2})-(\d{2})(?!\d)/;
const DATE_QUARTER = /^Q([1-4])\s(\d{4})\b/i;
const DATE_YEAR = /^(1[5-9]\d\d|20\d\d|21\d\d)(?![\d%]|[.,]\d|\s?(?:%|\p{L}+s\b))/u;
const VERSION = /^v?(\d+\.\d+\.\d+(?:[.-][\p{L}\p{N}]+)*|(?<=v)\d+(?:\.\d+)*)(?![\p{L}\p{N}])/u;
const QUANTITY = new RegExp(
  `^(${NUMBER}|(?:${NUMBER_WORD_PATTERN})(?:[- ](?:${NUMBER_WORD_PATTERN}))?)(?:\\s(thousand|million|billion))?\\s?(%|(?:percent|°C|°F|km\\/h|[kKMGT]?i?B|kg|mg|g|km²|km|cm|mm|m³|m²|m|kΩ|MHz|GHz|kHz|Hz|V|W|kW)(?![\\p{L}²³])|[\\p{L}]{2,}(?:\\s(?:of\\s)?[\\p{Ll}]{3,})?)?`,
  'iu',
);

/** Reads the value that `text` begins with: an amount, a duration, a date, a version or a quantity; null for none. */
export function readValue(text: string): ReadValue | null {
  const bounded = BOUND.exec(text);
  const bound: Bound =
    bounded === null ? 'exact' : bounded[1] !== undefined ? 'about' : bounded[2] !== undefined ? 'at_least' : 'at_most';
  const offset = bounded?.[0].length ?? 0;
  const rest = offset === 0 ? text : text.slice(offset);
  const read =
    readMoney(rest, bound) ??
    readDate(rest) ??
    readVersion(rest) ??
    readDuration(rest, bound) ??
    readQuantity(rest, bound);
  if (read === null) return null;
  return { value: read.value, text: text.slice(0, offset + read.length), length: offset + read.length };
}

type Read = Pick<ReadValue, 'value' | 'length'> | null;

function readMoney(text: string, bound: Bound): Read {
  const match = MONEY.exec(text);
  if (match === null) return null;
  const amount =
    parseNumber(match[2] ?? match[4] ?? match[8]!) *
    (SCALES.get((match[3] ?? match[5] ?? match[9] ?? '').toLowerCase()) ?? 1);
  const currency = CURRENCY_CODES.get((match[1] ?? match[6] ?? match[7]!).toLowerCase())!;
  const per = PER.exec(text.slice(match[0].length));
  const value: Value = {
    kind: 'money',
    amount,
    currency,
    bound,
    ...(per === null ? {} : { per: per[1]!.toLowerCase() }),
  };
  return { value, length: match[0].length + (per?.[0].length ?? 0) };
}

function readDuration(text: string, bound: Bound): Read {
  const match = DURATION.exec(text);
  if (match === null) return null;
  const seconds = parseNumber(match[1]!) * SECONDS_OF_UNIT.get(match[2]!.toLowerCase())!;
  return { value: { kind: 'duration', seconds, bound }, length: match[0].length };
}

function readVersion(text: string): Read {
  const match = VERSION.exec(text);
  return match === null ? null : { value: { kind: 'version', version: match[1]! }, length: match[0].length };
}

function readQuantity(text: string, bound: Bound): Read {
  const match = QUANTITY.exec(text);
  if (match === null) return null;
  const amount = parseNumber(match[1]!) * (SCALES.get((match[2] ?? '').toLowerCase()) ?? 1);
  const unit = unitOf(match[3] ?? '');
  return { value: { kind: 'quantity', amount, unit, bound }, length: match[0].trimEnd().length };
}

function unitOf(text: string): string {
  const unit = text.trim().split(/\s/)[0]!.toLowerCase();
  if (unit === 'percent') return '%';
  return unit.length > 3 && unit.endsWith('s') ? unit.slice(0, -1) : unit;
}

/** Reads a date, a month, a quarter or a year; a value is the days from its first to its last. */
export function readDate(text: string): Read {
  const iso = DATE_ISO.exec(text);
  if (iso !== null) return dateOf(iso[0].length, Number(iso[1]), Number(iso[2]) - 1, Number(iso[3]));
  const dmy = DATE_DMY.exec(text);
  if (dmy !== null) return dateOf(dmy[0].length, Number(dmy[3]), monthOf(dmy[2]!) - 1, Number(dmy[1]));
  const mdy = DATE_MDY.exec(text);
  if (mdy !== null) return dateOf(mdy[0].length, Number(mdy[3]), monthOf(mdy[1]!) - 1, Number(mdy[2]));
  const my = DATE_MY.exec(text);
  if (my !== null) return spanOf(my[0].length, Number(my[2]), monthOf(my[1]!) - 1, 1);
  const quarter = DATE_QUARTER.exec(text);
  if (quarter !== null) return spanOf(quarter[0].length, Number(quarter[2]), (Number(quarter[1]) - 1) * 3, 3);
  const year = DATE_YEAR.exec(text);
  return year === null ? null : spanOf(year[0].length, Number(year[1]), 0, 12);
}

function dateOf(length: number, year: number, month: number, day: number): Read {
  const date = new Date(Date.UTC(year, month, day));
  if (date.getUTCMonth() !== month || date.getUTCDate() !== day) return null;
  const iso = date.toISOString().slice(0, 10);
  return { value: { kind: 'date', from: iso, to: iso }, length };
}

function spanOf(length: number, year: number, month: number, months: number): Read {
  const from = new Date(Date.UTC(year, month, 1)).toISOString().slice(0, 10);
  const to = new Date(Date.UTC(year, month + months, 0)).toISOString().slice(0, 10);
  return { value: { kind: 'date', from, to }, length };
}

/** A text value in the form that two spellings share. */
export function textValue(text: string): Value {
  return {
    kind: 'text',
    text: text
      .normalize('NFKC')
      .toLowerCase()
      .replace(/[^\p{L}\p{N}]+/gu, ' ')
      .trim(),
  };
}
