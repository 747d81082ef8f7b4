import { setTimeout as sleep } from 'node:timers/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { decodeEvent } from '@cairn/contracts';
import { startNats } from '@cairn/embedded';
import { connectEventBus, EVENT_STREAM } from '@cairn/events';
import { type RunningCairn, startCairn } from '@cairn/testing';
import { environment, table, writeSection } from '../../../measurement/page.ts';
import { MEASUREMENTS } from '../report.ts';
import { allDocuments, call, DOCUMENTS, formOf, type DocumentState, type Target } from './client.ts';
import { memoryProcess } from './memory-process.ts';
import { mixedDocument } from './mixed-documents.ts';

const { values } = parseArgs({
  options: {
    documents: { type: 'string', default: '3000' },
    kills: { type: 'string', default: '20' },
    'no-report': { type: 'boolean', default: false },
  },
});
const [documents, kills] = [Number(values.documents), Number(values.kills)];
const BATCH = 50;
const PAUSE_MIN_MS = 300;
const PAUSE_SPREAD_MS = 2_500;
const SETTLE_TIMEOUT_MS = 10 * 60_000;
const say = (line: string) => process.stdout.write(`${line}\n`);

const cairn = await startCairn();
try {
  process.exitCode = await run();
} finally {
  await cairn.remove();
}

async function run(): Promise<number> {
  const target: Target = { baseUrl: cairn.baseUrl, apiKey: cairn.apiKey };
  const { url: natsUrl } = await startNats({ dataDir: join(cairn.dataDir, 'nats') });
  const killing = killAtRandom(cairn);
  await sendAll(target);
  say(`sent ${documents}`);
  await killing;
  const seen = await settled(target);
  const violations = [...judgeDocuments(seen), ...judgeEvents(seen, await completedEvents(natsUrl))];
  const figures: [string, string][] = [
    ['documents sent', String(documents)],
    ['kill -9 of the memory service', String(kills)],
    ['completed', String(seen.filter(({ status }) => status === 'completed').length)],
    [
      'failed, each with its own code (files that cannot be read)',
      String(seen.filter(({ status }) => status === 'failed').length),
    ],
    ['violations', String(violations.length)],
  ];
  for (const [name, value] of figures) say(`${name}: ${value}`);
  for (const violation of violations.slice(0, 20)) say(`VIOLATED: ${violation}`);
  if (!values['no-report'])
    await writeSection(join(MEASUREMENTS, 'ingestion.md'), 'Ingestion', 'chaos', section(figures));
  return violations.length === 0 ? 0 : 1;
}

async function killAtRandom(installation: RunningCairn): Promise<void> {
  for (let killed = 0; killed < kills;) {
    await sleep(PAUSE_MIN_MS + Math.random() * PAUSE_SPREAD_MS);
    const pid = await memoryProcess(installation);
    if (pid === null) continue;
    process.kill(pid, 'SIGKILL');
    killed += 1;
    say(`kill ${killed}`);
  }
}

/** What is not answered is sent again: the external id and the same content make that harmless. */
async function sendAll(target: Target): Promise<void> {
  for (let start = 0; start < documents; start += BATCH) {
    const lot = Array.from({ length: Math.min(BATCH, documents - start) }, (_, offset) =>
      mixedDocument(start + offset),
    );
    const texts = lot.flatMap((each) =>
      'content' in each ? { external_id: each.externalId, content: each.content } : [],
    );
    await call(target, 'POST', DOCUMENTS, { documents: texts });
    for (const each of lot)
      if ('bytes' in each)
        await call(target, 'POST', DOCUMENTS, formOf(each.fileName, each.bytes, { external_id: each.externalId }));
  }
}

async function settled(target: Target): Promise<DocumentState[]> {
  const deadline = Date.now() + SETTLE_TIMEOUT_MS;
  for (;;) {
    const seen = await allDocuments(target);
    const open = seen.filter(({ status }) => status !== 'completed' && status !== 'failed');
    if (open.length === 0 || Date.now() > deadline) return seen;
    await sleep(1_000);
  }
}

function judgeDocuments(seen: readonly DocumentState[]): string[] {
  const violations: string[] = [];
  if (seen.length !== documents) violations.push(`${seen.length} documents instead of ${documents}`);
  if (new Set(seen.map(({ external_id }) => external_id)).size !== seen.length) violations.push('one is duplicated');
  for (let number = 0; number < documents; number += 1) {
    const sent = mixedDocument(number);
    const found = seen.find(({ external_id }) => external_id === sent.externalId);
    const fails = 'fails' in sent && sent.fails;
    if (found === undefined) violations.push(`${sent.externalId} is lost`);
    else if (found.status !== (fails ? 'failed' : 'completed'))
      violations.push(`${sent.externalId} is ${found.status} ${found.error?.code ?? ''}`);
    else if (fails && found.error?.code !== 'broken_file')
      violations.push(`${sent.externalId} failed with ${found.error?.code}`);
  }
  return violations;
}

/** Ids of `ingest.completed` events by document. */
async function completedEvents(natsUrl: string): Promise<Map<string, Set<string>>> {
  const bus = await connectEventBus({ natsUrl: natsUrl, name: 'chaos' });
  const events = new Map<string, Set<string>>();
  try {
    const { state } = await bus.manager.streams.info(EVENT_STREAM);
    for (let seq = state.first_seq; seq <= state.last_seq; seq += 1) {
      const { eventId, payload } = decodeEvent((await bus.manager.streams.getMessage(EVENT_STREAM, { seq })).data);
      if (payload.case !== 'ingestCompleted') continue;
      const { docId } = payload.value;
      events.set(docId, (events.get(docId) ?? new Set()).add(eventId));
    }
    return events;
  } finally {
    await bus.close();
  }
}

function judgeEvents(seen: readonly DocumentState[], events: ReadonlyMap<string, ReadonlySet<string>>): string[] {
  return seen.flatMap(({ doc_id, status, external_id }) => {
    const count = events.get(doc_id)?.size ?? 0;
    return count === (status === 'completed' ? 1 : 0)
      ? []
      : [`${external_id} (${status}) has ${count} completed events`];
  });
}

function section(figures: readonly [string, string][]): string {
  return [
    '## Killed on the way',
    '',
    `${environment()}. Command: \`npm run chaos -- ingest --documents ${documents} --kills ${kills}\`.`,
    '',
    'A whole installation takes prose, Markdown, tables, JSON, pages, mails, and every tenth a PDF, a Word document, a Markdown file or a PDF that is broken, while its memory service is ended with SIGKILL at random moments, 0.3 to 2.8 s apart. What a call did not answer is sent again. Checked at the end: every document is there once; each is completed, or failed with the code of what is wrong with it; each completed one has exactly one event id of `memory.ingest.completed` in the stream, no failed one has any.',
    '',
    table(
      ['', ''],
      figures.map((figure) => [...figure]),
    ),
  ].join('\n');
}
