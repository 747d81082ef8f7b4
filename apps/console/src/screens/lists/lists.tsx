import type { SavedList } from '@cairn/sdk';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { cairn } from '../../app/client.ts';
import { Chip } from '../../parts/chip.tsx';
import { Panel } from '../../parts/panel.tsx';
import { type Column, Table } from '../../parts/table.tsx';
import { Time } from '../../parts/time.tsx';
import { numberText } from '../../text/format.ts';
import { words } from '../../words/research.ts';
import { PageButtons } from './page-buttons.tsx';

const route = getRouteApi('/lists');
const PAGE = 30;

export function ListsScreen() {
  const { page } = route.useSearch();
  const navigate = route.useNavigate();
  const number = Math.max(Number(page ?? '1') || 1, 1);
  const params = { page: number, limit: PAGE };
  const query = useQuery({
    queryKey: ['lists', params],
    queryFn: async () => await cairn.lists.list(params),
    placeholderData: keepPreviousData,
  });
  return (
    <div className="stack">
      <h1>{words.lists}</h1>
      <Panel
        title={words.lists}
        query={query}
        call={{ name: 'lists.list', method: 'GET', path: '/search/lists', query: params }}
        empty={({ data }) => (data.length === 0 ? <p>{words.listsEmpty}</p> : null)}
      >
        {({ data, total }) => (
          <>
            <Table caption={words.lists} columns={COLUMNS} rows={data} idOf={({ id }) => id} />
            <PageButtons
              page={number}
              pages={Math.ceil(total / PAGE)}
              go={(to) => void navigate({ search: (kept) => ({ ...kept, page: String(to) }) })}
            />
          </>
        )}
      </Panel>
    </div>
  );
}

const COLUMNS: readonly Column<SavedList>[] = [
  {
    name: words.name,
    cell: ({ id, listName, listDescription }) => (
      <>
        <Link to="/lists/$listId" params={{ listId: id }}>
          {listName}
        </Link>
        <div className="quiet small">{listDescription}</div>
      </>
    ),
  },
  { name: words.status, cell: ({ listStatus }) => <Chip state={listStatus} /> },
  { name: words.type, cell: ({ listType }) => listType },
  { name: words.records, number: true, cell: ({ noOfRecords }) => numberText(noOfRecords) },
  { name: words.created, cell: ({ created_at }) => <Time at={created_at} ago /> },
];
