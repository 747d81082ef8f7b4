/** The memory a run looks into, as the caller's own credential was shown it when the run was started. */
export interface MemoryTarget {
  engineId: string;
  tenantId: string;
  memoryId: string;
  workspaceId: string;
  rootVaultId: string;
}
