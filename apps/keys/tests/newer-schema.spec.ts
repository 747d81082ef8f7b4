import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Denial } from '@cairn/contracts';
import { createDatabase, requireMigrated } from '@cairn/postgres';
import { eventually } from '@cairn/testing';
import { MIGRATIONS } from '../src/migrate.ts';
import { keyClient } from './changing-keys.ts';
import { makeTenant, resolve, type RunningKeys, runKeys, type Tenant } from './keys-harness.ts';

let keys: RunningKeys;
let tenant: Tenant;
beforeAll(async () => {
  keys = await runKeys();
  tenant = await makeTenant(keys);
});
afterAll(() => keys.close());

/** Every table of the service as a later release may leave it: more columns, one of them with a default. */
async function expandSchema(): Promise<string[]> {
  const owner = createDatabase({ url: keys.database.superuserUrl, applicationName: 'later-release', poolMax: 1 });
  try {
    return await owner.transaction(async (tx) => {
      const tables = await tx.query<{ name: string }>(
        "SELECT relname AS name FROM pg_class WHERE relnamespace = 'keys'::regnamespace AND relkind IN ('r', 'p')",
      );
      for (const { name } of tables)
        await tx.execute(
          `ALTER TABLE keys.${name} ADD COLUMN of_later_release text,
                                    ADD COLUMN of_later_release_too int NOT NULL DEFAULT 7`,
        );
      await tx.execute("INSERT INTO keys.schema_migrations (name, sha256) VALUES ('9999_of_later_release.sql', 'x')");
      return tables.map(({ name }) => name);
    });
  } finally {
    await owner.close();
  }
}

const refusals: unknown[] = [];

function comeAgain(error: Error): null {
  refusals.push(JSON.parse(error.message).status);
  return null;
}

describe('a schema that a later release has expanded', () => {
  it('is served by this release: keys are created, resolved, read and revoked', async () => {
    const client = keyClient(keys, () => tenant);
    const before = await client.mint();
    expect(await expandSchema()).toContain('api_keys');
    await requireMigrated({ url: keys.database.url, schema: 'keys', directories: MIGRATIONS, waitMs: 0 });
    // A connection that has prepared a statement on a table that changed is replaced, and the request may be sent again.
    const after = await eventually(() => client.mint().catch(comeAgain));
    expect(refusals.filter((status) => status !== 503)).toEqual([]);
    if (after === null) throw new Error('no key was minted');
    for (const key of [before, after]) {
      expect(await resolve(keys, key.plaintext)).toMatchObject({ tenantId: tenant.tenantId });
      expect(await client.read(key.keyId)).toMatchObject({ status: 200, body: { key_id: key.keyId } });
      expect(await client.revoke(key.keyId)).toMatchObject({ status: 200 });
      expect(await resolve(keys, key.plaintext)).toBe(Denial.REVOKED);
    }
    expect((await client.read(after.keyId)).body).not.toHaveProperty('of_later_release');
    expect((await makeTenant(keys)).tenantId).not.toBe(tenant.tenantId);
  });
});
