import { WEBHOOK_EVENTS } from '@cairn/contracts';
import { type ApiModel, type Call, type Field, fieldsOf, resolve, type Schema } from './api-model.ts';
import { uploadName } from './call-names.ts';

const HEADER = '// Written by `npm run generate:sdks` from the operations of the API. Changes here are lost.\n';

/** What the command line knows of operations and events, by the file's path in `apps/cairn/src/gen`. */
export function renderCommandLine(api: ApiModel): Record<string, string> {
  const lines = api.calls.flatMap((call) => linesOf(call, api.schemas));
  return {
    'calls.ts': `${HEADER}
/**
 * Every operation: its id, its name in the SDK, what is answered (\`+file\`: a file is sent; \`-bare\`: there are no
 * fields), what the path names, and the fields; those with \`:j\` are read as JSON.
 */
export const CALL_LIST = \`${lines.join('\n')}\`;
`,
    'webhook-events.ts': `${HEADER}
/** What webhooks can subscribe to; the stream sends more. */
export const WEBHOOK_EVENTS: readonly string[] = [
${WEBHOOK_EVENTS.map((event) => `  '${event}',\n`).join('')}];
`,
  };
}

/** An operation that takes a body or a file is two calls; the second has the id of the first and a name of its own. */
function linesOf(call: Call, schemas: Record<string, Schema>): string[] {
  const { answer, body, query, upload } = call;
  const plain = answer.kind === 'page' || answer.kind === 'numbered' || answer.kind === 'mcp' ? 'json' : answer.kind;
  const params = call.params.map(({ name }) => name).join(',') || '-';
  const line = (id: string, name: string, kind: string, fields: Field[]) =>
    [id, name, kind, params, fields.map((field) => textOf(field, schemas)).join(',') || '-'].join(' ');
  const fields = [...query, ...(body === null ? [] : fieldsOf(resolve(body, schemas)))];
  const isBare = query.length === 0 && body === null;
  return [
    ...(body !== null || upload === null ? [line(call.id, call.name, isBare ? `${plain}-bare` : plain, fields)] : []),
    ...(upload === null
      ? []
      : [line(body === null ? call.id : uploadName(call), uploadName(call), `${plain}+file`, [...query, ...upload])]),
  ];
}

function textOf({ name, schema }: Field, schemas: Record<string, Schema>): string {
  const { type, enum: words, const: only } = resolve(schema, schemas);
  const isText =
    type === 'string' || typeof only === 'string' || (words?.every((word) => typeof word === 'string') ?? false);
  return isText ? name : `${name}:j`;
}
