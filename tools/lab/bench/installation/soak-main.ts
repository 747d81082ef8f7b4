import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { processOfEach, type RunningCairn, startCairn } from '@cairn/testing';
import { environment, table, writeSection } from '../../measurement/page.ts';
import { processMemory } from '../../measurement/process-memory.ts';
import { quantile } from '../../measurement/quantile.ts';
import { KINDS, send, type TrafficResult } from './soak-traffic.ts';

const PAGE = join(import.meta.dirname, '..', '..', '..', '..', 'docs', 'measurements', 'gateway.md');
const SAMPLE_EVERY_MS = 5_000;
const REST_MS = 75_000;
/** What a later third of the run may have more than the one before it: noise of the collector, not growth. */
const MEMORY_GROWTH_MAX = 1.1;
const MEMORY_GROWTH_MAX_MIB = 24;
const DESCRIPTORS_GROWTH_MAX = 12;

interface Sample {
  atMs: number;
  memoryMiB: number;
  descriptors: number;
}

const { values } = parseArgs({
  options: { minutes: { type: 'string', default: '30' }, 'no-report': { type: 'boolean' } },
});
const minutes = Number(values.minutes);
const cairn = await startCairn({ args: [] });
try {
  process.exitCode = (await soak(cairn)) ? 0 : 1;
} finally {
  await cairn.remove();
}

async function soak(installation: RunningCairn): Promise<boolean> {
  const services = await processOfEach(installation);
  const samples = new Map<string, Sample[]>([...services.keys()].map((name) => [name, []]));
  const take = async () => {
    for (const [name, pid] of services) samples.get(name)!.push(await sampleOf(pid));
  };
  await sleep(SAMPLE_EVERY_MS);
  await take();
  const atRest = new Map([...samples].map(([name, [first]]) => [name, first!]));
  const target = { baseUrl: installation.baseUrl, apiKey: installation.testApiKey };
  const signal = AbortSignal.timeout(minutes * 60_000);
  const traffic = Object.keys(KINDS).map(async (kind) => [kind, await send(target, kind, signal)] as const);
  while (!signal.aborted) {
    await sleep(SAMPLE_EVERY_MS);
    await take();
  }
  const sent = await Promise.all(traffic);
  await sleep(REST_MS);
  const rested = new Map<string, Sample>();
  for (const [name, pid] of services) rested.set(name, await sampleOf(pid));
  const still = await processOfEach(installation);
  const restarted = [...services].filter(([name, pid]) => still.get(name) !== pid).map(([name]) => name);
  const rejections = installation.output().match(/unhandled ?rejection|uncaught/gi)?.length ?? 0;
  const trends = [...samples].map(([name, all]) => trendOf(name, all, atRest.get(name)!, rested.get(name)!));
  const body = report(sent, trends, { restarted, rejections });
  process.stdout.write(`${body}\n`);
  if (values['no-report'] !== true) await writeSection(PAGE, 'Measurements: gateway', 'soak', body);
  return (
    restarted.length === 0 &&
    rejections === 0 &&
    trends.every((trend) => trend.flat) &&
    sent.every(([, { wrong }]) => wrong === 0)
  );
}

async function sampleOf(pid: number): Promise<Sample> {
  const { resident } = await processMemory(pid);
  return { atMs: Date.now(), memoryMiB: resident, descriptors: (await readdir(`/proc/${pid}/fd`)).length };
}

interface SampleTrend {
  name: string;
  flat: boolean;
  row: string[];
}

/** Compares the medians of the second and the last third, and the descriptors at rest before and after. */
function trendOf(name: string, samples: Sample[], before: Sample, after: Sample): SampleTrend {
  const third = Math.floor(samples.length / 3);
  const median = (part: Sample[], of: (sample: Sample) => number) => quantile(part.map(of), 0.5);
  const [middle, last] = [samples.slice(third, 2 * third), samples.slice(2 * third)];
  const memory = [middle, last].map((part) => median(part, (sample) => sample.memoryMiB)) as [number, number];
  const open = [middle, last].map((part) => median(part, (sample) => sample.descriptors)) as [number, number];
  const flat =
    (memory[1] <= memory[0] * MEMORY_GROWTH_MAX || memory[1] - memory[0] <= MEMORY_GROWTH_MAX_MIB) &&
    open[1] <= open[0] + DESCRIPTORS_GROWTH_MAX &&
    after.descriptors <= before.descriptors + DESCRIPTORS_GROWTH_MAX;
  const mib = (value: number) => value.toFixed(0);
  const highest = Math.max(...samples.map((sample) => sample.memoryMiB));
  return {
    name,
    flat,
    row: [
      name,
      mib(before.memoryMiB),
      `${mib(memory[0])} → ${mib(memory[1])}`,
      mib(highest),
      mib(after.memoryMiB),
      `${before.descriptors}`,
      `${open[0]} → ${open[1]}`,
      `${after.descriptors}`,
      flat ? 'yes' : '**no**',
    ],
  };
}

function report(
  sent: (readonly [string, TrafficResult])[],
  trends: SampleTrend[],
  { restarted, rejections }: { restarted: string[]; rejections: number },
): string {
  const outcomes = (seen: Record<string, number>) =>
    Object.entries(seen)
      .map(([outcome, count]) => `${outcome}: ${count}`)
      .join(', ');
  return [
    `## Soak: ${minutes} minutes of mixed traffic`,
    '',
    `${environment()}. Command: \`npm run chaos -- soak --minutes ${minutes}\`.`,
    '',
    'A whole installation with the embedded defaults and the example documents, one key, every kind of traffic at once. Memory is resident memory in MiB. “Flat”: the median of the last third is not above that of the second by more than a tenth or 24 MiB, descriptors not by more than 12, and 75 s after the last exchange no more than 12 descriptors are open beyond those before the first.',
    '',
    table(
      [
        'service',
        'memory before',
        'second → last third',
        'highest',
        'after',
        'descriptors before',
        'second → last third',
        'after',
        'flat',
      ],
      trends.map((trend) => trend.row),
    ),
    '',
    table(
      ['traffic', 'exchanges', 'ended as', 'otherwise than expected'],
      sent.map(([kind, one]) => [
        kind,
        `${one.exchanges}`,
        outcomes(one.outcomes),
        [`${one.wrong}`, ...one.reasons].join('; '),
      ]),
    ),
    '',
    `Services that ended on the way: ${restarted.length === 0 ? 'none' : restarted.join(', ')}. Unhandled rejections and uncaught exceptions in the logs: ${rejections}.`,
  ].join('\n');
}
