import { z } from 'zod';
import type { RunStatusChanged } from '../gen/cairn/events/v1/events_pb.ts';
import { RUN_KINDS, RUN_STATUSES, type RunKind, type RunStatus } from '../run-states.ts';
import { definePublicEvent, type EventDeclarations } from './event-declaration.ts';

/** What happens to search and research runs. */
export const RUN_EVENTS = {
  runStatusChanged: {
    subject: 'cairn.event.research.run.status_changed',
    publishers: ['research'],
    public: definePublicEvent({
      event: 'research.run.status_changed',
      sentTo: 'stream',
      app: 'research',
      scope: 'search:run',
      description: 'A search or research run has another status, as `GET /api/v1/search/runs` names it.',
      payload: z.strictObject({
        thread_id: z.string().meta({ description: 'The run.' }),
        kind: z.enum(RUN_KINDS),
        status: z.enum(RUN_STATUSES),
      }),
      example: { thread_id: 'thr_ChDhyTQp3cXnMhKsUyWbZ', kind: 'research', status: 'awaiting_clarification' },
      toPayload: ({ threadId, kind, status }: RunStatusChanged) => ({
        thread_id: threadId,
        kind: kind as RunKind,
        status: status as RunStatus,
      }),
    }),
  },
} as const satisfies EventDeclarations;
