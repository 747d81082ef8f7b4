import { DEFAULT_BODY_MAX_BYTES, DEFAULT_BODY_MAX_VALUES, type Operation } from '@cairn/contracts';
import { CairnError, validationFailed } from '@cairn/errors';
import type { BodyBudget } from './body-budget.ts';
import { type BodyEncoding, inflateInPool, inflateInThread, inflatedMaxBytes, inflatesTooMuch } from './inflate.ts';
import { measureJson } from './json-bounds.ts';
import type { UploadedForm } from './upload.ts';
import { boundsOf, validateRequest, type ValidRequest } from './validate.ts';

/**
 * Longest JSON text, and most values in it, that are parsed and validated between other requests: about a millisecond.
 * What is larger has another place.
 */
export const INLINE_MAX_BYTES = 64 * 1_024;
const INLINE_MAX_VALUES = 2_000;
const UTF8_BOM = Buffer.from([0xef, 0xbb, 0xbf]);

/** A request as it came: its body a JSON text, the fields of a form, or a file with fields. */
interface UnparsedRequest {
  params: unknown;
  query: unknown;
  json?: Buffer;
  /** How the JSON text is packed. */
  encoding?: BodyEncoding | undefined;
  fields?: unknown;
  upload?: UploadedForm | undefined;
}

/** Called once with what a body took, whether it was accepted or refused. */
type ChargeBody = (work: { bytes: number; cpuMs: number }) => void;

/** Parses and validates what would hold up all other requests. */
export interface LargeBodies {
  /** Rejects with what `parseMeasured` throws, and with `rate_limited` or `unavailable` when too much is being parsed. */
  parse(
    tenantId: string,
    operation: Operation,
    request: UnparsedRequest & { json: Buffer },
    charge: ChargeBody,
  ): Promise<ValidRequest>;
}

interface ParseDeps {
  /** Null for a caller without a credential. */
  tenantId: string | null;
  largeBodies: LargeBodies | undefined;
  budget: BodyBudget;
}

/** True for an operation whose body may be too large to be parsed between other requests. */
export function isLarge({ body, bodyMaxBytes = DEFAULT_BODY_MAX_BYTES, bodyMaxValues = 0 }: Operation): boolean {
  return body !== undefined && (bodyMaxBytes > INLINE_MAX_BYTES || bodyMaxValues > DEFAULT_BODY_MAX_VALUES);
}

/**
 * Throws `malformed_json`, `malformed_request`, `payload_too_large` or `validation_failed`; `rate_limited` or
 * `unavailable` when too much is being parsed. The tenant is charged with what its body took, also when it is refused.
 */
export async function parseRequest(
  operation: Operation,
  request: UnparsedRequest,
  { tenantId, largeBodies, budget }: ParseDeps,
): Promise<ValidRequest> {
  const announced = request.json?.length ?? 0;
  const charge: ChargeBody = ({ bytes, cpuMs }) => {
    // What was sent is charged already.
    if (tenantId !== null) budget.charge(tenantId, { bytes: bytes - announced, cpuMs });
  };
  const isHanded = largeBodies !== undefined && isLarge(operation);
  const { json, ...rest } = await inflateSmall(operation, request, isHanded);
  if (json === undefined) return validateRequest(operation, { ...rest, body: rest.fields ?? {} });
  const sent = { ...rest, json };
  if (!isHanded) return parseMeasured(operation, sent, charge)!;
  const isSmall = rest.encoding === undefined && json.length <= INLINE_MAX_BYTES;
  const parsed = isSmall ? parseMeasured(operation, sent, charge, INLINE_MAX_VALUES) : null;
  return parsed ?? largeBodies.parse(tenantId ?? '', operation, sent, charge);
}

/** Inflates what becomes small enough to be parsed here; what does not stays packed where there is another place for it. */
async function inflateSmall(
  operation: Operation,
  request: UnparsedRequest,
  isHanded: boolean,
): Promise<UnparsedRequest> {
  const { json, encoding, ...rest } = request;
  if (json === undefined || encoding === undefined) return request;
  const limit = operation.bodyMaxBytes ?? DEFAULT_BODY_MAX_BYTES;
  const maxBytes = isHanded ? INLINE_MAX_BYTES : inflatedMaxBytes(json.length, limit);
  const inflated = await inflateInPool(json, encoding, maxBytes);
  if (inflated !== null) return { ...rest, json: inflated };
  if (isHanded) return request;
  throw inflatesTooMuch(maxBytes, limit);
}

/**
 * Inflates a body, counts what it holds, parses it, and validates it with the rest of the request. Null, before it is
 * parsed, when it holds more than `valuesMax`.
 */
export function parseMeasured(
  operation: Operation,
  { encoding, json: sent, fields: _fields, ...rest }: UnparsedRequest & { json: Buffer },
  charge: ChargeBody,
  valuesMax = Infinity,
): ValidRequest | null {
  const begun = process.threadCpuUsage();
  const limit = operation.bodyMaxBytes ?? DEFAULT_BODY_MAX_BYTES;
  // What inflates to more than it may was inflated up to there.
  let bytes = encoding === undefined ? sent.length : inflatedMaxBytes(sent.length, limit);
  try {
    const json = encoding === undefined ? sent : inflateInThread(sent, encoding, limit);
    bytes = json.length;
    if (countValues(operation, json) > valuesMax) return null;
    return validateRequest(operation, { ...rest, body: parseJson(json) });
  } finally {
    charge({ bytes, cpuMs: cpuMsSince(begun) });
  }
}

function cpuMsSince(begun: NodeJS.CpuUsage): number {
  const { user, system } = process.threadCpuUsage(begun);
  return (user + system) / 1_000;
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
