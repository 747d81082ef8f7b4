import { Link } from '@tanstack/react-router';
import { cairn } from '../../app/client.ts';
import { useMemory } from '../../app/memory.ts';
import { usePages } from '../../app/pages.ts';
import { MoreButton } from '../../parts/more-button.tsx';
import { Panel } from '../../parts/panel.tsx';
import { words } from '../../words/entity.ts';

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
          <ul className="plain">
            {pages
              .flatMap(({ passages }) => passages)
              .map(({ doc_id, chunk_id, title, statements }) => (
                <li key={chunk_id}>
                  {statements.map(({ text, span }) => (
                    <blockquote key={`${span.start}-${span.end}`}>
                      <Link
                        to="/documents/$docId"
                        params={{ docId: doc_id }}
                        search={{ chunk: chunk_id, start: String(span.start), end: String(span.end) }}
                      >
                        {text}
                      </Link>
                    </blockquote>
                  ))}
                  <span className="quiet small">{title}</span>
                </li>
              ))}
          </ul>
          <MoreButton query={query} />
        </>
      )}
    </Panel>
  );
}
