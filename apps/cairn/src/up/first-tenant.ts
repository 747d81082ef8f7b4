import { KeyKind } from '@cairn/contracts';
import { connectOperator, grpcAddressesOf } from '../operator.ts';
import { type Addresses, type Credentials, type DataFolder, readJson, writePrivately } from '../data-folder.ts';

/** The credentials of this folder. They are minted once; later starts bring only the address up to date. */
export async function ensureCredentials(
  folder: DataFolder,
  addresses: Addresses,
): Promise<{ credentials: Credentials; first: boolean }> {
  const base = {
    base_url: addresses.gateway,
    memory_domain: `localhost:${new URL(addresses.gateway).port}`,
    console_url: `${addresses.gateway}/console`,
  };
  const known = await readJson<Credentials>(folder.credentialsFile);
  const credentials: Credentials = { ...(known ?? (await mintFirst(folder, addresses))), ...base };
  await writePrivately(folder.credentialsFile, `${JSON.stringify(credentials, null, 2)}\n`);
  return { credentials, first: known === null };
}

async function mintFirst(
  folder: DataFolder,
  addresses: Addresses,
): Promise<Pick<Credentials, 'tenant_id' | 'api_key' | 'test_api_key'>> {
  const operator = await connectOperator(folder.signingKeyFile('operator'), grpcAddressesOf(addresses));
  try {
    const { live, test } = await operator.createTenant({ name: 'My organisation', plan: '' });
    return {
      tenant_id: live.tenantId,
      api_key: await operator.mintKey(live, KeyKind.LIVE, 'First key'),
      test_api_key: await operator.mintKey(test, KeyKind.TEST, 'First test key'),
    };
  } finally {
    await operator.close();
  }
}
