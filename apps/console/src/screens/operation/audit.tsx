import type { AuditEvent } from '@cairn/sdk';
import { getRouteApi } from '@tanstack/react-router';
import { cairn } from '../../app/client.ts';
import { usePages } from '../../app/pages.ts';
import { MoreButton } from '../../parts/more-button.tsx';
import { Panel } from '../../parts/panel.tsx';
import { type Column, Table } from '../../parts/table.tsx';
import { Actor } from '../actor.tsx';
import { Time } from '../../parts/time.tsx';
import { words } from '../../words/operation.ts';

const route = getRouteApi('/audit');
const PAGE = 50;
/** A batch of documents names hundreds. */
const TARGETS_AT_ONCE = 3;

export function AuditScreen() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const params = {
    ...(search.actor === undefined ? {} : { actor_id: search.actor }),
    ...(search.operation === undefined ? {} : { operation: search.operation }),
    ...(search.target === undefined ? {} : { target_id: search.target }),
    limit: PAGE,
  };
  const query = usePages(['audit', params], (cursor) => cairn.audit.list({ ...params, ...cursor }));
  const fields = [
    ['actor', words.actor],
    ['operation', words.operation],
    ['target', words.targets],
  ] as const;
  return (
    <div className="stack">
      <h1>{words.audit}</h1>
      <form
        className="panel row"
        onSubmit={(event) => {
          event.preventDefault();
          const form = new FormData(event.currentTarget);
          const read = (name: string) => String(form.get(name) ?? '').trim();
          void navigate({
            search: (kept) => ({ ...kept, actor: read('actor'), operation: read('operation'), target: read('target') }),
          });
        }}
      >
        {fields.map(([name, label]) => (
          <label key={name}>
            {label}
            <input name={name} defaultValue={search[name] ?? ''} />
          </label>
        ))}
        <button type="submit">{words.filter}</button>
      </form>
      <Panel
        title={words.audit}
        query={query}
        call={{ name: 'audit.list', method: 'GET', path: '/audit-events', query: params }}
        empty={({ pages }) => (pages[0]?.audit_events.length === 0 ? <p>{words.noAudit}</p> : null)}
      >
        {({ pages }) => (
          <>
            <Table
              caption={words.audit}
              columns={COLUMNS}
              rows={pages.flatMap(({ audit_events }) => audit_events)}
              idOf={({ audit_id }) => audit_id}
            />
            <MoreButton query={query} />
          </>
        )}
      </Panel>
    </div>
  );
}

const COLUMNS: readonly Column<AuditEvent>[] = [
  { name: words.at, cell: ({ occurred_at }) => <Time at={occurred_at} /> },
  {
    name: words.actor,
    cell: ({ actor }) => (
      <route.Link to="/audit" search={(kept) => ({ ...kept, actor: actor.id })}>
        <Actor id={actor.id} />
      </route.Link>
    ),
  },
  { name: words.operation, cell: ({ operation }) => operation },
  {
    name: words.targets,
    cell: ({ targets }) =>
      targets.length <= TARGETS_AT_ONCE ? (
        <Targets of={targets} />
      ) : (
        <details>
          <summary>{words.targetCount(targets.length)}</summary>
          <Targets of={targets} />
        </details>
      ),
  },
  { name: words.status, number: true, cell: ({ status }) => status },
  { name: words.address, cell: ({ client_address }) => client_address },
];

function Targets({ of: targets }: { of: AuditEvent['targets'] }) {
  return (
    <ul className="plain tight">
      {targets.map(({ name, id }) => (
        <li key={name + id}>
          <code>{id}</code>
        </li>
      ))}
    </ul>
  );
}
