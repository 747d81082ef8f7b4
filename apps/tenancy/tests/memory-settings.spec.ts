import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { initialMemorySettings, MEMORY_SETTINGS, type MemorySettings, MemorySettingsService } from '@cairn/contracts';
import { rpcClient } from '@cairn/service-kit';
import { type RunningTenancy, runTenancy, type Tenant } from './tenancy-harness.ts';

let tenancy: RunningTenancy;
let tenant: Tenant;
beforeAll(async () => {
  tenancy = await runTenancy();
  tenant = await tenancy.makeTenant('business');
});
afterAll(() => tenancy.close());

const CHOSEN: MemorySettings = { ...initialMemorySettings(), dlp_policy: 'pii', keep_originals: true };
const call = (method: string, path: string, body?: unknown) =>
  tenancy.call(tenant.caller, method, `/api/v1/memories${path}`, body);

describe('the column of a setting', () => {
  it.each(Object.entries(MEMORY_SETTINGS))(
    '%s has the initial value of the setting as its default, and is required unless the setting can be null',
    async (name, { schema, initial }) => {
      const [column] = await tenancy.query<{ is_nullable: string; column_default: string | null }>(
        "SELECT is_nullable, column_default FROM information_schema.columns WHERE table_name = 'memories' AND column_name = $1",
        [name],
      );
      expect(column?.is_nullable).toBe(schema.safeParse(null).success ? 'YES' : 'NO');
      const expression = column!.column_default ?? 'NULL';
      expect(await tenancy.query(`SELECT ${expression} AS value`)).toEqual([{ value: initial }]);
    },
  );
});

describe('the settings of a memory', () => {
  it('are initial where its creator says nothing, also of the primary memory of a workspace', async () => {
    const created = await call('POST', '', { display_name: 'Plain' });
    const primary = await call('GET', `/${tenant.live.primaryMemoryId}`);
    for (const { body } of [created, primary]) expect(body).toMatchObject(initialMemorySettings());
  });

  it('are stored as they were chosen, and a change leaves those alone that it does not name', async () => {
    const { body } = await call('POST', '', { display_name: 'Chosen', ...CHOSEN });
    expect(body).toMatchObject(CHOSEN);
    const path = `/${body['memory_id'] as string}`;
    expect((await call('PATCH', path, { keep_originals: false })).body).toEqual({ ...body, keep_originals: false });
    expect((await call('PATCH', path, { dlp_policy: 'off' })).body).toMatchObject({
      dlp_policy: 'off',
      keep_originals: false,
    });
    expect((await call('PATCH', path, { display_name: 'Renamed', ...CHOSEN })).body).toMatchObject(CHOSEN);
    expect((await call('GET', path)).body).toMatchObject(CHOSEN);
  });

  it('reach the memory service by their names, and as the two fields that the release before reads', async () => {
    const { body } = await call('POST', '', { display_name: 'Sent', ...CHOSEN });
    const client = rpcClient(MemorySettingsService, tenancy.grpcAddress, tenancy.identities.serviceTokens('memory'));
    const scope = { tenantId: tenant.live.tenantId, memoryId: body['memory_id'] as string };
    const sent = await client.getMemorySettings({ ...scope, withSpaces: false });
    client.close();
    expect(sent).toMatchObject({ settings: CHOSEN, dlpPolicy: 'pii', keepOriginals: true });
    expect(Object.keys(sent.settings!).sort()).toEqual(Object.keys(MEMORY_SETTINGS).sort());
  });
});
