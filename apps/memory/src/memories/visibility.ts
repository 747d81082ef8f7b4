import type { ClosedVaults } from './closed-scopes.ts';
import type { TargetMemory } from './memory-scope.ts';

/** The vaults whose documents a caller's graph is made of; `vaults` is null for all. */
export interface Visibility {
  vaults: string[] | null;
  hidden: string[];
}

/** True when the sums over the whole memory are what the caller may see. */
export function seesAll(visible: Visibility): boolean {
  return visible.vaults === null && visible.hidden.length === 0;
}

/** A key or request of one space sees what that space's documents say, and nothing sees what is being erased. */
export function visibilityOf(memory: TargetMemory, closedVaults: ClosedVaults): Visibility {
  return { vaults: memory.spaceId === null ? null : [memory.vaultId], hidden: [...closedVaults] };
}

/** The condition on a table's `vault_id`, with the parameters' numbers of `vaults` and `hidden`. */
export function inVaults(column: string, vaults: number, hidden: number): string {
  return `($${vaults}::text[] IS NULL OR ${column} = ANY($${vaults})) AND ${column} <> ALL($${hidden}::text[])`;
}

export function isVisible(visible: Visibility, vaultId: string): boolean {
  return (visible.vaults === null || visible.vaults.includes(vaultId)) && !visible.hidden.includes(vaultId);
}

/** True for a vault that the target takes in and that is open. */
export function reaches(target: TargetMemory, closedVaults: ReadonlySet<string>, vaultId: string): boolean {
  return (target.spaceId === null || vaultId === target.vaultId) && !closedVaults.has(vaultId);
}
