import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { decodeEvent, type Event, newId, TenancyOperatorService, TenancyService } from '@cairn/contracts';
import { connectEventBus, EVENT_STREAM } from '@cairn/events';
import { rpcClient, type RpcClient } from '@cairn/service-kit';
import { eventually } from '@cairn/testing';
import { type RunningTenancy, runTenancy, type Tenant } from './tenancy-harness.ts';

let tenancy: RunningTenancy;
let tenant: Tenant;
beforeAll(async () => {
  tenancy = await runTenancy();
  tenant = await tenancy.makeTenant();
  memory = rpcClient(TenancyService, tenancy.grpcAddress, tenancy.identities.serviceTokens('memory'));
});
afterAll(async () => {
  memory.close();
  await tenancy.close();
});

let memory: RpcClient<typeof TenancyService>;
/** What the memory service sends along that was sent the caller’s identity by a gateway. */
const asCaller = async (identity = tenant.caller) => ({
  onBehalfOf: await tenancy.identities.token(identity, 'memory'),
});

describe('GetMemory', () => {
  it('gives the caller’s memory, and the primary one of its default workspace when none is named', async () => {
    const named = await memory.getMemory({ memoryId: tenant.live.primaryMemoryId }, await asCaller());
    expect(named.memory).toMatchObject({
      memoryId: tenant.live.primaryMemoryId,
      tenantId: tenant.live.tenantId,
      workspaceId: tenant.live.defaultWorkspaceId,
      type: 'shared',
      status: 'active',
      dlpPolicy: 'secrets',
      subdomain: tenant.live.primaryMemorySubdomain,
      rootVaultId: expect.stringMatching(/^vlt_/),
    });
    expect((await memory.getMemory({}, await asCaller())).memory).toEqual(named.memory);
    const testTenant = await memory.getMemory({}, await asCaller(tenant.testCaller));
    expect(testTenant.memory?.memoryId).toBe(tenant.test.primaryMemoryId);
  });

  it('knows no memory of another tenant', async () => {
    const stranger = await tenancy.makeTenant();
    for (const memoryId of [tenant.live.primaryMemoryId, tenant.test.primaryMemoryId, newId('memory')]) {
      await expect(memory.getMemory({ memoryId }, await asCaller(stranger.caller))).rejects.toMatchObject({
        code: 'not_found',
      });
    }
  });

  it('is calls in a caller’s name only, not in a service’s', async () => {
    await expect(memory.getMemory({ memoryId: tenant.live.primaryMemoryId })).rejects.toMatchObject({
      code: 'permission_denied',
    });
  });
});

describe('FindMemoryHost', () => {
  const subdomain = () => tenant.live.primaryMemorySubdomain;

  it('tells the gateway whose memory lies behind a label', async () => {
    expect(await tenancy.rpc.findMemoryHost({ subdomain: subdomain() })).toMatchObject({
      memoryId: tenant.live.primaryMemoryId,
      tenantId: tenant.live.tenantId,
    });
  });

  it('knows no other label', async () => {
    for (const label of ['', 'nothing', `${subdomain()}x`, '%']) {
      await expect(tenancy.rpc.findMemoryHost({ subdomain: label })).rejects.toMatchObject({ code: 'not_found' });
    }
  });

  it('serves nobody but the gateway', async () => {
    for (const service of ['keys', 'memory', 'tenancy', 'operator'] as const) {
      const client = rpcClient(TenancyService, tenancy.grpcAddress, tenancy.identities.serviceTokens(service));
      const found = client.findMemoryHost({ subdomain: subdomain() });
      await expect(found).rejects.toMatchObject({ code: 'permission_denied' });
      client.close();
    }
    await expect(memory.findMemoryHost({ subdomain: subdomain() }, await asCaller())).rejects.toMatchObject({
      code: 'permission_denied',
    });
  });
});

describe('CreateTenant', () => {
  it('creates a tenant and its test tenant with a tenth of the plan, each with its workspace and memory', async () => {
    const { live, test } = await tenancy.operator.createTenant({ name: ' Globex ', plan: '' });
    expect(live).toMatchObject({
      name: 'Globex',
      plan: 'team',
      livemode: true,
      revision: 1n,
      requestsPerSecond: 50,
      burst: 100,
      twinOf: '',
    });
    expect(test).toMatchObject({
      name: 'Globex',
      plan: 'team',
      livemode: false,
      revision: 1n,
      requestsPerSecond: 5,
      burst: 10,
      twinOf: live!.tenantId,
    });
    for (const made of [live!, test!]) {
      const rows = await tenancy.query(
        `SELECT w.is_default, w.primary_memory_id, m.memory_serial, m.status, m.subdomain FROM workspaces w
           JOIN memories m ON m.memory_id = w.primary_memory_id WHERE w.tenant_id = $1 AND m.tenant_id = $1`,
        [made.tenantId],
      );
      expect(rows).toEqual([
        {
          is_default: true,
          primary_memory_id: made.primaryMemoryId,
          memory_serial: 1,
          status: 'active',
          subdomain: made.primaryMemorySubdomain,
        },
      ]);
    }
  });

  it.each([
    ['no name', { name: '  ', plan: 'team' }],
    ['an unknown plan', { name: 'x', plan: 'gold' }],
    ['a plan that every object has', { name: 'x', plan: 'toString' }],
  ])('with %s makes nothing', async (_what, request) => {
    const before = await tenancy.query('SELECT count(*) AS n FROM tenants');
    await expect(tenancy.operator.createTenant(request)).rejects.toMatchObject({ code: 'validation_failed' });
    expect(await tenancy.query('SELECT count(*) AS n FROM tenants')).toEqual(before);
  });

  it('is the operator’s alone', async () => {
    for (const service of ['gateway', 'keys', 'memory', 'tenancy'] as const) {
      const tokens = tenancy.identities.serviceTokens(service);
      const client = rpcClient(TenancyOperatorService, tenancy.grpcAddress, tokens);
      const asCallerToo = service === 'memory' ? await asCaller() : {};
      for (const options of [{}, asCallerToo]) {
        const created = client.createTenant({ name: 'x', plan: '' }, options);
        await expect(created).rejects.toMatchObject({ code: 'permission_denied' });
      }
      client.close();
    }
  });
});

describe('what happened here', () => {
  it('is told to the others: tenants with their limits, workspaces and memories', async () => {
    const bus = await connectEventBus({ natsUrl: tenancy.nats.url, name: 'spec' });
    const about = await tenancy.makeTenant();
    await tenancy.call(about.caller, 'POST', '/api/v1/workspaces', { name: 'Lab' });
    const eventsOf = async (tenantId: string): Promise<Event[]> => {
      const { state } = await bus.manager.streams.info(EVENT_STREAM);
      const events: Event[] = [];
      for (let seq = state.first_seq; seq <= state.last_seq; seq += 1) {
        events.push(decodeEvent((await bus.manager.streams.getMessage(EVENT_STREAM, { seq })).data));
      }
      return events.filter((event) => event.tenantId === tenantId);
    };
    const live = await eventually(
      () => eventsOf(about.live.tenantId),
      (events) => events.length === 6,
    );
    expect(live.map(({ payload }) => payload.case).sort()).toEqual([
      // Who asked for the second workspace.
      'auditRecorded',
      'memoryCreated',
      'memoryCreated',
      'tenantChanged',
      'workspaceCreated',
      'workspaceCreated',
    ]);
    const test = await eventually(
      () => eventsOf(about.test.tenantId),
      (events) => events.length === 3,
    );
    expect(test.find(({ payload }) => payload.case === 'tenantChanged')?.payload.value).toMatchObject({
      revision: 1n,
      plan: 'team',
      status: 'active',
      requestsPerSecond: 5,
      burst: 10,
      twinOf: about.live.tenantId,
    });
    await bus.close();
  });
});
