import type { Delivery } from '@cairn/sdk';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { cairn } from '../../app/client.ts';
import { usePages } from '../../app/pages.ts';
import { Chip } from '../../parts/chip.tsx';
import { MoreButton } from '../../parts/more-button.tsx';
import { Panel } from '../../parts/panel.tsx';
import { Problem } from '../../parts/problem.tsx';
import { Table } from '../../parts/table.tsx';
import { Time } from '../../parts/time.tsx';
import { words } from '../../words/operation.ts';
import { DeliveryDetails } from './delivery-details.tsx';

const route = getRouteApi('/webhooks/$webhookId');
const STATES = ['pending', 'delivering', 'delivered', 'dead_lettered', 'test_failed'] as const;
const PAGE = 30;
const UNSETTLED_MS = 2_000;

export function WebhookScreen() {
  const { webhookId } = route.useParams();
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const state = STATES.find((each) => each === search.state);
  const params = { ...(state === undefined ? {} : { state }), limit: PAGE };
  const webhook = useQuery({ queryKey: ['webhooks', webhookId], queryFn: () => cairn.webhooks.get(webhookId) });
  const query = usePages(
    ['webhooks', webhookId, 'deliveries', params],
    (cursor) => cairn.webhooks.deliveries.list(webhookId, { ...params, ...cursor }),
    {
      refetchInterval: UNSETTLED_MS,
      pollWhile: (pages) => pages.some(({ deliveries }) => deliveries.some(isUnsettled)),
    },
  );
  return (
    <div className="stack">
      <div className="title">
        <h1>{webhook.data?.url ?? words.webhooks}</h1>
        {webhook.data !== undefined && <Chip state={webhook.data.status} />}
      </div>
      <Acts webhookId={webhookId} dead={webhook.data?.dead_letters ?? 0} />
      <Panel
        title={words.deliveries}
        query={query}
        call={{
          name: 'webhooks.deliveries.list',
          method: 'GET',
          path: `/webhooks/${webhookId}/deliveries`,
          ids: [webhookId],
          query: params,
        }}
        actions={
          <select
            aria-label={words.state}
            value={state ?? ''}
            onChange={({ target }) => void navigate({ search: (kept) => ({ ...kept, state: target.value }) })}
          >
            <option value="">{words.everyState}</option>
            {STATES.map((each) => (
              <option key={each}>{each}</option>
            ))}
          </select>
        }
        empty={({ pages }) => (pages[0]?.deliveries.length === 0 ? <p>{words.noDeliveries}</p> : null)}
      >
        {({ pages }) => (
          <>
            <Table
              caption={words.deliveries}
              columns={COLUMNS}
              rows={pages.flatMap(({ deliveries }) => deliveries)}
              idOf={({ delivery_id }) => delivery_id}
            />
            <MoreButton query={query} />
          </>
        )}
      </Panel>
    </div>
  );
}

function isUnsettled({ state }: Delivery): boolean {
  return state === 'pending' || state === 'delivering';
}

function Acts({ webhookId, dead }: { webhookId: string; dead: number }) {
  const client = useQueryClient();
  const onSuccess = () => client.invalidateQueries({ queryKey: ['webhooks'] });
  const test = useMutation({ mutationFn: () => cairn.webhooks.test(webhookId), onSuccess });
  const replay = useMutation({ mutationFn: () => cairn.webhooks.replay(webhookId), onSuccess });
  return (
    <div className="row">
      <button type="button" disabled={test.isPending} onClick={() => test.mutate()}>
        {words.sendTest}
      </button>
      {dead > 0 && (
        <button type="button" disabled={replay.isPending} onClick={() => replay.mutate()}>
          {words.replayAll} ({dead})
        </button>
      )}
      {test.error !== null && <Problem error={test.error} />}
      {replay.error !== null && <Problem error={replay.error} />}
    </div>
  );
}

const COLUMNS = [
  { name: words.event, cell: ({ event }: Delivery) => <code>{event}</code> },
  { name: words.state, cell: ({ state }: Delivery) => <Chip state={state} /> },
  { name: words.attempts, number: true, cell: ({ attempts }: Delivery) => attempts.length },
  { name: words.at, cell: ({ created_at }: Delivery) => <Time at={created_at} ago /> },
  { name: '', cell: (delivery: Delivery) => <DeliveryDetails delivery={delivery} /> },
];
