import type { z } from 'zod';

const KINDS: ReadonlyMap<string, string> = new Map([
  ['string', 'a text'],
  ['number', 'a number'],
  ['int', 'a whole number'],
  ['boolean', 'true or false'],
  ['array', 'a list'],
  ['object', 'an object'],
  ['record', 'an object'],
  ['date', 'a date'],
]);
const COUNTED: ReadonlyMap<string, string> = new Map([
  ['string', 'characters'],
  ['array', 'items'],
  ['set', 'items'],
]);
export const REQUIRED = 'is required';
/** More are not worth reading. */
const CHOICES_MAX = 20;

/**
 * What is wrong with a value, in words that go on after its name, as in `title: is required`. Undefined for what has
 * no words here; what the schema itself says of a value comes first.
 */
export function issueWords(issue: z.core.$ZodRawIssue): string | undefined {
  switch (issue.code) {
    case 'invalid_type': {
      if (issue.input === undefined) return REQUIRED;
      // What a query's digits come to when there are more than 308 of them.
      if (issue.input === Infinity || issue.input === -Infinity) return 'is out of range';
      const kind = KINDS.get(issue.expected);
      return kind === undefined ? undefined : `must be ${kind}`;
    }
    case 'invalid_value': {
      if (issue.values.length > CHOICES_MAX) return undefined;
      const choices = issue.values.map((value) => JSON.stringify(value) ?? String(value));
      if (issue.input === undefined) return `${REQUIRED}: ${choices.join(', ')}`;
      return choices.length === 1 ? `must be ${choices[0]}` : `must be one of ${choices.join(', ')}`;
    }
    case 'too_small':
      return bounded(issue.origin, 'at least', issue.minimum);
    case 'too_big':
      return bounded(issue.origin, 'at most', issue.maximum);
    default:
      return undefined;
  }
}

function bounded(origin: string, word: 'at least' | 'at most', bound: number | bigint): string | undefined {
  const counted = COUNTED.get(origin);
  if (counted === undefined) return origin === 'number' || origin === 'int' ? `must be ${word} ${bound}` : undefined;
  if (word === 'at least' && bound === 1) return 'must not be empty';
  return `must have ${word} ${bound} ${counted}`;
}
