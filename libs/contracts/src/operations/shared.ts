import { z } from 'zod';
import { type IdKind, idPattern } from '../ids.ts';

/** An identifier of the kind. A malformed one cannot exist, so `path` parameters that are wrong are 404 by look-up, bodies 422. */
export function id(kind: IdKind): z.ZodString {
  return z.string().regex(idPattern(kind), `is not an identifier of a ${kind}`);
}

/** Path parameters are looked up as they come: what does not exist is 404, whatever its form. */
export const pathId = z.string().min(1).max(128);

export const timestamp = z.iso
  .datetime({ offset: true })
  .meta({ description: 'ISO 8601 date-time', format: 'date-time' });

/**
 * A schema whose values are sized up before it sees them: its own checks run only after each part was parsed. `excessOf`
 * says what is too much, or null, and must not take longer for a value that is too large.
 */
export function countedFirst<Schema extends z.ZodType>(excessOf: (value: unknown) => string | null, schema: Schema) {
  return z.preprocess((value, context) => {
    const excess = excessOf(value);
    if (excess === null) return value;
    context.issues.push({ code: 'custom', message: excess, input: value });
    return z.NEVER;
  }, schema);
}

export const name = z.string().trim().min(1).max(200);

export const PAGE_LIMIT_MAX = 200;

/** Cursor paging; without both everything is listed. */
export const page = {
  limit: z.coerce.number().int().min(1).max(PAGE_LIMIT_MAX).optional().meta({ description: 'Rows a page, 1–200.' }),
  cursor: z.string().min(1).max(200).optional().meta({ description: '`next_cursor` of the page before.' }),
};

export const nextCursor = z.string().optional().meta({ description: 'There only when more follow.' });
