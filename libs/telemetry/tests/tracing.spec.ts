import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { eventually, startTraceReceiver, type TraceReceiver } from '@cairn/testing';
import {
  contextOf,
  inSpan,
  isInTrace,
  isRecording,
  isTracing,
  parentOfBatch,
  startTracing,
  traceFields,
  traceparentOf,
  within,
} from '../src/index.ts';

const SAMPLED = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
const NOT_SAMPLED = '00-1af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-00';
const OPTIONS = { headers: 'authorization=Bearer%20t', component: 'spec', version: '1', instance: 'i' };
const SOON_MS = 20_000;

let receiver: TraceReceiver;
let tracing: { close(): Promise<void> };
beforeAll(async () => {
  receiver = await startTraceReceiver();
});
afterAll(async () => {
  await tracing.close();
  await receiver.close();
});

it('without a receiver nothing is traced, and what a caller says is not passed on', async () => {
  tracing = await startTracing({ ...OPTIONS, endpoint: undefined, ratio: 1 });
  expect(isTracing()).toBe(false);
  await inSpan('unseen', { kind: 'internal', parent: contextOf(SAMPLED) }, async () => {
    expect([isInTrace(), isRecording(), traceparentOf(), traceFields()]).toEqual([false, false, null, {}]);
  });
});

it('spans arrive at the receiver with their parents, and outlive no await', async () => {
  tracing = await startTracing({ ...OPTIONS, endpoint: receiver.url, ratio: 0 });
  let inner: string | null = null;
  await inSpan('outer', { kind: 'server', parent: contextOf(SAMPLED) }, async () => {
    await new Promise((resolve) => setTimeout(resolve, 5));
    await inSpan('inner', { kind: 'client', attributes: { 'cairn.part': 'x' } }, async () => {
      inner = traceparentOf();
      expect(traceFields()).toMatchObject({ trace_id: SAMPLED.split('-')[1] });
    });
  });
  expect(isInTrace()).toBe(false);
  const found = await eventually(
    () => receiver.spans,
    (spans) => spans.length === 2,
    SOON_MS,
  );
  const [outer, within_] = ['outer', 'inner'].map((name) => found.find((span) => span.name === name)!);
  expect(outer).toMatchObject({ service: 'cairn-spec', parentSpanId: SAMPLED.split('-')[2] });
  expect(within_).toMatchObject({ parentSpanId: outer!.spanId, attributes: { 'cairn.part': 'x' } });
  expect(inner).toBe(`00-${outer!.traceId}-${within_!.spanId}-01`);
});

it('the decision about a trace is made where it begins, and everybody after it follows', async () => {
  const before = receiver.spans.length;
  // The ratio is 0, so what begins here is not recorded; and neither is what began elsewhere unrecorded.
  for (const parent of [contextOf(null), contextOf(NOT_SAMPLED)])
    await inSpan('unrecorded', { kind: 'server', parent }, async () => {
      expect(isRecording()).toBe(false);
      expect(traceparentOf()).toMatch(/-00$/);
    });
  await inSpan('recorded', { kind: 'server', parent: contextOf(SAMPLED) }, async () => undefined);
  await eventually(
    () => receiver.spans.length,
    (count) => count > before,
    SOON_MS,
  );
  expect(receiver.spans.slice(before).map((span) => span.name)).toEqual(['recorded']);
});

it('a failure is named and its message stays inside', async () => {
  const failing = inSpan('failing', { kind: 'server', parent: contextOf(SAMPLED) }, async () => {
    throw Object.assign(new Error('the secret is swordfish'), { code: 'unavailable' });
  });
  await expect(failing).rejects.toThrow('swordfish');
  const span = await eventually(
    () => receiver.spans.find(({ name }) => name === 'failing'),
    (found) => found !== undefined,
    SOON_MS,
  );
  expect(span).toMatchObject({ status: 2, attributes: { 'error.type': 'unavailable' } });
  expect(receiver.raw()).not.toContain('swordfish');
});

it('work on one traced thing continues its trace; on several it is linked to each', () => {
  expect(traceparentOf(parentOfBatch([SAMPLED]).parent)).toBe(SAMPLED);
  const { parent, links } = parentOfBatch([SAMPLED, null, NOT_SAMPLED]);
  expect([traceparentOf(parent), links?.map((link) => traceparentOf(link))]).toEqual([null, [SAMPLED, NOT_SAMPLED]]);
});

it('a traceparent that is malformed is as good as none', () => {
  for (const malformed of [
    '',
    'x',
    SAMPLED.replace('0af', 'zzz'),
    '00-00000000000000000000000000000000-b7ad6b7169203331-01',
  ])
    within(contextOf(malformed), () => expect(isInTrace()).toBe(false));
});
