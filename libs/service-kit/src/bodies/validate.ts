import { DEFAULT_BODY_MAX_VALUES, mayHoldCredentials, type Operation, type UploadedFile } from '@cairn/contracts';
import { type FieldError, validationFailed } from '@cairn/errors';
import { credentialIn } from '@cairn/screening/credentials';
import type { z } from 'zod';
import { issueWords, REQUIRED } from './issue-words.ts';
import { type JsonBounds, tooDeep, tooManyFields, tooManyItems, tooManyValues } from './json-bounds.ts';

/** More are counted, not listed. */
const ERRORS_MAX = 20;
const UNKNOWN_FIELD = 'unknown field';

/** What a request to the operation may hold at most, whatever its schema says. */
export function boundsOf(operation: Operation): JsonBounds {
  return {
    valuesMax: operation.bodyMaxValues ?? DEFAULT_BODY_MAX_VALUES,
    // Several times what any schema takes.
    fieldsMax: 256,
    // What the longest list of any schema takes.
    itemsMax: 1_000,
    // Deeper than any request is meant to be, and far from what exhausts the stack of those who walk it.
    depthMax: 64,
  };
}

interface RawRequest {
  params: unknown;
  query: unknown;
  body: unknown;
  upload?: { file: UploadedFile; fields: unknown } | undefined;
}

export interface ValidRequest {
  params: unknown;
  query: unknown;
  body: unknown;
  upload: unknown;
}

/**
 * Parses the parts of a request by the operation's schemas; throws `validation_failed`, naming wrong places. No schema
 * sees a value that is larger than `boundsOf` says, so the time this takes is bounded as well.
 */
export function validateRequest(operation: Operation, raw: RawRequest): ValidRequest {
  const errors = new FieldErrors(operation);
  refuseUser(raw.params, errors);
  const parsed = {
    params: parse(operation.params, raw.params, errors, { isPath: true }),
    query: parse(operation.query, raw.query, errors),
    ...parseContent(operation, raw, errors),
  };
  errors.throwIfAny();
  return parsed;
}

/** A user in a path is stored as one in a body is; identifiers in paths are only looked up. */
function refuseUser(params: unknown, errors: FieldErrors): void {
  const user = params !== null && typeof params === 'object' && 'user' in params ? params.user : undefined;
  const credential = typeof user === 'string' ? credentialIn(user) : null;
  if (credential !== null) errors.add(['user'], holds(credential));
}

function holds(credential: string): string {
  return `contains ${credential}, which must not be stored or shown here`;
}

class FieldErrors {
  readonly bounds: JsonBounds;
  private readonly operation: Operation;
  private readonly listed: FieldError[] = [];
  private omitted = 0;

  constructor(operation: Operation) {
    this.operation = operation;
    this.bounds = boundsOf(operation);
  }

  mayHoldCredentials(path: readonly string[]): boolean {
    return path.some((field) => mayHoldCredentials(this.operation, field));
  }

  add(path: readonly string[], message: string): void {
    if (this.listed.length === ERRORS_MAX) this.omitted += 1;
    else this.listed.push({ path: path.join('.'), message });
  }

  throwIfAny(): void {
    if (this.listed.length > 0) throw validationFailed(this.listed, this.omitted);
  }
}

/** A request to an operation with `upload` holds a file with fields, or the plain body. */
function parseContent(operation: Operation, raw: RawRequest, errors: FieldErrors): { body: unknown; upload: unknown } {
  if (raw.upload === undefined) return { body: parse(operation.body, raw.body, errors), upload: undefined };
  const fields = parse(operation.upload?.fields, raw.upload.fields, errors);
  // JSON that came as the text of a field is looked into only now.
  refuseStrange(fields, errors);
  return { body: undefined, upload: { file: raw.upload.file, fields } };
}

function parse(
  schema: z.ZodType | undefined,
  value: unknown,
  errors: FieldErrors,
  { isPath = false }: { isPath?: boolean } = {},
): unknown {
  if (refuseStrange(value, errors, isPath)) return undefined;
  if (schema === undefined) {
    if (!isPath && value !== null && typeof value === 'object') {
      for (const key of Object.keys(value)) errors.add([key], UNKNOWN_FIELD);
    }
    return undefined;
  }
  const result = schema.safeParse(value, { error: issueWords });
  if (result.success) return result.data;
  const missing = requiredFields(result.error.issues);
  for (const issue of result.error.issues) addIssue(issue, [], { errors, missing });
  return undefined;
}

/** The names of fields of the object itself that are required and were not sent. */
function requiredFields(issues: readonly z.core.$ZodIssue[]): string[] {
  return issues.flatMap(({ message, path }) =>
    message.startsWith(REQUIRED) && path.length === 1 ? [String(path[0])] : [],
  );
}

/** An unknown field may be a required one by another name: by the beginning of its name, or because only one is missing. */
function unknownField(key: string, unknown: number, missing: readonly string[]): string {
  const meant =
    missing.find((name) => name.startsWith(key)) ?? (unknown === 1 && missing.length === 1 ? missing[0] : undefined);
  return meant === undefined ? UNKNOWN_FIELD : `${UNKNOWN_FIELD}; did you mean “${meant}”?`;
}

interface Adding {
  errors: FieldErrors;
  missing: readonly string[];
}

function addIssue(issue: z.core.$ZodIssue, below: readonly string[], adding: Adding): void {
  const path = [...below, ...issue.path.map(String)];
  if (issue.code === 'unrecognized_keys') {
    const missing = path.length === 0 ? adding.missing : [];
    for (const key of issue.keys) adding.errors.add([...path, key], unknownField(key, issue.keys.length, missing));
    return;
  }
  const branch = issue.code === 'invalid_union' ? closestBranch(issue.errors) : undefined;
  if (branch === undefined) adding.errors.add(path, issue.message);
  else for (const inner of branch) addIssue(inner, path, adding);
}

/** The branch of a union that got furthest says best what is wrong. */
function closestBranch(branches: readonly z.core.$ZodIssue[][]): z.core.$ZodIssue[] | undefined {
  let closest: { branch: z.core.$ZodIssue[]; weight: number } | undefined;
  for (const branch of branches) {
    if (branch.length === 0) continue;
    const weight = weightOf(branch);
    if (closest === undefined || weight < closest.weight) closest = { branch, weight };
  }
  return closest?.branch;
}

/** How many errors the issues amount to. */
function weightOf(issues: readonly z.core.$ZodIssue[]): number {
  let weight = 0;
  for (const issue of issues) {
    if (issue.code === 'unrecognized_keys') weight += issue.keys.length;
    else if (issue.code === 'invalid_union') weight += weightOf(closestBranch(issue.errors) ?? [issue]);
    else weight += 1;
  }
  return weight;
}

/** True, with an error, for what no schema looks for and yet can be neither parsed, stored nor trusted. */
function refuseStrange(value: unknown, errors: FieldErrors, isPath = false): boolean {
  return new StrangeValues(errors, isPath).isStrange(value);
}

class StrangeValues {
  private readonly errors: FieldErrors;
  private readonly isPath: boolean;
  private readonly path: string[] = [];
  private values = 0;

  constructor(errors: FieldErrors, isPath: boolean) {
    this.errors = errors;
    this.isPath = isPath;
  }

  isStrange(value: unknown): boolean {
    this.values += 1;
    const { bounds } = this.errors;
    if (this.values > bounds.valuesMax) return this.refuse(tooManyValues(bounds.valuesMax));
    if (typeof value === 'string') return this.refuseText(value) || this.refuseCredential(value);
    if (value === null || typeof value !== 'object') return false;
    if (this.path.length >= bounds.depthMax) return this.refuse(tooDeep(bounds.depthMax));
    return Array.isArray(value) ? this.isListStrange(value) : this.isObjectStrange(value as Record<string, unknown>);
  }

  private isListStrange(list: readonly unknown[]): boolean {
    const { itemsMax } = this.errors.bounds;
    if (list.length > itemsMax) return this.refuse(tooManyItems(itemsMax));
    return list.some((item, at) => this.isStrangeAt(String(at), item));
  }

  private isObjectStrange(object: Record<string, unknown>): boolean {
    const { fieldsMax } = this.errors.bounds;
    let fields = 0;
    for (const key of Object.keys(object)) {
      fields += 1;
      if (fields > fieldsMax) return this.refuse(tooManyFields(fieldsMax));
      this.path.push(key.replaceAll('\0', '\\0').toWellFormed());
      if (this.refuseText(key)) return true;
      // Validators drop this key without a word; a typo or an attack must not silently do nothing.
      if (key === '__proto__') return this.refuse(UNKNOWN_FIELD);
      this.path.pop();
      if (this.isStrangeAt(key, object[key])) return true;
    }
    return false;
  }

  private isStrangeAt(key: string, value: unknown): boolean {
    this.path.push(key);
    const strange = this.isStrange(value);
    this.path.pop();
    return strange;
  }

  private refuseText(text: string): boolean {
    const message = unstorable(text);
    return message !== null && this.refuse(message);
  }

  private refuseCredential(text: string): boolean {
    const credential = this.isPath || this.errors.mayHoldCredentials(this.path) ? null : credentialIn(text);
    return credential !== null && this.refuse(holds(credential));
  }

  private refuse(message: string): true {
    this.errors.add(this.path, message);
    return true;
  }
}

function unstorable(text: string): string | null {
  if (text.includes('\0')) return 'contains a NUL character, which cannot be stored';
  return text.isWellFormed() ? null : 'contains half of a character (an unpaired surrogate), which cannot be stored';
}
