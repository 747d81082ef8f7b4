import { CairnError } from '@cairn/errors';
import type { TargetMemory } from '../../memories/memory-scope.ts';

/** Identity holds for a whole memory; a key of one space may not decide about the others'. */
export function assertWholeMemory(target: TargetMemory): void {
  if (target.spaceId !== null)
    throw new CairnError(
      'memory_not_permitted',
      'Entities are merged and split for the whole memory; the key reaches one space.',
    );
}
