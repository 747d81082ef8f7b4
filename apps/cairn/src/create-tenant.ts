import { KeyKind } from '@cairn/contracts';
import type { Operator } from './operator.ts';
import type { Json, PrintLine } from './print-table.ts';

/** Creates a tenant and prints its first keys, which are shown this once. */
export async function createTenant(
  operator: Operator,
  options: Json & { name: string; plan: string },
  say: PrintLine,
): Promise<void> {
  const { live, test } = await operator.createTenant({ name: options.name, plan: options.plan });
  const created = {
    tenant_id: live.tenantId,
    name: live.name,
    plan: live.plan,
    api_key: await operator.mintKey(live, KeyKind.LIVE, 'First key'),
    test_api_key: await operator.mintKey(test, KeyKind.TEST, 'First test key'),
  };
  if (options.json === true) say(JSON.stringify(created));
  else {
    say(`Tenant ${created.tenant_id} (${created.name}, plan ${created.plan})`);
    say(`  API key       ${created.api_key}`);
    say(`  test API key  ${created.test_api_key}`);
  }
}

/** Creates a key for a tenant that exists and prints it, this once. */
export async function createTenantKey(
  operator: Operator,
  tenantId: string,
  options: Json & { name: string; test?: boolean },
  say: PrintLine,
): Promise<void> {
  const kind = options.test === true ? KeyKind.TEST : KeyKind.LIVE;
  const { keyId, apiKey } = await operator.keys.mintKey({ tenantId, kind, name: options.name });
  say(options.json === true ? JSON.stringify({ key_id: keyId, api_key: apiKey }) : `${keyId}  ${apiKey}`);
}
