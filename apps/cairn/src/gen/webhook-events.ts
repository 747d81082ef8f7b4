// Written by `npm run generate:sdks` from the operations of the API. Changes here are lost.

/** What webhooks can subscribe to; the stream sends more. */
export const WEBHOOK_EVENTS: readonly string[] = [
  'memory.ingest.completed',
  'memory.ingest.dlp_flagged',
  'memory.ingest.auto_routed',
  'memory.entity.created',
  'memory.entity.contradiction_detected',
  'memory.entity.contradiction_resolved',
  'memory.health.assessed',
];
