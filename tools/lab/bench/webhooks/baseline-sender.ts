import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { createOutbound } from '@cairn/outbound';
import { signatureHeaders } from '../../../../apps/webhooks/src/signing/signature.ts';

const SECRETS = { current: `whsec_${Buffer.alloc(32, 7).toString('base64')}`, next: null };

/**
 * The peer: a loop that signs and posts the same envelopes to the same endpoints through the same guard, and keeps
 * nothing. What it reaches is the most that this machine, client and receivers allow. Deliveries a second.
 */
export async function baselineDeliveriesPerSecond(
  urls: readonly string[],
  seconds: number,
  atOnce: number,
): Promise<number> {
  const outbound = createOutbound({ allowPrivateNetwork: true, userAgent: 'bare' });
  const until = performance.now() + seconds * 1_000;
  let sent = 0;
  const send = async (first: number) => {
    for (let n = first; performance.now() < until; n += atOnce) {
      const eventId = `evt_${randomUUID()}`;
      const now = new Date();
      const body = JSON.stringify({
        event_id: eventId,
        event: 'memory.ingest.completed',
        occurred_at: now.toISOString(),
        livemode: true,
        scope: { tenant_id: 'tnt_1', workspace_id: 'ws_1', memory_id: 'mem_1' },
        payload: { doc_id: 'doc_1', vault_id: 'vlt_1', title: 'Minutes of the meeting', chunks: 3 },
      });
      const headers = {
        'content-type': 'application/json',
        ...signatureHeaders(SECRETS, { eventId, body, sentAt: now }),
      };
      await outbound.request(urls[n % urls.length]!, {
        method: 'POST',
        headers,
        body,
        timeoutMs: 5_000,
        bodyMaxBytes: 4_096,
        whenLonger: 'truncate',
      });
      sent += 1;
    }
  };
  await Promise.all(Array.from({ length: atOnce }, (_value, n) => send(n)));
  await outbound.close();
  await sleep(200);
  return sent / seconds;
}
