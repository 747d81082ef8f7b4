import { CURRENCY_CODES, MONTHS, NUMBER_WORD_PATTERN, parseNumber, SCALES, SECONDS_OF_UNIT } from '@cairn/language';
import { stemsOf } from '../text/words.ts';

/** An amount in the smallest of the units that it could be said in: 2 days are 172,800 seconds. */
interface Quantity {
  value: number;
  /** `EUR`, `%`, `s`; empty for a bare number. */
  unit: string;
  /** Half of the last place that is written: "41 million" may be 41.2 million. */
  precision: number;
}

/** What a statement gives amounts of, apart from the amounts and the order of its words. */
export interface MeasuredAmounts {
  /** The same for statements that give amounts of the same thing in other words. */
  subject: string;
  /** Months and quarters that it names: amounts of different ones do not exclude each other. */
  period: string;
  quantities: Quantity[];
}

/** Months and years are not among them: how long one is depends on which one it is. */
const DURATIONS = ['second', 'minute', 'hour', 'day', 'week'];
const MEASURES = new Map<string, [unit: string, factor: number]>([
  ...DURATIONS.flatMap((name) =>
    [name, `${name}s`].map((form): [string, [string, number]] => [form, ['s', SECONDS_OF_UNIT.get(name)!]]),
  ),
  ...Object.entries<[string, number]>({
    '%': ['%', 1],
    percent: ['%', 1],
    mm: ['m', 0.001],
    cm: ['m', 0.01],
    m: ['m', 1],
    metre: ['m', 1],
    metres: ['m', 1],
    meters: ['m', 1],
    km: ['m', 1_000],
    kilometres: ['m', 1_000],
    kilometers: ['m', 1_000],
    g: ['g', 1],
    grams: ['g', 1],
    kg: ['g', 1_000],
    kilograms: ['g', 1_000],
    tonne: ['g', 1e6],
    tonnes: ['g', 1e6],
    kw: ['W', 1_000],
    mw: ['W', 1e6],
    kb: ['B', 1_000],
    mb: ['B', 1e6],
    gb: ['B', 1e9],
  }),
]);
/** Words that say that there is an amount, and not of what. */
const MEASURING = new Set(
  stemsOf(
    'cost costs pay pays paid price priced charge charged amount amounts amounted stand stood total totals totalled reach reached come came equal equals number figure figures value about around roughly approximately nearly almost exactly only just over under now per each take takes took last lasts lasted have has had employ employs employed',
  ),
);
const AMOUNT = new RegExp(
  String.raw`(?<![\p{L}\p{N}.,-])(?:([€$£])\s?|(EUR|USD|GBP|CHF)\s)?(\d+(?:[.,]\d+){0,6}|(?:${NUMBER_WORD_PATTERN})\b(?!-))(?:\s?(thousand|million|billion|k|bn|m)\b(?![\p{L}²³/]))?(?:\s?(€|%|[\p{L}]+))?`,
  'giu',
);
const QUARTER = /\b(?:Q[1-4]|H[12]|(?:first|second|third|fourth) (?:quarter|half))\b/gi;

/** What a statement gives amounts of; null when it gives none, or more than one that could be meant. */
export function measuredAmountsIn(text: string): MeasuredAmounts | null {
  const periods: string[] = [];
  const plain = text
    .replace(QUARTER, (quarter) => {
      periods.push(quarter.toLowerCase());
      return ' ';
    })
    .replace(/[\p{L}]+/gu, (word) => {
      if (!MONTHS.includes(word.toLowerCase())) return word;
      periods.push(word.toLowerCase());
      return ' ';
    })
    .replace(/(?<![\d.,])(?:19|20)\d{2}(?![\d.,]\d|\d)/g, ' ');
  const quantities: Quantity[] = [];
  const rest = plain.replace(
    AMOUNT,
    (whole: string, sign = '', code = '', digits = '', scale = '', after = '', at: number) => {
      const quantity = quantityOf({ sign: sign || code, digits, scale, after });
      if (quantity === null || (quantity.of.unit === '' && isName(plain.slice(0, at), after))) return whole;
      quantities.push(quantity.of);
      return ` ${quantity.rest} `;
    },
  );
  const subject = [...new Set(stemsOf(rest))].filter((stem) => !MEASURING.has(stem)).toSorted();
  if (quantities.length === 0 || subject.length === 0) return null;
  return { subject: subject.join(' '), period: periods.toSorted().join(' '), quantities };
}

function quantityOf({ sign, digits, scale, after }: Readonly<Record<'sign' | 'digits' | 'scale' | 'after', string>>): {
  of: Quantity;
  /** The word behind the amount when it is no unit: what is counted. */
  rest: string;
} | null {
  const number = parseNumber(digits.toLowerCase());
  if (!Number.isFinite(number)) return null;
  const isMetres = /^m$/i.test(scale) && sign === '' && !CURRENCY_CODES.has(after.toLowerCase());
  const factor = isMetres ? 1 : (SCALES.get(scale.toLowerCase()) ?? 1);
  const unit = isMetres ? 'm' : after.toLowerCase();
  const currency = CURRENCY_CODES.get(sign.toLowerCase()) ?? CURRENCY_CODES.get(unit);
  const [name, size] = currency === undefined ? (MEASURES.get(unit) ?? ['', 1]) : [currency, 1];
  const decimals = /[.,](\d{1,2})$/.exec(digits)?.[1]?.length ?? 0;
  // A number that is written in full may be rounded only where it is scaled: "41 million", not "41 people".
  const precision = factor === 1 ? 0 : (factor * size) / 10 ** decimals / 2;
  const isUnit = name !== '' && (CURRENCY_CODES.has(unit) || MEASURES.has(unit));
  const rest = isMetres ? after : isUnit ? '' : after;
  return { of: { value: number * factor * size, unit: name, precision }, rest };
}

/** "Ticket 41", "hall 4": a number behind a noun that counts nothing says which one is meant. */
function isName(before: string, after: string): boolean {
  const previous = before
    .slice(-40)
    .trimEnd()
    .split(/[^\p{L}]/u)
    .at(-1)!;
  const isNoun = stemsOf(previous).some((stem) => !MEASURING.has(stem));
  return isNoun && stemsOf(after).length === 0;
}

/** Whether two statements give different amounts of the same thing. Null when they are not about the same. */
export function amountsDiffer(a: MeasuredAmounts, b: MeasuredAmounts): boolean | null {
  if (a.subject !== b.subject || a.period !== b.period || a.quantities.length !== b.quantities.length) return null;
  if (a.quantities.some(({ unit }, at) => unit !== b.quantities[at]!.unit)) return null;
  return a.quantities.some(({ value, precision }, at) => {
    const other = b.quantities[at]!;
    return Math.abs(value - other.value) > Math.max(precision, other.precision) + Math.abs(value) * 1e-9;
  });
}
