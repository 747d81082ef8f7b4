import { readFile } from 'node:fs/promises';
import { ConfigError } from '@cairn/service-kit';
import type { Config } from '../config.ts';
import type { ProviderSettings } from './identity-provider.ts';

type ProviderConfig = Pick<
  Config,
  'oidcIssuer' | 'oidcClientId' | 'oidcClientSecret' | 'oidcClientSecretFile' | 'oidcName' | 'oidcEmailDomains'
>;

/** The identity provider that the operator configured; null for none. Throws `ConfigError` for half a configuration. */
export async function readProviderSettings(config: ProviderConfig): Promise<ProviderSettings | null> {
  const { oidcIssuer: issuer, oidcClientId: clientId, oidcClientSecret, oidcClientSecretFile: file } = config;
  const given = [issuer, clientId, oidcClientSecret ?? file].filter((value) => value !== undefined);
  if (given.length === 0) return null;
  if (oidcClientSecret !== undefined && file !== undefined)
    throw new ConfigError(['CAIRN_OIDC_CLIENT_SECRET and CAIRN_OIDC_CLIENT_SECRET_FILE are both set; set one']);
  if (issuer === undefined || clientId === undefined || given.length < 3)
    throw new ConfigError([
      'CAIRN_OIDC_ISSUER, CAIRN_OIDC_CLIENT_ID and CAIRN_OIDC_CLIENT_SECRET (or _FILE) belong together; one is missing',
    ]);
  const clientSecret = oidcClientSecret ?? (await readSecret(file!));
  return { issuer, clientId, clientSecret, name: config.oidcName, emailDomains: config.oidcEmailDomains };
}

async function readSecret(file: string): Promise<string> {
  const text = await readFile(file, 'utf8').catch((cause: unknown) => {
    throw new ConfigError([`CAIRN_OIDC_CLIENT_SECRET_FILE (${file}) cannot be read: ${(cause as Error).message}`]);
  });
  const secret = text.trim();
  if (secret === '') throw new ConfigError([`CAIRN_OIDC_CLIENT_SECRET_FILE (${file}) is empty`]);
  return secret;
}
