import type { EndpointStats, Webhook } from '@cairn/sdk';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { FormEvent } from 'react';
import { cairn } from '../../app/client.ts';
import { usePages } from '../../app/pages.ts';
import { useWhoami } from '../../app/who-am-i.ts';
import { Chip } from '../../parts/chip.tsx';
import { MoreButton } from '../../parts/more-button.tsx';
import { Panel } from '../../parts/panel.tsx';
import { Problem } from '../../parts/problem.tsx';
import { SecretOnce } from '../../parts/secret-once.tsx';
import { Table } from '../../parts/table.tsx';
import { durationText } from '../../text/format.ts';
import { words } from '../../words/operation.ts';

export function WebhooksScreen() {
  const { data: who } = useWhoami();
  const query = usePages(['webhooks'], (cursor) => cairn.webhooks.list(cursor));
  const stats = useQuery({ queryKey: ['webhooks', 'stats'], queryFn: () => cairn.webhooks.stats() });
  const figures = new Map((stats.data?.webhooks ?? []).map((each) => [each.webhook_id, each]));
  return (
    <div className="stack">
      <h1>{words.webhooks}</h1>
      {who?.credential.scopes.includes('webhooks:write') === true && <AddEndpoint />}
      <Panel
        title={words.endpoint}
        query={query}
        call={{ name: 'webhooks.list', method: 'GET', path: '/webhooks' }}
        empty={({ pages }) => (pages[0]?.webhooks.length === 0 ? <p>{words.noWebhooks}</p> : null)}
      >
        {({ pages }) => (
          <>
            <Table
              caption={words.webhooks}
              rows={deadLettersFirst(pages.flatMap(({ webhooks }) => webhooks))}
              idOf={({ webhook_id }) => webhook_id}
              columns={columnsWith(figures)}
            />
            <MoreButton query={query} />
          </>
        )}
      </Panel>
    </div>
  );
}

function deadLettersFirst(webhooks: readonly Webhook[]): Webhook[] {
  return webhooks.toSorted((left, right) => right.dead_letters - left.dead_letters);
}

function columnsWith(figures: ReadonlyMap<string, EndpointStats>) {
  return [
    {
      name: words.endpoint,
      cell: ({ webhook_id, url, description }: Webhook) => (
        <>
          <Link to="/webhooks/$webhookId" params={{ webhookId: webhook_id }}>
            {url}
          </Link>
          <div className="quiet small">{description}</div>
        </>
      ),
    },
    { name: words.state, cell: ({ status }: Webhook) => <Chip state={status} /> },
    { name: words.events, number: true, cell: ({ events }: Webhook) => events.length },
    {
      name: words.success,
      number: true,
      cell: ({ webhook_id }: Webhook) => {
        const rate = figures.get(webhook_id)?.success_rate ?? null;
        return rate === null ? '' : `${Math.round(rate * 100)} %`;
      },
    },
    {
      name: words.latency,
      number: true,
      cell: ({ webhook_id }: Webhook) => {
        const latency = figures.get(webhook_id)?.p95_ms ?? null;
        return latency === null ? '' : durationText(latency);
      },
    },
    { name: words.dead, number: true, cell: ({ dead_letters }: Webhook) => dead_letters },
  ];
}

function AddEndpoint() {
  const client = useQueryClient();
  const types = useQuery({ queryKey: ['webhooks', 'types'], queryFn: () => cairn.webhooks.eventTypes() });
  const create = useMutation({
    mutationFn: (request: { url: string; events: Webhook['events'] }) => cairn.webhooks.create(request),
    onSuccess: () => client.invalidateQueries({ queryKey: ['webhooks'] }),
  });
  const known = types.data?.event_types ?? [];
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const chosen = new Set(form.getAll('events').map(String));
    create.mutate({
      url: String(form.get('url')).trim(),
      events: known.map((each) => each.event).filter((name) => chosen.has(name)),
    });
  };
  return (
    <details className="panel">
      <summary>{words.add}</summary>
      <form className="stack" onSubmit={submit}>
        <label className="field">
          {words.url}
          <input name="url" type="url" required placeholder="https://" />
        </label>
        {types.error !== null && <Problem error={types.error} retry={() => void types.refetch()} />}
        <fieldset className="stack">
          <legend>{words.events}</legend>
          {known.map(({ event, description }) => (
            <div key={event} className="row">
              <input type="checkbox" name="events" value={event} aria-label={event} defaultChecked />
              <span>
                <code>{event}</code> <span className="quiet small">{description}</span>
              </span>
            </div>
          ))}
        </fieldset>
        <div>
          <button type="submit" className="primary" disabled={create.isPending}>
            {words.create}
          </button>
        </div>
        {create.error !== null && <Problem error={create.error} />}
        {create.data?.secret !== undefined && <SecretOnce secret={create.data.secret} hint={words.shownOnce} />}
      </form>
    </details>
  );
}
