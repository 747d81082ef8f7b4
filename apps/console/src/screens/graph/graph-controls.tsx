import type { GraphEdge } from '@cairn/sdk';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useDeferredValue, useState } from 'react';
import { cairn } from '../../app/client.ts';
import { useMemory } from '../../app/memory.ts';
import { wordsOf } from '../../text/format.ts';
import { words } from '../../words/graph.ts';

const route = getRouteApi('/graph');
const DEPTHS = ['1', '2', '3', '4', '5', '6'];
const FOUND_MOST = 12;

export function GraphControls({ edges }: { edges: readonly GraphEdge[] }) {
  const memory = useMemory();
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const [text, setText] = useState('');
  const query = useDeferredValue(text.trim());
  const { data } = useQuery({
    queryKey: ['entities', 'found', memory, query, FOUND_MOST],
    queryFn: async () => await cairn.graph.entities.list({ ...memory, query, limit: FOUND_MOST }),
    enabled: query !== '',
  });
  const relations = [
    ...new Set([...edges.map(({ type }) => type), ...(search.relation === undefined ? [] : [search.relation])]),
  ];
  const choose = (change: { entity?: string; depth?: string; relation?: string | undefined }) =>
    void navigate({ search: (kept) => ({ ...kept, link: undefined, ...change }) });
  return (
    <form className="panel row" onSubmit={(event) => event.preventDefault()}>
      <label className="grow">
        {words.find}
        <input
          list="names-found"
          value={text}
          autoComplete="off"
          onChange={({ target }) => {
            setText(target.value);
            const found = data?.entities.find(({ name }) => name === target.value);
            if (found !== undefined) choose({ entity: found.entity_id });
          }}
        />
      </label>
      <datalist id="names-found">
        {(data?.entities ?? []).map(({ entity_id, name, type }) => (
          <option key={entity_id} value={name}>
            {type}
          </option>
        ))}
      </datalist>
      {search.entity !== undefined && (
        <>
          <label>
            {words.depth}
            <select value={search.depth ?? '2'} onChange={({ target }) => choose({ depth: target.value })}>
              {DEPTHS.map((depth) => (
                <option key={depth}>{depth}</option>
              ))}
            </select>
          </label>
          <label>
            {words.relation}
            <select
              value={search.relation ?? ''}
              onChange={({ target }) => choose({ relation: target.value || undefined })}
            >
              <option value="">{words.everyRelation}</option>
              {relations.toSorted().map((type) => (
                <option key={type} value={type}>
                  {wordsOf(type)}
                </option>
              ))}
            </select>
          </label>
        </>
      )}
    </form>
  );
}
