import type { Fact } from '@cairn/sdk';

/** Facts of a contradiction that say the same: one side. */
interface Side {
  value: string;
  facts: Fact[];
}

/** Facts by value; spelling and spaces aside, equal values are one side. The side with the most documents is first. */
export function sidesOf(facts: readonly Fact[]): Side[] {
  const sides = new Map<string, Side>();
  for (const fact of facts) {
    const key = `${fact.negated ? 'not ' : ''}${fact.value.trim().replaceAll(/\s+/g, ' ').toLowerCase()}`;
    const side = sides.get(key) ?? { value: `${fact.negated ? 'not ' : ''}${fact.value}`, facts: [] };
    side.facts.push(fact);
    sides.set(key, side);
  }
  return [...sides.values()].toSorted((left, right) => documentsOf(right) - documentsOf(left));
}

function documentsOf({ facts }: Side): number {
  return new Set(facts.map(({ doc_id }) => doc_id)).size;
}
