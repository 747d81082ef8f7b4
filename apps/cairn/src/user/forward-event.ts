import { createHmac } from 'node:crypto';

const TIMEOUT_MS = 10_000;
const SECRET_PREFIX = 'whsec_';

/** Posts the event as a webhook would, and says what was answered. */
export async function forwardEvent(
  url: URL,
  secret: string,
  event: { eventId: string; body: string },
): Promise<string> {
  const response = await fetch(url, {
    method: 'POST',
    body: event.body,
    headers: { 'content-type': 'application/json', ...signatureOf(secret, event, new Date()) },
    // Another host would be given what is for this one.
    redirect: 'error',
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  await response.body?.cancel();
  return `${response.status} ${response.statusText}`.trim();
}

/** The headers by which `verifyWebhook` of the SDK knows the sender, as docs/webhooks.md describes them. */
export function signatureOf(
  secret: string,
  { eventId, body }: { eventId: string; body: string },
  sentAt: Date,
): Record<string, string> {
  const timestamp = String(Math.floor(sentAt.getTime() / 1_000));
  const key = Buffer.from(secret.slice(SECRET_PREFIX.length), 'base64');
  const standard = createHmac('sha256', key).update(`${eventId}.${timestamp}.${body}`).digest('base64');
  return {
    'x-service-signature': createHmac('sha256', secret).update(body).digest('hex'),
    'webhook-id': eventId,
    'webhook-timestamp': timestamp,
    'webhook-signature': `v1,${standard}`,
  };
}
