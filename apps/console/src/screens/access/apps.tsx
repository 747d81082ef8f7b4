import type { ConnectedApp } from '@cairn/sdk';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { cairn } from '../../app/client.ts';
import { usePages } from '../../app/pages.ts';
import { useWhoami } from '../../app/who-am-i.ts';
import { MoreButton } from '../../parts/more-button.tsx';
import { Panel } from '../../parts/panel.tsx';
import { Problem } from '../../parts/problem.tsx';
import { Table } from '../../parts/table.tsx';
import { Time } from '../../parts/time.tsx';
import { words } from '../../words/access.ts';
import { words as common } from '../../words/parts.ts';

const PAGE = 50;

/** The apps that people connected by signing in, to which space, and how to end them. */
export function AppsScreen() {
  const { data: who } = useWhoami();
  const query = usePages(['apps'], (cursor) => cairn.apps.list({ limit: PAGE, ...cursor }));
  const mayAll = who?.credential.scopes.includes('oauth:write') === true;
  const columns = [
    {
      name: words.app,
      cell: ({ client_name, client_id }: ConnectedApp) => (
        <>
          {client_name}
          <div className="quiet small mono">{client_id}</div>
        </>
      ),
    },
    { name: words.space, cell: ({ space_id }: ConnectedApp) => <span className="mono">{space_id}</span> },
    { name: words.scopes, cell: ({ scopes }: ConnectedApp) => scopes.join(', ') },
    { name: words.connectedBy, cell: ({ key_name }: ConnectedApp) => key_name },
    { name: words.connected, cell: ({ connected_at }: ConnectedApp) => <Time at={connected_at} ago /> },
    {
      name: words.lastUsed,
      cell: ({ last_used_at }: ConnectedApp) => (last_used_at === null ? common.never : <Time at={last_used_at} ago />),
    },
    {
      name: words.ends,
      cell: ({ disconnected_at, expires_at }: ConnectedApp) => <Time at={disconnected_at ?? expires_at} />,
    },
    {
      name: '',
      cell: (one: ConnectedApp) =>
        isOpen(one) && (mayAll || one.key_id === who?.credential.id) ? <Disconnect one={one} /> : '',
    },
  ];
  return (
    <div className="stack">
      <h1>{words.apps}</h1>
      <Panel
        title={words.apps}
        query={query}
        call={{ name: 'apps.list', method: 'GET', path: '/connected-apps' }}
        empty={({ pages }) => (pages[0]?.connected_apps.length === 0 ? <p>{words.noApps}</p> : null)}
      >
        {({ pages }) => (
          <>
            <Table
              caption={words.apps}
              columns={columns}
              rows={pages.flatMap(({ connected_apps }) => connected_apps)}
              idOf={({ app_id }) => app_id}
            />
            <MoreButton query={query} />
          </>
        )}
      </Panel>
    </div>
  );
}

function isOpen({ disconnected_at, expires_at }: ConnectedApp): boolean {
  return disconnected_at === null && Date.parse(expires_at) > Date.now();
}

function Disconnect({ one }: { one: ConnectedApp }) {
  const client = useQueryClient();
  const end = useMutation({
    mutationFn: () => cairn.apps.disconnect(one.app_id),
    onSuccess: () => client.invalidateQueries({ queryKey: ['apps'] }),
  });
  return (
    <>
      <button type="button" className="danger" disabled={end.isPending} onClick={() => end.mutate()}>
        {words.disconnect}
      </button>
      {end.error !== null && <Problem error={end.error} />}
    </>
  );
}
