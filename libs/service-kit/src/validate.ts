import type { Operation, UploadedFile } from '@cairn/contracts';
import { type FieldError, validationFailed } from '@cairn/errors';
import type { z } from 'zod';

// Deeper than any request is meant to be, and far from what exhausts the stack of those who walk it.
const DEPTH_MAX = 64;

/** Parses the parts of a request by the operation's schemas; throws `validation_failed` naming every wrong place. */
export function validateRequest(
  operation: Operation,
  raw: { params: unknown; query: unknown; body: unknown; upload?: { file: UploadedFile; fields: unknown } | undefined },
): { params: unknown; query: unknown; body: unknown; upload: unknown } {
  const errors: FieldError[] = [];
  const parsed = {
    params: parse(operation.params, raw.params, errors),
    query: parse(operation.query, raw.query, errors, true),
    ...parseContent(operation, raw, errors),
  };
  if (errors.length > 0) throw validationFailed(errors);
  return parsed;
}

/** A request to an operation with `upload` holds a file with fields, or the plain body. */
function parseContent(
  operation: Operation,
  raw: { body: unknown; upload?: { file: UploadedFile; fields: unknown } | undefined },
  errors: FieldError[],
): { body: unknown; upload: unknown } {
  if (raw.upload === undefined) return { body: parse(operation.body, raw.body, errors, true), upload: undefined };
  const fields = parse(operation.upload?.fields, raw.upload.fields, errors, true);
  // JSON that came as the text of a field is looked into only now.
  const strange = findStrange(fields, []);
  if (strange !== null) errors.push(strange);
  return { body: undefined, upload: { file: raw.upload.file, fields } };
}

function parse(schema: z.ZodType | undefined, value: unknown, errors: FieldError[], refuseUnknown = false): unknown {
  const strange = findStrange(value, []);
  if (strange !== null) {
    errors.push(strange);
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
    if (best !== undefined)
      return best.map((error) => ({ ...error, path: [...path, error.path].filter((part) => part !== '').join('.') }));
  }
  return [{ path: path.join('.'), message: issue.message }];
}

/** What no schema looks for and yet can be neither stored nor trusted, wherever it is. */
function findStrange(value: unknown, path: string[]): FieldError | null {
  if (typeof value === 'string') {
    const message = unstorable(value);
    return message === null ? null : { path: path.join('.'), message };
  }
  if (value === null || typeof value !== 'object') return null;
  if (path.length >= DEPTH_MAX) return { path: path.join('.'), message: `is nested more than ${DEPTH_MAX} deep` };
  for (const [key, inner] of Object.entries(value)) {
    const place = [...path, key.replaceAll('\0', '\\0').toWellFormed()];
    const message = unstorable(key);
    if (message !== null) return { path: place.join('.'), message };
    // Validators drop this key without a word; a typo or an attack must not silently do nothing.
    if (key === '__proto__') return { path: place.join('.'), message: 'is not known here' };
    const found = findStrange(inner, place);
    if (found !== null) return found;
  }
  return null;
}

function unstorable(text: string): string | null {
  if (text.includes('\0')) return 'contains a NUL character, which cannot be stored';
  return text.isWellFormed() ? null : 'contains half of a character (an unpaired surrogate), which cannot be stored';
}
