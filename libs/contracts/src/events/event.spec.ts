import { describe, expect, it } from '@jest/globals';
import { create, type DescMessage, fromBinary, ScalarType } from '@bufbuild/protobuf';
import { timestampDate } from '@bufbuild/protobuf/wkt';
import { EventSchema } from '../gen/cairn/events/v1/events_pb.ts';
import { idPattern } from '../ids.ts';
import { DEAD_LETTER_SUBJECT_ROOT, decodeEvent, type EncodedEvent, encodeEvent, EVENT_SUBJECT_ROOT } from './event.ts';
import type { EventKind } from './event-declaration.ts';
import { EVENT_CONSUMERS, type EventConsumer } from './event-flow.ts';
import { EVENT_SUBJECTS, EVENTS } from './event-table.ts';
import { publicPayload, STREAM_EVENT_TYPES } from './public-events.ts';

const SCOPE = { tenantId: 'tnt_1', livemode: false, workspaceId: 'ws_1', memoryId: 'mem_1' };
const AT = new Date('2026-11-05T12:00:00.123Z');

/** Values that lose something when they are encoded wrongly. */
const SCALARS: Partial<Record<ScalarType, unknown>> = {
  [ScalarType.STRING]: 'Grüße 工 "alles"',
  [ScalarType.BOOL]: true,
  [ScalarType.DOUBLE]: 0.25,
  [ScalarType.INT32]: -2_000_000_000,
  [ScalarType.INT64]: -9_007_199_254_740_993n,
  [ScalarType.UINT32]: 4_000_000_000,
  [ScalarType.UINT64]: 9_007_199_254_740_993n,
};

/** A value for every field of the message. */
function sampleOf({ fields }: DescMessage): Record<string, unknown> {
  return Object.fromEntries(
    fields.map((field) => {
      const one = field.message === undefined ? SCALARS[field.scalar!] : sampleOf(field.message);
      if (one === undefined) throw new Error(`SCALARS has no value for ${field.toString()}.`);
      if (field.fieldKind === 'list') return [field.localName, [one, one]];
      return [field.localName, field.fieldKind === 'map' ? { freshness: one } : one];
    }),
  );
}

const CASES = EventSchema.oneofs.find(({ name }) => name === 'payload')!.fields;
const SAMPLES = Object.fromEntries(CASES.map((field) => [field.localName, sampleOf(field.message!)]));
const KINDS = Object.keys(EVENTS) as EventKind[];
const PUBLIC = KINDS.filter((kind) => EVENTS[kind].public !== null);

/** The sample of the kind as an event; it has every field, which the types do not know. */
function encodeSample(kind: EventKind): EncodedEvent {
  return encodeEvent(kind, SCOPE, SAMPLES[kind] as never, AT);
}

describe.each(KINDS)('the event %s', (kind) => {
  const encoded = encodeSample(kind);

  it('comes back as it was encoded', () => {
    const event = decodeEvent(encoded.payload);
    expect(event).toMatchObject({ ...SCOPE, eventId: encoded.eventId, payload: { case: kind, value: SAMPLES[kind] } });
    expect(timestampDate(event.occurredAt!)).toEqual(AT);
  });

  it('is published under its subject and scope, below the events’ root', () => {
    expect(encoded.subject).toBe(`${EVENT_SUBJECTS[kind]}.${SCOPE.tenantId}.${SCOPE.workspaceId}.${SCOPE.memoryId}`);
    expect(encoded.subject.startsWith(`${EVENT_SUBJECT_ROOT}.`)).toBe(true);
    expect(EVENT_SUBJECTS[kind]).toMatch(/^[a-z]+(?:\.[a-z_]+){4}$/);
    expect(encoded.subject.startsWith(DEAD_LETTER_SUBJECT_ROOT)).toBe(false);
  });

  it('has an id of its own and its tenant beside the bytes, for the outbox', () => {
    expect(encoded.eventId).toMatch(idPattern('event'));
    expect(encoded.tenantId).toBe(SCOPE.tenantId);
    expect(encodeSample(kind).eventId).not.toBe(encoded.eventId);
  });

  it('is read by who does not know all of its fields yet', () => {
    const unknownField = Buffer.from([0xfa, 0x7f, 0x01, 0x78]);
    const extended = Buffer.concat([encoded.payload, unknownField]);
    expect(fromBinary(EventSchema, extended).payload.case).toBe(kind);
  });
});

describe('the table of events', () => {
  it('gives each kind a subject of its own, and each public event a name of its own', () => {
    expect(new Set(Object.values(EVENT_SUBJECTS)).size).toBe(KINDS.length);
    expect(Object.keys(STREAM_EVENT_TYPES)).toHaveLength(PUBLIC.length);
  });

  it('has exactly the kinds that protobuf has', () => {
    expect(KINDS.toSorted()).toEqual(CASES.map(({ localName }) => localName).toSorted());
  });
});

describe.each(PUBLIC)('the public event of %s', (kind) => {
  const { event, vaultIds, payload } = publicPayload(decodeEvent(encodeSample(kind).payload))!;
  const declared = STREAM_EVENT_TYPES[event];

  it('has exactly the fields that are declared', () => {
    // A text of a sample is none of the words that an enumeration allows.
    const issues = declared.payload.safeParse(payload).error?.issues ?? [];
    expect(issues.filter(({ code }) => code !== 'invalid_value')).toEqual([]);
  });

  it('has an example that fits its declaration', () => {
    expect(declared.payload.safeParse(declared.example).error).toBeUndefined();
  });

  it('has the vaults of the documents that it names, so that it is deleted with their space', () => {
    const namesDocuments = /"doc_ids?":/.test(JSON.stringify(payload));
    expect(vaultIds.length > 0 || !namesDocuments).toBe(true);
  });

  it('is consumed by webhooks', () => {
    const own = Object.values<EventConsumer>(EVENT_CONSUMERS).filter(({ service }) => service === 'webhooks');
    const consumed = own.filter(({ subject }) => EVENT_SUBJECTS[kind].startsWith(subject.replace(/\.?>$/, '')));
    expect(consumed).toHaveLength(1);
  });
});

describe('publicPayload', () => {
  it('is null for an event that is sent to nobody, and for one that this version does not know', () => {
    expect(publicPayload(decodeEvent(encodeSample('tenantChanged').payload))).toBeNull();
    expect(publicPayload(create(EventSchema, SCOPE))).toBeNull();
  });
});

describe('encodeEvent', () => {
  it('leaves empty what the scope does not name', () => {
    const event = decodeEvent(
      encodeEvent('keyCreated', { tenantId: 't', livemode: true }, { keyId: 'k', kind: 'live' }).payload,
    );
    expect(event).toMatchObject({ workspaceId: '', memoryId: '', livemode: true });
  });
});
