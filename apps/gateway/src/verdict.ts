import {
  type App,
  type AppAction,
  type Credential,
  type CredentialKind,
  Denial,
  KeyKind,
  type Scope,
} from '@cairn/contracts';
import { CairnError } from '@cairn/errors';
import type { Identity } from '@cairn/identity';
import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import type { RateLimit } from './rate-limiter.ts';

type Range = [ipaddr.IPv4 | ipaddr.IPv6, number];

/** All the pipeline needs to know of a credential, made once per resolve and used by every request with it. */
export interface Verdict extends RateLimit {
  identity: Omit<Identity, 'hostMemoryId' | 'admitUntilMs'>;
  /** Empty: any address. */
  addressRanges: readonly Range[];
  expiresAtMs: number;
}

const KINDS: Readonly<Partial<Record<KeyKind, CredentialKind>>> = {
  [KeyKind.LIVE]: 'live',
  [KeyKind.TEST]: 'test',
  [KeyKind.EPHEMERAL]: 'ephemeral',
  [KeyKind.MEMORY]: 'memory',
};
const MAPPED_PREFIX_BITS = 96;

/** Throws `internal` for a credential that lacks what restricts it: it must not become one without restrictions. */
export function verdictOf(credential: Credential): Verdict {
  const kind = KINDS[credential.kind];
  const { requestsPerSecond = 0, burst = 0 } = credential.rateLimit ?? {};
  if (kind === undefined) throw incomplete(credential, 'has no known kind');
  if (kind === 'memory' && credential.memoryId === '') throw incomplete(credential, 'is a memory key without a memory');
  if (!(requestsPerSecond > 0) || burst < 1) throw incomplete(credential, 'has no rate limit');
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
    addressRanges: credential.ipAllowlist.map(parseRange),
    expiresAtMs:
      credential.expiresAt === undefined
        ? Infinity
        : Number(credential.expiresAt.seconds) * 1_000 + credential.expiresAt.nanos / 1e6,
    requestsPerSecond,
    burst,
  };
}

function incomplete(credential: Credential, what: string): CairnError {
  return new CairnError('internal', '', { internal: `the credential ${credential.keyId} ${what}` });
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

/** True when the address is in one of the ranges, or there are none. IPv4-mapped IPv6 counts as IPv4, on both sides. */
export function addressAllowed(verdict: Pick<Verdict, 'addressRanges'>, address: string): boolean {
  if (verdict.addressRanges.length === 0) return true;
  // ipaddr.js alone would take `1` or `0x7f.1` for an address.
  if (isIP(address) === 0) return false;
  const parsed = ipaddr.process(address);
  return verdict.addressRanges.some(([range, bits]) => range.kind() === parsed.kind() && parsed.match(range, bits));
}

/** An address, or a range in CIDR notation; throws for anything else, so that a broken list admits nobody. */
function parseRange(text: string): Range {
  const [range, bits] = text.includes('/') ? ipaddr.parseCIDR(text) : wholeAddress(ipaddr.parse(text));
  const mapped = range.kind() === 'ipv6' && (range as ipaddr.IPv6).isIPv4MappedAddress() && bits >= MAPPED_PREFIX_BITS;
  return mapped ? [(range as ipaddr.IPv6).toIPv4Address(), bits - MAPPED_PREFIX_BITS] : [range, bits];
}

function wholeAddress(address: ipaddr.IPv4 | ipaddr.IPv6): Range {
  return [address, address.toByteArray().length * 8];
}
