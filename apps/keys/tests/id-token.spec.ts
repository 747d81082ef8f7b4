import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { answerOf, type ForgingProvider, type Signing, startForgingProvider } from './forging-provider.ts';
import { makeTenant, type RunningKeys, runKeys, type Tenant } from './keys-harness.ts';
import { type Opened, openWith, peopleOf } from './people.ts';

let provider: ForgingProvider;
let keys: RunningKeys;
let tenant: Tenant;
beforeAll(async () => {
  provider = await startForgingProvider();
  keys = await runKeys({
    oidcIssuer: provider.issuer,
    oidcClientId: provider.clientId,
    oidcClientSecret: provider.clientSecret,
  });
  tenant = await makeTenant(keys);
});
afterAll(async () => {
  await keys.close();
  await provider.close();
});

async function signIn(email: string, signing: Signing): Promise<Opened> {
  const response = await keys.open('/api/v1/console/sign-in', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{}',
  });
  const { url, attempt } = (await response.json()) as { url: string; attempt: string };
  provider.next = { claims: { sub: email, email, email_verified: true }, signing };
  return openWith(keys, { sign_in: { attempt, ...answerOf(url, provider.issuer) } });
}

const invite = (email: string) =>
  peopleOf(
    () => keys,
    () => tenant,
  ).invite(email, 'developer');

describe('an ID token on a connection that something inspects', () => {
  it('signs a person in when the key of the provider has signed it, which is fetched once for many sign-ins', async () => {
    for (const email of ['ada@example.com', 'bea@example.com', 'cleo@example.com']) {
      await invite(email);
      expect(await signIn(email, 'by its key')).toMatchObject({ status: 200 });
    }
    expect(provider.keysFetched()).toBe(1);
  });

  it.each<Signing>(['by a stranger with its key id', 'with the client secret', 'by nobody'])(
    'signs nobody in when it is signed %s',
    async (signing) => {
      await invite('dora@example.com');
      const refused = { status: 401, secret: '', body: { code: 'credential_invalid' } };
      expect(await signIn('dora@example.com', signing)).toMatchObject(refused);
      expect(await signIn('ada@example.com', signing)).toMatchObject(refused);
    },
  );

  it('signed with a key that the provider has not published when its keys were fetched makes it fetch them at most once a minute', async () => {
    provider.rotate();
    const before = provider.keysFetched();
    for (let count = 0; count < 3; count++) expect((await signIn('ada@example.com', 'by its key')).status).toBe(401);
    expect(provider.keysFetched() - before).toBeLessThanOrEqual(1);
  });
});
