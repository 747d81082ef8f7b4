import { afterAll, describe, expect, it } from '@jest/globals';
import { create } from '@bufbuild/protobuf';
import { timestampFromMs } from '@bufbuild/protobuf/wkt';
import { CredentialSchema, Denial, KeyKind } from '@cairn/contracts';
import { CairnError } from '@cairn/errors';
import { digestOf, generateKey, type TicketCheck } from '@cairn/identity';
import { createCredentialResolver, createKeysLookup } from './credential-resolver.ts';
import { type Membership, startMembership } from '../revocation/membership.ts';

type Result =
  | { case: 'credential'; value: ReturnType<typeof credential> }
  | { case: 'denial'; value: Denial }
  | { case: undefined };

function credential(expiresAt?: Date) {
  return create(CredentialSchema, {
    keyId: 'key_1',
    credentialId: 'key_1',
    tenantId: 'tnt_1',
    kind: KeyKind.LIVE,
    rateLimit: { requestsPerSecond: 5, burst: 10 },
    ...(expiresAt === undefined
      ? {}
      : { expiresAt: { seconds: BigInt(Math.floor(expiresAt.getTime() / 1_000)), nanos: 0 } }),
  });
}

const NO_TICKETS = { verify: async () => ({ ok: false as const, denial: 'invalid' as const }) };

async function resolverOver(result: Result | Error) {
  const asked: Uint8Array[] = [];
  const keys = {
    async resolve({ sha256 }: { sha256?: Uint8Array }) {
      asked.push(sha256!);
      await Promise.resolve();
      if (result instanceof Error) throw result;
      return { $typeName: 'cairn.keys.v1.ResolveResponse' as const, result: result as never };
    },
  };
  const granting = {
    renewLease: async () => ({
      $typeName: 'cairn.keys.v1.RenewLeaseResponse' as const,
      granted: true,
      durationMs: 30_000,
      sharing: 1,
    }),
  };
  const membership = startMembership({
    keys: granting,
    lookUp: createKeysLookup(keys),
    denied: Denial.REVOKED,
    address: '127.0.0.1:1',
    credentialsMax: 10,
  });
  memberships.push(membership);
  await membership.joined;
  return { cache: createCredentialResolver(membership, NO_TICKETS), asked };
}
const memberships: Membership[] = [];
afterAll(() => Promise.all(memberships.map((membership) => membership.close())));
const { plaintext } = generateKey('live');

describe('resolving a credential', () => {
  it('asks keys by digest, once for all requests that come together and after', async () => {
    const { cache, asked } = await resolverOver({ case: 'credential', value: credential() });
    const [first, second] = await Promise.all([cache.resolve(plaintext), cache.resolve(plaintext)]);
    expect(second).toBe(first);
    expect(await cache.resolve(plaintext)).toBe(first);
    expect(asked.map((digest) => Buffer.from(digest).toString('hex'))).toEqual([digestOf(plaintext).toString('hex')]);
  });

  it.each([
    '',
    'nonsense',
    'ck_live_',
    plaintext.slice(0, -1),
    `${plaintext}0`,
    plaintext.replace(/.$/, (last) => (last === 'a' ? 'b' : 'a')),
  ])('does not ask about what has no key’s form: %j', async (text) => {
    const { cache, asked } = await resolverOver({ case: 'credential', value: credential() });
    await expect(cache.resolve(text)).rejects.toMatchObject({ code: 'credential_invalid' });
    expect(asked).toEqual([]);
  });

  it.each([plaintext.slice(0, -1), plaintext.replace(/.$/, (last) => (last === 'a' ? 'b' : 'a')), 'mk_', 'ot_short'])(
    'that begins as a key does is said to be incomplete or mistyped, which anybody can compute: %j',
    async (text) => {
      const { cache } = await resolverOver({ case: 'denial', value: Denial.UNKNOWN });
      await expect(cache.resolve(text)).rejects.toThrow('incomplete or mistyped');
      await expect(cache.resolve('something else')).rejects.toThrow('The key is not valid.');
      await expect(cache.resolve(plaintext)).rejects.toThrow('The key is not valid.');
    },
  );

  it('a denied one is not asked about again and again', async () => {
    const { cache, asked } = await resolverOver({ case: 'denial', value: Denial.REVOKED });
    for (let round = 0; round < 3; round++)
      await expect(cache.resolve(plaintext)).rejects.toMatchObject({ code: 'credential_revoked' });
    expect(asked).toHaveLength(1);
  });

  it('one whose revocation is due is revoked from then on, though it was cached as valid', async () => {
    const due = create(CredentialSchema, { ...credential(), revokesAt: timestampFromMs(1_000) });
    const { cache } = await resolverOver({ case: 'credential', value: due });
    await expect(cache.resolve(plaintext)).rejects.toMatchObject({ code: 'credential_revoked' });
  });

  it('one that expires while it is cached is refused from then on', async () => {
    const { cache } = await resolverOver({ case: 'credential', value: credential(new Date(Date.now() - 1_000)) });
    await expect(cache.resolve(plaintext)).rejects.toMatchObject({ code: 'credential_expired' });
  });

  it.each([
    ['is down', new CairnError('unavailable', 'x')],
    ['does not take the gateway for one', new CairnError('identity_invalid', 'x')],
    ['has lost its database', new CairnError('internal', 'x')],
    ['answers with nonsense about the request', new CairnError('validation_failed', 'x')],
  ])('is unavailable, never a refusal of the caller, when keys %s', async (_name, error) => {
    const { cache, asked } = await resolverOver(error);
    await expect(cache.resolve(plaintext)).rejects.toMatchObject({ code: 'unavailable' });
    await expect(cache.resolve(plaintext)).rejects.toMatchObject({ code: 'unavailable' });
    expect(asked).toHaveLength(2);
  });

  it('admits nobody by an empty response', async () => {
    const { cache } = await resolverOver({ case: undefined });
    await expect(cache.resolve(plaintext)).rejects.toMatchObject({ code: 'internal' });
  });
});

describe('a ticket', () => {
  const asTicket = (answer: TicketCheck) => ({ verify: async () => answer });
  const ticket = { ticketId: 'tkt_1', credentialId: 'key_1', threadId: 'thr_1', use: 'socket', untilMs: 1 } as const;

  async function over(result: Result, check: TicketCheck) {
    const asked: (string | undefined)[] = [];
    const keys = {
      async resolve({ credentialId }: { credentialId?: string }) {
        asked.push(credentialId);
        return { $typeName: 'cairn.keys.v1.ResolveResponse' as const, result: result as never };
      },
    };
    const resolve = createKeysLookup(keys);
    const membership = { admit: (name: string) => resolve(name, false) };
    return { cache: createCredentialResolver(membership, asTicket(check)), asked };
  }

  it('is admitted as the credential that it names', async () => {
    const { cache, asked } = await over({ case: 'credential', value: credential() }, { ok: true, ticket });
    expect((await cache.resolveTicket('any')).credentialId).toBe('key_1');
    expect(asked).toEqual(['key_1']);
  });

  it('of a revoked credential is refused as that is', async () => {
    const { cache } = await over({ case: 'denial', value: Denial.REVOKED }, { ok: true, ticket });
    await expect(cache.resolveTicket('any')).rejects.toMatchObject({ code: 'credential_revoked' });
  });

  it.each([
    ['invalid', 'credential_invalid'],
    ['expired', 'credential_expired'],
  ] as const)('that is %s is refused before anybody is asked', async (denial, code) => {
    const { cache, asked } = await over({ case: 'credential', value: credential() }, { ok: false, denial });
    await expect(cache.resolveTicket('any')).rejects.toMatchObject({ code });
    expect(asked).toEqual([]);
  });
});
