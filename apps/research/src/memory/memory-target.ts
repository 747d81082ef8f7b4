import type { DlpPolicy } from '@cairn/screening';

/** The memory a run looks into, as the caller's own credential was shown it when the run was started. */
export interface MemoryTarget {
  engineId: string;
  tenantId: string;
  memoryId: string;
  workspaceId: string;
  rootVaultId: string;
  /** What is masked of the caller's texts before they are stored. */
  dlpPolicy: DlpPolicy;
}
