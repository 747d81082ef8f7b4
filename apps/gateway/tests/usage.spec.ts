import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newId } from '@cairn/contracts';
import { eventually } from '@cairn/testing';
import { startTestGateway, type TestGateway } from './gateway-harness.ts';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway();
});
afterAll(() => gateway.close());

describe('the use of a key', () => {
  it('is every request that was let in, whatever came of it, and reaches keys within seconds', async () => {
    const keyId = newId('key');
    const key = gateway.keys.mint({ keyId, scopes: ['memories:read'] });
    gateway.services.tenancy.handle((_request, response) => response.writeHead(404).end('{}'));
    for (let n = 0; n < 3; n++) await gateway.call(key, '/api/v1/memories');
    // Refused: no such scope, no such operation.
    await gateway.call(key, '/api/v1/workspaces');
    await gateway.call(key, '/api/v1/nothing');
    await eventually(() => gateway.keys.used(keyId) === 3);
    expect(gateway.keys.used(keyId)).toBe(3);
  });

  it('is reported to the last request when the gateway shuts down', async () => {
    const own = await startTestGateway();
    const keyId = newId('key');
    const key = own.keys.mint({ keyId, scopes: ['memories:read'] });
    for (let n = 0; n < 20; n++) await own.call(key, '/api/v1/memories');
    // A valid credential without the scope: nobody let it in, and it is no request of the series.
    await own.call(key, '/api/v1/workspaces');
    await own.close();
    expect(own.keys.used(keyId)).toBe(20);
    expect(own.keys.requestsOf(keyId)).toEqual([['listMemories', 2, 20]]);
  });
});
