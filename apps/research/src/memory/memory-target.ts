import type { DlpPolicy } from '@cairn/screening';

/** The memory that a run reads, as resolved for the caller's credential when the run was started. */
export interface MemoryTarget {
  engineId: string;
  tenantId: string;
  memoryId: string;
  workspaceId: string;
  rootVaultId: string;
  /** What is masked in the caller's texts before they are stored. */
  dlpPolicy: DlpPolicy;
}
