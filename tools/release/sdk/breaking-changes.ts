import {
  type Answer,
  type ApiModel,
  type Call,
  type Field,
  fieldsOf,
  nameOf,
  resolve,
  type Schema,
} from './api-model.ts';

/** Which way a value goes: a program may get more than it knew of, and need not send more than it did. */
type Direction = 'sent' | 'received';

interface Sides {
  before: ApiModel['schemas'];
  after: ApiModel['schemas'];
}

/**
 * What a program that was written against `before` and compiles would run into with `after`, one line each: calls,
 * parameters and fields that are gone or have another type, and values that it must send now. What is added is no break.
 */
export function breakingChanges(before: ApiModel, after: ApiModel): string[] {
  const calls = new Map(after.calls.map((call) => [call.name, call]));
  const sides = { before: before.schemas, after: after.schemas };
  const broken = before.calls.flatMap((call) => {
    const now = calls.get(call.name);
    return now === undefined ? [`${call.name} is gone`] : callChanges(call, now, sides);
  });
  return [...new Set(broken)];
}

function callChanges(before: Call, after: Call, sides: Sides): string[] {
  const { name } = before;
  const sent = (kind: keyof Pick<Call, 'params' | 'query' | 'upload'>) =>
    fieldChanges(`${name}(${kind === 'params' ? '' : '…'})`, before[kind] ?? [], after[kind] ?? [], 'sent', sides);
  const paths = [before, after].map(({ params }) => params.map((param) => param.name).join(', '));
  return [
    ...(paths[0] === paths[1] ? sent('params') : [`${name} takes (${paths[1]}), not (${paths[0]})`]),
    ...sent('query'),
    ...sent('upload'),
    ...bodyChanges(before, after, sides),
    ...answerChanges(name, before.answer, after.answer, sides),
  ];
}

function bodyChanges(before: Call, after: Call, sides: Sides): string[] {
  if (before.body === null) return after.bodyRequired ? [`${before.name} needs fields that there were not`] : [];
  if (after.body === null) return [`${before.name} takes no fields any more`];
  return typeChanges(`${before.name}(…)`, before.body, after.body, 'sent', sides);
}

function answerChanges(name: string, before: Answer, after: Answer, sides: Sides): string[] {
  if (before.kind !== after.kind) return [`${name} answers with a ${after.kind}, not a ${before.kind}`];
  const place = `${name} →`;
  if (before.kind === 'stream' && after.kind === 'stream') {
    const now = new Map(after.events.map((event) => [event.name, event.schema]));
    return before.events.flatMap((event) => {
      const schema = now.get(event.name);
      return schema === undefined
        ? [`${place} the event ${event.name} is gone`]
        : typeChanges(`${place} ${event.name}`, event.schema, schema, 'received', sides);
    });
  }
  if ('items' in before && 'items' in after && before.items !== after.items)
    return [`${place} pages are of ${after.items}, not of ${before.items}`];
  if ('schema' in before && 'schema' in after)
    return typeChanges(place, before.schema, after.schema, 'received', sides);
  return [];
}

function fieldChanges(
  place: string,
  before: readonly Field[],
  after: readonly Field[],
  direction: Direction,
  sides: Sides,
  compared: ReadonlySet<string> = new Set(),
): string[] {
  const now = new Map(after.map((field) => [field.name, field]));
  const known = new Set(before.map(({ name }) => name));
  const kept = before.flatMap((field) => {
    const other = now.get(field.name);
    const at = `${place}.${field.name}`;
    if (other === undefined) return [`${at} is gone`];
    const needed = direction === 'sent' && other.required && !field.required ? [`${at} must be sent now`] : [];
    const missing = direction === 'received' && field.required && !other.required ? [`${at} may be missing now`] : [];
    return [...needed, ...missing, ...typeChanges(at, field.schema, other.schema, direction, sides, compared)];
  });
  const added = after.filter(({ name, required }) => direction === 'sent' && required && !known.has(name));
  return [...kept, ...added.map(({ name }) => `${place}.${name} must be sent now`)];
}

function typeChanges(
  place: string,
  before: Schema,
  after: Schema,
  direction: Direction,
  sides: Sides,
  compared: ReadonlySet<string> = new Set(),
): string[] {
  // A type that holds itself is compared once on each way.
  const names = [before.$ref, after.$ref].map((ref) => (ref === undefined ? '' : nameOf(ref)));
  const pair = names.join(' ');
  if (before.$ref !== undefined && compared.has(pair)) return [];
  const seen = before.$ref === undefined ? compared : new Set([...compared, pair]);
  const [was, is] = [resolve(before, sides.before), resolve(after, sides.after)];
  if (was.type === 'object' && is.type === 'object' && was.properties !== undefined)
    return fieldChanges(place, fieldsOf(was), fieldsOf(is), direction, sides, seen);
  if (was.type === 'array' && is.type === 'array')
    return typeChanges(`${place}[]`, was.items ?? {}, is.items ?? {}, direction, sides, seen);
  const [from, to] = [valuesOf(was, sides.before), valuesOf(is, sides.after)];
  // Sent: all that was taken must be taken still. Received: a kind of value that there was not surprises who handles
  // all of them; a further word of a list does not, as lists of words grow.
  const lost =
    direction === 'sent' ? from.filter((value) => !takes(to, value)) : to.filter((value) => !isKnown(from, value));
  return lost.length === 0 ? [] : [`${place} is ${to.join(' | ')}, not ${from.join(' | ')}`];
}

/** What a value may be: words in quotes, kinds of values, or the fields of an object. */
function valuesOf(schema: Schema, schemas: ApiModel['schemas']): string[] {
  const whole = resolve(schema, schemas);
  const options = whole.anyOf ?? whole.oneOf;
  if (options !== undefined) return [...new Set(options.flatMap((option) => valuesOf(option, schemas)))].sort();
  if (whole.const !== undefined) return [JSON.stringify(whole.const)];
  if (whole.enum !== undefined) return whole.enum.map((value) => JSON.stringify(value)).sort();
  if (whole.allOf !== undefined) return [whole.allOf.map((part) => valuesOf(part, schemas).join('|')).join('&')];
  if (Array.isArray(whole.type)) return whole.type.flatMap((type) => valuesOf({ ...whole, type }, schemas)).sort();
  if (whole.type === 'array') return [`${valuesOf(whole.items ?? {}, schemas).join('|')}[]`];
  if (whole.type === 'object')
    return [
      `{${fieldsOf(whole)
        .map(({ name }) => name)
        .join()}}`,
    ];
  return [whole.type ?? 'unknown'];
}

const isWord = (value: string) => value.startsWith('"');
const takes = (taken: readonly string[], value: string) =>
  taken.includes(value) || taken.includes('unknown') || (isWord(value) && taken.includes('string'));
const isKnown = (known: readonly string[], value: string) =>
  takes(known, value) || (isWord(value) && known.some(isWord)) || isWiderObject(known, value);

/** An object in a choice, with at least the fields of one that there was. */
function isWiderObject(known: readonly string[], value: string): boolean {
  if (!value.startsWith('{')) return false;
  const fields = new Set(value.slice(1, -1).split(','));
  return known.some(
    (one) =>
      one.startsWith('{') &&
      one
        .slice(1, -1)
        .split(',')
        .every((name) => fields.has(name)),
  );
}
