import { describe, expect, it } from '@jest/globals';
import { createTicketSigner, createTicketVerifier, type Ticket } from './ticket.ts';
import { generateSigningKey } from './signing-keys.ts';
import { createTokenSigner, createTokenVerifier } from './token.ts';

const NOW_MS = 1_800_000_000_000;
const ticket: Ticket = {
  ticketId: 'tkt_1',
  credentialId: 'key_1',
  threadId: 'thr_1',
  use: 'socket',
  untilMs: NOW_MS + 60_000,
};

async function parties(kid = 'research') {
  const { privateJwk, publicJwk } = await generateSigningKey(kid);
  return { privateJwk, publicJwk, signer: await createTicketSigner(privateJwk) };
}

describe('a ticket', () => {
  it('says what it was made for', async () => {
    const { signer, publicJwk } = await parties();
    const verifier = await createTicketVerifier([publicJwk], () => NOW_MS);
    expect(await verifier.verify(await signer.sign(ticket))).toEqual({ ok: true, ticket });
  });

  it('is expired from the millisecond it ends', async () => {
    const { signer, publicJwk } = await parties();
    const text = await signer.sign(ticket);
    for (const [nowMs, ok] of [
      [ticket.untilMs - 1, true],
      [ticket.untilMs, false],
      [ticket.untilMs + 3_600_000, false],
    ] as const) {
      const response = await (await createTicketVerifier([publicJwk], () => nowMs)).verify(text);
      expect(response.ok ? true : response.denial).toBe(ok || 'expired');
    }
  });

  it('of another part, of another key or changed is none', async () => {
    const { signer, publicJwk } = await parties();
    const other = await parties('memory');
    const verifier = await createTicketVerifier([publicJwk, other.publicJwk], () => NOW_MS);
    const otherParty = await parties();
    const text = await signer.sign(ticket);
    const [head, , signature] = text.split('.');
    const changed = `${head}.${Buffer.from(JSON.stringify({ ...ticket, threadId: 'thr_2' })).toString('base64url')}.${signature}`;
    for (const bad of [await other.signer.sign(ticket), await otherParty.signer.sign(ticket), changed, '', 'x.y.z'])
      expect(await verifier.verify(bad)).toEqual({ ok: false, denial: 'invalid' });
  });

  it('is no identity, nor is an identity a ticket', async () => {
    const { signer, privateJwk, publicJwk } = await parties();
    const tokens = await createTokenVerifier([publicJwk], () => NOW_MS);
    for (const audience of ['research', 'cairn-ticket'])
      expect(await tokens.verify(await signer.sign(ticket), audience)).toEqual({ ok: false, denial: 'invalid' });
    const service = await (
      await createTokenSigner(privateJwk)
    ).signService({ service: 'research', admitUntilMs: ticket.untilMs }, 'cairn-ticket');
    expect(await (await createTicketVerifier([publicJwk], () => NOW_MS)).verify(service)).toMatchObject({ ok: false });
  });
});
