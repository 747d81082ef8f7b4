import { UNIT_SYMBOLS } from '@cairn/language';
import { stemOf } from '../text/words.ts';

export interface Bound {
  /** What the number is about, as the prompt says it: "born", "founded", "price"; empty when it does not. */
  about: string;
  /** What is counted or measured: "employees", "m"; empty for years and prices. */
  unit: string;
  least: number | null;
  most: number | null;
  isYear: boolean;
}

const NUMBER = String.raw`([$€£])?\s?(\d[\d,.]*)\s?(k\b|million\b|thousand\b)?(?:\s?(\p{L}+))?`;
const BETWEEN = new RegExp(String.raw`\bbetween ${NUMBER} and ${NUMBER}`, 'iu');
const MORE = new RegExp(String.raw`\b(after|over|above|more than|at least|since|from) ${NUMBER}`, 'iu');
const LESS = new RegExp(
  String.raw`\b(before|under|below|less than|fewer than|cheaper than|at most|until|up to) ${NUMBER}`,
  'iu',
);
const DECADE = /\bin the (\d{3}0)s\b/i;
const CENTURY = /\bin the (\d{1,2})(?:st|nd|rd|th) century\b/i;
const IN_YEAR = /\bin (\d{4})\b/i;
/** Words that bound a time, where others bound an amount. */
const OF_TIME = /^(?:after|since|from|before|until|between)$/i;
const STRICT = /^(?:after|over|above|more than|before|under|below|less than|fewer than|cheaper than)$/i;
const ABOUT = /\b(?:born|published|released|founded|established|built|opened|died|rated|population)\b/i;
const ABOUT_TIME: ReadonlySet<string> = new Set(
  'born published released founded established built opened died'.split(' '),
);
const CURRENCY = /^(?:euros?|dollars?|pounds?|francs?|yen|rupees?|eur|usd|gbp|chf|jpy|inr)$/i;
/** Words that follow a number without saying what it counts. */
const NO_UNIT = /^(?:and|or|in|on|of|by|to|at|for|with|from|who|that|which|ad|bc|ce|bce)$/i;
const EPSILON = 1e-6;

interface Amount {
  value: number;
  /** The currency, scale or noun with it. */
  isPrice: boolean;
  isScaled: boolean;
  unit: string;
}

/** The bound that a restriction sets, of all that a prompt has; null when it sets none. */
export function boundOf(restriction: string, all: readonly string[]): Bound | null {
  const about = aboutOf(restriction) || aboutOf(all.join(' '));
  const years = (least: number, most: number) => ({ about, unit: '', least, most, isYear: true });
  const decade = DECADE.exec(restriction);
  if (decade !== null) return years(Number(decade[1]), Number(decade[1]) + 9);
  const century = CENTURY.exec(restriction);
  if (century !== null) return years((Number(century[1]) - 1) * 100, Number(century[1]) * 100 - 1);
  const year = IN_YEAR.exec(restriction);
  if (year !== null) return years(Number(year[1]), Number(year[1]));
  const between = BETWEEN.exec(restriction);
  if (between !== null) {
    const [low, high] = [amountOf(between.slice(1, 5)), amountOf(between.slice(5, 9))];
    return boundBy(about, 'between', high.unit === '' ? low : high, { least: low.value, most: high.value });
  }
  const more = MORE.exec(restriction);
  if (more !== null) {
    const amount = amountOf(more.slice(2));
    return boundBy(about, more[1]!, amount, { least: amount.value + strictness(more[1]!), most: null });
  }
  const less = LESS.exec(restriction);
  if (less === null) return null;
  const amount = amountOf(less.slice(2));
  return boundBy(about, less[1]!, amount, { least: null, most: amount.value - strictness(less[1]!) });
}

function boundBy(
  about: string,
  word: string,
  amount: Amount,
  bounds: { least: number | null; most: number | null },
): Bound {
  const number = Math.round(bounds.least ?? bounds.most ?? 0);
  const mayBeYear = number >= 1_000 && number < 2_100 && !amount.isPrice && !amount.isScaled && amount.unit === '';
  const isYear = mayBeYear && (ABOUT_TIME.has(about) || (about === '' && OF_TIME.test(word)));
  return { about: amount.isPrice ? 'price' : about, unit: amount.isPrice ? '' : amount.unit, ...bounds, isYear };
}

function strictness(word: string): number {
  return STRICT.test(word) ? EPSILON : 0;
}

function aboutOf(text: string): string {
  return ABOUT.exec(text)?.[0].toLowerCase() ?? (/\b(?:cost|cheap|pric)|[$€£]/i.test(text) ? 'price' : '');
}

function amountOf([sign, digits, scale, noun]: readonly (string | undefined)[]): Amount {
  const factor = scale === undefined ? 1 : /^(?:k|thousand)$/i.test(scale) ? 1e3 : 1e6;
  const isNoUnit = noun === undefined || NO_UNIT.test(noun);
  const isPrice = sign !== undefined || (!isNoUnit && CURRENCY.test(noun));
  return {
    value: Number(digits!.replace(/,/g, '').replace(/\.$/, '')) * factor,
    isPrice,
    isScaled: scale !== undefined,
    unit: isNoUnit || isPrice ? '' : unitOf(noun),
  };
}

/** A noun as it is written, a unit by its sign. */
function unitOf(word: string): string {
  const plain = word.toLowerCase();
  return UNIT_SYMBOLS.get(plain) ?? plain;
}

const MEASURED = /(?<![\d,.])(\d[\d,]{0,20}(?:\.\d{1,10})?)\s?(\p{L}{1,40})/gu;

/** The number of a text that has the unit; null without one. */
export function numberOfUnit(text: string, unit: string): number | null {
  for (const [, digits, word] of text.matchAll(MEASURED))
    if (stemOf(unitOf(word!)) === stemOf(unit)) return Number(digits!.replace(/,/g, ''));
  return null;
}
