import { KeyKind } from '@cairn/contracts';
import type { Settings } from './settings.ts';
import { type OperatorFlags, operatorOf } from './operator.ts';

/** Creates a tenant and prints its first keys, which are shown this once. */
export async function createTenant(
  settings: Settings,
  options: OperatorFlags & { name: string; plan: string; json?: boolean },
  say: (line?: string) => void,
): Promise<void> {
  const operator = await operatorOf(settings, options);
  try {
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
  } finally {
    await operator.close();
  }
}

/** Creates a key for a tenant that exists and prints it, this once. */
export async function createTenantKey(
  settings: Settings,
  tenantId: string,
  options: OperatorFlags & { name: string; test?: boolean; json?: boolean },
  say: (line?: string) => void,
): Promise<void> {
  const operator = await operatorOf(settings, options);
  try {
    const kind = options.test === true ? KeyKind.TEST : KeyKind.LIVE;
    const { keyId, apiKey } = await operator.keys.mintKey({ tenantId, kind, name: options.name });
    say(options.json === true ? JSON.stringify({ key_id: keyId, api_key: apiKey }) : `${keyId}  ${apiKey}`);
  } finally {
    await operator.close();
  }
}
