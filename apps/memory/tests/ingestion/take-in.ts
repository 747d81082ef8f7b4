import { eventually } from '@cairn/testing';
import type { BootedMemory, Caller } from '../memory-harness.ts';

export const DOCUMENTS = '/api/v1/memory/documents';

/** What a document is once it ended, whichever way. */
export async function ended(memory: BootedMemory, caller: Caller, docId: string) {
  const deadline = Date.now() + 90_000;
  for (;;) {
    const { body } = await memory.call(caller, 'GET', `${DOCUMENTS}/${docId}`);
    if (body.status === 'completed' || body.status === 'failed') return body;
    if (Date.now() > deadline) throw new Error(`still ${JSON.stringify(body)}`);
    await new Promise((resolve) => setTimeout(resolve, 30));
  }
}

/** Sends a file as a form and gives the answer. */
export async function upload(
  memory: BootedMemory,
  caller: Caller,
  file: { name: string; bytes: Buffer; type?: string } | null,
  fields: Record<string, string> = {},
  headers: Record<string, string> = {},
) {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.append(name, value);
  if (file !== null)
    form.append(
      'file',
      new Blob([new Uint8Array(file.bytes)], { type: file.type ?? 'application/octet-stream' }),
      file.name,
    );
  const response = await memory.fetchAs(caller)(memory.url + DOCUMENTS, { method: 'POST', headers, body: form });
  // The specs look into bodies of every shape.
  // oxlint-disable-next-line typescript/no-explicit-any
  const body = (await response.json()) as any;
  return { status: response.status, headers: response.headers, body };
}

/** Sends a file and gives what became of it. */
export async function uploaded(
  memory: BootedMemory,
  caller: Caller,
  name: string,
  bytes: Buffer,
  fields: Record<string, string> = {},
) {
  const { status, body } = await upload(memory, caller, { name, bytes }, fields);
  if (status !== 202) throw new Error(`not accepted: ${JSON.stringify(body)}`);
  return ended(memory, caller, body.documents[0].doc_id);
}

/** Sends documents and gives what became of them. */
export async function takenIn(memory: BootedMemory, caller: Caller, documents: Record<string, unknown>[]) {
  const answer = await memory.call(caller, 'POST', DOCUMENTS, { documents });
  if (answer.status !== 202) throw new Error(`not accepted: ${JSON.stringify(answer.body)}`);
  const all = [];
  for (const { doc_id } of answer.body.documents) all.push(await ended(memory, caller, doc_id));
  return all;
}

/** Texts that a search finds. */
export async function found(memory: BootedMemory, caller: Caller, query: string, more: Record<string, unknown> = {}) {
  const { body } = await memory.call(caller, 'POST', '/api/v1/memory/search', { query, top_k: 50, ...more });
  return body.results as { text: string; doc_id: string; title: string; location: Record<string, unknown> }[];
}

/** The memory's events of these kinds, as they wait in the outbox or were published; oldest first. */
export async function eventsOf(memory: BootedMemory, caller: Caller, ...kinds: string[]) {
  const events = await memory.events(caller.identity.tenantId);
  return events.filter((event) => kinds.length === 0 || kinds.includes(event.payload.case ?? ''));
}

/** Starts a job over documents and waits for its end. */
export async function jobDone(
  memory: BootedMemory,
  caller: Caller,
  kind: 'delete' | 'retry',
  body: Record<string, unknown>,
) {
  const answer = await memory.call(caller, 'POST', `${DOCUMENTS}/${kind}`, body);
  if (answer.status !== 202) throw new Error(`not accepted: ${JSON.stringify(answer.body)}`);
  const ended = await eventually(
    () => memory.call(caller, 'GET', `/api/v1/memory/jobs/${answer.body.job.job_id}`),
    (job) => job.body.status === 'completed',
  );
  return ended.body;
}
