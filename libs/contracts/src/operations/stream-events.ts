import { z } from 'zod';
import { CREDENTIAL_KINDS, type Scope } from '../permissions.ts';
import { RUN_KINDS, RUN_STATUSES } from '../run-states.ts';
import {
  bodySchema,
  docId,
  type EventType,
  vaultId,
  WEBHOOK_EVENT_TYPES,
  WEBHOOK_EVENTS,
} from '../events/webhook-events.ts';

/** What only the event stream sends: too much, or too much about the caller's own doings, to be delivered. */
const STREAM_ONLY_EVENTS = [
  'memory.document.queued',
  'memory.document.failed',
  'memory.document.deleted',
  'research.run.status_changed',
  'credential.created',
  'credential.revoked',
] as const;

/** The events of the stream: those of webhooks first. */
export const STREAM_EVENTS = [...WEBHOOK_EVENTS, ...STREAM_ONLY_EVENTS] as const;
export type StreamEvent = (typeof STREAM_EVENTS)[number];

const credentialId = z.string().meta({ description: 'A key, an OAuth client, or a single OAuth token.' });

export const STREAM_ONLY_TYPES = {
  'memory.document.queued': {
    description: 'Documents wait to be read: new ones, new versions, and ones that are tried again.',
    payload: z.strictObject({ doc_ids: z.array(docId), vault_id: vaultId }),
    example: { doc_ids: ['doc_ChDhyTHs92sYSupMCpKFy'], vault_id: 'vlt_ChDhyTF3yVnCDhrBV3bMo' },
  },
  'memory.document.failed': {
    description: 'A document could not be read, or not be indexed, and is not tried again by itself.',
    payload: z.strictObject({
      doc_id: docId,
      vault_id: vaultId,
      title: z.string(),
      error: z.strictObject({ code: z.string(), message: z.string() }),
    }),
    example: {
      doc_id: 'doc_ChDhyTHs92sYSupMCpKFy',
      vault_id: 'vlt_ChDhyTF3yVnCDhrBV3bMo',
      title: 'Minutes of 3 November',
      error: { code: 'broken_file', message: 'The file is damaged.' },
    },
  },
  'memory.document.deleted': {
    description: 'Documents were deleted one by one, not with their space or memory.',
    payload: z.strictObject({ doc_ids: z.array(docId), vault_id: vaultId }),
    example: { doc_ids: ['doc_ChDhyTHs92sYSupMCpKFy'], vault_id: 'vlt_ChDhyTF3yVnCDhrBV3bMo' },
  },
  'research.run.status_changed': {
    description: 'A search or research run has another status.',
    payload: z.strictObject({
      thread_id: z.string().meta({ description: 'The run.' }),
      kind: z.enum(RUN_KINDS),
      status: z.enum(RUN_STATUSES),
    }),
    example: { thread_id: 'thr_ChDhyTQp3cXnMhKsUyWbZ', kind: 'research', status: 'awaiting_clarification' },
  },
  'credential.created': {
    description: 'A key was created, or took the place of another one.',
    payload: z.strictObject({ credential_id: credentialId, kind: z.enum(CREDENTIAL_KINDS) }),
    example: { credential_id: 'key_ChDhyTRq4dYpNiLtVzXcA', kind: 'live' },
  },
  'credential.revoked': {
    description:
      'A credential was revoked, or the time has passed in which a rotated key stayed valid. One that expires ends without an event.',
    payload: z.strictObject({ credential_id: credentialId }),
    example: { credential_id: 'key_ChDhyTRq4dYpNiLtVzXcA' },
  },
} as const satisfies Record<(typeof STREAM_ONLY_EVENTS)[number], EventType>;

/** Each event with what its payload holds. */
const STREAM_EVENT_TYPES = { ...WEBHOOK_EVENT_TYPES, ...STREAM_ONLY_TYPES } as const satisfies Record<
  StreamEvent,
  EventType
>;

/** What the event's payload holds. */
export type StreamPayload<Event extends StreamEvent> = z.output<(typeof STREAM_EVENT_TYPES)[Event]['payload']>;

/** The scope that each event needs: that of the operations which show what it reports. */
export const EVENT_SCOPES: Readonly<Record<StreamEvent, Scope>> = {
  'memory.ingest.completed': 'documents:read',
  'memory.ingest.dlp_flagged': 'documents:read',
  'memory.ingest.auto_routed': 'documents:read',
  'memory.entity.created': 'graph:read',
  'memory.entity.contradiction_detected': 'graph:read',
  'memory.entity.contradiction_resolved': 'graph:read',
  'memory.health.assessed': 'graph:read',
  'memory.document.queued': 'documents:read',
  'memory.document.failed': 'documents:read',
  'memory.document.deleted': 'documents:read',
  'research.run.status_changed': 'search:run',
  'credential.created': 'keys:read',
  'credential.revoked': 'keys:read',
};

/** What the stream sends of the event. */
export function streamBodySchema(event: StreamEvent): z.ZodObject {
  return bodySchema(event, STREAM_EVENT_TYPES[event].payload);
}
