import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newId, WEBHOOK_EVENTS, WebhookUseService } from '@cairn/contracts';
import { rpcClient } from '@cairn/service-kit';
import { testIdentity } from '@cairn/testing';
import { createKeyRing } from '@cairn/encryption';
import { randomBytes } from 'node:crypto';
import { reencryptSecrets } from '../src/signing/reencrypt-secrets.ts';
import { WEBHOOKS_PER_TENANT_MAX } from '../src/webhooks/create-webhook.ts';
import { newTenant, type RunningWebhooks, runWebhooks } from './webhooks-harness.ts';

let webhooks: RunningWebhooks;
let strict: RunningWebhooks;
beforeAll(async () => {
  [webhooks, strict] = await Promise.all([
    runWebhooks({ replicas: 2 }),
    runWebhooks({ config: { allowPrivateNetwork: false } }),
  ]);
});
afterAll(() => Promise.all([webhooks.close(), strict.close()]));

const URL = 'https://hooks.example/cairn';
const EVENTS = ['memory.ingest.completed'];
const create = (identity = newTenant(), body: object = { url: URL, events: EVENTS }, headers = {}) =>
  webhooks.call(identity, 'POST', '/api/v1/webhooks', body, { headers });

describe('a registration', () => {
  it('answers 201 with the webhook and its secret, which no later answer has', async () => {
    const tenant = newTenant();
    const made = await create(tenant);
    expect(made.status).toBe(201);
    expect(made.body).toEqual({
      webhook_id: expect.stringMatching(/^whk_/),
      url: URL,
      events: EVENTS,
      description: '',
      active: true,
      status: 'active',
      failing_since: null,
      inactive_since: null,
      inactive_reason: null,
      auto_replay: false,
      livemode: true,
      dead_letters: 0,
      secret_rotates_at: null,
      created_at: expect.any(String),
      updated_at: expect.any(String),
      secret: expect.stringMatching(/^whsec_[A-Za-z0-9+/]{43}=$/),
    });
    const { secret, ...shown } = made.body;
    expect((await webhooks.call(tenant, 'GET', '/api/v1/webhooks')).body).toEqual({ webhooks: [shown] });
    expect((await webhooks.call(tenant, 'GET', `/api/v1/webhooks/${shown.webhook_id}`)).body).toEqual(shown);
    const stored = await webhooks.ask('SELECT * FROM webhooks WHERE webhook_id = $1', [shown.webhook_id]);
    expect(JSON.stringify(stored)).not.toContain(secret);
    expect(JSON.stringify(stored)).not.toContain(secret.slice('whsec_'.length));
  });

  it.each([
    ['no event', { url: URL, events: [] }],
    ['an unknown event', { url: URL, events: ['memory.ingest.finished'] }],
    ['no events', { url: URL }],
    ['no url', { events: EVENTS }],
    ['plain http', { url: 'http://hooks.example/', events: EVENTS }],
    ['another scheme', { url: 'ftp://hooks.example/', events: EVENTS }],
    ['user information', { url: 'https://user:pass@hooks.example/', events: EVENTS }],
    ['no URL at all', { url: 'hooks', events: EVENTS }],
    ['a tenant', { url: URL, events: EVENTS, tenant_id: newId('tenant') }],
    ['a secret of its own', { url: URL, events: EVENTS, secret: 'whsec_x' }],
  ])('with %s is refused and leaves nothing', async (_what, body) => {
    const tenant = newTenant();
    expect(await create(tenant, body)).toMatchObject({ status: 422, body: { code: 'validation_failed' } });
    expect((await webhooks.call(tenant, 'GET', '/api/v1/webhooks')).body.webhooks).toEqual([]);
  });

  it.each([
    'https://127.0.0.1/',
    'https://localhost/',
    'https://169.254.169.254/',
    'https://[::1]/',
    'https://0x7f.1/',
    'http://127.0.0.1:8080/',
    'http://localhost/',
    'https://metadata.google.internal/computeMetadata/v1/',
    'https://METADATA.google.internal./',
    'https://metadata/',
    'https://instance-data/latest/',
    'https://ip-10-0-0-1.ec2.internal/',
    'https://hooks.local/',
    'https://nas.home.arpa/',
    'https://hooks.localhost/',
    'https://webhooks/',
    'https://[::ffff:10.0.0.1]/',
    'https://0xa000001/',
  ])('of %s is refused outside development, and so is a change to it', async (url) => {
    const tenant = newTenant();
    const refused = { status: 422, body: { errors: [{ path: 'url' }] } };
    const made = await strict.call(tenant, 'POST', '/api/v1/webhooks', { url, events: EVENTS });
    expect(made).toMatchObject(refused);
    const { webhook_id: id } = await strict.register(tenant, URL);
    expect(await strict.call(tenant, 'PATCH', `/api/v1/webhooks/${id}`, { url })).toMatchObject(refused);
    expect((await strict.call(tenant, 'GET', `/api/v1/webhooks/${id}`)).body).toMatchObject({ url: URL });
  });

  it('of the metadata service of a cloud is refused even in development', async () => {
    const body = { url: 'https://metadata.google.internal/', events: EVENTS };
    expect(await create(newTenant(), body)).toMatchObject({ status: 422, body: { errors: [{ path: 'url' }] } });
  });

  it('of this machine is told how to try webhooks on it', async () => {
    const body = { url: 'https://localhost:8443/', events: EVENTS };
    const { status, body: problem } = await strict.call(newTenant(), 'POST', '/api/v1/webhooks', body);
    expect([status, problem.errors[0].message]).toEqual([
      422,
      expect.stringMatching(/may not go to\. .*CAIRN_ALLOW_PRIVATE_NETWORK=true; for development only$/),
    ]);
  });

  it('repeated under its Idempotency-Key, on any replica, is the same webhook without the secret', async () => {
    const tenant = newTenant();
    const headers = { 'idempotency-key': 'once' };
    const both = await Promise.all(
      [0, 1].map((replica) =>
        webhooks.call(tenant, 'POST', '/api/v1/webhooks', { url: URL, events: EVENTS }, { headers, replica }),
      ),
    );
    const first = both.find(({ body }) => body.secret !== undefined)!;
    const again = await create(tenant, { url: URL, events: EVENTS }, headers);
    const { secret: _secret, ...shown } = first.body;
    expect(again).toMatchObject({ status: 201, body: shown });
    expect(again.body).not.toHaveProperty('secret');
    expect((await webhooks.call(tenant, 'GET', '/api/v1/webhooks')).body.webhooks).toHaveLength(1);
    expect(await create(tenant, { url: `${URL}2`, events: EVENTS }, headers)).toMatchObject({ status: 422 });
  });

  it('beyond the limit of a tenant is refused, also when many come at once', async () => {
    const tenant = newTenant();
    const many = await Promise.all(Array.from({ length: WEBHOOKS_PER_TENANT_MAX + 10 }, () => create(tenant)));
    expect(many.filter(({ status }) => status === 201)).toHaveLength(WEBHOOKS_PER_TENANT_MAX);
    expect(many.filter(({ status }) => status === 409)).toHaveLength(10);
  });
});

describe('a webhook', () => {
  it('is seen, changed and deleted by its tenant alone', async () => {
    const [tenant, other] = [newTenant(), newTenant()];
    const { webhook_id: id } = (await create(tenant)).body;
    for (const [method, path, body] of [
      ['GET', ''],
      ['PATCH', '', { active: false }],
      ['DELETE', ''],
      ['POST', '/rotate-secret', {}],
      ['POST', '/test', {}],
      ['POST', '/replay', {}],
      ['GET', '/deliveries'],
      ['GET', '/deliveries/dlv_1'],
      ['POST', '/deliveries/dlv_1/replay', {}],
    ] as [string, string, object?][])
      expect([
        method,
        path,
        (await webhooks.call(other, method, `/api/v1/webhooks/${id}${path}`, body)).status,
      ]).toEqual([method, path, 404]);
    expect((await webhooks.call(tenant, 'GET', `/api/v1/webhooks/${id}`)).body.active).toBe(true);
  });

  it('of a test key says so', async () => {
    const made = await create(testIdentity({ tenantId: newId('tenant'), livemode: false, kind: 'test' }));
    expect(made.body.livemode).toBe(false);
  });

  it('is changed in what is named and in nothing else', async () => {
    const tenant = newTenant();
    const { secret: _secret, ...before } = (await create(tenant)).body;
    const path = `/api/v1/webhooks/${before.webhook_id}`;
    const changed = await webhooks.call(tenant, 'PATCH', path, { events: [...WEBHOOK_EVENTS], auto_replay: true });
    expect(changed.body).toEqual({
      ...before,
      events: [...WEBHOOK_EVENTS],
      auto_replay: true,
      updated_at: expect.any(String),
    });
    expect((await webhooks.call(tenant, 'PATCH', path, { url: 'http://hooks.example/' })).status).toBe(422);
    expect((await webhooks.call(tenant, 'GET', path)).body.url).toBe(URL);
  });

  it('is gone at once when it is deleted, and its rows soon after', async () => {
    const tenant = newTenant();
    const { webhook_id: id } = (await create(tenant)).body;
    const path = `/api/v1/webhooks/${id}`;
    expect((await webhooks.call(tenant, 'DELETE', path)).body).toEqual({ webhook_id: id, deleted: true });
    for (const method of ['GET', 'DELETE']) expect((await webhooks.call(tenant, method, path)).status).toBe(404);
    expect((await webhooks.call(tenant, 'GET', '/api/v1/webhooks')).body.webhooks).toEqual([]);
  });

  it('counts as used by its tenant until it is deleted', async () => {
    const tenant = newTenant();
    const tokens = webhooks.identities.serviceTokens('tenancy');
    const client = rpcClient(WebhookUseService, webhooks.services[0]!.addresses.grpc!, tokens);
    const used = async () => Number((await client.getWebhookUse({ tenantId: tenant.tenantId })).webhooks);
    const { webhook_id: id } = (await create(tenant)).body;
    await create(tenant);
    expect(await used()).toBe(2);
    await webhooks.call(tenant, 'DELETE', `/api/v1/webhooks/${id}`);
    expect(await used()).toBe(1);
    client.close();
  });

  it('is listed page by page', async () => {
    const tenant = newTenant();
    const made = [];
    for (let n = 0; n < 5; n += 1) made.push((await create(tenant)).body.webhook_id);
    const seen: string[] = [];
    for (let cursor = ''; ;) {
      const page = await webhooks.call(tenant, 'GET', `/api/v1/webhooks?limit=2${cursor}`);
      seen.push(...page.body.webhooks.map((webhook: { webhook_id: string }) => webhook.webhook_id));
      if (page.body.next_cursor === undefined) break;
      cursor = `&cursor=${page.body.next_cursor}`;
    }
    expect(seen).toEqual(made);
  });
});

describe('signing secrets', () => {
  it('move to a new key, after which the old one is not needed', async () => {
    const jwk = (kid: string) => ({ kty: 'oct', kid, k: randomBytes(32).toString('base64url') });
    const [old, fresh] = [jwk('old'), jwk('fresh')];
    const before = await createKeyRing([old]);
    const id = newId('webhook');
    await strict.ask('DELETE FROM webhooks');
    await strict.ask(
      `INSERT INTO webhooks (tenant_id, webhook_id, url, events, description, active, auto_replay, livemode, secret_sealed,
                             next_secret_sealed, secret_rotates_at)
       VALUES ('tnt_1', $1, 'https://x', '{}', '', true, false, true, $2, $3, now() + interval '1 day')`,
      [id, await before.encrypt(`webhook ${id}`, 'whsec_a'), await before.encrypt(`webhook ${id}`, 'whsec_b')],
    );
    const deps = { workerDatabase: strict.database.worker, keyRing: await createKeyRing([fresh, old]) };
    expect(await reencryptSecrets(deps)).toBe(2);
    expect(await reencryptSecrets(deps)).toBe(0);
    const [row] = await strict.ask<Record<string, string>>('SELECT * FROM webhooks');
    const after = await createKeyRing([fresh]);
    expect(await after.decrypt(`webhook ${id}`, row!['secret_sealed']!)).toBe('whsec_a');
    expect(await after.decrypt(`webhook ${id}`, row!['next_secret_sealed']!)).toBe('whsec_b');
    await strict.ask('DELETE FROM webhooks');
  });
});
