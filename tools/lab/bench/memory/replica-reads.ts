import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { readMetrics } from '@cairn/telemetry';
import { eventually, processorTime, startReplicatedPostgres } from '@cairn/testing';
import { callInTurns } from '../../measurement/callers.ts';
import { environment, table, writeSection } from '../../measurement/page.ts';
import { quantile } from '../../measurement/quantile.ts';
import { bootMemory, type BootedMemory, type Caller } from '../../../../apps/memory/tests/memory-harness.ts';

const PAGE = join(import.meta.dirname, '..', '..', '..', '..', 'docs', 'measurements', 'search.md');
const DOCUMENTS = 90;
const SEARCHES = 300;
const INDEXED_TIMEOUT_MS = 180_000;
const CALLERS = 8;
const WRITE_EVERY_MS = 250;

/** What the primary still has to do for searches that its replicas serve. */
const { values } = parseArgs({ options: { 'no-report': { type: 'boolean' } } });
const servers = await startReplicatedPostgres(2);
const memory = await bootMemory({}, servers);
try {
  const alone = await memory.replica({ DATABASE_REPLICA_URL: undefined });
  const caller = memory.newCaller();
  const documents = Array.from({ length: DOCUMENTS }, (_none, n) => ({
    content: `Crate ${n} stands in hall ${n % 17}, on shelf ${n % 23}. It holds ${n * 7} lamps and is kept dry.`,
  }));
  await memory.call(caller, 'POST', '/api/v1/memory/documents', { documents });
  // Searches need the index alone; the graph follows.
  await eventually(
    () => memory.call(caller, 'GET', '/api/v1/memory/documents?limit=200'),
    ({ body }) => body.documents.every(({ status }: { status: string }) => ['linking', 'completed'].includes(status)),
    INDEXED_TIMEOUT_MS,
  );
  const rows: string[][] = [];
  const sides = [
    ['none', alone.url],
    ['two', memory.url],
  ] as const;
  for (const [, url] of sides) await search(memory, caller, url);
  for (const isWriting of [false, true])
    for (const [name, url] of sides) {
      const row = await searches(caller, { url, isWriting });
      rows.push([name, isWriting ? 'yes' : 'no', ...row]);
      process.stdout.write(`${rows.at(-1)!.join(' | ')}\n`);
    }
  if (values['no-report'] !== true) await report(rows);
  await alone.close();
} finally {
  await memory.close();
  await servers.remove();
}

async function searches(caller: Caller, { url, isWriting }: { url: string; isWriting: boolean }): Promise<string[]> {
  let isOver = false;
  const searched = async () => {
    const answer = await search(memory, caller, url);
    if (answer.status !== 200) throw new Error(`a search was answered with ${answer.status}`);
  };
  const searching = async () => {
    const { times } = await callInTurns(Array.from({ length: SEARCHES }), CALLERS, searched);
    isOver = true;
    return times;
  };
  const writer = async () => {
    for (; isWriting && !isOver; await sleep(WRITE_EVERY_MS))
      await memory.call(caller, 'POST', '/api/v1/memory/documents', { content: `A further crate, ${Math.random()}.` });
  };
  const [before, readBefore] = [await processorTime([servers.pid]), await replicaReads()];
  const [took] = await Promise.all([searching(), writer()]);
  const [after, readAfter] = [await processorTime([servers.pid]), await replicaReads()];
  const reads = readAfter.all - readBefore.all;
  return [
    ((after.own - before.own) / SEARCHES).toFixed(2),
    quantile(took, 0.5).toFixed(1),
    quantile(took, 0.95).toFixed(1),
    reads === 0 ? '–' : `${Math.round(((readAfter.replica - readBefore.replica) / reads) * 100)} %`,
  ];
}

function search(booted: BootedMemory, caller: Caller, url: string) {
  const query = `What stands on shelf ${Math.floor(Math.random() * 23)}?`;
  return booted.call(caller, 'POST', '/api/v1/memory/search', { query }, {}, url);
}

async function replicaReads(): Promise<{ all: number; replica: number }> {
  const { text } = await readMetrics();
  const counted = text.split('\n').filter((line) => line.startsWith('cairn_db_replica_reads_total{'));
  const sum = (lines: readonly string[]) =>
    lines.reduce((total, line) => total + Number(line.slice(line.lastIndexOf(' '))), 0);
  return { all: sum(counted), replica: sum(counted.filter((line) => line.includes('outcome="replica"'))) };
}

async function report(rows: readonly string[][]): Promise<void> {
  const head = [
    'replicas',
    'writes beside',
    'processor time of the primary, ms a search',
    'p50, ms',
    'p95, ms',
    'of replicas',
  ];
  const body = `## Reads from replicas

${environment()}. Command: \`npm run bench -- replica-reads\`. ${SEARCHES} searches by ${CALLERS} callers in a memory of ${DOCUMENTS} small documents, by a memory service without and with two streaming replicas; with writes beside them, a document is handed in every ${WRITE_EVERY_MS} ms, which costs the primary processor time of its own. All servers share the machine, so that the times say nothing about how many more searches replicas allow; the primary's processor time does.

${table(head, rows)}`;
  await writeSection(PAGE, 'Search', 'replica-reads', body);
}
