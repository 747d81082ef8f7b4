import type { ApiKey } from '@cairn/sdk';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { cairn } from '../../app/client.ts';
import { usePages } from '../../app/pages.ts';
import { useWhoami } from '../../app/who-am-i.ts';
import { Chip } from '../../parts/chip.tsx';
import { ConfirmButton } from '../../parts/confirm-button.tsx';
import { MoreButton } from '../../parts/more-button.tsx';
import { Panel } from '../../parts/panel.tsx';
import { Problem } from '../../parts/problem.tsx';
import { SecretOnce } from '../../parts/secret-once.tsx';
import { Table } from '../../parts/table.tsx';
import { Time } from '../../parts/time.tsx';
import { numberText } from '../../text/format.ts';
import { words as common } from '../../words/parts.ts';
import { words } from '../../words/access.ts';
import { CreateKey } from './create-key.tsx';
import { Scopes } from './scopes.tsx';

const route = getRouteApi('/keys');
const PAGE = 50;
const LATELY_MS = 7 * 24 * 60 * 60 * 1_000;

export function KeysScreen() {
  const { revoked } = route.useSearch();
  const navigate = route.useNavigate();
  const { data: who } = useWhoami();
  const params = { revoked: revoked === 'true', limit: PAGE };
  const query = usePages(['keys', params], (cursor) => cairn.keys.list({ ...params, ...cursor }));
  const may = who?.credential.scopes.includes('keys:write') === true;
  return (
    <div className="stack">
      <h1>{words.keys}</h1>
      {may && <CreateKey />}
      <Panel
        title={words.keys}
        query={query}
        call={{ name: 'keys.list', method: 'GET', path: '/api-keys', query: params }}
        actions={
          <select
            aria-label={words.filter}
            value={String(params.revoked)}
            onChange={({ target }) => void navigate({ search: (kept) => ({ ...kept, revoked: target.value }) })}
          >
            <option value="false">{words.active}</option>
            <option value="true">{words.revoked}</option>
          </select>
        }
        empty={({ pages }) => (pages[0]?.api_keys.length === 0 ? <p>{words.noKeys}</p> : null)}
      >
        {({ pages }) => (
          <>
            <KeyTable keys={pages.flatMap(({ api_keys }) => api_keys)} may={may} own={who?.credential.id} />
            <MoreButton query={query} />
          </>
        )}
      </Panel>
    </div>
  );
}

function KeyTable({ keys, may, own }: { keys: readonly ApiKey[]; may: boolean; own: string | undefined }) {
  const columns = [
    {
      name: words.name,
      cell: ({ name, prefix, type }: ApiKey) => (
        <>
          {name} <Chip state={type} tone="quiet" />
          <div className="quiet small mono">{prefix}…</div>
        </>
      ),
    },
    { name: words.scopes, cell: ({ scopes }: ApiKey) => <Scopes scopes={scopes} /> },
    {
      name: words.lastUsed,
      cell: ({ last_used_at }: ApiKey) => (last_used_at === null ? common.never : <Time at={last_used_at} ago />),
    },
    { name: words.uses, number: true, cell: ({ usage_count }: ApiKey) => numberText(usage_count) },
    {
      name: words.ends,
      cell: ({ revoked_at, revokes_at, expires_at }: ApiKey) => {
        const end = revoked_at ?? revokes_at ?? expires_at;
        return end === null ? common.never : <Time at={end} ago />;
      },
    },
  ];
  const acts = {
    name: '',
    cell: (key: ApiKey) => (key.revoked_at === null && key.key_id !== own ? <KeyActs apiKey={key} /> : ''),
  };
  return (
    <Table
      caption={words.keys}
      columns={may ? [...columns, acts] : columns}
      rows={keys}
      idOf={({ key_id }) => key_id}
    />
  );
}

function KeyActs({ apiKey }: { apiKey: ApiKey }) {
  const client = useQueryClient();
  const rotate = useMutation({ mutationFn: () => cairn.keys.rotate(apiKey.key_id) });
  const revoke = async () => {
    await cairn.keys.revoke(apiKey.key_id);
    await client.invalidateQueries({ queryKey: ['keys'] });
  };
  // The warning is about the moment at which somebody looks.
  // oxlint-disable-next-line react/purity
  const lately = apiKey.last_used_at !== null && Date.now() - Date.parse(apiKey.last_used_at) < LATELY_MS;
  return (
    <div className="row">
      <button
        type="button"
        title={words.rotateWhat}
        disabled={rotate.isPending || rotate.isSuccess}
        onClick={() => rotate.mutate()}
      >
        {words.rotate}
      </button>
      <ConfirmButton label={words.revoke} name={apiKey.name} act={revoke}>
        <p>{words.revokeWhat(apiKey.name)}</p>
        {lately && <p className="warn">{words.usedLately}</p>}
      </ConfirmButton>
      {rotate.error !== null && <Problem error={rotate.error} />}
      {rotate.data?.api_key !== undefined && <SecretOnce secret={rotate.data.api_key} hint={words.shownOnce} />}
    </div>
  );
}
