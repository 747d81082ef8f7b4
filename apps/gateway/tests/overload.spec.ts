import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { newId } from '@cairn/contracts';
import { LOOP_DELAY_HEADER } from '@cairn/service-kit';
import { startTestGateway, type TestGateway } from './gateway-harness.ts';

let gateway: TestGateway;
beforeAll(async () => {
  // The event loop of this process, which runs everything, must not count as late.
  gateway = await startTestGateway({ overloadedFromMs: 5_000 });
  gateway.services.memory.handle((request, response) => {
    request.resume();
    response.setHeader(LOOP_DELAY_HEADER, '60000');
    response.setHeader('content-type', 'application/json').end('{}');
  });
});
afterAll(() => gateway.close());

const keyOf = (ownerTenantId: string, tenantId = ownerTenantId) =>
  gateway.keys.mint({ tenantId, ownerTenantId } as never);
const search = (key: string) => gateway.call(key, '/api/v1/memory/search', { method: 'POST', body: '{"query":"x"}' });

it('a service that is late takes no more requests of the tenant that asks for most, in live and test mode together, and answers the others', async () => {
  const [greedy, modest] = [newId('tenant'), newId('tenant')];
  const keys = [keyOf(greedy), keyOf(greedy, newId('tenant'))];
  await search(keyOf(modest));
  const answers = [];
  do answers.push(await search(keys[answers.length % 2]!));
  while (answers.at(-1)!.status === 200 && answers.length < 1_000);
  expect(answers.length).toBeGreaterThan(1);
  const refused = answers.at(-1)!;
  expect(refused.status).toBe(429);
  expect(JSON.parse(refused.text)).toMatchObject({ code: 'rate_limited', detail: expect.stringMatching(/busy/) });
  expect(refused.headers['retry-after']).toBe('1');
  expect((await search(keyOf(modest))).status).toBe(200);
  expect((await search(keyOf(newId('tenant')))).status).toBe(200);
  // What is asked of another service is not refused for it.
  expect((await gateway.call(keys[0]!, '/api/v1/webhooks')).status).toBe(200);
});

it('what a service says of its lateness does not reach the client', async () => {
  const { status, headers } = await gateway.call(keyOf(newId('tenant')), '/api/v1/memories');
  expect(status).toBe(200);
  const other = await search(keyOf(newId('tenant')));
  expect({ ...headers, ...other.headers }).not.toHaveProperty(LOOP_DELAY_HEADER);
});
