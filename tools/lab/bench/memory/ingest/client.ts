import { setTimeout as sleep } from 'node:timers/promises';

/** An installation and a key to it. */
export interface Target {
  baseUrl: string;
  apiKey: string;
}

export interface DocumentState {
  doc_id: string;
  status: string;
  external_id: string | null;
  error: { code: string } | null;
  chunks: number;
}

export const DOCUMENTS = '/api/v1/memory/documents';
const PAGE = 200;

/** Calls the API; what a restart or a full queue refuses is sent again until it is answered. */
export async function call<T>(target: Target, method: string, path: string, body?: unknown): Promise<T> {
  for (;;) {
    const response = await tryCall(target, method, path, body).catch(() => null);
    if (response?.ok === true) return (await response.json()) as T;
    const status = response?.status ?? 0;
    if (status !== 0 && status !== 409 && status !== 429 && status < 500)
      throw new Error(`${method} ${path}: ${status} ${await response!.text()}`);
    await sleep(1_000 * Number(response?.headers.get('retry-after') ?? 0.2));
  }
}

function tryCall(target: Target, method: string, path: string, body: unknown): Promise<Response> {
  const isForm = body instanceof FormData;
  return fetch(target.baseUrl + path, {
    method,
    headers: {
      'x-api-key': target.apiKey,
      ...(body === undefined || isForm ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: isForm ? body : JSON.stringify(body) }),
  });
}

export function formOf(name: string, bytes: Uint8Array, fields: Record<string, string> = {}): FormData {
  const form = new FormData();
  for (const [field, value] of Object.entries(fields)) form.append(field, value);
  form.append('file', new Blob([new Uint8Array(bytes)]), name);
  return form;
}

/** Every document of a memory. */
export async function allDocuments(target: Target, memoryId?: string): Promise<DocumentState[]> {
  const seen: DocumentState[] = [];
  let cursor = '';
  do {
    const query = new URLSearchParams({ limit: String(PAGE) });
    if (cursor !== '') query.set('cursor', cursor);
    if (memoryId !== undefined) query.set('memory_id', memoryId);
    const page = await call<{ documents: DocumentState[]; next_cursor?: string }>(
      target,
      'GET',
      `${DOCUMENTS}?${query}`,
    );
    seen.push(...page.documents);
    cursor = page.next_cursor ?? '';
  } while (cursor !== '');
  return seen;
}

/** What a document became. */
export async function finalDocument(target: Target, docId: string): Promise<DocumentState> {
  for (;;) {
    const document = await call<DocumentState>(target, 'GET', `${DOCUMENTS}/${docId}`);
    if (document.status === 'completed' || document.status === 'failed') return document;
    await sleep(50);
  }
}
