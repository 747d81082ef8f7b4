import { z } from 'zod';
import { type IdKind, idPattern } from '../ids.ts';
import { isDisplayable, isDisplayableText } from '../shown-text.ts';

/** An identifier of the kind. A malformed one cannot exist, so `path` parameters that are wrong are 404 by look-up, bodies 422. */
export function id(kind: IdKind): z.ZodString {
  return z.string().regex(idPattern(kind), `is not an identifier of a ${kind}`);
}

/** Path parameters are looked up as they come: what does not exist is 404, whatever its form. */
export const pathId = z.string().min(1).max(128);

export const timestamp = z.iso
  .datetime({ offset: true })
  .meta({ description: 'ISO 8601 date-time', format: 'date-time' });

/** A bound of a list by time. */
export const timeBound = z.iso.datetime({ offset: true, error: 'must be a time as ISO 8601' });

/** Names an operation, as this document does. */
export const operationId = z.string().regex(/^[A-Za-z]{1,64}$/, 'is not the id of an operation');

export interface ShapeIssue {
  /** Below the value that was looked at. */
  path: (string | number)[];
  message: string;
}

/**
 * A schema that sees a value only if `flawOf` finds nothing: a schema's own bounds are checked when every part has been
 * parsed, and it describes each wrong part at length. `flawOf` ends with the first flaw.
 */
export function precheckedBy<Schema extends z.ZodType>(flawOf: (value: unknown) => ShapeIssue | null, schema: Schema) {
  return z.preprocess((value, context) => {
    const flaw = flawOf(value);
    if (flaw === null) return value;
    context.issues.push({ code: 'custom', ...flaw, input: value });
    return z.NEVER;
  }, schema);
}

/** The first item that is not as it should be. */
export function issueInList(
  list: readonly unknown[],
  isRight: (item: unknown) => boolean,
  message: string,
): ShapeIssue | null {
  const at = list.findIndex((item) => !isRight(item));
  return at === -1 ? null : { path: [at], message };
}

/** One or several of the values, separated by commas. */
export function listOf<const Value extends string>(values: readonly Value[]) {
  return z
    .string()
    .max(500)
    .transform((text, context): Value[] => {
      const given = [...new Set(text.split(','))];
      const known = given.filter((each): each is Value => (values as readonly string[]).includes(each));
      if (known.length === given.length) return known;
      context.issues.push({ code: 'custom', message: `has another value than ${values.join(', ')}`, input: text });
      return z.NEVER;
    });
}

const CLAMPED_MAX_CHARS = 1_000;

/** An integer of a query, of any size, clamped into a range. The nearest number of a long one is far outside as well. */
export function clampedInteger(min: number, max: number) {
  return z
    .string()
    .max(CLAMPED_MAX_CHARS)
    .regex(/^[+-]?\d+$/, 'is not an integer')
    .transform((text) => Math.min(max, Math.max(min, Number(text))));
}

export const TextSpan = z
  .object({ start: z.number().int(), end: z.number().int() })
  .meta({ id: 'TextSpan', description: 'A place in the text of a chunk, in UTF-16 units: `text.slice(start, end)`.' });

const UNSHOWABLE = 'must hold no control characters and no marks that change the direction of text';

/** What people are shown in one line. */
export const shownLine = (maxChars: number) => z.string().trim().max(maxChars).refine(isDisplayable, UNSHOWABLE);
/** What people are shown in one or several lines. */
export const shownText = (maxChars: number) => z.string().max(maxChars).refine(isDisplayableText, UNSHOWABLE);

export const name = shownLine(200).min(1);

export const PAGE_LIMIT_MAX = 200;

const CURSOR_MAX_CHARS = 700;

/** Cursor paging; without both everything is listed. The cursor is a position, which has the form that is given here. */
export function pageBy(position: RegExp) {
  return {
    limit: z.coerce.number().int().min(1).max(PAGE_LIMIT_MAX).optional().meta({ description: 'Rows a page, 1–200.' }),
    cursor: z
      .string()
      .max(CURSOR_MAX_CHARS)
      .regex(position, 'is not a next_cursor of this list')
      .optional()
      .meta({ description: '`next_cursor` of the page before.' }),
  };
}

/** Cursor paging of a list whose position is the identifier of its last row. */
export function pageById(kind: IdKind) {
  return pageBy(idPattern(kind));
}

export const nextCursor = z.string().optional().meta({ description: 'There only when more follow.' });
