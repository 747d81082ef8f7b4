import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { appendFile, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { randomBytes, randomUUID } from 'node:crypto';
import { type RunningCairn, startCairn, temporaryFolder } from '@cairn/testing';
import { api } from './api.ts';
import { type NewTenant, operator } from './operator.ts';
import { recordSecret, recordSecrets, secretsMinted, secretLocations } from './secret-watch.ts';

let cairn: RunningCairn;
beforeAll(async () => {
  // Everything that anybody might turn on to find a fault.
  cairn = await startCairn({ env: { CAIRN_LOG_LEVEL: 'trace' } });
}, 90_000);
afterAll(() => cairn.remove());

const call = (method: string, path: string, body?: unknown, headers?: Record<string, string>, key = cairn.apiKey) =>
  api(cairn.baseUrl, key, method, path, body, headers);
const mint = async (body: object) =>
  (await call('POST', '/api/v1/api-keys', { name: 'x', ...body }, { 'idempotency-key': randomUUID() })).body;

it('the search finds a secret in a file, as text, as hex and as base64; so finding none means something', async () => {
  const dataDir = await temporaryFolder('cairn-secrets-');
  const secret = `ck_live_${'AbCdEf0123456789'.repeat(4).slice(0, 49)}`;
  recordSecrets({ keys: [{ api_key: secret }] });
  await mkdir(join(dataDir, 'deep'));
  const spellings = [secret, Buffer.from(secret).toString('hex'), Buffer.from(secret).toString('base64')];
  for (const [n, spelling] of spellings.entries()) {
    await writeFile(join(dataDir, 'deep', `${n}.bin`), randomBytes(10_000));
    await appendFile(join(dataDir, 'deep', `${n}.bin`), `"${spelling}"`);
  }
  expect(await secretLocations({ dataDir, output: '' })).toHaveLength(3);
  expect(await secretLocations({ dataDir: join(dataDir, 'deep'), output: `x=${secret}` })).toHaveLength(4);
});

it('no secret of any kind is in a file, log or stream after each was minted, used, misused and revoked', async () => {
  const { memories } = (await call('GET', '/api/v1/memories')).body;
  const { memory_id } = memories[0];
  const keys = [
    await mint({}),
    await mint({ type: 'test' }),
    await mint({ type: 'ephemeral' }),
    await mint({ type: 'memory', memory_id }),
  ];
  const rotated = await call('POST', `/api/v1/api-keys/${keys[0].key_id}/rotate`, { overlap_seconds: 0 });
  const client = (await call('POST', '/api/v1/oauth-clients', { name: 'x', scopes: ['memory:search'] })).body;
  const form = new URLSearchParams({ grant_type: 'client_credentials' }).toString();
  const basic = Buffer.from(`${client.client_id}:${client.client_secret}`).toString('base64');
  const token = await call(
    'POST',
    '/oauth/token',
    form,
    {
      'content-type': 'application/x-www-form-urlencoded',
      authorization: `Basic ${basic}`,
    },
    null as never,
  );
  const provider = `sk-${randomBytes(24).toString('hex')}`;
  recordSecret(provider);
  await call('PUT', '/api/v1/provider-keys/openai', { api_key: provider });
  const hook = { url: 'https://hooks.invalid/', events: ['memory.ingest.completed'] };
  const webhook = (await call('POST', '/api/v1/webhooks', hook, { 'idempotency-key': randomUUID() })).body;
  const path = `/api/v1/webhooks/${webhook.webhook_id}`;
  const turned = (await call('POST', `${path}/rotate-secret`, {}, { 'idempotency-key': randomUUID() })).body;
  await call('POST', `${path}/test`, {});
  expect([webhook.secret, turned.secret].every((secret) => secretsMinted().has(secret))).toBe(true);
  const other = await operator<NewTenant>(cairn, 'tenant', 'create', '--name', 'Other');
  recordSecrets(other);
  const secrets = [...keys.map((key) => key.api_key), rotated.body.api_key, token.body.access_token, other.api_key];
  expect(secrets.every((secret) => typeof secret === 'string' && secretsMinted().has(secret))).toBe(true);
  expect(secretsMinted()).toContain(client.client_secret);
  for (const secret of secrets) {
    await call('POST', '/api/v1/memory/search', { query: 'anything' }, {}, secret);
    await call('POST', '/api/v1/memory/search', { query: 'x', api_key: secret });
    await call('POST', '/api/v1/memory/search', `{"query": "${secret}`);
    await call('GET', `/api/v1/memories?api_key=${secret}`);
    await call('GET', `/api/v1/memories/${secret}`);
    await call('GET', `/nothing/${secret}`);
    await call('GET', '/api/v1/memories', undefined, { 'x-api_key': secret, cookie: `key=${secret}` });
    await call('GET', '/api/v1/memories', undefined, { authorization: `Bearer ${secret}` });
    await call('GET', '/api/v1/memories', undefined, { 'x-request-id': 'r' }, `${secret.slice(0, -1)}!`);
  }
  for (const key of keys) await call('DELETE', `/api/v1/api-keys/${key.key_id}`);
  await cairn.stop();
  expect(await secretLocations({ dataDir: await cairn.files(), output: cairn.output() })).toEqual([]);
});
