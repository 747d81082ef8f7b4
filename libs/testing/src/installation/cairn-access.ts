import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { RunningCairn } from './running-cairn.ts';

type Access = Pick<RunningCairn, 'baseUrl' | 'memoryDomain' | 'apiKey' | 'testApiKey' | 'tenantId'>;

/** What an installation wrote down of its first tenant and its addresses. */
export async function credentialsOf(dataDir: string): Promise<Record<string, string>> {
  return JSON.parse(await readFile(join(dataDir, 'credentials.json'), 'utf8')) as Record<string, string>;
}

/** How a tenant reaches an installation, by the names that credentials files have. */
export function accessOf(credentials: Readonly<Record<string, string>>): Access {
  return {
    baseUrl: credentials['base_url']!,
    memoryDomain: credentials['memory_domain']!,
    apiKey: credentials['api_key']!,
    testApiKey: credentials['test_api_key']!,
    tenantId: credentials['tenant_id']!,
  };
}
