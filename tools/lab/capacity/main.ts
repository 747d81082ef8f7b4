import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { table, writeSection } from '../measurement/page.ts';
import { MEASURED } from './measured.ts';
import { bytesAChunk, connections, ENGINE, linear, pipelineMs, scaleOf, searchScaling } from './model.ts';

/** Writes docs/capacity.md from the measured figures: what things cost, how they grow, and what a size needs. */
const { values } = parseArgs({
  options: {
    /** Prices of a provider, in dollars, to put beside core-hours and gigabytes. */
    'core-hour': { type: 'string', default: '0.04' },
    'gb-month': { type: 'string', default: '0.10' },
  },
});
const PAGE = join(import.meta.dirname, '..', '..', '..', 'docs', 'capacity.md');
const MS_A_HOUR = 3_600_000;
const MILLION = 1e6;
const SCALES = [
  [1e6, 1e2],
  [1e7, 1e3],
  [1e8, 1e4],
  [1e9, 1e5],
] as const;

const shown = (value: number): string => {
  if (value >= 100) return Math.round(value).toLocaleString('en');
  return String(Number(value.toPrecision(2)));
};
const m = (name: keyof typeof MEASURED) => MEASURED[name].value;

await writeSection(PAGE, 'Capacity', 'costs', costs());
await writeSection(PAGE, 'Capacity', 'laws', laws());
await writeSection(PAGE, 'Capacity', 'scales', scales());
await writeSection(PAGE, 'Capacity', 'measured', measured());

function costs(): string {
  const coreHour = Number(values['core-hour']);
  const gbMonth = Number(values['gb-month']);
  const hours = (ms: number, times: number) => (ms * times) / MS_A_HOUR;
  const gigabytes = (bytes: number) => (bytes * MILLION) / 1e9;
  const once = (what: string, ms: number, times: number, bytes: number) => [
    what,
    ms === 0 ? '' : `${shown(hours(ms, times))} core-hours`,
    bytes === 0 ? '' : `${shown(gigabytes(bytes))} GB`,
    [
      ...(ms === 0 ? [] : [`${shown(hours(ms, times) * coreHour)} once`]),
      ...(bytes === 0 ? [] : [`${shown(gigabytes(bytes) * gbMonth)} a month`]),
    ].join(', '),
  ];
  const running = (what: string, msASecond: number) => [
    what,
    `${shown(msASecond / 1_000)} cores`,
    '',
    `${shown((msASecond / 1_000) * coreHour)} an hour`,
  ];
  const one = bytesAChunk.rows + bytesAChunk.indexDisk;
  const longChunks = 28;
  return [
    '## What things cost',
    table(
      ['', 'processor', 'disk', `dollars at ${coreHour} a core-hour and ${gbMonth} a GB-month`],
      [
        once('a million documents of 1 KB that name nobody', m('documentMs'), MILLION, one),
        once('a million documents of 1 KB full of names, graph rows not counted', m('namedDocumentMs'), MILLION, one),
        once('a million documents of 20 KB', m('longDocumentMs'), MILLION, one * longChunks),
        once('their vectors of 384 numbers, for a million chunks', 0, MILLION, bytesAChunk.vectors),
        running('1,000 requests/s at the gateway', 1_000 * m('gatewayMs')),
        running(
          '1,000 searches/s in memories of 10,000 chunks',
          1_000 * (m('gatewayMs') + pipelineMs(1e4) + m('searchPostgresMs')),
        ),
        running(
          '1,000 searches/s in memories of 100,000 chunks',
          1_000 * (m('gatewayMs') + pipelineMs(1e5) + m('searchPostgresMs')),
        ),
        once('a thousand runs without a model', m('runMs'), 1_000, 0),
        once('a million webhook deliveries', m('deliveryMs'), MILLION, 0),
        once('a million model calls, counted', m('usageMs'), MILLION, 0),
      ],
    ),
    'Processor time is of one core of the machine that the measurements name, at full use: plan for half. What models take is billed by their providers.',
  ].join('\n\n');
}

function laws(): string {
  const law = searchScaling();
  const points = [
    [1e4, m('searchMs10k')],
    [1e5, m('searchMs100k')],
    [1e6, m('searchMs1m')],
  ] as const;
  const fit = points.map(([chunks, ms]) => `${shown(ms)} (law ${shown(linear(law, chunks))})`).join(', ');
  const searchesACore = 1_000 / pipelineMs(1e5);
  return [
    '## How it grows',
    table(
      ['what', 'law', 'measured', 'where it ends'],
      [
        [
          'a search of the index in one memory',
          `${shown(law.base)} ms + ${shown(law.perChunk * MILLION)} ms for each million chunks`,
          `${fit} ms at 10,000, 100,000 and 1,000,000 chunks`,
          `at a million: ${shown(m('searchMs3m'))} and ${shown(m('searchMs5m'))} ms at 3 and 5 million, with 2 GB of buffers`,
        ],
        [
          'the same in OpenSearch',
          'shards share the chunks; no law fits what was measured',
          `${(['openSearchMs10k', 'openSearchMs100k', 'openSearchMs1m', 'openSearchMs3m', 'openSearchMs5m'] as const).map((name) => shown(m(name))).join(', ')} ms at 10,000, 100,000, 1, 3 and 5 million chunks on two`,
          'where shards and nodes end; not measured',
        ],
        [
          'disk of an engine',
          `${shown(bytesAChunk.rows + bytesAChunk.indexDisk)} bytes a chunk, ${shown(bytesAChunk.vectors)} more with a vector`,
          'of it 1,791, 1,917 and 1,283 bytes of index tables at the three sizes',
          `${shown(ENGINE.diskBytes / (bytesAChunk.rows + bytesAChunk.indexDisk) / MILLION)} million chunks on ${shown(ENGINE.diskBytes / 1e12)} TB, ${shown(ENGINE.diskBytes / (bytesAChunk.rows + bytesAChunk.indexDisk + bytesAChunk.vectors) / MILLION)} million with vectors`,
        ],
        [
          'what searches read, kept in the memory of an engine',
          `${shown(bytesAChunk.index)} bytes a chunk, ${shown(bytesAChunk.vectorIndex)} more with a vector`,
          '713, 619 and 470 bytes at the three sizes',
          `${shown(ENGINE.memoryBytes / bytesAChunk.index / MILLION)} million chunks in ${shown(ENGINE.memoryBytes / 1e9)} GB, ${shown(ENGINE.memoryBytes / (bytesAChunk.index + bytesAChunk.vectorIndex) / MILLION)} million with vectors`,
        ],
        [
          'searches of one process of the memory service',
          `${shown(pipelineMs(1e5))} ms of its thread each`,
          'at 100,000 chunks',
          `${shown(searchesACore)} searches/s a process`,
        ],
        [
          'connections of an engine',
          `${connections(1)} for each process of the memory service`,
          'the defaults of its pools',
          `${shown(ENGINE.connections / connections(1))} processes at \`max_connections\` ${ENGINE.connections}, that is ${shown((ENGINE.connections / connections(1)) * searchesACore)} searches/s`,
        ],
        [
          'PostgreSQL of an engine',
          `${shown(m('searchPostgresMs'))} ms a search, ${shown(m('documentPostgresMs'))} ms a document`,
          'a search at 100,000 chunks',
          `${shown((ENGINE.cores * 1_000) / m('searchPostgresMs'))} searches/s on ${ENGINE.cores} cores, twice as many where replicas are read`,
        ],
        [
          'a process of the gateway',
          `${shown(m('gatewayMs'))} ms a request`,
          'the same at every load below it',
          `${shown(1_000 / m('gatewayMs'))} requests/s`,
        ],
      ],
    ),
    `An engine is taken to have ${ENGINE.cores} cores, ${shown(ENGINE.memoryBytes / 1e9)} GB for what searches read, ${shown(ENGINE.diskBytes / 1e12)} TB and ${ENGINE.connections} connections.`,
  ].join('\n\n');
}

function scales(): string {
  const all = SCALES.map(([chunks, tenants]) => scaleOf(chunks, tenants));
  const row = (what: string, of: (scale: (typeof all)[number]) => string) => [what, ...all.map(of)];
  return [
    '## What a size needs',
    table(
      ['', ...all.map(({ chunks, tenants }) => `10^${Math.log10(chunks)} chunks, 10^${Math.log10(tenants)} tenants`)],
      [
        row('searches/s, documents/s', (scale) => `${shown(scale.searches)}, ${shown(scale.documents)}`),
        row('cores: gateway', (scale) => shown(scale.gatewayCores)),
        row('cores: memory service', (scale) => shown(scale.memoryCores)),
        row('cores: PostgreSQL', (scale) => shown(scale.postgresCores)),
        row('disk; with vectors', (scale) => `${shown(scale.diskGb)} GB; ${shown(scale.vectorDiskGb)} GB`),
        row(
          'memory for searches; with vectors',
          (scale) => `${shown(scale.memoryGb)} GB; ${shown(scale.vectorMemoryGb)} GB`,
        ),
        row('engines; with vectors', (scale) => `${scale.engines}; ${scale.vectorEngines}`),
        row('connections of each engine', (scale) => shown(scale.connections)),
        row('memories alike: index p50', (scale) => `${shown(scale.evenMs)} ms`),
        row(
          'memories by Zipf’s law: the largest, its index p50',
          (scale) => `${shown(scale.largest / MILLION)} million, ${shown(scale.largestMs)} ms`,
        ),
        row('first at its end, memories alike', (scale) => scale.firstEven),
        row('first at its end, by Zipf’s law', (scale) => scale.firstZipf),
      ],
    ),
    'Each tenant has one memory, searches every 100 seconds and hands in a document every 500 seconds, as in a busy hour. Engines are as many as their fullest resource asks for. “First at its end” is the resource that is used most of what one engine has, or one memory’s search of 50 ms.',
  ].join('\n\n');
}

function measured(): string {
  const rows = Object.values(MEASURED).map(({ value, unit, what, page, command }) => [
    what,
    `${value.toLocaleString('en')} ${unit}`,
    `[${page.replace('.md', '')}](measurements/${page})`,
    `\`${command}\``,
  ]);
  return ['## The measured figures', table(['what', 'figure', 'page', 'command'], rows)].join('\n\n');
}
