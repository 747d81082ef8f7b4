import type { Document } from '@cairn/sdk';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { cairn } from '../../app/client.ts';
import { useMemory } from '../../app/memory.ts';
import { usePages } from '../../app/pages.ts';
import { MoreButton } from '../../parts/more-button.tsx';
import { Panel } from '../../parts/panel.tsx';
import { Problem } from '../../parts/problem.tsx';
import { words } from '../../words/knowledge.ts';

const PAGE = 20;
const SPACES_MOST = 100;

export function RoutingScreen() {
  const memory = useMemory();
  const params = { ...memory, needs_review: true, limit: PAGE };
  const query = usePages(['documents', 'routing', params], (cursor) => cairn.documents.list({ ...params, ...cursor }));
  const spaces = useQuery({
    queryKey: ['spaces', memory],
    queryFn: async () => await cairn.spaces.list({ ...memory, limit: SPACES_MOST }),
  });
  const known = spaces.data?.spaces ?? [];
  return (
    <div className="stack">
      <h1>{words.routing}</h1>
      {spaces.error !== null && <Problem error={spaces.error} retry={() => void spaces.refetch()} />}
      <Panel
        title={words.routingHint}
        query={query}
        call={{ name: 'documents.list', method: 'GET', path: '/memory/documents', query: params }}
        empty={({ pages }) => (pages[0]?.documents.length === 0 ? <p>{words.nothingWaits}</p> : null)}
      >
        {({ pages }) => (
          <>
            <ul className="plain">
              {pages
                .flatMap(({ documents }) => documents)
                .map((document) => (
                  <Routed key={document.doc_id} document={document} spaces={known} />
                ))}
            </ul>
            <MoreButton query={query} />
          </>
        )}
      </Panel>
    </div>
  );
}

function Routed({ document, spaces }: { document: Document; spaces: { space_id: string; name: string }[] }) {
  const memory = useMemory();
  const client = useQueryClient();
  const [chosen, setChosen] = useState(document.space_id ?? '');
  const route = useMutation({
    mutationFn: () => cairn.documents.route(document.doc_id, { ...memory, space_id: chosen === '' ? null : chosen }),
    onSuccess: () => client.invalidateQueries({ queryKey: ['documents'] }),
  });
  return (
    <li className="row">
      <Link to="/documents/$docId" params={{ docId: document.doc_id }} className="grow">
        {document.title}
      </Link>
      <span className="quiet small">
        {words.confidence} {(document.routing?.confidence ?? 0).toFixed(2)}
      </span>
      <select
        aria-label={`${words.moveTo}: ${document.title}`}
        value={chosen}
        onChange={({ target }) => setChosen(target.value)}
      >
        <option value="">{words.noSpace}</option>
        {spaces.map(({ space_id, name }) => (
          <option key={space_id} value={space_id}>
            {name}
          </option>
        ))}
      </select>
      <button type="button" disabled={route.isPending} onClick={() => route.mutate()}>
        {chosen === (document.space_id ?? '') ? words.accept : words.moveTo}
      </button>
      {route.error !== null && <Problem error={route.error} />}
    </li>
  );
}
