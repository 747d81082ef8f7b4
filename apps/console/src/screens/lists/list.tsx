import type { ListRow } from '@cairn/sdk';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useState } from 'react';
import { cairn } from '../../app/client.ts';
import { Chip } from '../../parts/chip.tsx';
import { Panel } from '../../parts/panel.tsx';
import { Table } from '../../parts/table.tsx';
import { wordsOf } from '../../text/format.ts';
import { words } from '../../words/research.ts';
import { PageButtons } from './page-buttons.tsx';

const route = getRouteApi('/lists/$listId');
const PAGE = 50;

interface Chosen {
  row: ListRow;
  column: string;
}

/** Rows and their criteria; every cell opens the words that carry it. */
export function ListScreen() {
  const { listId } = route.useParams();
  const { page } = route.useSearch();
  const navigate = route.useNavigate();
  const [chosen, setChosen] = useState<Chosen | null>(null);
  const number = Math.max(Number(page ?? '1') || 1, 1);
  const params = { page: number, limit: PAGE };
  const list = useQuery({ queryKey: ['list', listId], queryFn: () => cairn.lists.get(listId) });
  const rows = useQuery({
    queryKey: ['list', listId, 'rows', params],
    queryFn: async () => await cairn.lists.rows(listId, params),
    placeholderData: keepPreviousData,
  });
  return (
    <div className="stack">
      <div className="title">
        <h1>{list.data?.listName ?? words.lists}</h1>
        {list.data !== undefined && (
          <>
            <Chip state={list.data.listStatus} />
            <Link to="/runs/$threadId" params={{ threadId: list.data.thread_id }}>
              {words.run}
            </Link>
          </>
        )}
      </div>
      <Panel
        title={words.records}
        query={rows}
        call={{ name: 'lists.rows', method: 'GET', path: `/search/lists/${listId}/rows`, ids: [listId], query: params }}
        empty={({ data }) => (data.length === 0 ? <p>{words.rowsEmpty}</p> : null)}
      >
        {({ data, total }) => (
          <>
            <Rows rows={data} choose={setChosen} />
            <PageButtons
              page={number}
              pages={Math.ceil(total / PAGE)}
              go={(to) => void navigate({ search: (kept) => ({ ...kept, page: String(to) }) })}
            />
          </>
        )}
      </Panel>
      {chosen !== null && <Evidence chosen={chosen} />}
    </div>
  );
}

function Rows({ rows, choose }: { rows: readonly ListRow[]; choose: (chosen: Chosen) => void }) {
  const names = [...new Set(rows.flatMap(({ cells }) => Object.keys(cells)))];
  const columns = [
    { name: words.name, cell: ({ name }: ListRow) => <strong>{name}</strong> },
    ...names.map((column) => ({
      name: wordsOf(column),
      cell: (row: ListRow) => {
        const cell = row.cells[column];
        if (cell === undefined) return '';
        return (
          <button type="button" className="cell" onClick={() => choose({ row, column })}>
            {cell.value}
          </button>
        );
      },
    })),
  ];
  return <Table caption={words.records} columns={columns} rows={rows} idOf={({ row_id }) => row_id} />;
}

function Evidence({ chosen: { row, column } }: { chosen: Chosen }) {
  const cell = row.cells[column]!;
  return (
    <section className="panel" aria-live="polite">
      <header>
        <h2>
          {words.evidence}: {row.name}, {wordsOf(column)}
        </h2>
        <span className="quiet small">{words.confidence(cell.confidence.toFixed(2))}</span>
      </header>
      <p>{cell.value}</p>
      {cell.evidence.length === 0 && <p className="quiet">{words.noEvidence}</p>}
      {cell.evidence.map(({ source_id, title, uri, quote, start }) => (
        <blockquote key={`${source_id}-${start}`}>
          {quote}
          <div className="quiet small">
            {title} {uri}
          </div>
        </blockquote>
      ))}
    </section>
  );
}
