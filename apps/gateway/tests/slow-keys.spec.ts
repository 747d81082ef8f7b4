import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import { Effect, GatewayService, newId } from '@cairn/contracts';
import { rpcClient } from '@cairn/service-kit';
import { startTestGateway, type TestGateway } from './gateway-harness.ts';

const PATH = '/api/v1/memories';
/** Less than a draw may take, more than a call takes. */
const HELD_MS = 300;
/** Too small to have a share of its own at the gateway: each request has to be drawn. */
const DRAWN = { requestsPerSecond: 1, burst: 2 };
let gateway: TestGateway;
beforeEach(async () => {
  gateway = await startTestGateway();
});
afterEach(() => gateway.close());

const drawnKey = (keyId = newId('key')) => gateway.keys.mint({ keyId, credentialId: keyId, rateLimit: DRAWN } as never);
/** When the identity that the service got last ends. */
async function admittedUntilMs(): Promise<number> {
  const caller = await gateway.callerOf('tenancy', gateway.services.tenancy.seen.at(-1)!);
  if (caller?.kind !== 'tenant') throw new Error('no tenant was identified');
  return caller.identity.admitUntilMs;
}

/** Draws are answered from the release on; `begun` settles when one is waiting. */
function holdDraws() {
  const [begun, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  gateway.keys.delayDraws(() => {
    begun.resolve();
    return released.promise;
  });
  return { begun: begun.promise, release: () => released.resolve() };
}

describe('a valid key, when keys is slow', () => {
  it('gets 503 with Retry-After from a lookup or a draw that is not answered in time, never 401', async () => {
    const never = () => new Promise(() => undefined);
    const key = drawnKey();
    expect((await gateway.call(key, PATH)).status).toBe(200);
    gateway.keys.delayDraws(never);
    gateway.keys.delay(never);
    const responses = await Promise.all([gateway.call(key, PATH), gateway.call(gateway.keys.mint(), PATH)]);
    for (const { status, headers, text } of responses) {
      expect([status, JSON.parse(text).code]).toEqual([503, 'unavailable']);
      expect(Number(headers['retry-after'])).toBeGreaterThanOrEqual(1);
    }
  });

  it('reaches the service with an identity that begins when the limits were asked, however long that took', async () => {
    expect((await gateway.call(drawnKey(), PATH)).status).toBe(200);
    const lifetimeMs = (await admittedUntilMs()) - Date.now();
    const { begun, release } = holdDraws();
    const waiting = gateway.call(drawnKey(), PATH);
    await begun;
    await sleep(HELD_MS);
    const releasedAtMs = Date.now();
    release();
    expect((await waiting).status).toBe(200);
    expect(await admittedUntilMs()).toBeGreaterThanOrEqual(releasedAtMs + lifetimeMs);
  });

  it('is judged again when the limits were asked: revoked meanwhile, it is not passed on', async () => {
    const keyId = newId('key');
    const { begun, release } = holdDraws();
    const waiting = gateway.call(drawnKey(keyId), PATH);
    await begun;
    const asKeys = rpcClient(GatewayService, gateway.grpc, gateway.tokens('keys'));
    await asKeys.invalidate({ effect: Effect.DENY, closes: true, credentialIds: [keyId] });
    asKeys.close();
    await sleep(HELD_MS);
    release();
    const { status, text } = await waiting;
    expect([status, JSON.parse(text).code]).toEqual([401, 'credential_revoked']);
    expect(gateway.services.tenancy.seen).toHaveLength(0);
  });
});
