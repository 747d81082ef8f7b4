import { readdir, readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { callApi, type Target, untilSettled } from '../through-http.ts';

/** A finished run as its status shows it. */
export interface FinishedRun {
  thread_id: string;
  status: string;
  list_id: string | null;
  final_report: string;
  citations: { number: number; quote: string; title: string }[];
  generated: boolean;
  error: { code: string; message: string } | null;
  cost: { input_tokens: number; output_tokens: number };
}

export interface ListRow {
  name: string;
  cells: Record<string, { value: string; evidence: { quote: string }[] }>;
}

export const START = {
  research: '/api/v1/search/research/start',
  people: '/api/v1/search/workflow/people/start',
  company: '/api/v1/search/workflow/company/start',
  crawler: '/api/v1/search/agent/agentic-crawler',
} as const;

const POLL_MS = 400;
const RUN_MAX_MS = 10 * 60_000;
const PAGE = 100;

/** Starts a run and waits for its end. */
export async function runToEnd(target: Target, path: string, body: object): Promise<FinishedRun> {
  const started = await callApi<{ thread_id: string; websocket_url?: string }>(target, 'POST', path, body);
  if (started.websocket_url !== undefined) connect(started.websocket_url);
  const deadline = Date.now() + RUN_MAX_MS;
  for (;;) {
    const status = await callApi<FinishedRun>(target, 'GET', `/api/v1/search/workflow/status/${started.thread_id}`);
    if (['completed', 'failed', 'cancelled'].includes(status.status)) return status;
    if (Date.now() > deadline) throw new Error(`${path} of ${JSON.stringify(body)} does not end: ${status.status}`);
    await sleep(POLL_MS);
  }
}

/** A held run begins when its first watcher comes, who need not stay. */
function connect(url: string): void {
  const socket = new WebSocket(url);
  socket.addEventListener('message', () => socket.close(), { once: true });
  socket.addEventListener('error', () => undefined);
}

/** All rows of a list. */
export async function rowsOf(target: Target, listId: string): Promise<ListRow[]> {
  const rows: ListRow[] = [];
  for (let page = 1; ; page += 1) {
    const path = `/api/v1/search/lists/${listId}/rows?page=${page}&limit=${PAGE}`;
    const answer = await callApi<{ data: ListRow[]; total: number }>(target, 'GET', path);
    rows.push(...answer.data);
    if (answer.data.length < PAGE) return rows;
  }
}

/** Every text that a run published in its events. */
export async function eventsOf(target: Target, threadId: string): Promise<string> {
  const response = await fetch(`${target.baseUrl}/api/v1/search/research/stream/${threadId}`, {
    headers: { 'x-api-key': target.apiKey, accept: 'text/event-stream' },
  });
  if (!response.ok) throw new Error(`events of ${threadId}: ${response.status}`);
  return response.text();
}

/** A memory with every file of a folder, as a user would upload them. */
export async function memoryOfFolder(target: Target, name: string, folder: string): Promise<string> {
  const { memory_id: memoryId } = await callApi<{ memory_id: string }>(target, 'POST', '/api/v1/memories', {
    display_name: name,
  });
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  for (const entry of entries.filter((one) => one.isFile())) {
    const path = join(entry.parentPath, entry.name);
    const form = new FormData();
    form.set('memory_id', memoryId);
    form.set('external_id', path.slice(folder.length + 1));
    form.set('file', new Blob([await readFile(path)]), basename(path));
    await callApi(target, 'POST', '/api/v1/memory/documents', form);
  }
  await untilSettled(target, memoryId);
  return memoryId;
}
