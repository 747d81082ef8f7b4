import { openApiDocument, type Operation, OPERATIONS } from '@cairn/contracts';

/** The part of JSON Schema that the OpenAPI document uses. */
export interface Schema {
  $ref?: string;
  type?: string | string[];
  format?: string;
  description?: string;
  const?: unknown;
  enum?: unknown[];
  anyOf?: Schema[];
  oneOf?: Schema[];
  allOf?: Schema[];
  items?: Schema;
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: Schema | boolean;
}

/** A parameter of a path or of a query. */
export interface Field {
  name: string;
  schema: Schema;
  required: boolean;
}

/**
 * How a client takes the answer. A `page` is followed by its cursor, `numbered` pages by their number; `items` is the
 * field that has the rows.
 */
export type Answer =
  | { kind: 'json'; schema: Schema }
  | { kind: 'page'; schema: Schema; items: string; item: Schema }
  | { kind: 'numbered'; schema: Schema; items: string; item: Schema }
  | { kind: 'stream'; events: { name: string; schema: Schema }[] }
  | { kind: 'file' | 'socket' | 'mcp' };

/** One call of an SDK. */
export interface Call {
  id: string;
  /** `documents.list` */
  name: string;
  method: string;
  path: string;
  summary: string;
  /** Sentences, or nothing. */
  description: string;
  scope: string | null;
  params: Field[];
  query: Field[];
  /** The JSON or form body. */
  body: Schema | null;
  bodyRequired: boolean;
  /** The fields beside the file. */
  upload: Field[] | null;
  idempotent: boolean;
  /** Means a memory, so that a client of one memory names it. */
  takesMemory: boolean;
  /** Starts a run, so that its answer can follow it. */
  startsRun: boolean;
  /** Asks and changes nothing although it is a POST, so that it can be repeated. */
  readsOnly: boolean;
  /** RFC 6749: a form without the credential. */
  oauth: boolean;
  answer: Answer;
}

/** What a method's documentation says: summary, description, scope. */
export function wordsOf(call: Pick<Call, 'summary' | 'description' | 'scope'>): string {
  const scope = call.scope === null ? '' : `Scope: \`${call.scope}\`.`;
  return [`${call.summary.replace(/\.$/, '')}.`, call.description, scope].filter((part) => part !== '').join(' ');
}

export interface ApiModel {
  calls: Call[];
  schemas: Record<string, Schema>;
}

const RUN_PATHS = '/api/v1/search/';

interface DescribedOperation {
  parameters?: { in: string; name: string; required?: boolean; schema: Schema; description?: string }[];
  requestBody?: { content: Record<string, { schema: Schema }> };
  responses: Record<string, { content?: Record<string, { schema: Schema }> }>;
}

/** What both SDKs are made of: the operations, with the schemas of the OpenAPI document. */
export function readApi(operations: readonly Operation[] = OPERATIONS): ApiModel {
  const document = JSON.parse(
    JSON.stringify(openApiDocument(operations, { version: '0', serverUrl: 'http://localhost' })),
  ) as {
    paths: Record<string, Record<string, DescribedOperation>>;
    components: { schemas: Record<string, Schema> };
  };
  const { schemas } = document.components;
  const calls = operations.map((operation) =>
    callOf(operation, document.paths[operation.path]![operation.method.toLowerCase()]!, schemas),
  );
  return { calls, schemas };
}

/** A query spells a truth value out; a program has one. */
function asBoolean(schema: Schema): Schema {
  const { enum: words, type: _type, ...rest } = schema;
  return words?.join() === 'true,false' ? { ...rest, type: 'boolean' } : schema;
}

function callOf(operation: Operation, described: DescribedOperation, schemas: Record<string, Schema>): Call {
  const fields = (place: string): Field[] =>
    (described.parameters ?? [])
      .filter((parameter) => parameter.in === place)
      .map(({ name, schema, required, description }) => ({
        name,
        schema: { ...asBoolean(schema), ...(description === undefined ? {} : { description }) },
        required: required === true,
      }));
  const content = described.requestBody?.content ?? {};
  const upload = content['multipart/form-data']?.schema;
  const body = content['application/json']?.schema ?? content['application/x-www-form-urlencoded']?.schema ?? null;
  const names = [fields('query'), body === null ? [] : fieldsOf(resolve(body, schemas))].flat().map(({ name }) => name);
  const guarded = operation.credential !== 'none';
  return {
    id: operation.id,
    name: operation.sdk,
    method: operation.method,
    path: operation.path,
    summary: operation.summary,
    description: operation.description,
    scope: guarded ? operation.scope : null,
    params: fields('path'),
    query: fields('query'),
    body,
    bodyRequired: body !== null && (resolve(body, schemas).required ?? []).length > 0,
    upload: upload === undefined ? null : fieldsOf(resolve(upload, schemas)).filter(({ name }) => name !== 'file'),
    idempotent: guarded && operation.idempotent === true,
    takesMemory: operation.service !== 'keys' && names.includes('memory_id'),
    startsRun: operation.path.startsWith(RUN_PATHS) && operation.sdk.startsWith('runs.start'),
    // A tool of MCP may write.
    readsOnly:
      guarded && operation.action === 'read' && operation.method === 'POST' && operation.response.kind !== 'mcp',
    oauth: !guarded && operation.speaks === 'oauth',
    answer: answerOf(operation, described, schemas),
  };
}

function answerOf(operation: Operation, described: DescribedOperation, schemas: Record<string, Schema>): Answer {
  const { response } = operation;
  if (response.kind === 'stream') {
    const union = described.responses['200']!.content!['text/event-stream']!.schema;
    const options = union.anyOf ?? [union];
    const names = Object.keys(response.events);
    // Events of one shape are told once.
    return {
      kind: 'stream',
      events: names.map((name, index) => ({ name, schema: options[options.length === 1 ? 0 : index]! })),
    };
  }
  if (response.kind !== 'json') return { kind: response.kind };
  const schema = described.responses[`${response.status}`]!.content!['application/json']!.schema;
  const { properties = {} } = resolve(schema, schemas);
  const lists = Object.entries(properties).filter(([, property]) => property.type === 'array');
  const isNumbered = (described.parameters ?? []).some(({ in: place, name }) => place === 'query' && name === 'page');
  if (lists.length !== 1) return { kind: 'json', schema };
  const [items, list] = lists[0]!;
  if ('next_cursor' in properties) return { kind: 'page', schema, items, item: list.items! };
  if (isNumbered) return { kind: 'numbered', schema, items, item: list.items! };
  return { kind: 'json', schema };
}

/** The schema itself, when it is a reference. */
export function resolve(schema: Schema, schemas: Record<string, Schema>): Schema {
  return schema.$ref === undefined ? schema : resolve(schemas[nameOf(schema.$ref)]!, schemas);
}

/** `Document` for `#/components/schemas/Document`. */
export function nameOf(reference: string): string {
  return reference.slice(reference.lastIndexOf('/') + 1);
}

export function fieldsOf(schema: Schema): Field[] {
  const required = new Set(schema.required);
  return Object.entries(schema.properties ?? {}).map(([name, property]) => ({
    name,
    schema: property,
    required: required.has(name),
  }));
}
