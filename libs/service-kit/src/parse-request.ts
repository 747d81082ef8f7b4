import { DEFAULT_BODY_MAX_BYTES, DEFAULT_BODY_MAX_VALUES, type Operation } from '@cairn/contracts';
import { CairnError, validationFailed } from '@cairn/errors';
import { measureJson } from './json-bounds.ts';
import type { Uploaded } from './upload.ts';
import { boundsOf, validateRequest, type ValidRequest } from './validate.ts';

/**
 * Longest JSON text, and most values in it, that are parsed and validated between other requests where there is another
 * place for them. Where there is none, operations take lists of plain texts at most, which are validated in no time.
 */
export const INLINE_MAX_BYTES = 256 * 1_024;
const INLINE_MAX_VALUES = 2_000;
const UTF8_BOM = Buffer.from([0xef, 0xbb, 0xbf]);

/** A request as it came: its body a JSON text, the fields of a form, or a file with fields. */
interface UnparsedRequest {
  params: unknown;
  query: unknown;
  json?: Buffer;
  fields?: unknown;
  upload?: Uploaded | undefined;
}

/** Parses and validates what would hold up all other requests. Throws what `parseAndValidate` throws, or `unavailable`. */
export interface LargeBodies {
  parse(tenantId: string, operation: Operation, request: UnparsedRequest & { json: Buffer }): Promise<ValidRequest>;
}

/** True for an operation whose body may be too large to be parsed between other requests. */
export function isLarge({ body, bodyMaxBytes = DEFAULT_BODY_MAX_BYTES, bodyMaxValues = 0 }: Operation): boolean {
  return body !== undefined && (bodyMaxBytes > INLINE_MAX_BYTES || bodyMaxValues > DEFAULT_BODY_MAX_VALUES);
}

/** Throws `malformed_json` or `validation_failed`; `unavailable` when too much is being parsed. */
export async function parseRequest(
  operation: Operation,
  request: UnparsedRequest,
  { tenantId, largeBodies }: { tenantId: string; largeBodies: LargeBodies | undefined },
): Promise<ValidRequest> {
  const { json } = request;
  if (json === undefined || largeBodies === undefined) return parseAndValidate(operation, request);
  // What is far too much shows at the beginning, before anything was handed on.
  const values = countValues(operation, json.subarray(0, INLINE_MAX_BYTES));
  if (json.length > INLINE_MAX_BYTES || values > INLINE_MAX_VALUES)
    return largeBodies.parse(tenantId, operation, { ...request, json });
  return parseAndValidate(operation, request);
}

/** Counts what a JSON text holds, parses it, and validates it with the rest of the request. */
export function parseAndValidate(operation: Operation, request: UnparsedRequest): ValidRequest {
  const { json, fields, ...rest } = request;
  if (json === undefined) return validateRequest(operation, { ...rest, body: fields ?? {} });
  countValues(operation, json);
  return validateRequest(operation, { ...rest, body: parseJson(json) });
}

/** Refuses a JSON text that holds more than the operation takes, before anything is made of it. */
function countValues(operation: Operation, json: Buffer): number {
  const size = measureJson(json, boundsOf(operation));
  if (!size.ok) throw validationFailed([{ path: '', message: size.message }]);
  return size.values;
}

/** The value of a JSON text; a body that was not sent is an empty object. */
function parseJson(json: Buffer): unknown {
  const start = json.subarray(0, UTF8_BOM.length).equals(UTF8_BOM) ? UTF8_BOM.length : 0;
  if (json.length === start) return {};
  try {
    return JSON.parse(json.toString('utf8', start)) as unknown;
  } catch (cause) {
    throw new CairnError('malformed_json', 'The body is not valid JSON.', { cause });
  }
}
