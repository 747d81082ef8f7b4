import { createHmac } from 'node:crypto';

const SIGNATURE_HEADER = 'x-service-signature';
/** Made with the next secret of a rotation, while the previous one still signs. */
const NEXT_SIGNATURE_HEADER = 'x-service-signature-next';

const SECRET_PREFIX = 'whsec_';

/** The secrets that sign: the one in force, and during a rotation the next one. */
export interface SigningSecrets {
  current: string;
  next: string | null;
}

/**
 * The headers that prove a body: HMAC-SHA256 in hex under the secret as it was shown, and those of Standard Webhooks
 * (github.com/standard-webhooks), whose key is the decoded part of the secret and which also sign id and time.
 */
export function signatureHeaders(
  secrets: SigningSecrets,
  message: { eventId: string; body: string; sentAt: Date },
): Record<string, string> {
  const { eventId, body, sentAt } = message;
  const timestamp = String(Math.floor(sentAt.getTime() / 1_000));
  const standard = (secret: string) =>
    `v1,${createHmac('sha256', decoded(secret)).update(`${eventId}.${timestamp}.`).update(body).digest('base64')}`;
  const { current, next } = secrets;
  return {
    [SIGNATURE_HEADER]: plain(current, body),
    ...(next === null ? {} : { [NEXT_SIGNATURE_HEADER]: plain(next, body) }),
    'webhook-id': eventId,
    'webhook-timestamp': timestamp,
    'webhook-signature': next === null ? standard(current) : `${standard(current)} ${standard(next)}`,
  };
}

function plain(secret: string, body: string): string {
  return createHmac('sha256', Buffer.from(secret, 'utf8')).update(body).digest('hex');
}

function decoded(secret: string): Buffer {
  return Buffer.from(secret.slice(SECRET_PREFIX.length), 'base64');
}
