import type { Limit, RequestRow, UsageRow } from '@cairn/sdk';
import { useQuery } from '@tanstack/react-query';
import { cairn } from '../../app/client.ts';
import { Bar } from '../../parts/bar.tsx';
import { LinePlot } from '../../parts/line-plot.tsx';
import { Panel } from '../../parts/panel.tsx';
import { type Column, Table } from '../../parts/table.tsx';
import { Time } from '../../parts/time.tsx';
import { bytesText, durationText, numberText, wordsOf } from '../../text/format.ts';
import { words } from '../../words/operation.ts';
import { Actor } from '../actor.tsx';

export function UsageScreen() {
  return (
    <div className="stack">
      <h1>{words.usage}</h1>
      <LimitsPanel />
      <RequestsPanel title={words.requests} groupBy="day" />
      <RequestsPanel title={words.byKey} groupBy="key" />
      <TokensPanel title={words.tokens} groupBy="day" />
      <TokensPanel title={words.byModel} groupBy="model" />
      <CreditsPanel />
    </div>
  );
}

function LimitsPanel() {
  const query = useQuery({ queryKey: ['limits'], queryFn: () => cairn.usage.limits() });
  const columns: readonly Column<Limit>[] = [
    { name: words.limits, cell: ({ resource }) => wordsOf(resource) },
    {
      name: words.used,
      cell: ({ used, limit }) =>
        limit === null ? (
          ''
        ) : (
          <Bar share={used / limit} tone={used / limit > 0.9 ? 'warn' : undefined} label={`${used}`} />
        ),
    },
    { name: '', number: true, cell: ({ used, resource }) => amountText(resource, used) },
    {
      name: words.limit,
      number: true,
      cell: ({ limit, resource }) => (limit === null ? words.unlimited : amountText(resource, limit)),
    },
    { name: words.resets, cell: ({ resets_at }) => (resets_at === null ? '' : <Time at={resets_at} ago />) },
  ];
  return (
    <Panel title={words.limits} query={query} call={{ name: 'usage.limits', method: 'GET', path: '/usage/limits' }}>
      {({ limits }) => (
        <Table caption={words.limits} columns={columns} rows={limits} idOf={({ resource }) => resource} />
      )}
    </Panel>
  );
}

function amountText(resource: string, amount: number): string {
  return resource.endsWith('_bytes') ? bytesText(amount) : numberText(amount);
}

function RequestsPanel({ title, groupBy }: { title: string; groupBy: 'day' | 'key' }) {
  const params = { group_by: groupBy };
  const query = useQuery({ queryKey: ['requests', groupBy], queryFn: () => cairn.usage.requests(params) });
  return (
    <Panel
      title={title}
      query={query}
      call={{ name: 'usage.requests', method: 'GET', path: '/usage/requests', query: params }}
      empty={({ series }) => (series.length === 0 ? <p>{words.noUsage}</p> : null)}
    >
      {({ series }) => (
        <>
          {groupBy === 'day' && (
            <LinePlot
              label={title}
              points={series.map(({ key, requests }) => ({ at: Date.parse(key), value: requests }))}
            />
          )}
          <Table
            caption={title}
            columns={[
              groupBy === 'day'
                ? { name: words.day, cell: ({ key }) => key }
                : { name: words.key, cell: ({ key }) => <Actor id={key} /> },
              ...REQUEST_COLUMNS,
            ]}
            rows={series}
            idOf={({ key }) => key}
          />
        </>
      )}
    </Panel>
  );
}

const REQUEST_COLUMNS: readonly Column<RequestRow>[] = [
  { name: words.count, number: true, cell: ({ requests }) => numberText(requests) },
  { name: words.clientErrors, number: true, cell: ({ client_errors }) => numberText(client_errors) },
  { name: words.serverErrors, number: true, cell: ({ server_errors }) => numberText(server_errors) },
  { name: words.latency, number: true, cell: ({ p95_ms }) => (p95_ms === null ? '' : durationText(p95_ms)) },
];

function TokensPanel({ title, groupBy }: { title: string; groupBy: 'day' | 'model' }) {
  const params = { group_by: groupBy };
  const query = useQuery({ queryKey: ['llm', groupBy], queryFn: () => cairn.usage.llm(params) });
  const columns: readonly Column<UsageRow>[] = [
    { name: groupBy === 'day' ? words.day : words.model, cell: ({ key }) => key },
    { name: words.input, number: true, cell: ({ input_tokens }) => numberText(input_tokens) },
    { name: words.output, number: true, cell: ({ output_tokens }) => numberText(output_tokens) },
    { name: words.cost, number: true, cell: ({ cost_usd }) => cost_usd ?? words.unpriced },
    { name: words.credits, number: true, cell: ({ credits_charged }) => numberText(credits_charged) },
  ];
  return (
    <Panel
      title={title}
      query={query}
      call={{ name: 'usage.llm', method: 'GET', path: '/usage/llm', query: params }}
      empty={({ series }) => (series.length === 0 ? <p>{words.noUsage}</p> : null)}
    >
      {({ series }) => (
        <>
          {groupBy === 'day' && (
            <LinePlot
              label={title}
              points={series.map((row) => ({ at: Date.parse(row.key), value: row.input_tokens + row.output_tokens }))}
            />
          )}
          <Table caption={title} columns={columns} rows={series} idOf={({ key }) => key} />
        </>
      )}
    </Panel>
  );
}

function CreditsPanel() {
  const query = useQuery({
    queryKey: ['credits', 'ledger'],
    queryFn: async () => await cairn.usage.credits({ limit: 50 }),
  });
  return (
    <Panel title={words.credits} query={query} call={{ name: 'usage.credits', method: 'GET', path: '/usage/credits' }}>
      {({ balance, ledger }) => (
        <>
          <p>{words.balance(numberText(balance))}</p>
          <Table
            caption={words.credits}
            rows={ledger}
            idOf={({ charge, state, at }) => `${charge}${state}${at}`}
            columns={[
              { name: words.at, cell: ({ at }) => <Time at={at} /> },
              { name: words.operation, cell: ({ charge }) => charge },
              { name: words.state, cell: ({ state }) => state },
              { name: words.credits, number: true, cell: ({ credits }) => numberText(credits) },
            ]}
          />
        </>
      )}
    </Panel>
  );
}
