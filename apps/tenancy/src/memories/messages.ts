import type { MemoryMessage, SpaceMessage } from '@cairn/contracts';
import type { MemoryRow } from '../stores/memory-store.ts';
import type { SpaceRow } from '../stores/space-store.ts';

/** A memory as other services see it. */
export function memoryMessage(memory: MemoryRow): Omit<MemoryMessage, '$typeName' | '$unknown'> {
  return {
    memoryId: memory.memory_id,
    tenantId: memory.tenant_id,
    workspaceId: memory.workspace_id,
    type: memory.type,
    status: memory.status,
    rootVaultId: memory.root_vault_id,
    dlpPolicy: memory.dlp_policy,
    subdomain: memory.subdomain,
    engineId: memory.engine_id,
  };
}

/** A space as other services see it. */
export function spaceMessage(space: SpaceRow): Omit<SpaceMessage, '$typeName' | '$unknown'> {
  return {
    spaceId: space.space_id,
    memoryId: space.memory_id,
    vaultId: space.vault_id,
    name: space.name,
    description: space.description,
    slug: space.slug,
  };
}
