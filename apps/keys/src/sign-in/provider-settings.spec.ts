import { describe, expect, it } from '@jest/globals';
import { readProviderSettings } from './provider-settings.ts';

const NONE = {
  oidcIssuer: undefined,
  oidcClientId: undefined,
  oidcClientSecret: undefined,
  oidcClientSecretFile: undefined,
  oidcName: 'Example',
  oidcEmailDomains: [],
};
const WHOLE = { ...NONE, oidcIssuer: 'https://id.example', oidcClientId: 'cairn', oidcClientSecret: 'x' };

describe('the configuration of the identity provider', () => {
  it('may be missing, or be whole', async () => {
    expect(await readProviderSettings(NONE)).toBeNull();
    expect(await readProviderSettings(WHOLE)).toEqual({
      issuer: 'https://id.example',
      clientId: 'cairn',
      clientSecret: 'x',
      name: 'Example',
      emailDomains: [],
    });
  });

  it.each(['oidcIssuer', 'oidcClientId', 'oidcClientSecret'])('is refused without %s', async (name) => {
    await expect(readProviderSettings({ ...WHOLE, [name]: undefined })).rejects.toThrow('belong together');
  });

  it('is refused with two secrets, or with a file that cannot be read', async () => {
    const file = { oidcClientSecretFile: '/nowhere/secret' };
    await expect(readProviderSettings({ ...WHOLE, ...file })).rejects.toThrow('both set');
    await expect(readProviderSettings({ ...WHOLE, oidcClientSecret: undefined, ...file })).rejects.toThrow(
      'cannot be read',
    );
  });
});
