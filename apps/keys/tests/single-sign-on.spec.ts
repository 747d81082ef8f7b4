import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Denial } from '@cairn/contracts';
import { type OpenidProvider, type SignedInPerson, startOpenidProvider } from '@cairn/testing';
import { makeTenant, resolve, type RunningKeys, runKeys, type Tenant } from './keys-harness.ts';
import { type Opened, openWith, peopleOf } from './people.ts';

let provider: OpenidProvider;
let keys: RunningKeys;
let tenant: Tenant;
beforeAll(async () => {
  provider = await startOpenidProvider();
  keys = await runKeys({
    oidcIssuer: provider.issuer,
    oidcClientId: provider.clientId,
    oidcClientSecret: provider.clientSecret,
    oidcName: 'Example',
    oidcEmailDomains: ['example.com'],
  });
  tenant = await makeTenant(keys);
});
afterAll(async () => {
  await keys.close();
  await provider.close();
});

const SIGN_IN = '/api/v1/console/sign-in';
let count = 0;

/** Somebody new at the provider. */
function person(change: Partial<SignedInPerson> = {}): SignedInPerson {
  count += 1;
  return {
    subject: `subject-${count}`,
    email: `p${count}@example.com`,
    emailVerified: true,
    name: `P ${count}`,
    ...change,
  };
}

interface Started {
  url: string;
  attempt: string;
}

async function start(body: object = {}): Promise<Started> {
  const response = await keys.open(SIGN_IN, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  expect(response.status).toBe(200);
  return (await response.json()) as Started;
}

async function signIn(who: SignedInPerson, body: object = {}): Promise<Opened> {
  const { url, attempt } = await start(body);
  await provider.signInAs(who);
  return openWith(keys, { sign_in: { attempt, ...(await provider.visit(url)) } });
}

const invite = (email: string, of: Tenant = tenant) =>
  peopleOf(
    () => keys,
    () => of,
  ).invite(email, 'developer');

describe('a person who signs in with the provider', () => {
  it('for the first time accepts the invitation of the verified address, and is known by the account from then on', async () => {
    const ada = person();
    await invite(ada.email.toUpperCase());
    const first = await signIn(ada);
    expect(first).toMatchObject({ status: 200, body: { key_name: ada.name, current: true } });
    const memberId = first.body.key_id;
    expect((await keys.call(tenant.live, 'GET', `/api/v1/members/${memberId}`)).body).toMatchObject({
      email: ada.email,
      role: 'developer',
      linked: true,
    });
    expect((await signIn({ ...ada, email: 'married@example.com', emailVerified: false })).body.key_id).toBe(memberId);
    expect(await keys.call(tenant.live, 'POST', `/api/v1/members/${memberId}/tickets`)).toMatchObject({ status: 409 });
  });

  it('is linked to the member who joined with that address before there was a provider', async () => {
    const eli = person();
    await invite(eli.email);
    const memberId = (await signIn(eli)).body.key_id;
    await keys.database.worker.transaction((tx) =>
      tx.execute('UPDATE members SET issuer = NULL, subject = NULL WHERE member_id = $1', [memberId]),
    );
    expect(await signIn({ ...eli, emailVerified: false })).toMatchObject({ status: 403 });
    expect((await signIn(eli)).body.key_id).toBe(memberId);
    expect((await keys.call(tenant.live, 'GET', `/api/v1/members/${memberId}`)).body['linked']).toBe(true);
  });

  it('is led to the provider with state, nonce and PKCE', async () => {
    const { url } = await start();
    const asked = new URL(url).searchParams;
    expect(url.startsWith(provider.issuer)).toBe(true);
    expect(asked.get('redirect_uri')).toBe('https://cairn.test/console/sign-in');
    expect(asked.get('code_challenge_method')).toBe('S256');
    for (const name of ['state', 'nonce', 'code_challenge']) expect(asked.get(name)).toMatch(/^[\w-]{43}$/);
    const options = await keys.open(SIGN_IN);
    expect(await options.json()).toEqual({ provider: { name: 'Example' } });
  });

  it('is refused once removed, also in sessions that are open, and may be invited again', async () => {
    const bea = person();
    await invite(bea.email);
    const { body, secret } = await signIn(bea);
    await peopleOf(
      () => keys,
      () => tenant,
    ).remove(body.key_id);
    expect(await resolve(keys, secret)).toBe(Denial.REVOKED);
    expect(await signIn(bea)).toMatchObject({ status: 403, body: { code: 'permission_denied' } });
    await invite(bea.email);
    const again = await signIn(bea);
    expect(again.status).toBe(200);
    expect(again.body.key_id).not.toBe(body.key_id);
  });

  it('of several tenants is in the one signed in to last, unless the browser asks for another', async () => {
    const cleo = person();
    const other = await makeTenant(keys);
    await invite(cleo.email);
    const first = await signIn(cleo);
    const { invitation } = (await invite(cleo.email, other)).body;
    expect((await signIn(cleo)).body.key_id).toBe(first.body.key_id);
    const second = await signIn(cleo, { invitation });
    expect(second.body.key_id).not.toBe(first.body.key_id);
    expect((await signIn(cleo)).body.key_id).toBe(second.body.key_id);
    expect((await signIn(cleo, { member_id: first.body.key_id })).body.key_id).toBe(first.body.key_id);
  });
});

describe('an address that several tenants have invited', () => {
  it('joins the one whose link its person opened, and none by guessing', async () => {
    const dora = person();
    const other = await makeTenant(keys);
    await invite(dora.email);
    const { invitation } = (await invite(dora.email, other)).body;
    expect(await signIn(dora)).toMatchObject({ status: 409, secret: '', body: { code: 'conflict' } });
    const { status, secret } = await signIn(dora, { invitation });
    expect(status).toBe(200);
    expect(await resolve(keys, secret)).toMatchObject({ tenantId: other.tenantId });
  });
});

describe('what the provider says makes nobody a member', () => {
  const denied = { status: 403, secret: '', body: { code: 'permission_denied' } };
  const invalid = { status: 401, secret: '', body: { code: 'credential_invalid' } };

  it('who was not invited', async () => {
    expect(await signIn(person())).toMatchObject(denied);
  });

  it('whose address is not verified', async () => {
    const eve = person({ emailVerified: false });
    await invite(eve.email);
    expect(await signIn(eve)).toMatchObject(denied);
  });

  it('whose domain is not allowed, though invited', async () => {
    const eve = person({ email: 'eve@example.net' });
    await invite(eve.email);
    expect(await signIn(eve)).toMatchObject(denied);
  });

  it('who has the link of an invitation for another address, or the link alone', async () => {
    const { invitation } = (await invite('finn@example.com')).body;
    expect(await signIn(person(), { invitation })).toMatchObject(denied);
    expect(await openWith(keys, { invitation: { secret: invitation, name: 'Finn' } })).toMatchObject(denied);
  });

  it('with another state, with the attempt of another browser, or a second time', async () => {
    const gil = person();
    await invite(gil.email);
    await provider.signInAs(gil);
    const [one, two] = [await start(), await start()];
    const answer = await provider.visit(one.url);
    const sent = (change: object) => openWith(keys, { sign_in: { attempt: one.attempt, ...answer, ...change } });
    expect(await sent({ attempt: two.attempt })).toMatchObject(invalid);
    const third = await start();
    const answered = await provider.visit(third.url);
    const wrong = { ...answered, attempt: third.attempt, state: answer.state };
    expect(await openWith(keys, { sign_in: wrong })).toMatchObject(invalid);
    expect((await sent({})).status).toBe(200);
    expect(await sent({})).toMatchObject(invalid);
  });

  it('with a code that was used before, or that another attempt asked for', async () => {
    const hal = person();
    await invite(hal.email);
    await provider.signInAs(hal);
    const [one, two] = [await start(), await start()];
    const first = await provider.visit(one.url);
    expect((await openWith(keys, { sign_in: { attempt: one.attempt, ...first } })).status).toBe(200);
    const second = await provider.visit(two.url);
    const replayed = { attempt: two.attempt, ...second, code: first.code };
    expect(await openWith(keys, { sign_in: replayed })).toMatchObject(invalid);
    const [three, four] = [await start(), await start()];
    const third = await provider.visit(three.url);
    const fourth = await provider.visit(four.url);
    const swapped = { attempt: four.attempt, ...fourth, code: third.code };
    expect(await openWith(keys, { sign_in: swapped })).toMatchObject(invalid);
  });

  it('after ten minutes', async () => {
    const ida = person();
    await invite(ida.email);
    const { url, attempt } = await start();
    await provider.signInAs(ida);
    const answer = await provider.visit(url);
    keys.setTime(new Date(Date.now() + 10.1 * 60_000));
    expect(await openWith(keys, { sign_in: { attempt, ...answer } })).toMatchObject(invalid);
    keys.setTime(null);
  });
});

describe('a provider that cannot be reached', () => {
  it('stops nobody else from signing in, and nothing else', async () => {
    const alone = await runKeys({ oidcIssuer: 'http://127.0.0.1:9', oidcClientId: 'x', oidcClientSecret: 'x' });
    const own = await makeTenant(alone);
    const started = await alone.open(SIGN_IN, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{}',
    });
    expect(started.status).toBe(503);
    expect((await openWith(alone, { api_key: own.liveKey })).status).toBe(200);
    await alone.close();
  });

  it('is not asked for by an installation without one', async () => {
    const plain = await runKeys();
    expect(await (await plain.open(SIGN_IN)).json()).toEqual({ provider: null });
    const headers = { 'content-type': 'application/json' };
    expect((await plain.open(SIGN_IN, { method: 'POST', headers, body: '{}' })).status).toBe(404);
    await plain.close();
  });
});
