import { z } from 'zod';
import { defineOperation } from '../operation.ts';
import { RUN_EVENT_TYPES, runOperation } from './research-shared.ts';
import { pathId, timestamp } from './shared.ts';

const seqText = z.coerce.number().int().min(0);
const params = z.strictObject({ thread_id: pathId });
const ticket = z.string().max(2_000).optional().meta({ description: 'Stands for the key that started the run.' });
const watching = { ...runOperation, method: 'GET', action: 'read', scope: 'search:run' } as const;

/** One entry of the log that WebSocket, event stream and live page show. */
export const RunEvent = z
  .object({
    seq: z.number().int().meta({ description: 'From 1, without gaps.' }),
    type: z.enum(RUN_EVENT_TYPES),
    thread_id: z.string(),
    at: timestamp,
    data: z.record(z.string(), z.unknown()),
  })
  .meta({ id: 'RunEvent' });

const events = Object.fromEntries(RUN_EVENT_TYPES.map((type) => [type, RunEvent]));
const stream = {
  weight: 20,
  ...watching,
  params,
  query: z.strictObject({ last_event_id: seqText.optional() }),
  response: { kind: 'stream', events },
  summary: 'Follow a run as server-sent events, from its first one or after Last-Event-ID',
} as const;

export const streamResearch = defineOperation({
  ...stream,
  id: 'streamResearch',
  sdk: 'runs.streamResearch',
  path: '/research/stream/{thread_id}',
  summary: 'Follow a run as server-sent events',
  description:
    'Sends the events of a run, numbered from 1 without gaps, from the first or after `Last-Event-ID`. The last one is `run.completed`, `run.failed`, `run.cancelled` or `run.expired`. A stream ends after ten minutes; reconnect with the last id.',
  errors: ['not_found'],
});

export const streamResearchVersioned = defineOperation({
  ...stream,
  id: 'streamResearchVersioned',
  sdk: 'runs.streamResearchVersioned',
  path: '/api/v1/research/stream/{thread_id}',
  summary: 'Follow a run as server-sent events, below /api/v1',
  description:
    'The same stream as `/research/stream/{thread_id}`, below `/api/v1`. Sends the events of a run, numbered from 1 without gaps, from the first or after `Last-Event-ID`. The last one is `run.completed`, `run.failed`, `run.cancelled` or `run.expired`. A stream ends after ten minutes; reconnect with the last id.',
  errors: ['not_found'],
});

export const streamSearchRun = defineOperation({
  ...stream,
  id: 'streamSearchRun',
  sdk: 'runs.stream',
  path: '/api/v1/search/research/stream/{thread_id}',
  summary: 'Follow a run as server-sent events, below /api/v1/search',
  description:
    'The same stream as `/research/stream/{thread_id}`, beside the other operations of runs. Sends the events of a run, numbered from 1 without gaps, from the first or after `Last-Event-ID`. The last one is `run.completed`, `run.failed`, `run.cancelled` or `run.expired`. A stream ends after ten minutes; reconnect with the last id.',
  errors: ['not_found'],
});

export const connectRun = defineOperation({
  ...watching,
  id: 'connectRun',
  sdk: 'runs.connect',
  path: '/api/v1/search/socket/{thread_id}',
  summary: 'Connect to a run by WebSocket',
  description:
    'Opens a WebSocket to a run; for runs that were only prepared, the first connection starts them. It sends the events of the run and accepts `clarification.answer`, `cancel` and `ping`. Losing the connection does not affect the run.',
  errors: ['not_found', 'upgrade_required', 'permission_denied'],
  // Starting is not reading: a credential that may only read the app starts nothing.
  action: 'write',
  params,
  ticketed: true,
  query: z.strictObject({
    ticket,
    last_seq: seqText.optional().meta({ description: 'What you have already; your first message may say it, too.' }),
  }),
  response: { kind: 'socket' },
});

export const showLivePage = defineOperation({
  ...watching,
  id: 'showLivePage',
  sdk: 'runs.livePage',
  path: '/research/live/{thread_id}',
  summary: 'Show the live page of a run',
  description:
    'Returns a page that shows the run while it works. `live_url` contains a ticket for it, valid for a day, that opens this run only.',
  errors: ['not_found'],
  params,
  ticketed: true,
  query: z.strictObject({ ticket }),
  response: { kind: 'file', mediaTypes: ['text/html'] },
});

export const streamLivePage = defineOperation({
  ...watching,
  id: 'streamLivePage',
  sdk: 'runs.streamLivePage',
  path: '/research/live/{thread_id}/events',
  summary: 'Stream the events of the live page',
  description: "Sends the events that the live page shows, under the page's own ticket.",
  errors: ['not_found'],
  params,
  ticketed: true,
  query: z.strictObject({ ticket, last_event_id: seqText.optional() }),
  response: { kind: 'stream', events },
});
