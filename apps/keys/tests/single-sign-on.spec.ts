import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Denial } from '@cairn/contracts';
import type { Identity } from '@cairn/identity';
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

/** A member whose address nobody has verified, as one has who joined before there was a provider. */
async function joinUnverified(
  who: SignedInPerson,
  of: Tenant = tenant,
): Promise<{ memberId: string; caller: Identity }> {
  const { invitation } = (await invite(who.email, of)).body;
  const { body } = await signIn(who, { invitation });
  await keys.database.worker.transaction((tx) =>
    tx.execute('UPDATE members SET issuer = NULL, subject = NULL WHERE member_id = $1', [body.key_id]),
  );
  const { key_id: keyId, session_id: credentialId } = body;
  return { memberId: keyId, caller: { ...of.live, kind: 'member', keyId, credentialId } };
}

const linkFrom = (caller: Identity) => keys.call(caller, 'POST', `${SIGN_IN}/link`);

async function finishLink(caller: Identity, who: SignedInPerson): Promise<Opened> {
  const { body } = await linkFrom(caller);
  await provider.signInAs(who);
  const answer = await provider.visit(body['url'] as string);
  return openWith(keys, { sign_in: { attempt: body['attempt'], ...answer } });
}

describe('a member who joined before there was a provider', () => {
  it('is not signed in by the address alone, and is told to link the account', async () => {
    const eli = person();
    await joinUnverified(eli);
    const answer = await signIn(eli);
    expect(answer).toMatchObject({ status: 409, secret: '', body: { code: 'conflict' } });
    expect(answer.body['detail']).toContain('link it');
  });

  it('links the account from its own session, and is known by it from then on', async () => {
    const eli = person();
    const { memberId, caller } = await joinUnverified(eli);
    expect((await keys.call(caller, 'GET', '/api/v1/whoami')).body['member']).toMatchObject({ linked: false });
    const linked = await finishLink(caller, eli);
    expect(linked).toMatchObject({ status: 200, body: { key_id: memberId } });
    expect((await signIn({ ...eli, emailVerified: false })).body.key_id).toBe(memberId);
    expect((await keys.call(caller, 'GET', '/api/v1/whoami')).body['member']).toMatchObject({ linked: true });
    expect(await linkFrom(caller)).toMatchObject({ status: 409 });
  });

  it('links no account of another or an unverified address, none that is another member, and none after its removal', async () => {
    const [fay, gus] = [person(), person()];
    const { memberId, caller } = await joinUnverified(fay);
    await invite(gus.email);
    expect((await signIn(gus)).status).toBe(200);
    const denied = { status: 403, secret: '', body: { code: 'permission_denied' } };
    expect(await finishLink(caller, { ...fay, emailVerified: false })).toMatchObject(denied);
    expect(await finishLink(caller, person())).toMatchObject(denied);
    expect(await finishLink(caller, gus)).toMatchObject({ status: 409, secret: '' });
    expect(await linkFrom(tenant.live)).toMatchObject({ status: 403, body: { code: 'permission_denied' } });
    const { body } = await linkFrom(caller);
    await provider.signInAs(fay);
    const answer = await provider.visit(body['url'] as string);
    await peopleOf(
      () => keys,
      () => tenant,
    ).remove(memberId);
    const late = await openWith(keys, { sign_in: { attempt: body['attempt'], ...answer } });
    expect(late).toMatchObject({ status: 401, secret: '' });
  });

  it('of a stranger, who has accepted an invitation for the address, draws nobody into that tenant', async () => {
    const victim = person();
    const [stranger, own] = [await makeTenant(keys), await makeTenant(keys)];
    await joinUnverified(victim, stranger);
    expect(await signIn(victim)).toMatchObject({ status: 409, secret: '' });
    const { invitation } = (await invite(victim.email, own)).body;
    expect(await signIn(victim)).toMatchObject({ status: 409, secret: '' });
    const { secret } = await signIn(victim, { invitation });
    expect(await resolve(keys, secret)).toMatchObject({ tenantId: own.tenantId });
    expect(await resolve(keys, (await signIn(victim)).secret)).toMatchObject({ tenantId: own.tenantId });
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
