import { STREAM_ONLY_TYPES, WEBHOOK_EVENT_TYPES } from '@cairn/contracts';
import type { Page } from '../page.ts';
import { fieldsOf, fieldTable, type Schema } from './fields.ts';
import { fence } from './markdown.ts';

/** An event as it is declared. */
interface Declared {
  description: string;
  payload: { toJSONSchema(): unknown };
  example: Record<string, unknown>;
}

const INTRODUCTION = `Every event arrives in an envelope with \`event_id\`, \`event\`, \`occurred_at\`, \`livemode\`, \`scope\` and
\`payload\`; this page describes the payloads. [Webhooks](/docs/reference/webhooks) explains how they are delivered, signed
and retried, and [the event stream](/docs/reference/webhooks#the-event-stream) how to follow them without an endpoint.`;

/** What the payload of each event holds. */
export function eventsPage(): Page {
  const body = [
    INTRODUCTION,
    '## To webhooks and on the stream',
    ...Object.entries(WEBHOOK_EVENT_TYPES).map(sectionOf),
    '## On the stream alone',
    ...Object.entries(STREAM_ONLY_TYPES).map(sectionOf),
  ];
  return {
    slug: 'reference/events',
    title: 'Events',
    description: 'The payload of every event.',
    body: `${body.join('\n\n')}\n`,
  };
}

function sectionOf([name, { description, payload, example }]: [string, Declared]): string {
  const schema = payload.toJSONSchema() as Schema;
  return [
    `### \`${name}\``,
    description,
    fieldTable(fieldsOf(schema, {}), {}),
    fence('json', JSON.stringify(example, null, 2)),
  ].join('\n\n');
}
