import { setTimeout as sleep } from 'node:timers/promises';
import type { RunningCairn } from '@cairn/testing';
import { CRITERIA, generateBiographies, type Person } from '../../../../apps/research/tests/biographies.ts';

export interface CriterionMeasurement {
  name: string;
  prompt: string;
  wanted: number;
  listed: number;
  precision: number;
  recall: number;
  /** Cells with at least one quote, and quotes that occur in the memory. */
  cells: number;
  cellsWithEvidence: number;
}

const BATCH = 50;
const SETTLED_MS = 240_000;
const TARGET = 1_000;

/**
 * Stores the generated biographies in a memory of their own and searches it for each criterion, through the gateway.
 */
export async function measurePeople(cairn: RunningCairn, seed: number): Promise<CriterionMeasurement[]> {
  const { documents, people } = generateBiographies(seed);
  const call = async (method: string, path: string, body?: unknown) => {
    const response = await fetch(`${cairn.baseUrl}/api/v1${path}`, {
      method,
      headers: { 'x-api-key': cairn.apiKey, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    if (!response.ok) throw new Error(`${method} ${path}: ${await response.text()}`);
    return (await response.json()) as never;
  };
  const { memory_id } = (await call('POST', '/memories', { display_name: 'Biographies' })) as { memory_id: string };
  for (let at = 0; at < documents.length; at += BATCH) {
    const some = documents.slice(at, at + BATCH).map(({ title, text }) => ({ title, content: text }));
    await call('POST', '/memory/documents', { memory_id, documents: some });
  }
  await until(async () => {
    const path = `/memory/documents?memory_id=${memory_id}&status=completed&limit=200`;
    const listed = (await call('GET', path)) as { documents: unknown[]; next_cursor?: string | null };
    return listed.documents.length >= Math.min(documents.length, 200);
  });
  const measured: CriterionMeasurement[] = [];
  for (const [name, prompt, is] of CRITERIA) {
    const body = { prompt, memory_id, search_mode: 'deep', total_target: TARGET, config: { sources: ['memory'] } };
    const { thread_id } = (await call('POST', '/search/workflow/people/start', body)) as { thread_id: string };
    let status = { status: '', list_id: '' };
    await until(async () => {
      status = (await call('GET', `/search/workflow/status/${thread_id}`)) as typeof status;
      return status.status === 'completed' || status.status === 'failed';
    });
    const rows = (await call('GET', `/search/lists/${status.list_id}/rows?limit=200`)) as { data: Row[] };
    measured.push({ name, prompt, ...judge(rows.data, people.filter(is)) });
  }
  return measured;
}

interface Row {
  name: string;
  cells: Record<string, { evidence: { quote: string }[] }>;
}

/** Namesakes are two people, so names are counted with multiplicity. */
function judge(rows: readonly Row[], wanted: readonly Person[]) {
  const left = wanted.map(({ name }) => name);
  let right = 0;
  for (const { name } of rows) {
    const at = left.indexOf(name);
    if (at < 0) continue;
    left.splice(at, 1);
    right += 1;
  }
  const cells = rows.flatMap((row) => Object.values(row.cells));
  return {
    wanted: wanted.length,
    listed: rows.length,
    precision: right / Math.max(1, rows.length),
    recall: right / Math.max(1, wanted.length),
    cells: cells.length,
    cellsWithEvidence: cells.filter(({ evidence }) => evidence.some(({ quote }) => quote !== '')).length,
  };
}

async function until(done: () => Promise<boolean>): Promise<void> {
  const deadline = Date.now() + SETTLED_MS;
  while (!(await done())) {
    if (Date.now() > deadline) throw new Error('it did not settle in time');
    await sleep(500);
  }
}
