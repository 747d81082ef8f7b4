import { createHmac, randomBytes } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { type VerificationFailure, verifySignature, verifyWebhook, WebhookVerificationError } from '../src/webhooks.ts';

const secretOf = () => `whsec_${randomBytes(32).toString('base64')}`;
const SECRET = secretOf();
const NOW = new Date('2026-11-21T12:00:00Z');
const BODY = JSON.stringify({ event_id: 'evt_1', event: 'memory.ingest.completed', payload: { title: 'Grüße 工' } });

const hex = (secret: string, body: string) => createHmac('sha256', secret).update(body).digest('hex');
const standard = (secret: string, id: string, timestamp: string, body: string) =>
  `v1,${createHmac('sha256', Buffer.from(secret.slice(6), 'base64'))
    .update(`${id}.${timestamp}.${body}`)
    .digest('base64')}`;

function signed(secret = SECRET, body = BODY, sentAt = NOW) {
  const timestamp = String(Math.floor(sentAt.getTime() / 1_000));
  return {
    'x-service-signature': hex(secret, body),
    'webhook-id': 'evt_1',
    'webhook-timestamp': timestamp,
    'webhook-signature': standard(secret, 'evt_1', timestamp, body),
  };
}

async function failureOf(work: () => Promise<unknown>): Promise<VerificationFailure | null> {
  try {
    await work();
    return null;
  } catch (error) {
    expect(error).toBeInstanceOf(WebhookVerificationError);
    return (error as WebhookVerificationError).reason;
  }
}

const check = (
  headers: Record<string, string>,
  secret: string | string[] = SECRET,
  body: string | Uint8Array = BODY,
  more = {},
) => verifyWebhook({ rawBody: body, headers }, secret, { now: NOW, ...more });

describe('a delivery', () => {
  it('that was signed is given back, whatever form its body and headers have', async () => {
    const headers = signed();
    const loud = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toUpperCase(), value]));
    for (const given of [headers, loud, new Headers(headers)])
      for (const body of [BODY, Buffer.from(BODY), new TextEncoder().encode(BODY)])
        expect(await verifyWebhook({ rawBody: body, headers: given }, SECRET, { now: NOW })).toEqual(JSON.parse(BODY));
  });

  it('whose body was changed by one byte is not trusted', async () => {
    for (let at = 0; at < BODY.length; at += 7)
      expect(await failureOf(() => check(signed(), SECRET, BODY.slice(0, at) + BODY.slice(at + 1)))).toBe(
        'signature_mismatch',
      );
  });

  it('signed with another secret is not trusted', async () => {
    expect(await failureOf(() => check(signed(secretOf())))).toBe('signature_mismatch');
  });

  it.each(['', 'x', 'é'.repeat(64), '0'.repeat(63), '0'.repeat(65), '0'.repeat(64), '0'.repeat(100_000)])(
    'with a signature of another length or alphabet is not trusted, and nothing breaks (%#)',
    async (signature) => {
      expect(await failureOf(() => check({ ...signed(), 'x-service-signature': signature }))).toBe(
        'signature_mismatch',
      );
      expect(await verifySignature(BODY, signature, SECRET)).toBe(false);
    },
  );

  it.each(['x-service-signature', 'webhook-id', 'webhook-timestamp', 'webhook-signature'])(
    'without %s is not trusted',
    async (name) => {
      const { [name as keyof ReturnType<typeof signed>]: _left, ...rest } = signed();
      expect(await failureOf(() => check(rest))).toBe('signature_missing');
    },
  );

  it('that is not JSON is said to be so', async () => {
    expect(await failureOf(() => check(signed(SECRET, 'text'), SECRET, 'text'))).toBe('not_json');
  });
});

describe('the time of sending', () => {
  it('must lie within the tolerance, on both sides', async () => {
    const sent = (seconds: number) => signed(SECRET, BODY, new Date(NOW.getTime() + seconds * 1_000));
    for (const seconds of [-300, -299, 0, 299, 300]) expect(await failureOf(() => check(sent(seconds)))).toBeNull();
    for (const seconds of [-301, 301, -86_400])
      expect(await failureOf(() => check(sent(seconds)))).toBe('timestamp_outside_tolerance');
    expect(await failureOf(() => check(sent(-86_400), SECRET, BODY, { toleranceSeconds: null }))).toBeNull();
    expect(await failureOf(() => check(sent(-86_400), SECRET, BODY, { toleranceSeconds: 100_000 }))).toBeNull();
  });

  it('cannot be changed without the secret', async () => {
    const old = signed(SECRET, BODY, new Date(NOW.getTime() - 86_400_000));
    expect(await failureOf(() => check({ ...old, 'webhook-timestamp': signed()['webhook-timestamp'] }))).toBe(
      'signature_mismatch',
    );
    const text = { ...signed(), 'webhook-timestamp': 'now' };
    text['webhook-signature'] = standard(SECRET, 'evt_1', 'now', BODY);
    expect(await failureOf(() => check(text))).toBe('timestamp_outside_tolerance');
  });
});

describe('a rotation', () => {
  const next = secretOf();
  const timestamp = signed()['webhook-timestamp'];
  const both = {
    ...signed(),
    'x-service-signature-next': hex(next, BODY),
    'webhook-signature': `${signed()['webhook-signature']} ${standard(next, 'evt_1', timestamp, BODY)}`,
  };

  it('is verified by who holds the old secret, the new one, or both', async () => {
    for (const secrets of [SECRET, next, [SECRET, next], [next, SECRET]])
      expect(await failureOf(() => check(both, secrets))).toBeNull();
    expect(await failureOf(() => check(both, secretOf()))).toBe('signature_mismatch');
    expect(await failureOf(() => check(both, []))).toBe('signature_mismatch');
  });
});
