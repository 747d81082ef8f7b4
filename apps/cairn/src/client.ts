import { join } from 'node:path';
import { EventSourceParserStream } from 'eventsource-parser/stream';
import { type Credentials, readJson } from './data-folder.ts';

/** An answer other than 2xx, with the service's own words. */
export class ApiError extends Error {
  readonly status: number;
  readonly code: string;
  readonly retryAfterSeconds: number;
  constructor(status: number, code: string, detail: string, retryAfterSeconds: number) {
    super(`${detail} (${status} ${code})`);
    this.name = 'ApiError';
    this.status = status;
    this.code = code;
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

export interface Client {
  baseUrl: string;
  get<T>(path: string): Promise<T>;
  post<T>(path: string, body: unknown, headers?: Record<string, string>): Promise<T>;
  /** Posts a form with a file in it. */
  upload<T>(path: string, form: FormData): Promise<T>;
  /** Posts and yields the server-sent events of the answer. */
  stream(path: string, body: unknown): AsyncGenerator<{ event: string; data: unknown }>;
}

const REQUEST_TIMEOUT_MS = 60_000;
const UPLOAD_TIMEOUT_MS = 300_000;

export function createClient(baseUrl: string, apiKey: string): Client {
  const send = async (path: string, init: RequestInit) => {
    const response = await fetch(new URL(path, baseUrl), {
      ...init,
      headers: {
        'x-api-key': apiKey,
        // A form names its own type.
        ...(init.body instanceof FormData ? {} : { 'content-type': 'application/json' }),
        ...(init.headers as Record<string, string> | undefined),
      },
    });
    if (!response.ok) throw await errorOf(response);
    return response;
  };
  return {
    baseUrl,
    async get<T>(path: string) {
      return (await send(path, { signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS) }).then((response) =>
        response.json(),
      )) as T;
    },
    async post<T>(path: string, body: unknown, headers: Record<string, string> = {}) {
      const init = {
        method: 'POST',
        body: JSON.stringify(body),
        headers,
        signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS),
      };
      return (await send(path, init).then((response) => response.json())) as T;
    },
    async upload<T>(path: string, form: FormData) {
      const init = { method: 'POST', body: form, signal: AbortSignal.timeout(UPLOAD_TIMEOUT_MS) };
      return (await send(path, init).then((response) => response.json())) as T;
    },
    async *stream(path, body) {
      const response = await send(path, { method: 'POST', body: JSON.stringify(body) });
      if (response.body === null) return;
      const events = response.body.pipeThrough(new TextDecoderStream()).pipeThrough(new EventSourceParserStream());
      for await (const { event, data } of events)
        yield { event: event ?? 'message', data: JSON.parse(data) as unknown };
    },
  };
}

async function errorOf(response: Response): Promise<ApiError> {
  const problem = (await response.json().catch(() => ({}))) as { code?: string; detail?: string };
  const wait = Number(response.headers.get('retry-after') ?? 0);
  return new ApiError(
    response.status,
    problem.code ?? 'unknown',
    problem.detail ?? response.statusText,
    Number.isFinite(wait) ? wait : 0,
  );
}

/** Where and with which key to call: what the environment says, else the credentials of the embedded start. */
export async function readConnection(settings: {
  baseUrl: string | undefined;
  apiKey: string | undefined;
  dataDir: string;
}): Promise<Client> {
  if (settings.baseUrl !== undefined && settings.apiKey !== undefined)
    return createClient(settings.baseUrl, settings.apiKey);
  const credentials = await readJson<Credentials>(join(settings.dataDir, 'credentials.json'));
  const baseUrl = settings.baseUrl ?? credentials?.base_url;
  const apiKey = settings.apiKey ?? credentials?.api_key;
  if (baseUrl === undefined || apiKey === undefined) {
    throw new Error(
      `There is no installation in ${settings.dataDir}. Run “npm start” first, or set CAIRN_BASE_URL and CAIRN_API_KEY.`,
    );
  }
  return createClient(baseUrl, apiKey);
}
