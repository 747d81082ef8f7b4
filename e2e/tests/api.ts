import { recordSecrets } from './secret-watch.ts';

export interface ApiAnswer {
  status: number;
  headers: Headers;
  // The specs look into bodies of every shape.
  // oxlint-disable-next-line typescript/no-explicit-any
  body: any;
}

/** One call as a user makes it; when the key's rate is used up it waits as it is told to. */
export async function api(
  baseUrl: string,
  apiKey: string | null,
  method: string,
  path: string,
  body?: unknown,
  headers: Record<string, string> = {},
): Promise<ApiAnswer> {
  for (;;) {
    const answer = await send(baseUrl, apiKey, method, path, body, headers);
    if (answer.status !== 429 || answer.body.code !== 'rate_limited') return answer;
    await new Promise((resolve) => setTimeout(resolve, 1_000 * Number(answer.headers.get('retry-after'))));
  }
}

async function send(
  baseUrl: string,
  apiKey: string | null,
  method: string,
  path: string,
  body: unknown,
  headers: Record<string, string>,
): Promise<ApiAnswer> {
  const response = await fetch(baseUrl + path, {
    method,
    headers: {
      ...(apiKey === null ? {} : { 'x-api-key': apiKey }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
  const text = await response.text();
  const json = /[/+]json\b/.test(response.headers.get('content-type') ?? '');
  if (json) recordSecrets(JSON.parse(text));
  return { status: response.status, headers: response.headers, body: json ? JSON.parse(text) : text };
}

/** Opens a session of the console for a key; `cookie` is what a browser sends from then on. */
export async function openSession(baseUrl: string, apiKey: string): Promise<{ sessionId: string; cookie: string }> {
  const opened = await api(baseUrl, null, 'POST', '/api/v1/console/sessions', { api_key: apiKey });
  if (opened.status !== 200) throw new Error(`no session: ${JSON.stringify(opened.body)}`);
  return { sessionId: opened.body.session_id, cookie: opened.headers.get('set-cookie')!.split(';', 1)[0]! };
}

/** Ingests texts in one batch and waits until they are searchable. */
export async function ingest(
  baseUrl: string,
  apiKey: string,
  documents: Record<string, unknown>[],
  { timeoutMs = 60_000, memory_id }: { timeoutMs?: number; memory_id?: string } = {},
): Promise<string[]> {
  const accepted = await api(baseUrl, apiKey, 'POST', '/api/v1/memory/documents', { documents, memory_id });
  if (accepted.status !== 202) throw new Error(`not accepted: ${JSON.stringify(accepted.body)}`);
  const ids: string[] = accepted.body.documents.map((document: { doc_id: string }) => document.doc_id);
  const deadline = Date.now() + timeoutMs;
  for (;;) {
    const list = await api(
      baseUrl,
      apiKey,
      'GET',
      `/api/v1/memory/documents?status=completed${memory_id === undefined ? '' : `&memory_id=${memory_id}`}`,
    );
    const completed = new Set<string>(list.body.documents.map((document: { doc_id: string }) => document.doc_id));
    if (ids.every((id) => completed.has(id))) return ids;
    if (Date.now() > deadline) throw new Error('not completed in time');
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}
