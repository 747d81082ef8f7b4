import type { DlpPolicy } from './finding.ts';

/** Of texts that belong to no memory: names and descriptions of workspaces and memories. */
export const WORKSPACE_POLICY: DlpPolicy = 'secrets';

/** The contracts have the same names; their schemas would take 30 MiB in every worker process that only screens. */
const POLICIES: readonly DlpPolicy[] = Object.keys({
  off: true,
  secrets: true,
  pii: true,
} satisfies Record<DlpPolicy, true>) as DlpPolicy[];

/** A policy by its name on the wire. An unknown one is newer than this replica: the strictest is taken. */
export function policyOf(named: string): DlpPolicy {
  return POLICIES.find((policy) => policy === named) ?? 'pii';
}
