import { cairn } from '../../app/client.ts';
import { useMemory } from '../../app/memory.ts';
import { usePages } from '../../app/pages.ts';
import { MoreButton } from '../../parts/more-button.tsx';
import { Panel } from '../../parts/panel.tsx';
import { words } from '../../words/entity.ts';
import { Statements } from './statements.tsx';

/** Why two names are connected: each sentence that says so, leading to its place. */
export function LinkPassages({ source, target }: { source: string; target: string }) {
  const memory = useMemory();
  const query = usePages(['link', source, target, memory], (cursor) =>
    cairn.graph.links.get(source, target, { ...memory, ...cursor }),
  );
  return (
    <Panel
      title={words.because}
      query={query}
      call={{
        name: 'graph.links.get',
        method: 'GET',
        path: `/memory/graph/links/${source}/${target}`,
        ids: [source, target],
        query: memory,
      }}
    >
      {({ pages }) => (
        <>
          <Statements passages={pages.flatMap(({ passages }) => passages)} />
          <MoreButton query={query} />
        </>
      )}
    </Panel>
  );
}
