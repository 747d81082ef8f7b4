/** What a webhook delivers, under the interface's names. */
export interface WebhookDelivery {
  /** The same at every repeat: what was seen under it before needs no second handling. */
  event_id: string;
  event: string;
  occurred_at: string;
  livemode: boolean;
  scope: { tenant_id: string; workspace_id: string; memory_id: string };
  payload: Record<string, unknown>;
}

/** Headers as a plain object in any case, as Node gives them, or as fetch's `Headers`. */
export type WebhookHeaders =
  | Readonly<Record<string, string | readonly string[] | undefined>>
  | { get(name: string): string | null };

export interface DeliveredRequest {
  /** The bytes of the body as they came, or their text, before anything has parsed them. */
  rawBody: string | Uint8Array;
  headers: WebhookHeaders;
}

export interface VerifyOptions {
  /** How far the time of sending may lie from now, in seconds; default 300. null accepts a repeat of any age. */
  toleranceSeconds?: number | null;
  /** Default: the system's time. */
  now?: Date;
}

export type VerificationFailure =
  | 'signature_missing'
  | 'signature_mismatch'
  | 'timestamp_outside_tolerance'
  | 'not_json';

/** The delivery is not to be trusted: answer 401 and do nothing else. */
export class WebhookVerificationError extends Error {
  override readonly name = 'WebhookVerificationError';
  readonly reason: VerificationFailure;

  constructor(reason: VerificationFailure) {
    super(`the delivery could not be verified: ${reason}`);
    this.reason = reason;
  }
}

const TOLERANCE_SECONDS = 300;
const SECRET_PREFIX = 'whsec_';
const STANDARD_VERSION = 'v1,';
const HEX_DIGEST = /^[0-9a-f]{64}$/;

/**
 * Verifies a delivery and gives its envelope; rejects with `WebhookVerificationError`. Give the old and the new secret
 * while a rotation is under way. Both the signature of the body and, unless `toleranceSeconds` is null, that of
 * Standard Webhooks, which also covers the time of sending, must be right.
 */
export async function verifyWebhook(
  request: DeliveredRequest,
  secret: string | readonly string[],
  options: VerifyOptions = {},
): Promise<WebhookDelivery> {
  const { rawBody } = request;
  const header = headerReader(request.headers);
  const secrets = typeof secret === 'string' ? [secret] : secret;
  const signatures = ['x-service-signature', 'x-service-signature-next'].map(header).filter((value) => value !== null);
  if (signatures.length === 0) throw new WebhookVerificationError('signature_missing');
  const pairs = secrets.flatMap((one) => signatures.map((signature) => [one, signature] as const));
  const verified = await Promise.all(pairs.map(([one, signature]) => verifySignature(rawBody, signature, one)));
  if (!verified.includes(true)) throw new WebhookVerificationError('signature_mismatch');
  const tolerance = options.toleranceSeconds === undefined ? TOLERANCE_SECONDS : options.toleranceSeconds;
  if (tolerance !== null) await assertRecent(rawBody, header, secrets, tolerance, options.now ?? new Date());
  try {
    return JSON.parse(typeof rawBody === 'string' ? rawBody : new TextDecoder().decode(rawBody)) as WebhookDelivery;
  } catch {
    throw new WebhookVerificationError('not_json');
  }
}

/** True when `signature` is the HMAC-SHA256 of the raw body under the whole secret, in hex. Compares in constant time. */
export async function verifySignature(
  rawBody: string | Uint8Array,
  signature: string,
  secret: string,
): Promise<boolean> {
  if (!HEX_DIGEST.test(signature)) return false;
  const digest = Uint8Array.from(signature.match(/../g)!, (pair) => Number.parseInt(pair, 16));
  return isSigned(encode(secret), digest, encode(rawBody));
}

type ReadHeader = (name: string) => string | null;
type Bytes = Uint8Array<ArrayBuffer>;

async function assertRecent(
  rawBody: string | Uint8Array,
  header: ReadHeader,
  secrets: readonly string[],
  toleranceSeconds: number,
  now: Date,
): Promise<void> {
  const [id, timestamp, list] = ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map(header);
  if (id == null || timestamp == null || list == null) throw new WebhookVerificationError('signature_missing');
  const digests = list
    .split(' ')
    .filter((one) => one.startsWith(STANDARD_VERSION))
    .map((one) => decodeBase64(one.slice(STANDARD_VERSION.length)));
  const head = encode(`${id}.${timestamp}.`);
  const body = encode(rawBody);
  const message = new Uint8Array(head.length + body.length);
  message.set(head);
  message.set(body, head.length);
  const keys = secrets.map((secret) =>
    decodeBase64(secret.slice(secret.startsWith(SECRET_PREFIX) ? SECRET_PREFIX.length : 0)),
  );
  const pairs = keys.flatMap((key) => digests.map((digest) => [key, digest] as const));
  const verified = await Promise.all(
    pairs.map(([key, digest]) => key !== null && digest !== null && isSigned(key, digest, message)),
  );
  if (!verified.includes(true)) throw new WebhookVerificationError('signature_mismatch');
  const ageSeconds = Math.abs(now.getTime() / 1_000 - Number(timestamp));
  // Also for a time that is no number.
  if (!(ageSeconds <= toleranceSeconds)) throw new WebhookVerificationError('timestamp_outside_tolerance');
}

/** WebCrypto compares in constant time. */
async function isSigned(key: Bytes, digest: Bytes, message: Bytes): Promise<boolean> {
  if (key.length === 0) return false;
  const imported = await crypto.subtle.importKey('raw', key, { name: 'HMAC', hash: 'SHA-256' }, false, ['verify']);
  return crypto.subtle.verify('HMAC', imported, digest, message);
}

function encode(content: string | Uint8Array): Bytes {
  return typeof content === 'string' ? new TextEncoder().encode(content) : Uint8Array.from(content);
}

function decodeBase64(text: string): Bytes | null {
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  } catch {
    return null;
  }
}

function headerReader(headers: WebhookHeaders): ReadHeader {
  if (typeof headers.get === 'function') {
    const { get } = headers as { get(name: string): string | null };
    return (name) => get.call(headers, name);
  }
  const byName = new Map(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
  return (name) => {
    const value = byName.get(name);
    return typeof value === 'string' ? value : null;
  };
}
