import type { Call } from './calls.ts';
import { connect } from './connect.ts';
import { CairnError, ConnectionError, errorOf, type ProblemDetails } from './errors.ts';
import { pagesOf } from './pages.ts';
import type { EventStream, FileInput, RequestOptions } from './shapes.ts';
import { readEvents, type ServerSentEvent } from './sse.ts';
import type { PreparedCall, Transport } from './transport.ts';

type Fields = Record<string, unknown>;

/** Makes the call of the name: `invoke(transport, call, ['mem_1', { limit: 5 }])`. */
export function invoke(transport: Transport, call: Call, given: readonly unknown[], defaults: Fields): unknown {
  const args = [...given];
  const path = call.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const value = args.shift();
    // An address would lose `.` and `..`, and so name something else.
    if (typeof value !== 'string' || value === '' || value === '.' || value === '..')
      throw new TypeError(`${name} must be a text that can be part of a path`);
    return encodeURIComponent(value);
  });
  const file = call.marks.has('upload') ? (args.shift() as FileInput) : undefined;
  const [params = {}, options = {}] = takesParams(call)
    ? (args as [Fields?, RequestOptions?])
    : [{}, args[0] as RequestOptions];
  const fields: Fields = { ...(call.marks.has('memory') ? defaults : {}), ...params };
  const prepare = (more: Fields = {}) => prepared(transport, call, path, { ...fields, ...more }, options ?? {}, file);
  if (call.rows !== null)
    return pagesOf(call.rows, call.marks.has('numbered'), fields, (more) => transport.send(prepare(more), json));
  if (call.marks.has('stream')) return streamOf(transport, prepare());
  if (call.marks.has('socket')) return connect(transport, prepare());
  if (call.marks.has('file')) return transport.send(prepare(), (response) => Promise.resolve(response));
  return transport.send(prepare(), json);
}

function takesParams(call: Call): boolean {
  return !call.marks.has('bare');
}

async function json(response: Response): Promise<unknown> {
  const text = await response.text();
  return text === '' ? null : (JSON.parse(text) as unknown);
}

function prepared(
  transport: Transport,
  call: Call,
  path: string,
  fields: Fields,
  options: RequestOptions,
  file: FileInput | undefined,
): PreparedCall {
  const hasBody = call.method !== 'GET' && call.method !== 'DELETE';
  const query = new URLSearchParams();
  const body: Fields = {};
  for (const [name, value] of Object.entries(fields)) {
    if (value === undefined) continue;
    if (hasBody && !call.query.has(name)) body[name] = value;
    else query.set(name, Array.isArray(value) ? value.join(',') : String(value));
  }
  const url = `${transport.baseUrl}${path}${query.size === 0 ? '' : `?${query}`}`;
  // A search in a thread writes turns and takes no idempotency key.
  const changes = call.method === 'POST' && !call.marks.has('repeat') && !call.marks.has('oauth');
  const repeatable = !changes || (call.marks.has('read') && fields['thread_id'] === undefined);
  const request: PreparedCall = { call, url, repeatable, options };
  if (!hasBody) return request;
  if (file !== undefined) return { ...request, body: formOf(file, body) };
  if (call.marks.has('oauth')) return { ...request, body: new URLSearchParams(body as Record<string, string>) };
  if (call.marks.has('empty')) return request;
  return { ...request, body: JSON.stringify(body), contentType: 'application/json' };
}

function formOf(file: FileInput, fields: Fields): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields))
    form.append(name, typeof value === 'string' ? value : JSON.stringify(value));
  if (file instanceof Blob) form.append('file', file, 'name' in file ? String(file.name) : 'file');
  else {
    const { content, name, type } = file;
    const blob = content instanceof Blob ? content : new Blob([content], type === undefined ? {} : { type });
    form.append('file', blob, name);
  }
  return form;
}

/** Events of one request, as they come; a broken stream is an error. */
function streamOf(transport: Transport, request: PreparedCall): EventStream<Fields> {
  const left = new AbortController();
  const { signal } = request.options;
  return {
    abort: () => left.abort(),
    async *[Symbol.asyncIterator]() {
      const leave = () => left.abort(signal?.reason);
      signal?.addEventListener('abort', leave, { once: true });
      try {
        signal?.throwIfAborted();
        if (left.signal.aborted) return;
        const options = { ...request.options, signal: left.signal };
        const body = await transport.send({ ...request, options }, (response) => Promise.resolve(response.body!));
        for await (const event of readEvents(body)) yield dataOf(event);
      } catch (error) {
        signal?.throwIfAborted();
        if (left.signal.aborted) return;
        if (error instanceof CairnError) throw error;
        throw new ConnectionError('The stream broke off.', {}, null, { cause: error });
      } finally {
        signal?.removeEventListener('abort', leave);
        left.abort();
      }
    },
  };
}

function dataOf({ type, data }: ServerSentEvent): Fields {
  const value = JSON.parse(data) as Fields;
  if (type === 'error') throw errorOf({ status: 0, ...(value as ProblemDetails) }, null);
  return 'type' in value ? value : { type, ...value };
}
