import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { decodeJournalEntry, encodeJournalEntry, type JournalEntry, newId } from '@cairn/contracts';
import { readPlans } from '../src/plans/plans.ts';
import { variables } from '../src/config.ts';
import { reapplyDecision } from '../src/restore/reapply-decision.ts';
import { type RunningTenancy, runTenancy } from './tenancy-harness.ts';

let tenancy: RunningTenancy;
let deps: Parameters<typeof reapplyDecision>[0];
beforeAll(async () => {
  tenancy = await runTenancy();
  const plans = await readPlans(variables.plansFile.schema.parse(undefined));
  deps = { workerDatabase: tenancy.database.worker, plans };
});
afterAll(() => tenancy.close());

type Decision = Parameters<typeof encodeJournalEntry>[2];
const entryOf = (tenantId: string, decision: Decision): JournalEntry =>
  decodeJournalEntry(encodeJournalEntry('tenancy', tenantId, decision).payload);
const statusOf = async (tenantId: string) =>
  (
    await tenancy.query<{ status: string; revision: string }>(
      'SELECT status, revision FROM tenants WHERE tenant_id = $1',
      [tenantId],
    )
  )[0];
const jobsOf = async (tenantId: string) =>
  (await tenancy.query<{ kind: string }>('SELECT kind FROM jobs WHERE tenant_id = $1 ORDER BY kind', [tenantId])).map(
    ({ kind }) => kind,
  );

describe('a decision of the journal', () => {
  it('suspends the tenant again, with a revision above every one that others have seen, and once', async () => {
    const { live } = await tenancy.makeTenant();
    const entry = entryOf(live.tenantId, {
      case: 'tenantStatusChanged',
      value: { status: 'suspended', revision: 41n },
    });
    await reapplyDecision(deps, entry);
    await reapplyDecision(deps, entry);
    expect(await statusOf(live.tenantId)).toEqual({ status: 'suspended', revision: 42 });
  });

  it('is followed by the next one, which has the number that the first was given', async () => {
    const { live } = await tenancy.makeTenant();
    for (const [status, revision] of [
      ['suspended', 41n],
      ['active', 42n],
    ] as const)
      await reapplyDecision(deps, entryOf(live.tenantId, { case: 'tenantStatusChanged', value: { status, revision } }));
    expect(await statusOf(live.tenantId)).toEqual({ status: 'active', revision: 43 });
  });

  it('from before the restored state changes nothing', async () => {
    const { live } = await tenancy.makeTenant();
    const before = await statusOf(live.tenantId);
    await reapplyDecision(
      deps,
      entryOf(live.tenantId, { case: 'tenantStatusChanged', value: { status: 'suspended', revision: 0n } }),
    );
    expect(await statusOf(live.tenantId)).toEqual(before);
  });

  it('erases a tenant, a workspace and a memory again', async () => {
    // So that the erasures stay visible.
    tenancy.refused.add('eraseKeys');
    const { live } = await tenancy.makeTenant();
    const memoryId = live.primaryMemoryId;
    await reapplyDecision(deps, entryOf(live.tenantId, { case: 'memoryErasureBegun', value: { memoryId } }));
    expect(await jobsOf(live.tenantId)).toEqual(['eraseMemory']);
    const workspaceId = live.defaultWorkspaceId;
    await reapplyDecision(deps, entryOf(live.tenantId, { case: 'workspaceErasureBegun', value: { workspaceId } }));
    await reapplyDecision(
      deps,
      entryOf(live.tenantId, { case: 'tenantStatusChanged', value: { status: 'deleting', revision: 9n } }),
    );
    expect(await jobsOf(live.tenantId)).toEqual(['eraseMemory', 'eraseTenant', 'eraseWorkspace']);
    tenancy.refused.delete('eraseKeys');
  });

  it('about what this database does not have changes nothing', async () => {
    const { live } = await tenancy.makeTenant();
    await reapplyDecision(
      deps,
      entryOf(newId('tenant'), { case: 'tenantStatusChanged', value: { status: 'deleting' } }),
    );
    await reapplyDecision(
      deps,
      entryOf(live.tenantId, { case: 'memoryErasureBegun', value: { memoryId: newId('memory') } }),
    );
    await reapplyDecision(
      deps,
      entryOf(live.tenantId, { case: 'spaceErasureBegun', value: { spaceId: newId('space') } }),
    );
    expect(await jobsOf(live.tenantId)).toEqual([]);
  });
});

describe('engines that were restored to another time than the register', () => {
  it('are compared with it; what no memory owns is erased only on request', async () => {
    const { live } = await tenancy.makeTenant();
    const unknown = { tenantId: live.tenantId, memoryId: newId('memory') };
    tenancy.stored.push(unknown);
    const reconcile = async (erase: boolean) => (await tenancy.operator.reconcileEngines({ erase })).engines[0]!;
    const found = await reconcile(false);
    expect(found).toMatchObject({ unreachable: false, unknownMemoryIds: [unknown.memoryId], erased: 0 });
    expect(found.emptyMemoryIds).toContain(live.primaryMemoryId);
    const erasures = () =>
      tenancy.calls.filter(({ method, request }) =>
        method === 'eraseScope' ? JSON.stringify(request).includes(unknown.memoryId) : false,
      );
    expect(erasures()).toEqual([]);
    expect(await reconcile(true)).toMatchObject({ unknownMemoryIds: [unknown.memoryId], erased: 1 });
    expect(erasures()).toHaveLength(1);
    tenancy.refused.add('listStoredMemories');
    expect(await reconcile(true)).toMatchObject({ unreachable: true, unknownMemoryIds: [] });
  });
});
