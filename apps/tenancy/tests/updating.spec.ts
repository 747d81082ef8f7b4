import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newId } from '@cairn/contracts';
import { type RunningTenancy, runTenancy, type Tenant } from './tenancy-harness.ts';

let tenancy: RunningTenancy;
let tenant: Tenant;
beforeAll(async () => {
  tenancy = await runTenancy();
  tenant = await tenancy.makeTenant('business');
});
afterAll(() => tenancy.close());

const call = (method: string, path: string, body?: unknown) =>
  tenancy.call(tenant.caller, method, `/api/v1${path}`, body);
const newWorkspace = async (name: string) =>
  (await call('POST', '/workspaces', { name })).body['workspace'] as Record<string, string>;
const newMemory = async (display_name: string) =>
  (await call('POST', '/memories', { display_name })).body as Record<string, string>;

describe('PATCH /workspaces/{workspace_id}', () => {
  it('changes what is named, leaves the rest, and moves updated_at on', async () => {
    const before = await newWorkspace('Before');
    const response = await call('PATCH', `/workspaces/${before['workspace_id']}`, { name: 'After' });
    const after = response.body['workspace'] as Record<string, string>;
    expect(response.status).toBe(200);
    expect(after).toEqual({ ...before, name: 'After', updated_at: after['updated_at'] });
    expect(after['updated_at']! > before['updated_at']!).toBe(true);
  });

  it('changes nothing by an empty body, and refuses a slug that is taken with 409', async () => {
    const [one, two] = [await newWorkspace('Slug one'), await newWorkspace('Slug two')];
    const path = `/workspaces/${two['workspace_id']}`;
    expect((await call('PATCH', path, {})).body['workspace']).toEqual(two);
    expect(await call('PATCH', path, { slug: one['slug'] })).toMatchObject({ status: 409, body: { code: 'conflict' } });
    expect((await call('PATCH', path, { slug: two['slug'] })).status).toBe(200);
  });

  it('is 404 for another tenant, whose workspace stays what it is', async () => {
    const workspace = await newWorkspace('Mine');
    const other = await tenancy.makeTenant();
    for (const method of ['PATCH', 'DELETE']) {
      const body = method === 'PATCH' ? { name: 'Theirs' } : undefined;
      const response = await tenancy.call(
        other.caller,
        method,
        `/api/v1/workspaces/${workspace['workspace_id']}`,
        body,
      );
      expect([method, response.status, response.body.code]).toEqual([method, 404, 'not_found']);
    }
    expect((await call('GET', `/workspaces/${workspace['workspace_id']}`)).body['workspace']).toEqual(workspace);
  });
});

describe('PATCH /memories/{memory_id}', () => {
  it('changes name and policy, suspends and takes up again, and tells each change of status once', async () => {
    const memory = await newMemory('Changing');
    const path = `/memories/${memory['memory_id']}`;
    const changed = await call('PATCH', path, { display_name: 'Changed', dlp_policy: 'pii' });
    expect(changed.body).toEqual({ ...memory, display_name: 'Changed', dlp_policy: 'pii' });
    expect((await call('PATCH', path, { status: 'suspended' })).body).toMatchObject({ status: 'suspended' });
    expect((await call('PATCH', path, { status: 'suspended' })).body).toMatchObject({ status: 'suspended' });
    expect((await call('PATCH', path, { status: 'active' })).body).toMatchObject({ status: 'active' });
    expect((await call('PATCH', path, { status: 'deleting' })).status).toBe(422);
  });

  it('is 409 for a memory that failed, and 404 for one that is not there', async () => {
    const memory = await newMemory('Failing');
    await tenancy.query("UPDATE memories SET status = 'failed' WHERE memory_id = $1", [memory['memory_id']]);
    const response = await call('PATCH', `/memories/${memory['memory_id']}`, { status: 'active' });
    expect(response).toMatchObject({ status: 409, body: { code: 'conflict' } });
    expect((await call('PATCH', `/memories/${newId('memory')}`, {})).status).toBe(404);
  });
});
