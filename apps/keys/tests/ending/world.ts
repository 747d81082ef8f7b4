import type { Role } from '@cairn/contracts';
import { CairnError } from '@cairn/errors';
import type { AppRow } from '../../src/credentials/app-store.ts';
import type { KeyRow } from '../../src/credentials/key-store.ts';
import type { ClientRow } from '../../src/credentials/oauth-store.ts';
import type { SessionRow } from '../../src/credentials/session-store.ts';
import type { Thing } from './oracle.ts';

/** Rules that can be left out, to show that a sequence which breaks the promise is found. */
export const GUARDS = [
  'coverage of a person',
  'judgement of everything that is dragged along',
  'coverage of what is ended together',
  'people behind the caller',
  'people behind what is ended',
  'ancestors of the caller',
  'owners counted in the resulting state',
  'descent through rotations',
  'judgement of a restriction',
  'judgement of a rotation',
] as const;
export type Guard = (typeof GUARDS)[number];

export const NOW = new Date(Date.UTC(2027, 0, 1));
export const TENANT = 'tnt_live';
export type Row = { thing: Thing } & (
  | { sort: 'key'; row: KeyRow }
  | { sort: 'member'; row: KeyRow }
  | { sort: 'client'; row: ClientRow }
  | { sort: 'session'; row: SessionRow }
  | { sort: 'app'; row: AppRow }
);

export interface World {
  rows: Row[];
  without: ReadonlySet<Guard>;
  broken: string[];
}

export type Actor = Extract<Row, { sort: 'key' | 'member' | 'client' }>;

export function refused(): CairnError {
  return new CairnError('permission_denied', 'Refused.');
}

export function ownersOf(world: World): number {
  return world.rows.filter(({ thing }) => thing.role === 'owner' && !thing.ended).length;
}

export const BLANK = {
  tenant_id: TENANT,
  owner_tenant_id: TENANT,
  name: '',
  prefix: '',
  sha256: Buffer.alloc(0),
  livemode: true,
  app_permissions: {},
  ip_allowlist: [],
  memory_id: null,
  space_id: null,
  requests_per_second: null,
  burst: null,
  parent_key_id: null,
  rotated_from: null,
  rotated_by: null,
  created_at: NOW,
  last_used_at: null,
  usage_count: 0,
  expires_at: null,
  expires_by: null,
  revokes_at: null,
  revoked_at: null,
  closing_since: null,
} satisfies Omit<KeyRow, 'key_id' | 'kind' | 'scopes'>;

/** Adds a key or member that came of the actors; a member is a person of its own. */
export function addKey(
  world: World,
  sort: 'key' | 'member',
  row: KeyRow,
  makers: readonly Thing[],
  role: Role | null = null,
): Extract<Row, { sort: 'key' | 'member' }> {
  const thing = newThing(row.key_id, sort, makers);
  thing.scopes = row.scopes;
  thing.role = role;
  thing.isBrief = row.expires_at !== null;
  thing.isEphemeral = row.kind === 'ephemeral';
  if (sort === 'member') Object.assign(thing, { ancestors: new Set(), people: new Set([thing]) });
  const added = { sort, row, thing };
  world.rows.push(added);
  return added;
}

export function newThing(id: string, sort: Thing['sort'], makers: readonly Thing[]): Thing {
  const keys = makers.filter((maker) => maker.sort !== 'member');
  const thing: Omit<Thing, 'holder'> = {
    id,
    sort,
    scopes: [],
    role: null,
    isBrief: false,
    isEphemeral: false,
    isLeaf: sort === 'client' || sort === 'app',
    cameOf: new Set(makers.flatMap((maker) => [maker, ...maker.cameOf])),
    ancestors: new Set(keys.flatMap((maker) => [maker, ...maker.ancestors])),
    people: new Set(makers.flatMap((maker) => [...maker.people])),
    mintedBelow: null,
    ended: false,
  };
  return Object.assign(thing, { holder: thing as Thing });
}

export function nameOf(world: World, sort: string): string {
  return `${sort}_${world.rows.length}`;
}

export function thingsOf(world: World): Thing[] {
  return world.rows.map(({ thing }) => thing);
}
