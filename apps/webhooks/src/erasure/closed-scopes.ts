import { createTombstones, type TombstoneScope } from '@cairn/postgres';

export type Scope = TombstoneScope;

/** Tombstones of erased tenants, memories and vaults: nothing new is delivered about them. */
export const closedScopes = createTombstones({ lockName: 'webhook scope' });
