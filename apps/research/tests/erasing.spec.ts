import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ResearchErasureService } from '@cairn/contracts';
import { rpcClient } from '@cairn/service-kit';
import { eventually, testIdentity } from '@cairn/testing';
import type { Identity } from '@cairn/identity';
import { eraseScope } from '../src/erasure/erase-scope.ts';
import { memoryOf } from './stub-services.ts';
import { type ResearchHarness, startResearchHarness } from './research-harness.ts';

let research: ResearchHarness;
beforeAll(async () => {
  research = await startResearchHarness();
  research.stubs.documents.push(
    { docId: 'doc_leave', title: 'Leave', text: 'Everybody has 30 days of paid leave each year.', vaultId: 'vlt_root' },
    {
      docId: 'doc_pay',
      title: 'Salaries',
      text: 'Salaries arrive shortly before the month ends, by bank transfer.',
      vaultId: 'vlt_space',
    },
  );
});
afterAll(() => research.close());

const config = { sources: ['memory'] };
const RESEARCH = '/api/v1/search/research/start';

async function researched(as: Identity, query: string): Promise<string> {
  const { body } = await research.call('POST', RESEARCH, { query, config }, { as });
  const path = `/api/v1/search/workflow/status/${body.thread_id}`;
  await eventually(
    () => research.call('GET', path, undefined, { as }),
    (answer) => answer.body.status === 'completed',
    60_000,
  );
  return body.thread_id;
}

const erased = (scope: { tenantId: string; memoryId?: string; vaultId?: string }) =>
  eventually(() => eraseScope(research.database.worker, { memoryId: '', vaultId: '', ...scope }), Boolean, 60_000);

/** Who changed what stays with the tenant: identifiers, which wait for a broker here. */
const WITHOUT_AUDIT = "AND NOT starts_with(subject, 'cairn.event.usage.audit.')";

/** Rows with data of the tenant in every table. */
async function rowsOf(tenantId: string): Promise<Record<string, number>> {
  const tables = await research.ask<{ name: string }>(
    `SELECT table_name AS name FROM information_schema.columns
      WHERE table_schema = 'research' AND column_name = 'tenant_id' AND table_name <> 'closed_scopes'`,
  );
  const counts: Record<string, number> = {};
  for (const { name } of tables) {
    const [{ rows }] = (await research.ask<{ rows: string }>(
      `SELECT count(*) AS rows FROM ${name} WHERE tenant_id = $1 ${name === 'outbox' ? WITHOUT_AUDIT : ''}`,
      [tenantId],
    )) as [{ rows: string }];
    if (Number(rows) > 0) counts[name] = Number(rows);
  }
  return counts;
}

describe('erasing', () => {
  it('of a tenant leaves nothing of its runs, held and running ones included, and no other tenant loses any', async () => {
    const [leaver, stayer] = [testIdentity(), testIdentity()];
    await researched(leaver, 'How many days of paid leave does everybody have?');
    await researched(stayer, 'How many days of paid leave does everybody have?');
    const held = await research.call(
      'POST',
      '/api/v1/search/agent/web-and-research',
      { prompt: 'Leave?' },
      { as: leaver },
    );
    expect(held.status).toBe(200);
    const before = await rowsOf(stayer.tenantId);
    expect(Object.keys(await rowsOf(leaver.tenantId)).length).toBeGreaterThan(6);
    await erased({ tenantId: leaver.tenantId });
    expect(await rowsOf(leaver.tenantId)).toEqual({});
    expect(await rowsOf(stayer.tenantId)).toEqual(before);
  }, 90_000);

  it('of a memory takes its runs, and none is started any more', async () => {
    const as = testIdentity();
    const thread = await researched(as, 'How many days of paid leave does everybody have?');
    await erased({ tenantId: as.tenantId, memoryId: memoryOf(as.tenantId) });
    expect((await research.call('GET', `/api/v1/search/workflow/status/${thread}`, undefined, { as })).status).toBe(
      404,
    );
    const again = await research.call(
      'POST',
      RESEARCH,
      { query: 'Once more, how many days of leave?', config },
      { as },
    );
    expect([again.status, again.body.code]).toEqual([404, 'not_found']);
    expect(await rowsOf(as.tenantId)).toEqual({});
  }, 90_000);

  it('of a vault takes the runs that read from it and leaves the others; what was charged is settled first', async () => {
    const as = testIdentity();
    const [leave, pay] = [
      await researched(as, 'How many days of paid leave does everybody have?'),
      await researched(as, 'Before what do salaries arrive by bank transfer?'),
    ];
    await erased({ tenantId: as.tenantId, memoryId: memoryOf(as.tenantId), vaultId: 'vlt_space' });
    const statusOf = async (thread: string) =>
      (await research.call('GET', `/api/v1/search/workflow/status/${thread}`, undefined, { as })).status;
    expect([await statusOf(leave), await statusOf(pay)]).toEqual([200, 404]);
    expect(research.stubs.charges.get(pay)?.requests).toEqual(['reserve', 'settle']);
    // The space is gone: a run that still finds its document does not store it.
    const late = await researched(as, 'Before what do salaries arrive by bank transfer?');
    expect(await research.ask(`SELECT 1 FROM sources WHERE run_id = $1 AND vault_id = 'vlt_space'`, [late])).toEqual(
      [],
    );
  }, 90_000);

  it('of a vault takes a run that was only offered titles from it, and they are not offered any more', async () => {
    const as = testIdentity();
    research.stubs.documents.push(
      { docId: 'doc_fares', title: 'Ferry fares', text: 'A ferry ticket costs 4 euros.', vaultId: 'vlt_harbour' },
      { docId: 'doc_times', title: 'Ferry times', text: 'The ferry leaves at nine.', vaultId: 'vlt_root' },
    );
    const ask = () => research.call('POST', RESEARCH, { query: 'Ferry', allow_clarification: true, config }, { as });
    const statusOf = (thread: string) =>
      research.call('GET', `/api/v1/search/workflow/status/${thread}`, undefined, { as });
    const until = (thread: string, status: string) =>
      eventually(
        () => statusOf(thread),
        (answer) => answer.body.status === status,
        60_000,
      );
    const { thread_id: asking } = (await ask()).body;
    expect((await until(asking, 'awaiting_clarification')).body.question.choices).toContain('Ferry fares');
    expect(await research.ask('SELECT 1 FROM sources WHERE run_id = $1', [asking])).toEqual([]);
    await erased({ tenantId: as.tenantId, memoryId: memoryOf(as.tenantId), vaultId: 'vlt_harbour' });
    expect((await statusOf(asking)).status).toBe(404);
    // A run that still finds its document does not store the title.
    const { thread_id: late } = (await ask()).body;
    const stored = [
      (await until(late, 'completed')).body,
      await research.events(late),
      await research.ask('SELECT result FROM run_steps WHERE run_id = $1', [late]),
    ];
    expect(JSON.stringify(stored)).not.toContain('Ferry fares');
  }, 90_000);

  it('is asked for by tenancy and by nobody else', async () => {
    for (const [service, code] of [
      ['memory', 'permission_denied'],
      ['gateway', 'permission_denied'],
    ] as const) {
      const client = rpcClient(ResearchErasureService, research.grpc, research.identities.serviceTokens(service));
      await expect(client.eraseScope({ tenantId: testIdentity().tenantId })).rejects.toMatchObject({ code });
      client.close();
    }
    const tenancy = rpcClient(ResearchErasureService, research.grpc, research.identities.serviceTokens('tenancy'));
    expect(await tenancy.eraseScope({ tenantId: testIdentity().tenantId })).toMatchObject({ finished: true });
    await expect(tenancy.eraseScope({ tenantId: '' })).rejects.toMatchObject({ code: 'validation_failed' });
    tenancy.close();
  });
});
