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
});

export const streamResearchVersioned = defineOperation({
  ...stream,
  id: 'streamResearchVersioned',
  sdk: 'runs.streamResearchVersioned',
  path: '/api/v1/research/stream/{thread_id}',
});

export const streamSearchRun = defineOperation({
  ...stream,
  id: 'streamSearchRun',
  sdk: 'runs.stream',
  path: '/api/v1/search/research/stream/{thread_id}',
});

export const connectRun = defineOperation({
  ...watching,
  id: 'connectRun',
  sdk: 'runs.connect',
  path: '/api/v1/search/socket/{thread_id}',
  summary: 'Connect to a run by WebSocket; the first connection starts it',
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
  summary: 'A page where a person watches the run',
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
  summary: 'The events that the live page shows',
  params,
  ticketed: true,
  query: z.strictObject({ ticket, last_event_id: seqText.optional() }),
  response: { kind: 'stream', events },
});
