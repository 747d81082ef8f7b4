import type { Session } from '@cairn/sdk';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { cairn } from '../../app/client.ts';
import { usePages } from '../../app/pages.ts';
import { useWhoami } from '../../app/who-am-i.ts';
import { Chip } from '../../parts/chip.tsx';
import { MoreButton } from '../../parts/more-button.tsx';
import { Panel } from '../../parts/panel.tsx';
import { Problem } from '../../parts/problem.tsx';
import { Table } from '../../parts/table.tsx';
import { Time } from '../../parts/time.tsx';
import { words } from '../../words/access.ts';

const PAGE = 50;

/** Where somebody is signed in to the console, by which key, and how to end it. */
export function SessionsScreen() {
  const { data: who } = useWhoami();
  const query = usePages(['sessions'], (cursor) => cairn.sessions.list({ limit: PAGE, ...cursor }));
  const may = who?.credential.scopes.includes('keys:write') === true;
  const columns = [
    {
      name: words.key,
      cell: ({ key_name, user_agent, current }: Session) => (
        <>
          {key_name} {current && <Chip state={words.thisSession} tone="good" />}
          <div className="quiet small">{user_agent}</div>
        </>
      ),
    },
    { name: words.address, cell: ({ address }: Session) => address },
    { name: words.opened, cell: ({ created_at }: Session) => <Time at={created_at} ago /> },
    { name: words.lastUsed, cell: ({ last_used_at }: Session) => <Time at={last_used_at} ago /> },
    { name: words.ends, cell: ({ ended_at, expires_at }: Session) => <Time at={ended_at ?? expires_at} /> },
    { name: '', cell: (one: Session) => (may && isOpen(one) && !one.current ? <EndSession one={one} /> : '') },
  ];
  return (
    <div className="stack">
      <h1>{words.sessions}</h1>
      <Panel
        title={words.sessions}
        query={query}
        call={{ name: 'sessions.list', method: 'GET', path: '/console/sessions' }}
      >
        {({ pages }) => (
          <>
            <Table
              caption={words.sessions}
              columns={columns}
              rows={pages.flatMap(({ sessions }) => sessions)}
              idOf={({ session_id }) => session_id}
            />
            <MoreButton query={query} />
          </>
        )}
      </Panel>
    </div>
  );
}

function isOpen({ ended_at, expires_at }: Session): boolean {
  return ended_at === null && Date.parse(expires_at) > Date.now();
}

function EndSession({ one }: { one: Session }) {
  const client = useQueryClient();
  const end = useMutation({
    mutationFn: () => cairn.sessions.end(one.session_id),
    onSuccess: () => client.invalidateQueries({ queryKey: ['sessions'] }),
  });
  return (
    <>
      <button type="button" className="danger" disabled={end.isPending} onClick={() => end.mutate()}>
        {words.end}
      </button>
      {end.error !== null && <Problem error={end.error} />}
    </>
  );
}
