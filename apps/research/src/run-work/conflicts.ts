import { plainText } from '../text/statements.ts';
import { stemsOf } from '../text/words.ts';
import { overlap } from './find-statements.ts';

/** A statement that may contradict another: what it is about, what it says of it, and whether it denies. */
export interface Claim {
  id: string;
  sourceId: string;
  /** What it is about: its words without values and negation. */
  about: ReadonlySet<string>;
  /** Stems of the names it has, which tell one subject from another. */
  names: ReadonlySet<string>;
  values: readonly Value[];
  denies: boolean;
  statement: string;
}

export interface Value {
  /** What is comparable: days with days, euros with euros. */
  unit: string;
  amount: string;
}

/** Two claims of the same about which both cannot be right. */
export interface Conflict {
  a: Claim;
  b: Claim;
  subject: string;
}

/** Share of their words that two statements must have in common to be about the same. */
const SAME_SUBJECT = 0.6;
const SAME_SUBJECT_FOR_DENIAL = 0.75;
const ABOUT_MIN = 2;
const NEGATION =
  /\b(?:not|no|never|without|cannot|can't|isn't|aren't|wasn't|weren't|don't|doesn't|didn't|won't|neither|nor|none|prohibited|forbidden|disallowed)\b/i;
const NEGATIONS = new RegExp(NEGATION.source, 'gi');

const MONTHS = 'january|february|march|april|may|june|july|august|september|october|november|december';
const NUMBER_WORDS: Readonly<Record<string, number>> = {
  zero: 0,
  one: 1,
  two: 2,
  three: 3,
  four: 4,
  five: 5,
  six: 6,
  seven: 7,
  eight: 8,
  nine: 9,
  ten: 10,
  eleven: 11,
  twelve: 12,
  fifteen: 15,
  twenty: 20,
  thirty: 30,
  forty: 40,
  fifty: 50,
  sixty: 60,
  ninety: 90,
};
/** How many of the base unit one is. */
const UNITS: Readonly<Record<string, readonly [base: string, factor: number]>> = {
  second: ['time', 1],
  sec: ['time', 1],
  s: ['time', 1],
  minute: ['time', 60],
  min: ['time', 60],
  hour: ['time', 3_600],
  hr: ['time', 3_600],
  h: ['time', 3_600],
  day: ['time', 86_400],
  week: ['time', 604_800],
  month: ['time', 2_629_800],
  quarter: ['time', 7_889_400],
  year: ['time', 31_557_600],
  ms: ['time', 0.001],
  millisecond: ['time', 0.001],
  kb: ['bytes', 1e3],
  mb: ['bytes', 1e6],
  gb: ['bytes', 1e9],
  tb: ['bytes', 1e12],
  kib: ['bytes', 1_024],
  mib: ['bytes', 1_048_576],
  gib: ['bytes', 1_073_741_824],
  percent: ['percent', 1],
  '%': ['percent', 1],
  m: ['length', 1],
  km: ['length', 1_000],
  cm: ['length', 0.01],
  metre: ['length', 1],
  meter: ['length', 1],
  kilometre: ['length', 1_000],
  kilometer: ['length', 1_000],
  kg: ['mass', 1],
  g: ['mass', 0.001],
  t: ['mass', 1_000],
  eur: ['EUR', 1],
  euro: ['EUR', 1],
  usd: ['USD', 1],
  dollar: ['USD', 1],
  gbp: ['GBP', 1],
  pound: ['GBP', 1],
};
const CURRENCY: Readonly<Record<string, string>> = { '€': 'EUR', $: 'USD', '£': 'GBP' };
const SCALE: Readonly<Record<string, number>> = { k: 1e3, thousand: 1e3, million: 1e6, m: 1e6, bn: 1e9, billion: 1e9 };

export function claimOf(id: string, sourceId: string, statement: string, context = ''): Claim {
  const plain = plainText(statement);
  const { values, rest } = takeValues(plain);
  const withoutNegation = rest.replace(NEGATIONS, ' ');
  const names = plain.match(/(?<=\S |^["“(]?)\p{Lu}[\p{L}\p{N}-]+/gu) ?? [];
  return {
    id,
    sourceId,
    about: new Set(stemsOf(withoutNegation)),
    names: new Set(stemsOf([...names.slice(startsWithName(plain) ? 0 : 1), context].join(' '))),
    values,
    denies: NEGATION.test(plain),
    statement: plain,
  };
}

/** The first word of a sentence has a capital whatever it is; only with another behind it is it surely a name. */
function startsWithName(plain: string): boolean {
  return /^["“(]?\p{Lu}[\p{L}\p{N}-]+\s+\p{Lu}/u.test(plain);
}

/** Every pair of claims that cannot both be right, each once. */
export function conflictsAmong(claims: readonly Claim[]): Conflict[] {
  const conflicts: Conflict[] = [];
  claims.forEach((a, index) => {
    for (const b of claims.slice(index + 1)) {
      if (a.statement === b.statement || !contradict(a, b)) continue;
      const subject = [...a.about].filter((stem) => b.about.has(stem)).join(' ');
      conflicts.push({ a, b, subject });
    }
  });
  return conflicts;
}

function contradict(a: Claim, b: Claim): boolean {
  if (a.about.size < ABOUT_MIN || b.about.size < ABOUT_MIN) return false;
  if (a.names.size > 0 && b.names.size > 0 && overlap(a.names, b.names) === 0) return false;
  const shared = similarity(a.about, b.about);
  if (a.denies !== b.denies && sameValues(a, b)) return jaccard(a.about, b.about) >= SAME_SUBJECT_FOR_DENIAL;
  if (a.denies !== b.denies || shared < SAME_SUBJECT) return false;
  return a.values.length > 0 && differingValue(a, b);
}

/** Share of the words of both that both have; a short statement inside of a longer one counts by the shorter, less a little. */
function similarity(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  const contained = Math.min(a.size, b.size) >= 3 ? overlap(a, b) * 0.8 : 0;
  return Math.max(jaccard(a, b), contained);
}

function jaccard(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  let shared = 0;
  for (const stem of a) if (b.has(stem)) shared += 1;
  return shared / Math.max(1, a.size + b.size - shared);
}

function sameValues(a: Claim, b: Claim): boolean {
  return a.values.every((value) =>
    b.values.every((other) => other.unit !== value.unit || other.amount === value.amount),
  );
}

/** A unit in which both give values and none of them is the same; several of one unit are a range or a table. */
function differingValue(a: Claim, b: Claim): boolean {
  const units = new Set(a.values.map(({ unit }) => unit));
  for (const unit of units) {
    const [mine, theirs] = [a, b].map((claim) => claim.values.filter((value) => value.unit === unit));
    if (mine!.length !== 1 || theirs!.length !== 1) continue;
    if (mine![0]!.amount !== theirs![0]!.amount) return true;
  }
  return false;
}

const DAY_AND_MONTH = new RegExp(
  String.raw`\b(\d{1,2})(?:st|nd|rd|th|\.)?\s{1,4}(${MONTHS})(?:,?\s{1,4}(\d{4}))?\b`,
  'gi',
);
const MONTH_AND_DAY = new RegExp(
  String.raw`\b(${MONTHS})\s{1,4}(\d{1,2})(?:st|nd|rd|th)?(?:,?\s{1,4}(\d{4}))?\b(?!\d)`,
  'gi',
);
const MONTH_AND_YEAR = new RegExp(String.raw`\b(${MONTHS})\s{1,4}(\d{4})\b`, 'gi');
const NUMERAL = String.raw`\d[\d.,]{0,20}|${Object.keys(NUMBER_WORDS).join('|')}`;
const AMOUNT = new RegExp(
  String.raw`\b(${NUMERAL})[\s-]{0,4}(?:(k|thousand|million|billion)\s{1,4})?(?:(?:working|business|calendar)\s{1,4})?(%|(?:${Object.keys(UNITS).join('|')})s?\b)`,
  'gi',
);
const COUNT = new RegExp(String.raw`\b(${NUMERAL})(?:\s{1,4}(k|thousand|million|billion))?\s{1,4}([a-z]{3,})\b`, 'gi');

/** Takes dates and amounts out of a text, normalised: 2 hours and 120 minutes are the same. */
export function takeValues(text: string): { values: Value[]; rest: string } {
  const values: Value[] = [];
  const take = (pattern: RegExp, read: (match: RegExpExecArray) => Value | null) => {
    rest = rest.replace(pattern, (...found) => {
      const match = found.slice(0, -2) as unknown as RegExpExecArray;
      const value = read(match);
      if (value === null) return match[0];
      values.push(value);
      return ' ';
    });
  };
  let rest = text;
  take(/\b(\d{4})-(\d{2})-(\d{2})\b/g, (m) => ({ unit: 'date', amount: `${m[1]}-${m[2]}-${m[3]}` }));
  take(DAY_AND_MONTH, (m) => dateOf(m[3], m[2]!, m[1]!));
  take(MONTH_AND_DAY, (m) => dateOf(m[3], m[1]!, m[2]!));
  take(MONTH_AND_YEAR, (m) => ({ unit: 'month', amount: `${m[2]}-${monthOf(m[1]!)}` }));
  take(/([€$£])\s?(\d[\d.,]{0,20})\s{0,4}(k|m|bn|thousand|million|billion)?\b/gi, (m) => ({
    unit: CURRENCY[m[1]!]!,
    amount: String(numberOf(m[2]!) * (SCALE[(m[3] ?? '').toLowerCase()] ?? 1)),
  }));
  take(/\b(\d{1,2}):(\d{2})\b(?:\s*(am|pm))?/gi, (m) => ({ unit: 'clock', amount: clockOf(m[1]!, m[2]!, m[3]) }));
  take(AMOUNT, (m) => {
    const name = m[3]!.toLowerCase();
    const known = UNITS[name] ?? UNITS[name.replace(/s$/, '')];
    if (known === undefined) return null;
    const amount = numberOf(m[1]!) * (SCALE[(m[2] ?? '').toLowerCase()] ?? 1) * known[1];
    return { unit: known[0], amount: String(Number(amount.toPrecision(10))) };
  });
  take(/(?<![-\w.])(1[89]\d{2}|20\d{2})\b(?!-)/g, (m) => ({ unit: 'year', amount: m[1]! }));
  take(COUNT, (m) => ({
    unit: `count ${stemsOf(m[3]!)[0] ?? m[3]!.toLowerCase()}`,
    amount: String(numberOf(m[1]!) * (SCALE[(m[2] ?? '').toLowerCase()] ?? 1)),
  }));
  return { values: values.filter(({ amount }) => amount !== 'NaN'), rest };
}

function dateOf(year: string | undefined, month: string, day: string): Value {
  const short = `${monthOf(month)}-${day.padStart(2, '0')}`;
  return year === undefined ? { unit: 'day of year', amount: short } : { unit: 'date', amount: `${year}-${short}` };
}

function monthOf(name: string): string {
  return String(MONTHS.split('|').indexOf(name.toLowerCase()) + 1).padStart(2, '0');
}

function clockOf(hours: string, minutes: string, half: string | undefined): string {
  const shift = half?.toLowerCase() === 'pm' && Number(hours) < 12 ? 12 : 0;
  return `${Number(hours) + shift}:${minutes}`;
}

/** 1,000 and 1.5 and `three`. */
function numberOf(text: string): number {
  const word = NUMBER_WORDS[text.toLowerCase()];
  if (word !== undefined) return word;
  const trimmed = text.replace(/(?<![.,])[.,]+$/, '');
  return Number(
    /^\d{1,3}(?:,\d{3})+(?:\.\d+)?$/.test(trimmed) ? trimmed.replaceAll(',', '') : trimmed.replace(',', '.'),
  );
}
