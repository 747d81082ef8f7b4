import { EXAMPLES } from '@cairn/contracts';

interface Asked {
  method: string;
  path: string;
  body: unknown;
}

interface RecordedApi {
  asked: Asked[];
  fetch: typeof fetch;
}

/** An API that answers each call as a real installation did when the examples of the reference were recorded. */
export function recordedApi(calls: Readonly<Record<string, string>>): RecordedApi {
  const asked: Asked[] = [];
  return {
    asked,
    fetch: async (url, init) => {
      const { pathname } = new URL(String(url));
      const method = init?.method ?? 'GET';
      asked.push({ method, path: pathname, body: init?.body === undefined ? null : JSON.parse(String(init.body)) });
      const example = EXAMPLES[calls[`${method} ${pathname}`] ?? ''];
      const unknown = { code: 'not_found', title: 'Not found', detail: 'there is no such document', request_id: 'r' };
      return example === undefined
        ? Response.json({ ...unknown, status: 404 }, { status: 404 })
        : Response.json(example.answer, { status: example.status });
    },
  };
}
