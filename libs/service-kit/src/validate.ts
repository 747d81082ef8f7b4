import type { Operation } from '@cairn/contracts';
import { type FieldError, validationFailed } from '@cairn/errors';
import type { z } from 'zod';

const NUL_MESSAGE = 'contains a NUL character, which cannot be stored';

/** Parses the parts of a request by the operation's schemas; throws `validation_failed` naming every wrong place. */
export function validateRequest(
  operation: Operation,
  raw: { params: unknown; query: unknown; body: unknown },
): { params: unknown; query: unknown; body: unknown } {
  const errors: FieldError[] = [];
  const parsed = {
    params: parse(operation.params, raw.params, errors),
    query: parse(operation.query, raw.query, errors, true),
    body: parse(operation.body, raw.body, errors, true),
  };
  if (errors.length > 0) throw validationFailed(errors);
  return parsed;
}

function parse(schema: z.ZodType | undefined, value: unknown, errors: FieldError[], refuseUnknown = false): unknown {
  const nul = findNul(value, []);
  if (nul !== null) {
    errors.push({ path: nul.join('.'), message: NUL_MESSAGE });
    return undefined;
  }
  if (schema === undefined) {
    if (refuseUnknown && value !== null && typeof value === 'object') {
      for (const key of Object.keys(value)) errors.push({ path: key, message: 'is not known here' });
    }
    return undefined;
  }
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  errors.push(...result.error.issues.flatMap(fieldErrors));
  return undefined;
}

function fieldErrors(issue: z.core.$ZodIssue): FieldError[] {
  const path = issue.path.map(String);
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => ({ path: [...path, key].join('.'), message: 'is not known here' }));
  }
  if (issue.code === 'invalid_union') {
    // The branch that got furthest says best what is wrong.
    const branches = issue.errors.map((branch) => branch.flatMap(fieldErrors));
    const best = branches.filter((branch) => branch.length > 0).sort((a, b) => a.length - b.length)[0];
    if (best !== undefined) return best.map((error) => ({ ...error, path: [...path, error.path].filter((part) => part !== '').join('.') }));
  }
  return [{ path: path.join('.'), message: issue.message }];
}

function findNul(value: unknown, path: string[]): string[] | null {
  if (typeof value === 'string') return value.includes('\0') ? path : null;
  if (value === null || typeof value !== 'object') return null;
  for (const [key, inner] of Object.entries(value)) {
    if (key.includes('\0')) return [...path, key.replaceAll('\0', '\\0')];
    const found = findNul(inner, [...path, key]);
    if (found !== null) return found;
  }
  return null;
}
