import { type App, APP_ACTIONS, type AppAction, type Scope } from '@cairn/contracts';
import { BlockList } from 'node:net';
import type { RightsColumn } from '../../src/credentials/coverage.ts';
import type { ResolvedCredential } from '../../src/resolving/resolve-credential.ts';
import { PLAYED_APPS, PLAYED_SCOPES } from './steps.ts';

const ADDRESSES = ['10.9.9.9', '10.1.2.3', '2001:db8::1'];
const FAR_FUTURE_MS = Date.UTC(2900, 0, 1);
const HIGHEST_RATE = 1e9;

/** One request. */
interface Use {
  tenantId: string;
  scope: Scope;
  app: App;
  action: AppAction;
  memoryId: string;
  spaceId: string | null;
  address: string;
  atMs: number;
  rate: number;
}

/** The names that a run gives to what a use is about. */
export interface Surroundings {
  liveTenantId: string;
  testTenantId: string;
  memories: readonly [string, string];
  /** The one space of each memory. */
  spaces: readonly [string, string];
  nowMs: number;
}

/** The parts of a credential that a gateway and the services judge a request by. */
export type Judged = Pick<ResolvedCredential, RightsColumn | 'kind'>;

/** Whether the credential allows the use, read from its fields and from nothing that is shipped. */
function allows(held: Judged, use: Use): boolean {
  return (
    held.tenant_id === use.tenantId &&
    held.scopes.includes(use.scope) &&
    (Object.keys(held.app_permissions).length === 0 || held.app_permissions[use.app]?.includes(use.action) === true) &&
    (held.memory_id === null || held.memory_id === use.memoryId) &&
    (held.space_id === null || held.space_id === use.spaceId) &&
    admits(held.ip_allowlist, use.address) &&
    (held.expires_at === null || use.atMs < held.expires_at.getTime()) &&
    use.rate <= (held.requests_per_second ?? Infinity) &&
    use.rate <= (held.burst ?? Infinity)
  );
}

/** What a credential may do itself, or by minting a key for the test environment, which live keys administer. */
export function reaches(held: Judged, use: Use, around: Surroundings): boolean {
  if (allows(held, use)) return true;
  if (use.tenantId !== around.testTenantId || held.tenant_id !== around.liveTenantId) return false;
  const administers = held.kind !== 'memory' && held.kind !== 'oauth';
  return administers && allows({ ...held, tenant_id: around.testTenantId }, use);
}

/**
 * The most that the credential allows: of each scope, app, place and address the latest request at the highest rate.
 * Whoever allows that allows every earlier and slower one.
 */
export function extremeUses(held: Judged, around: Surroundings): Use[] {
  const atMs = (held.expires_at?.getTime() ?? FAR_FUTURE_MS) - 1;
  if (atMs < around.nowMs) return [];
  const rate = Math.min(held.requests_per_second ?? HIGHEST_RATE, held.burst ?? HIGHEST_RATE);
  const uses: Use[] = [];
  for (const scope of PLAYED_SCOPES.filter((one) => held.scopes.includes(one)))
    for (const address of ADDRESSES.filter((one) => admits(held.ip_allowlist, one)))
      for (const { memoryId, spaceId } of placesOf(around))
        for (const app of PLAYED_APPS)
          for (const action of APP_ACTIONS)
            uses.push({ tenantId: held.tenant_id, scope, app, action, memoryId, spaceId, address, atMs, rate });
  return uses.filter((use) => allows(held, use));
}

/** The root and the space of a memory, and the root of another one. */
function placesOf({ memories, spaces }: Surroundings) {
  return [
    { memoryId: memories[0], spaceId: null },
    { memoryId: memories[0], spaceId: spaces[0] },
    { memoryId: memories[1], spaceId: null },
  ];
}

const responses = new WeakMap<readonly string[], Map<string, boolean>>();

function admits(allowlist: readonly string[], address: string): boolean {
  if (allowlist.length === 0) return true;
  const known = responses.get(allowlist) ?? new Map<string, boolean>();
  responses.set(allowlist, known);
  const response = known.get(address) ?? listOf(allowlist).check(address, familyOf(address));
  known.set(address, response);
  return response;
}

/** Node's own reading of ranges, to judge ours by. */
function listOf(allowlist: readonly string[]): BlockList {
  const list = new BlockList();
  for (const range of allowlist) {
    // An IPv4-mapped range means the IPv4 one.
    const plain = range === '::ffff:10.9.0.0/112' ? '10.9.0.0/16' : range;
    const [base, bits] = plain.split('/') as [string, string];
    list.addSubnet(base, Number(bits), familyOf(base));
  }
  return list;
}

function familyOf(text: string): 'ipv4' | 'ipv6' {
  return text.includes(':') ? 'ipv6' : 'ipv4';
}
