import { MONTH_NAME_PATTERN, monthOf, NUMBER_WORD_PATTERN, parseNumber, plainText, SCALES } from '@cairn/text';
import { stemsOf } from '../text/words.ts';
import { overlap } from './find-statements.ts';

/** A statement that may contradict another: its subject, its values, and whether it is a denial. */
export interface Claim {
  id: string;
  sourceId: string;
  /** Its subject: stems without values and negation. */
  about: ReadonlySet<string>;
  /** Stems of the names in it, which distinguish subjects. */
  names: ReadonlySet<string>;
  values: readonly Value[];
  denies: boolean;
  statement: string;
}

interface Value {
  /** Comparable values share a unit: days with days, euros with euros. */
  unit: string;
  amount: string;
}

/** Two claims about the same subject that cannot both be true. */
export interface Conflict {
  a: Claim;
  b: Claim;
  subject: string;
}

/** Least share of words in common of two statements about the same subject. */
const SAME_SUBJECT = 0.6;
const SAME_SUBJECT_FOR_DENIAL = 0.75;
const ABOUT_MIN = 2;
const NEGATION =
  /\b(?:not|no|never|without|cannot|can't|isn't|aren't|wasn't|weren't|don't|doesn't|didn't|won't|neither|nor|none|prohibited|forbidden|disallowed)\b/i;
const NEGATIONS = new RegExp(NEGATION.source, 'gi');

/** Base unit, and how many of it one unit is. */
const FACTORS: Readonly<Record<string, readonly [base: string, factor: number]>> = {
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
const UNITS = new Map(Object.entries(FACTORS));
const CURRENCY: ReadonlyMap<string, string> = new Map(Object.entries<string>({ '€': 'EUR', $: 'USD', '£': 'GBP' }));

export function claimOf(id: string, sourceId: string, statement: string, context = ''): Claim {
  const plain = plainText(statement);
  const { values, rest } = extractValues(plain);
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

/**
 * The first word of a sentence is always capitalised; it is surely a name only when another capitalised word follows.
 */
function startsWithName(plain: string): boolean {
  return /^["“(]?\p{Lu}[\p{L}\p{N}-]+\s+\p{Lu}/u.test(plain);
}

/** Every pair of claims that contradict each other, each once. */
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

/** Jaccard similarity; a short statement contained in a longer one counts by its own length, at a discount. */
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

/**
 * Whether both state a value of the same unit and the values differ; several values of one unit are a range or a table.
 */
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
  String.raw`\b(\d{1,2})(?:st|nd|rd|th|\.)?\s{1,4}(${MONTH_NAME_PATTERN})(?:,?\s{1,4}(\d{4}))?\b`,
  'gi',
);
const MONTH_AND_DAY = new RegExp(
  String.raw`\b(${MONTH_NAME_PATTERN})\s{1,4}(\d{1,2})(?:st|nd|rd|th)?(?:,?\s{1,4}(\d{4}))?\b(?!\d)`,
  'gi',
);
const MONTH_AND_YEAR = new RegExp(String.raw`\b(${MONTH_NAME_PATTERN})\s{1,4}(\d{4})\b`, 'gi');
const NUMERAL = String.raw`\d[\d.,]{0,20}|${NUMBER_WORD_PATTERN}`;
const AMOUNT = new RegExp(
  String.raw`\b(${NUMERAL})[\s-]{0,4}(?:(k|thousand|million|billion)\s{1,4})?(?:(?:working|business|calendar)\s{1,4})?(%|(?:${Object.keys(FACTORS).join('|')})s?\b)`,
  'gi',
);
const COUNT = new RegExp(String.raw`\b(${NUMERAL})(?:\s{1,4}(k|thousand|million|billion))?\s{1,4}([a-z]{3,})\b`, 'gi');

/** Extracts dates and amounts from a text, normalised: 2 hours equal 120 minutes. */
function extractValues(text: string): { values: Value[]; rest: string } {
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
  take(MONTH_AND_YEAR, (m) => ({ unit: 'month', amount: `${m[2]}-${twoDigitMonth(m[1]!)}` }));
  take(/([€$£])\s?(\d[\d.,]{0,20})\s{0,4}(k|m|bn|thousand|million|billion)?\b/gi, (m) => ({
    unit: CURRENCY.get(m[1]!)!,
    amount: String(parseNumber(m[2]!) * (SCALES.get((m[3] ?? '').toLowerCase()) ?? 1)),
  }));
  take(/\b(\d{1,2}):(\d{2})\b(?:\s*(am|pm))?/gi, (m) => ({ unit: 'clock', amount: clockOf(m[1]!, m[2]!, m[3]) }));
  take(AMOUNT, (m) => {
    const name = m[3]!.toLowerCase();
    const known = UNITS.get(name) ?? UNITS.get(name.replace(/s$/, ''));
    if (known === undefined) return null;
    const amount = parseNumber(m[1]!) * (SCALES.get((m[2] ?? '').toLowerCase()) ?? 1) * known[1];
    return { unit: known[0], amount: String(Number(amount.toPrecision(10))) };
  });
  take(/(?<![-\w.])(1[89]\d{2}|20\d{2})\b(?!-)/g, (m) => ({ unit: 'year', amount: m[1]! }));
  take(COUNT, (m) => ({
    unit: `count ${stemsOf(m[3]!)[0] ?? m[3]!.toLowerCase()}`,
    amount: String(parseNumber(m[1]!) * (SCALES.get((m[2] ?? '').toLowerCase()) ?? 1)),
  }));
  return { values: values.filter(({ amount }) => amount !== 'NaN'), rest };
}

function dateOf(year: string | undefined, month: string, day: string): Value {
  const short = `${twoDigitMonth(month)}-${day.padStart(2, '0')}`;
  return year === undefined ? { unit: 'day of year', amount: short } : { unit: 'date', amount: `${year}-${short}` };
}

function twoDigitMonth(name: string): string {
  return String(monthOf(name)).padStart(2, '0');
}

function clockOf(hours: string, minutes: string, half: string | undefined): string {
  const shift = half?.toLowerCase() === 'pm' && Number(hours) < 12 ? 12 : 0;
  return `${Number(hours) + shift}:${minutes}`;
}
