import { useQuery } from '@tanstack/react-query';
import { cairn } from '../../app/client.ts';
import { useMemory } from '../../app/memory.ts';
import { Problem } from '../../parts/problem.tsx';
import { words } from '../../words/knowledge.ts';
import { Statements } from '../graph/statements.tsx';

/** A sentence or two that name it, from its strongest link. */
export function NameSentences({ entityId }: { entityId: string }) {
  const memory = useMemory();
  const { data, error } = useQuery({
    queryKey: ['name-sentences', entityId, memory],
    queryFn: async () => {
      const { edges } = await cairn.graph.explore(entityId, { ...memory, max_hops: 1, limit: 2 });
      const [first] = edges;
      return first === undefined ? [] : (await cairn.graph.links.get(first.source, first.target, memory)).passages;
    },
  });
  if (error !== null) return <Problem error={error} />;
  if (data?.length === 0) return <p className="quiet small">{words.standsAlone}</p>;
  return <Statements passages={(data ?? []).slice(0, 1)} />;
}
