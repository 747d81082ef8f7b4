import { spawn, type ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createDatabase } from '@cairn/postgres';
import { compareWithRebuild, type WorkloadReport } from '@cairn/search-index/workload';
import { ANALYSER } from '../../../../../apps/memory/src/text/analyser.ts';
import { checkJournal, type JournalCheck, parseJournal } from './journal.ts';
import type { StressProcessArguments } from './stress-process.ts';

interface StressOptions {
  url: string;
  workerUrl: string;
  /** How long two processes work; each is killed once on the way. */
  seconds: number;
}

export interface StressResult extends WorkloadReport {
  kills: number;
  /** What was compared with the journal of acknowledged writes. */
  journal: Omit<JournalCheck, 'violations'>;
}

/**
 * Two service-like processes (8 writers, 2 mergers and 8 readers in all) on one memory; each is killed with
 * SIGKILL once and started again. Afterwards the index must equal a rebuild from the stored chunks, and every
 * acknowledged write must be there: what it added is found, what it removed is not.
 */
export async function runStress(options: StressOptions): Promise<StressResult> {
  const memory = { tenantId: `ten_${randomUUID()}`, memoryId: 'mem_stress' };
  const folder = await mkdtemp(join(tmpdir(), 'cairn-stress-'));
  const journalFile = join(folder, 'journal');
  const startedAt = Date.now();
  const given: StressProcessArguments = {
    url: options.url,
    workerUrl: options.workerUrl,
    memory,
    untilMs: startedAt + options.seconds * 1_000,
    journalFile,
  };
  const counts = { acknowledged: 0, unanswered: 0, present: 0, gone: 0 };
  const result: StressResult = { writes: 0, reads: 0, merges: 0, violations: [], kills: 0, journal: counts };
  const lives = [1, 2].map(async (n) => {
    const first = startProcess(given);
    await new Promise((resolve) => setTimeout(resolve, (options.seconds * 1_000 * n) / 3));
    first.child.kill('SIGKILL');
    result.kills++;
    await first.ended;
    const report = await startProcess(given).ended;
    if (report === null) result.violations.push('a process ended without a report');
    else add(result, report);
  });
  await Promise.all(lives);
  const app = createDatabase({ url: options.url, applicationName: 'index-stress', poolMax: 4 });
  const worker = createDatabase({ url: options.workerUrl, applicationName: 'index-stress-worker', poolMax: 4 });
  result.violations.push(...(await compareWithRebuild({ app, worker, memory, analyser: ANALYSER })));
  const { violations, ...checked } = await checkJournal(app, memory, parseJournal(await readFile(journalFile, 'utf8')));
  result.violations.push(...violations);
  result.journal = checked;
  await app.close();
  await worker.close();
  await rm(folder, { recursive: true });
  return result;
}

function add(result: StressResult, report: WorkloadReport): void {
  result.writes += report.writes;
  result.reads += report.reads;
  result.merges += report.merges;
  result.violations.push(...report.violations);
}

function startProcess(given: StressProcessArguments): { child: ChildProcess; ended: Promise<WorkloadReport | null> } {
  const script = new URL('./stress-process.ts', import.meta.url);
  const child = spawn(process.execPath, [script.pathname, JSON.stringify(given)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  child.stdout.on('data', (part: Buffer) => {
    output += part.toString();
  });
  const ended = new Promise<WorkloadReport | null>((resolve) => {
    child.on('close', () => resolve(output === '' ? null : (JSON.parse(output) as WorkloadReport)));
  });
  return { child, ended };
}
