import type { Delivery } from '@cairn/sdk';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { cairn } from '../../app/client.ts';
import { Problem } from '../../parts/problem.tsx';
import { Time } from '../../parts/time.tsx';
import { durationText, wordsOf } from '../../text/format.ts';
import { words } from '../../words/operation.ts';

/** Each attempt as a step, what was sent, and what the endpoint answered; fetched when it is opened. */
export function DeliveryDetails({ delivery }: { delivery: Delivery }) {
  const { webhook_id, delivery_id, attempts, state } = delivery;
  const [open, setOpen] = useState(false);
  const client = useQueryClient();
  const query = useQuery({
    queryKey: ['webhooks', webhook_id, 'delivery', delivery_id],
    queryFn: () => cairn.webhooks.deliveries.get(webhook_id, delivery_id),
    enabled: open,
  });
  const replay = useMutation({
    mutationFn: () => cairn.webhooks.deliveries.replay(webhook_id, delivery_id),
    onSuccess: () => client.invalidateQueries({ queryKey: ['webhooks', webhook_id] }),
  });
  const request = query.data?.request;
  return (
    <details className="code" onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>{words.open}</summary>
      <div>
        <ol className="plain tight">
          {attempts.map(({ started_at, outcome, status, latency_ms, error, answer }) => (
            <li key={started_at}>
              <Time at={started_at} /> {outcome === null ? '' : wordsOf(outcome)} {status}{' '}
              {latency_ms !== null && durationText(latency_ms)} {error}
              {answer !== null && answer !== '' && (
                <>
                  <div className="quiet small">{words.answer}</div>
                  <pre tabIndex={0}>{answer}</pre>
                </>
              )}
            </li>
          ))}
        </ol>
        {query.error !== null && <Problem error={query.error} />}
        {request != null && (
          <>
            <div className="quiet small">{words.request}</div>
            <pre tabIndex={0}>
              {Object.entries(request.headers)
                .map(([name, value]) => `${name}: ${value}`)
                .join('\n')}
              {'\n\n'}
              {request.body}
            </pre>
          </>
        )}
        {(state === 'dead_lettered' || state === 'delivered') && (
          <div>
            <button type="button" disabled={replay.isPending} onClick={() => replay.mutate()}>
              {words.replay}
            </button>
          </div>
        )}
        {replay.error !== null && <Problem error={replay.error} />}
      </div>
    </details>
  );
}
