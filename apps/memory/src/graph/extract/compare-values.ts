import { compareDates, compareNamed, comparePlaces, type Comparison, type PlaceValue } from '@cairn/reading';
import { commonMeasure } from './measures.ts';
import type { Value } from './values.ts';

/** How far two exact amounts may be apart and still be the same, rounded differently; and when one is only about. */
const SAME_SHARE = 0.001;
const ABOUT_SHARE = 0.1;
/** What was converted into another unit was rounded: 5 km are about 3 miles. */
const CONVERTED_SHARE = 0.05;

/**
 * Whether two values of a relation that has one value at a time exclude each other: `same`, `excluding`, or
 * `unrelated` when they measure different things and say nothing about each other.
 */
export function compareValues(a: Value, b: Value): Comparison {
  if (a.kind === 'money' && b.kind === 'money') {
    if (a.currency !== b.currency) return 'unrelated';
    if (a.per !== undefined && b.per !== undefined && a.per !== b.per) return 'unrelated';
    return compareAmounts(a.amount, a.bound, b.amount, b.bound);
  }
  if (a.kind === 'duration' && b.kind === 'duration') return compareAmounts(a.seconds, a.bound, b.seconds, b.bound);
  if (a.kind === 'quantity' && b.kind === 'quantity') {
    const factors = commonMeasure(a.unit, b.unit);
    if (factors === null) return 'unrelated';
    const same = a.unit === b.unit ? SAME_SHARE : CONVERTED_SHARE;
    return compareAmounts(a.amount * factors[0], a.bound, b.amount * factors[1], b.bound, same);
  }
  if (a.kind === 'date' && b.kind === 'date') return compareDates(a, b);
  if (a.kind === 'place' && b.kind === 'place') return comparePlaces(a, b);
  if (a.kind === 'text' && b.kind === 'place') return compareOlderPlace(a.text, b);
  if (a.kind === 'place' && b.kind === 'text') return compareOlderPlace(b.text, a);
  if (a.kind === 'version' && b.kind === 'version') return a.version === b.version ? 'same' : 'excluding';
  if (a.kind === 'text' && b.kind === 'text') {
    if (sameText(a.text, b.text)) return 'same';
    const known = typeOf(a) !== null && typeOf(b) !== null;
    return compareNamed(
      { text: a.text, type: known ? typeOf(a) : null },
      { text: b.text, type: known ? typeOf(b) : null },
    );
  }
  return 'unrelated';
}

/** Until the third version of the extractor a place was a text: decisions and statements of that time have it still. */
function compareOlderPlace(text: string, { text: name, within }: PlaceValue): Comparison {
  return [name, ...within].some((place) => compareNamed({ text, type: null }, { text: place, type: null }) === 'same')
    ? 'same'
    : 'excluding';
}

/** The class of what a text names, as far as one is known. */
function typeOf({ type }: Extract<Value, { kind: 'text' }>): string | null {
  return type === undefined || type === 'other' ? null : type;
}

type Bounded = Extract<Value, { bound: unknown }>['bound'];

function compareAmounts(a: number, aBound: Bounded, b: number, bBound: Bounded, same = SAME_SHARE): Comparison {
  const share = aBound === 'about' || bBound === 'about' ? ABOUT_SHARE : same;
  if (Math.abs(a - b) <= share * Math.max(Math.abs(a), Math.abs(b))) return 'same';
  const exact = (bound: Bounded) => bound === 'exact' || bound === 'about';
  if (exact(aBound) && exact(bBound)) return 'excluding';
  if (aBound === bBound) return 'excluding';
  const [limit, limitBound, amount, amountBound] = exact(aBound) ? [b, bBound, a, aBound] : [a, aBound, b, bBound];
  if (!exact(amountBound)) {
    const [least, most] = limitBound === 'at_least' ? [limit, amount] : [amount, limit];
    return least > most ? 'excluding' : 'unrelated';
  }
  const fits = limitBound === 'at_least' ? amount >= limit : amount <= limit;
  return fits ? 'same' : 'excluding';
}

/** One text being a part of the other says the same, less exactly. */
function sameText(a: string, b: string): boolean {
  return a === b || ` ${a} `.includes(` ${b} `) || ` ${b} `.includes(` ${a} `);
}
