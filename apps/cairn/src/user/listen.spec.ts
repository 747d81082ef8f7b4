import { describe, expect, it } from '@jest/globals';
import { verifyWebhook } from '@cairn/sdk/webhooks';
import { signatureOf } from './forward-event.ts';
import { WEBHOOK_EVENTS } from '@cairn/contracts';
import { WEBHOOK_EVENTS as LISTENED_TO } from '../gen/webhook-events.ts';
import { localAddress } from './listen.ts';

const SECRET = `whsec_${Buffer.from('a secret of this run').toString('base64')}`;
const EVENT = { eventId: 'evt_1', body: '{"event":"memory.ingest.completed","title":"Übergabe"}' };

it('listens to the events that webhooks can subscribe to', () => {
  expect(LISTENED_TO).toEqual(WEBHOOK_EVENTS);
});

describe('forwarding events', () => {
  it('signs them as webhooks are, so that the receiver verifies both with the same code', async () => {
    const headers = signatureOf(SECRET, EVENT, new Date());
    await expect(verifyWebhook({ rawBody: EVENT.body, headers }, SECRET)).resolves.toMatchObject({ title: 'Übergabe' });
    await expect(verifyWebhook({ rawBody: `${EVENT.body} `, headers }, SECRET)).rejects.toThrow('signature_mismatch');
  });

  it('goes to this machine only', () => {
    for (const address of ['http://localhost:3000/hook', 'https://127.0.0.1/', 'http://[::1]:9/x'])
      expect(localAddress(address).href).toBe(new URL(address).href);
    for (const address of ['http://localhost.evil.example/', 'http://127.0.0.1@evil.example/', 'file:///x', 'hook'])
      expect(() => localAddress(address)).toThrow('--forward needs');
  });
});
