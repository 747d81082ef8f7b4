import { afterEach, expect, it, jest } from '@jest/globals';
import { queueSamples, readMetrics, reportSampleFailures, sampledGauge, startSampling } from '../src/index.ts';

const depth = sampledGauge('cairn_spec_depth', 'For this spec.', { combine: 'sum' });
const age = sampledGauge('cairn_spec_age_seconds', 'For this spec.', { labels: ['queue'], combine: 'max' });
const samplers: { close(): Promise<void> }[] = [];
afterEach(() => Promise.all(samplers.splice(0).map((sampler) => sampler.close())));

const sample = (...options: Parameters<typeof startSampling>) => samplers.push(startSampling(...options));
const lines = async () => (await readMetrics()).text.split('\n').filter((line) => line.startsWith('cairn_spec_'));

it('what several samplers of a process read is added up, or the largest of it', async () => {
  for (const value of [2, 5])
    sample({
      name: 'spec',
      read: () => [
        { gauge: depth, value },
        { gauge: age, labels: { queue: 'a' }, value },
      ],
    });
  expect(await lines()).toEqual(['cairn_spec_depth 7', 'cairn_spec_age_seconds{queue="a"} 5']);
});

it('a reading is not repeated within ten seconds, however often and by how many it is asked for', async () => {
  const read = jest.fn(async () => [{ gauge: depth, value: 1 }]);
  sample({ name: 'spec', read });
  await Promise.all([lines(), lines(), lines()]);
  await lines();
  expect(read).toHaveBeenCalledTimes(1);
});

it('a gauge whose reading fails is left out instead of being 0, the failure is counted and reported once', async () => {
  const reported: string[] = [];
  reportSampleFailures((name) => reported.push(name));
  sample({ name: 'broken', cacheMs: 0, read: () => Promise.reject(new Error('no database')) });
  await lines();
  expect(await lines()).toEqual([]);
  expect((await readMetrics()).text).toMatch(/^cairn_sample_failures_total\{sample="broken"\} [1-9]/m);
  expect(reported).toEqual(['broken']);
});

it('a reading that takes long does not hold up the other metrics, which show what was read before', async () => {
  let slow = false;
  const read = async () => {
    if (slow) await new Promise((resolve) => setTimeout(resolve, 60_000).unref());
    return [{ gauge: depth, value: 4 }];
  };
  sample({ name: 'slow', cacheMs: 0, read });
  expect(await lines()).toEqual(['cairn_spec_depth 4']);
  slow = true;
  const startedMs = performance.now();
  expect(await lines()).toEqual(['cairn_spec_depth 4']);
  expect(performance.now() - startedMs).toBeLessThan(10_000);
});

it('what is closed is no longer shown', async () => {
  sample({ name: 'spec', read: () => queueSamples('ingest', { waiting: 3, oldestSeconds: -1 }) });
  const shown = async () => (await readMetrics()).text;
  expect(await shown()).toContain('cairn_queue_waiting{queue="ingest"} 3');
  expect(await shown()).toContain('cairn_queue_oldest_seconds{queue="ingest"} 0');
  await samplers.pop()!.close();
  expect(await shown()).not.toContain('cairn_queue_waiting{queue="ingest"}');
});
