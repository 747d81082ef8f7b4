import {
  type App,
  type AppAction,
  type Credential,
  type CredentialKind,
  Denial,
  clampRate,
  KeyKind,
  type Scope,
} from '@cairn/contracts';
import { CairnError } from '@cairn/errors';
import { type Identity, type IpRange, parseIpRange, rangeHolds } from '@cairn/identity';
import type { RateLimit, SubjectRate } from '../limits/rate-limit.ts';

/** Everything the pipeline needs to know about a credential, built once per lookup and shared by all its requests. */
export interface AuthContext {
  identity: Omit<Identity, 'credentialId' | 'hostMemoryId' | 'admitUntilMs'>;
  /** The single key or token; usage is counted for `identity.keyId`. */
  credentialId: string;
  /** Of all that a tenant uses: its test mode belongs to it. */
  payerId: string;
  /** Empty: any address. */
  addressRanges: readonly IpRange[];
  expiresAtMs: number;
  /** When it is due to be revoked, because it was rotated. */
  revokesAtMs: number;
  rates: readonly SubjectRate[];
}

const KINDS: Readonly<Partial<Record<KeyKind, CredentialKind>>> = {
  [KeyKind.LIVE]: 'live',
  [KeyKind.TEST]: 'test',
  [KeyKind.EPHEMERAL]: 'ephemeral',
  [KeyKind.MEMORY]: 'memory',
  [KeyKind.MEMBER]: 'member',
  [KeyKind.OAUTH]: 'oauth',
};

/** Throws `internal` for a credential whose restrictions are missing: it must not become an unrestricted one. */
export function authContextOf(credential: Credential): AuthContext {
  const kind = KINDS[credential.kind];
  if (kind === undefined) throw incomplete(credential, 'has no known kind');
  if (kind === 'memory' && credential.memoryId === '') throw incomplete(credential, 'is a memory key without a memory');
  if (credential.credentialId === '') throw incomplete(credential, 'has no id of its own');
  return {
    identity: {
      tenantId: credential.tenantId,
      livemode: credential.livemode,
      keyId: credential.keyId,
      kind,
      scopes: credential.scopes as Scope[],
      appPermissions: Object.fromEntries(
        credential.appPermissions.map(({ app, actions }) => [app, actions]),
      ) as Partial<Record<App, AppAction[]>>,
      memoryId: credential.memoryId === '' ? null : credential.memoryId,
      spaceId: credential.spaceId === '' ? null : credential.spaceId,
    },
    credentialId: credential.credentialId,
    // An earlier version of keys does not send the owner.
    payerId: credential.ownerTenantId === '' ? credential.tenantId : credential.ownerTenantId,
    addressRanges: credential.ipAllowlist.map((text) => rangeOf(credential, text)),
    expiresAtMs: msOf(credential.expiresAt),
    revokesAtMs: msOf(credential.revokesAt),
    rates: ratesOf(credential),
  };
}

/** The tenant's rate limits all of its keys together; a key's own rate counts only where it is lower. */
function ratesOf(credential: Credential): SubjectRate[] {
  const { keyId, tenantId } = credential;
  const own = rateOf(credential, credential.rateLimit);
  // An earlier version of keys does not send the tenant's rate; the key's own rate never exceeds it.
  if (credential.tenantRateLimit === undefined) return [{ ...own, subjectId: keyId, policy: 'default' }];
  const shared = rateOf(credential, credential.tenantRateLimit);
  const rates: SubjectRate[] = [{ ...shared, subjectId: tenantId, policy: 'tenant' }];
  if (own.requestsPerSecond < shared.requestsPerSecond || own.burst < shared.burst)
    rates.unshift({ ...own, subjectId: keyId, policy: 'default' });
  return rates;
}

function rateOf(credential: Credential, rate: Credential['rateLimit']): RateLimit {
  const { requestsPerSecond = 0, burst = 0 } = rate ?? {};
  if (!(requestsPerSecond > 0) || burst < 1) throw incomplete(credential, 'has no rate limit');
  return clampRate({ requestsPerSecond, burst });
}

function msOf(time: Credential['expiresAt']): number {
  return time === undefined ? Infinity : Number(time.seconds) * 1_000 + time.nanos / 1e6;
}

function incomplete(credential: Credential, what: string): CairnError {
  return new CairnError('internal', '', { internal: `the credential ${credential.keyId} ${what}` });
}

/** The error that a denial by keys means to the caller. */
export function denialError(denial: Denial): CairnError {
  switch (denial) {
    case Denial.EXPIRED:
      return new CairnError('credential_expired', 'The key has expired.');
    case Denial.REVOKED:
      return new CairnError('credential_revoked', 'The key was revoked.');
    case Denial.TENANT_SUSPENDED:
      return new CairnError('permission_denied', 'The tenant is suspended.');
    default:
      return new CairnError('credential_invalid', 'The key is not valid.');
  }
}

/** True when the address is in one of the ranges, or there are none. */
export function addressAllowed(auth: Pick<AuthContext, 'addressRanges'>, address: string): boolean {
  const ranges = auth.addressRanges;
  return ranges.length === 0 || ranges.some((range) => rangeHolds(range, address));
}

/** A malformed allowlist admits nobody. */
function rangeOf(credential: Credential, text: string): IpRange {
  const range = parseIpRange(text);
  if (range === null) throw incomplete(credential, 'contains an invalid CIDR range');
  return range;
}
