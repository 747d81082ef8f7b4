import { type App, type AppAction, type Credential, type CredentialKind, Denial, KeyKind, type Scope } from '@cairn/contracts';
import { CairnError } from '@cairn/errors';
import type { Identity } from '@cairn/identity';
import ipaddr from 'ipaddr.js';

type Range = [ipaddr.IPv4 | ipaddr.IPv6, number];

/** All the pipeline needs to know of a credential, made once per resolve and used by every request with it. */
export interface Verdict {
  identity: Omit<Identity, 'hostMemoryId' | 'admitUntilMs'>;
  /** Empty: any address. */
  addressRanges: readonly Range[];
  expiresAtMs: number;
  requestsPerSecond: number;
  burst: number;
}

const KINDS: Readonly<Partial<Record<KeyKind, CredentialKind>>> = {
  [KeyKind.LIVE]: 'live',
  [KeyKind.TEST]: 'test',
  [KeyKind.EPHEMERAL]: 'ephemeral',
  [KeyKind.MEMORY]: 'memory',
};

export function verdictOf(credential: Credential): Verdict {
  const kind = KINDS[credential.kind];
  if (kind === undefined) throw new CairnError('credential_invalid', 'The credential is not valid.');
  return {
    identity: {
      tenantId: credential.tenantId,
      livemode: credential.livemode,
      keyId: credential.keyId,
      kind,
      scopes: credential.scopes as Scope[],
      appPermissions: Object.fromEntries(credential.appPermissions.map(({ app, actions }) => [app, actions])) as Partial<Record<App, AppAction[]>>,
      memoryId: credential.memoryId === '' ? null : credential.memoryId,
      spaceId: credential.spaceId === '' ? null : credential.spaceId,
    },
    addressRanges: credential.ipAllowlist.map(parseRange),
    expiresAtMs: credential.expiresAt === undefined ? Infinity : Number(credential.expiresAt.seconds) * 1_000 + credential.expiresAt.nanos / 1e6,
    requestsPerSecond: credential.rateLimit?.requestsPerSecond ?? 0,
    burst: credential.rateLimit?.burst ?? 0,
  };
}

/** What a denial of keys means to the caller. */
export function denied(denial: Denial): CairnError {
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

/** True when the address is in one of the ranges, or there are none. IPv4-mapped IPv6 counts as IPv4. */
export function addressAllowed(verdict: Verdict, address: string): boolean {
  if (verdict.addressRanges.length === 0) return true;
  if (!ipaddr.isValid(address)) return false;
  const parsed = ipaddr.process(address);
  return verdict.addressRanges.some(([range, bits]) => range.kind() === parsed.kind() && parsed.match(range, bits));
}

function parseRange(text: string): Range {
  if (text.includes('/')) return ipaddr.parseCIDR(text);
  const address = ipaddr.process(text);
  return [address, address.kind() === 'ipv4' ? 32 : 128];
}
