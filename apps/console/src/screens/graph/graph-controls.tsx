import type { GraphEdge } from '@cairn/sdk';
import { getRouteApi } from '@tanstack/react-router';
import { wordsOf } from '../../text/format.ts';
import { words } from '../../words/graph.ts';
import { NameFinder } from './name-finder.tsx';

const route = getRouteApi('/graph');
const DEPTHS = ['1', '2', '3', '4', '5', '6'];

export function GraphControls({ edges }: { edges: readonly GraphEdge[] }) {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const relations = [
    ...new Set([...edges.map(({ type }) => type), ...(search.relation === undefined ? [] : [search.relation])]),
  ];
  const choose = (change: { entity?: string; to?: string; depth?: string; relation?: string | undefined }) =>
    void navigate({
      search: (kept) => ({
        ...kept,
        link: undefined,
        ...(change.entity === undefined ? {} : { to: undefined }),
        ...change,
      }),
    });
  return (
    <form className="panel row" onSubmit={(event) => event.preventDefault()}>
      <NameFinder label={words.find} onFound={(entity) => choose({ entity })} />
      {search.entity !== undefined && (
        <>
          <NameFinder label={words.pathTo} onFound={(to) => choose({ to })} />
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
