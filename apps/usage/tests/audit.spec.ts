import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { encodeEvent, type listAuditEvents, newId, type ResponseOf } from '@cairn/contracts';
import type { Identity } from '@cairn/identity';
import { eventually } from '@cairn/testing';
import { deleteOldAuditRows } from '../src/audit/audit-store.ts';
import { type RunningUsage, runUsage } from './usage-harness.ts';

let usage: RunningUsage;
beforeAll(async () => {
  usage = await runUsage();
});
afterAll(() => usage.close());

type Listed = ResponseOf<typeof listAuditEvents>;
const AT = new Date('2026-11-20T10:00:00Z');

/** What a service publishes about a request. */
function audit(
  tenantId: string,
  said: {
    auditId?: string;
    operation?: string;
    status?: number;
    answered?: boolean;
    targets?: { name: string; id: string }[];
    actorId?: string;
  } = {},
  at = AT,
) {
  return encodeEvent(
    'auditRecorded',
    { tenantId, livemode: true },
    {
      auditId: newId('audit'),
      operation: 'revokeApiKey',
      actorId: 'key_1',
      actorKind: 'live',
      credentialId: 'key_1',
      requestId: 'req-1',
      clientAddress: '192.0.2.7',
      targets: [{ name: 'key_id', id: 'key_2' }],
      status: 200,
      answered: false,
      ...said,
    } as never,
    at,
  );
}

async function listed(caller: Identity, query = ''): Promise<Listed> {
  return (await usage.call(caller, `/api/v1/audit-events${query}`)).body as unknown as Listed;
}

const stored = (caller: Identity, count: number) =>
  eventually(
    () => listed(caller, '?limit=200'),
    ({ audit_events }) => audit_events.length === count,
    30_000,
  );

describe('the audit log', () => {
  it('tells who changed what, newest first, a page at a time, and only of the caller’s tenant', async () => {
    const [caller, other] = [usage.makeTenant(), usage.makeTenant()];
    const events = Array.from({ length: 5 }, () => audit(caller.tenantId));
    await usage.publish(...events, audit(other.tenantId));
    await stored(caller, 5);
    const first = await listed(caller, '?limit=2');
    expect(first.audit_events[0]).toEqual({
      audit_id: expect.stringMatching(/^aud_/),
      occurred_at: '2026-11-20T10:00:00.000Z',
      operation: 'revokeApiKey',
      actor: { id: 'key_1', kind: 'live', credential_id: 'key_1' },
      targets: [{ name: 'key_id', id: 'key_2' }],
      status: 200,
      client_address: '192.0.2.7',
      request_id: 'req-1',
    });
    const seen = [...first.audit_events];
    for (let page = first; page.next_cursor !== undefined;) {
      page = await listed(caller, `?limit=2&cursor=${page.next_cursor}`);
      seen.push(...page.audit_events);
    }
    const ids = seen.map(({ audit_id }) => audit_id);
    expect(ids).toHaveLength(5);
    expect(ids).toEqual(ids.toSorted().toReversed());
  });

  it('says of each request what its answer said, whatever is repeated and in whichever order it comes', async () => {
    const caller = usage.makeTenant();
    for (const late of [false, true]) {
      const auditId = newId('audit');
      const begun = audit(caller.tenantId, { auditId, status: 201, targets: [] });
      const answered = audit(caller.tenantId, { auditId, status: 402, answered: true });
      const order = late ? [answered, begun, begun] : [begun, answered, begun];
      for (const event of order) await usage.publish(event);
    }
    const both = () => listed(caller);
    const isRecorded = ({ audit_events }: Listed) => audit_events.filter(({ status }) => status === 402).length === 2;
    const { audit_events } = await eventually(both, isRecorded, 30_000);
    expect(audit_events.map(({ targets }) => targets)).toEqual(
      Array.from({ length: 2 }, () => [{ name: 'key_id', id: 'key_2' }]),
    );
  });

  it('is searched by actor, operation, target and time', async () => {
    const caller = usage.makeTenant();
    await usage.publish(
      audit(caller.tenantId, { actorId: 'key_9' }),
      audit(caller.tenantId, { operation: 'createMemory', targets: [{ name: 'memory_id', id: 'mem_9' }] }),
      audit(caller.tenantId, {}, new Date('2026-11-21T10:00:00Z')),
    );
    await stored(caller, 3);
    const count = async (query: string) => (await listed(caller, query)).audit_events.length;
    expect(await count('?actor_id=key_9')).toBe(1);
    expect(await count('?operation=createMemory')).toBe(1);
    expect(await count('?target_id=mem_9')).toBe(1);
    expect(await count('?target_id=key_2')).toBe(2);
    expect(await count('?from=2026-11-21T00:00:00Z')).toBe(1);
    expect(await count('?to=2026-11-21T00:00:00Z')).toBe(2);
    expect((await usage.call(caller, '/api/v1/audit-events?from=nonsense')).status).toBe(422);
    expect((await usage.call(caller, '/api/v1/audit-events?cursor=nonsense')).status).toBe(422);
  });

  it('keeps what is younger than 400 days, and nothing of an erased tenant', async () => {
    const caller = usage.makeTenant();
    await usage.publish(audit(caller.tenantId), audit(caller.tenantId, {}, new Date(AT.getTime() - 401 * 86_400_000)));
    await stored(caller, 2);
    expect(await usage.database.worker.transaction((tx) => deleteOldAuditRows(tx, AT))).toBe(false);
    expect((await listed(caller)).audit_events).toHaveLength(1);
    expect(await usage.tenancy.eraseTenant({ tenantId: caller.tenantId })).toMatchObject({ finished: true });
    await usage.publish(audit(caller.tenantId));
    // Something later of another tenant shows that it was consumed.
    const other = usage.makeTenant();
    await usage.publish(audit(other.tenantId));
    await stored(other, 1);
    expect((await listed(caller)).audit_events).toEqual([]);
  });
});
