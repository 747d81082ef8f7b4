import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { Denial, Effect, GatewayService, newId } from '@cairn/contracts';
import { rpcClient, type RpcClient } from '@cairn/service-kit';
import { eventually } from '@cairn/testing';
import { within } from './within.ts';
import type { Answer } from './http-call.ts';
import { TENANT } from './fake-services.ts';
import { startTestGateway, type TestGateway } from './gateway-harness.ts';
import { echoWebSocket } from './web-socket-echo.ts';

const PATH = '/api/v1/memories';
const STREAM = '/api/v1/memory/search/stream';

let gateway: TestGateway;
let asKeys: RpcClient<typeof GatewayService>;
beforeAll(async () => {
  gateway = await startTestGateway();
  asKeys = rpcClient(GatewayService, gateway.grpc, gateway.tokens('keys'));
  gateway.services.memory.upgrade(echoWebSocket);
});
afterAll(async () => {
  asKeys.close();
  await gateway.close();
});

function expectProblem(answer: Answer, status: number, code: string): void {
  expect([answer.status, JSON.parse(answer.text).code]).toEqual([status, code]);
}

/** A key that the gateway knows well. */
async function knownKey(more: object = {}) {
  const keyId = newId('key');
  const plaintext = gateway.keys.mint({ keyId, credentialId: keyId, ...more });
  expect((await gateway.call(plaintext, PATH)).status).toBe(200);
  return { keyId, plaintext };
}
const deny = (keyId: string) => asKeys.invalidate({ effect: Effect.DENY, closes: true, credentialIds: [keyId] });

/** An event stream that the service never ends; tells when the client sees its end. */
async function openStream(plaintext: string): Promise<{ closed: Promise<unknown> }> {
  gateway.services.memory.handle((request, response) => {
    request.resume();
    response.writeHead(200, { 'content-type': 'text/event-stream' }).write('event: sources\ndata: {}\n\n');
  });
  const response = await fetch(gateway.url + STREAM, {
    method: 'POST',
    headers: { 'x-api-key': plaintext, 'content-type': 'application/json' },
    body: '{"query":"x"}',
  });
  const reader = response.body!.getReader();
  await reader.read();
  return { closed: reader.read().catch((error: unknown) => error) };
}

async function openSocket(plaintext: string): Promise<{ closed: Promise<unknown> }> {
  const socket = new WebSocket(`${gateway.url.replace('http', 'ws')}/api/v1/memory/documents`, {
    headers: { 'x-api-key': plaintext },
  } as never);
  await within(
    'the opening',
    new Promise((resolve, reject) => Object.assign(socket, { onopen: resolve, onerror: reject })),
  );
  return { closed: new Promise((resolve) => socket.addEventListener('close', resolve)) };
}

describe('a credential that keys denies', () => {
  it('is refused from the acknowledgement on, though it is cached and keys itself would still admit it', async () => {
    const { keyId, plaintext } = await knownKey();
    const asked = gateway.keys.asked();
    expect((await deny(keyId)).memberships[0]).toMatch(/^gw_/);
    for (let n = 0; n < 3; n += 1) expectProblem(await gateway.call(plaintext, PATH), 401, 'credential_revoked');
    expect(gateway.keys.asked() - asked).toBeLessThanOrEqual(3);
  });

  it('has its event streams and WebSockets closed by then, and no others', async () => {
    const [ended, other] = [await knownKey(), await knownKey()];
    const streams = [await openStream(ended.plaintext), await openSocket(ended.plaintext)];
    const stays = await openStream(other.plaintext);
    let closed = false;
    void stays.closed.then(() => {
      closed = true;
      return closed;
    });
    await deny(ended.keyId);
    await within('both ends', Promise.all(streams.map((stream) => stream.closed)));
    expect(closed).toBe(false);
    await deny(other.keyId);
    await within('the other end', stays.closed);
  });

  it('closes them by itself when it expires', async () => {
    const expiresAt = timestampFromDate(new Date(Date.now() + 1_500));
    const { plaintext } = await knownKey({ expiresAt });
    const streams = [await openStream(plaintext), await openSocket(plaintext)];
    await within('both ends', Promise.all(streams.map((stream) => stream.closed)));
  });

  it('that was on its way to be admitted does not open a stream afterwards', async () => {
    const keyId = newId('key');
    const plaintext = gateway.keys.mint({ keyId, credentialId: keyId });
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    gateway.keys.delay(() => held);
    const opening = openStream(plaintext).then(
      ({ closed }) => closed,
      (error: unknown) => error,
    );
    await eventually(() => gateway.keys.asked() > 0);
    await deny(keyId);
    gateway.keys.delay(async () => undefined);
    release();
    await within('its end', opening);
  });
});

describe('a credential that may have lost rights', () => {
  it('is resolved again, and what keys says then counts', async () => {
    const { keyId, plaintext } = await knownKey();
    gateway.keys.change(plaintext, Denial.EXPIRED);
    expect((await gateway.call(plaintext, PATH)).status).toBe(200);
    await asKeys.invalidate({ effect: Effect.RECHECK, closes: false, credentialIds: [keyId] });
    expectProblem(await gateway.call(plaintext, PATH), 401, 'credential_expired');
  });

  it('because of its tenant or memory is met as well, one of another tenant or memory is not', async () => {
    const memoryId = newId('memory');
    const [ofMemory, ofTenant] = [await knownKey({ memoryId: '' }), await knownKey({ tenantId: newId('tenant') })];
    for (const { plaintext } of [ofMemory, ofTenant]) gateway.keys.change(plaintext, Denial.TENANT_SUSPENDED);
    await asKeys.invalidate({ effect: Effect.RECHECK, closes: true, tenantId: TENANT, memoryId });
    expect((await gateway.call(ofMemory.plaintext, PATH)).status).toBe(200);
    await asKeys.invalidate({ effect: Effect.RECHECK, closes: true, tenantId: TENANT });
    expect((await gateway.call(ofMemory.plaintext, PATH)).status).toBe(403);
    expect((await gateway.call(ofTenant.plaintext, PATH)).status).toBe(200);
  });
});

describe('who may invalidate', () => {
  it('is keys alone, and an invalidation without a target is rejected', async () => {
    const asMemory = rpcClient(GatewayService, gateway.grpc, gateway.tokens('memory'));
    const request = { effect: Effect.DENY, closes: true, credentialIds: [newId('key')] };
    await expect(asMemory.invalidate(request)).rejects.toMatchObject({ code: 'permission_denied' });
    asMemory.close();
    for (const nothing of [{ effect: Effect.DENY }, { effect: Effect.DENY, spaceId: 'spc_1' }, { tenantId: 'tnt_1' }])
      await expect(asKeys.invalidate(nothing)).rejects.toMatchObject({ code: 'validation_failed' });
  });
});

describe('a gateway that lost its lease', () => {
  it('closes what is open, forgets what it knew, and asks keys for each request until it joined again', async () => {
    const { plaintext } = await knownKey();
    const stream = await openStream(plaintext);
    gateway.keys.grant(false);
    // The next renewal is refused; it comes within 5 s.
    await within('its end', stream.closed, 8_000);
    gateway.services.memory.handle((request, response) => {
      request.resume();
      response.end('{}');
    });
    const asked = gateway.keys.asked();
    for (let n = 0; n < 3; n += 1) expect((await gateway.call(plaintext, PATH)).status).toBe(200);
    expect(gateway.keys.asked()).toBe(asked + 3);
    gateway.keys.grant(true);
    await eventually(async () => {
      const before = gateway.keys.asked();
      await gateway.call(plaintext, PATH);
      await gateway.call(plaintext, PATH);
      return gateway.keys.asked() <= before + 1;
    });
  }, 30_000);
});
