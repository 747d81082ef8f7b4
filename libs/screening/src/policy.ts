import { DLP_POLICIES } from '@cairn/contracts';
import type { DlpPolicy } from './finding.ts';

/** Of texts that belong to no memory: names and descriptions of workspaces and memories. */
export const WORKSPACE_POLICY: DlpPolicy = 'secrets';

/** A policy by its name on the wire. An unknown one is newer than this replica: the strictest is taken. */
export function policyOf(named: string): DlpPolicy {
  return DLP_POLICIES.find((policy) => policy === named) ?? 'pii';
}
