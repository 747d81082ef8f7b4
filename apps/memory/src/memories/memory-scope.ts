/** A memory of a tenant: what every statement on its rows is scoped to. */
export interface MemoryScope {
  tenantId: string;
  memoryId: string;
}

/** A memory, and what events about it and usage of it are attributed to. */
export interface AttributedMemory extends MemoryScope {
  workspaceId: string;
  livemode: boolean;
}

/** A memory, or with `vaultId` one vault of it: what can be closed and erased. */
export interface ErasableScope extends MemoryScope {
  vaultId: string | null;
}

/** The memory a request is about, and where in it: in one space, or in all of it. */
export interface TargetMemory {
  tenantId: string;
  memoryId: string;
  workspaceId: string;
  rootVaultId: string;
  /** The server that holds it. */
  engineId: string;
  /** The space's, or null for the whole memory. */
  spaceId: string | null;
  /** Where something new comes to lie: the space's vault, or the memory's root vault. */
  vaultId: string;
}

/** The engine that is the memory service's own database. */
export const DEFAULT_ENGINE_ID = 'default';
