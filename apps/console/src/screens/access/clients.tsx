import type { OAuthClient } from '@cairn/sdk';
import { useQueryClient } from '@tanstack/react-query';
import { cairn } from '../../app/client.ts';
import { usePages } from '../../app/pages.ts';
import { useWhoami } from '../../app/who-am-i.ts';
import { ConfirmButton } from '../../parts/confirm-button.tsx';
import { MoreButton } from '../../parts/more-button.tsx';
import { Panel } from '../../parts/panel.tsx';
import { Table } from '../../parts/table.tsx';
import { Time } from '../../parts/time.tsx';
import { numberText } from '../../text/format.ts';
import { words } from '../../words/access.ts';
import { words as common } from '../../words/parts.ts';
import { CreateClient } from './create-client.tsx';
import { Scopes } from './scopes.tsx';

export function ClientsScreen() {
  const { data: who } = useWhoami();
  const query = usePages(['clients'], (cursor) => cairn.oauthClients.list(cursor));
  const may = who?.credential.scopes.includes('oauth:write') === true;
  const columns = [
    {
      name: words.name,
      cell: ({ name, client_id }: OAuthClient) => (
        <>
          {name}
          <div className="quiet small mono">{client_id}</div>
        </>
      ),
    },
    { name: words.scopes, cell: ({ scopes }: OAuthClient) => <Scopes scopes={scopes} /> },
    {
      name: words.lastUsed,
      cell: ({ last_used_at }: OAuthClient) => (last_used_at === null ? common.never : <Time at={last_used_at} ago />),
    },
    { name: words.uses, number: true, cell: ({ usage_count }: OAuthClient) => numberText(usage_count) },
    {
      name: '',
      cell: (one: OAuthClient) => (may && one.revoked_at === null ? <RevokeClient one={one} /> : ''),
    },
  ];
  return (
    <div className="stack">
      <h1>{words.clients}</h1>
      {may && <CreateClient />}
      <Panel
        title={words.clients}
        query={query}
        call={{ name: 'oauthClients.list', method: 'GET', path: '/oauth-clients' }}
        empty={({ pages }) => (pages[0]?.oauth_clients.length === 0 ? <p>{words.noClients}</p> : null)}
      >
        {({ pages }) => (
          <>
            <Table
              caption={words.clients}
              columns={columns}
              rows={pages.flatMap(({ oauth_clients }) => oauth_clients)}
              idOf={({ client_id }) => client_id}
            />
            <MoreButton query={query} />
          </>
        )}
      </Panel>
    </div>
  );
}

function RevokeClient({ one }: { one: OAuthClient }) {
  const client = useQueryClient();
  const revoke = async () => {
    await cairn.oauthClients.revoke(one.client_id);
    await client.invalidateQueries({ queryKey: ['clients'] });
  };
  return (
    <ConfirmButton label={words.revoke} name={one.name} act={revoke}>
      {words.revokeWhat(one.name)}
    </ConfirmButton>
  );
}
