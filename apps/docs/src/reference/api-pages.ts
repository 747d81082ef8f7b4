import {
  errorsOf,
  EXAMPLES,
  isGuarded,
  largestBodyOf,
  openApiDocument,
  type Operation,
  type OperationExample,
  OPERATIONS,
} from '@cairn/contracts';
import { type ApiCall, samplesOf } from '@cairn/pages';
import type { Page } from '../page.ts';
import { type Field, fieldsOf, fieldTable, resolve, type Schema, type Schemas } from './fields.ts';
import { fence, kebab } from './markdown.ts';

/** Where an installation is that was started without settings. */
const ORIGIN = 'http://127.0.0.1:8080';
const API_ROOT = '/api/v1';
const BYTES = 1_024;
/** Longer answers are cut: the fields below them say what the rest is. */
const ANSWER_MAX_CHARS = 4_000;

interface Described {
  parameters?: { in: string; name: string; required?: boolean; schema: Schema; description?: string }[];
  requestBody?: { content: Record<string, { schema: Schema }> };
  responses: Record<string, { content?: Record<string, { schema: Schema }> }>;
}

export function apiSlugOf(tag: string): string {
  return `reference/api/${kebab(tag)}`;
}

/** Where an operation is on the page of its resource; its heading is its id. */
export function anchorOf({ id }: Operation): string {
  return id.toLowerCase();
}

/** One page for each resource, with every operation on it. */
export function apiPages(): Page[] {
  const document = JSON.parse(JSON.stringify(openApiDocument(OPERATIONS, { version: '0', serverUrl: ORIGIN }))) as {
    paths: Record<string, Record<string, Described>>;
    tags: { name: string; description?: string }[];
    components: { schemas: Schemas };
  };
  const { schemas } = document.components;
  const descriptions = new Map(document.tags.map(({ name, description = name }) => [name, description]));
  const everywhere = commonErrors();
  return [...Map.groupBy(OPERATIONS, ({ tag }) => tag)].map(([tag, operations]) => ({
    slug: apiSlugOf(tag),
    title: tag,
    description: descriptions.get(tag) ?? tag,
    body: [
      descriptions.get(tag) ?? '',
      `Try them at [/docs/try](/docs/try). [How the API behaves](/docs/reference/behaviour) says what a reference cannot.`,
      ...operations.map((operation) => {
        const described = document.paths[operation.path]![operation.method.toLowerCase()]!;
        return sectionOf(operation, described, schemas, everywhere);
      }),
      '',
    ].join('\n\n'),
  }));
}

/** Those that every guarded operation may be answered with. */
function commonErrors(): ReadonlySet<string> {
  const [first = [], ...others] = OPERATIONS.filter(isGuarded).map((operation) => errorsOf(operation));
  return new Set(first.filter((code) => others.every((codes) => codes.includes(code))));
}

function sectionOf(
  operation: Operation,
  described: Described,
  schemas: Schemas,
  everywhere: ReadonlySet<string>,
): string {
  const example = EXAMPLES[operation.id];
  const own = errorsOf(operation).filter((code) => !everywhere.has(code));
  return [
    `## ${operation.id}`,
    `**${operation.summary}.** ${operation.description}`,
    fence('http', `${operation.method} ${operation.path}`),
    factsOf(operation),
    ...parametersOf(described, schemas),
    ...bodiesOf(described, schemas),
    samplesFor(operation, example),
    ...answerOf(example, described, schemas),
    own.length === 0
      ? ''
      : `Errors beside those of every call: ${own.map((code) => `[\`${code}\`](/docs/errors#${code})`).join(', ')}.`,
  ]
    .filter((part) => part !== '')
    .join('\n\n');
}

function factsOf(operation: Operation): string {
  const facts: string[] = [];
  if (!isGuarded(operation)) facts.push('Takes no credential.');
  else {
    facts.push(operation.scope === null ? 'Any valid credential may call it.' : `Scope \`${operation.scope}\`.`);
    facts.push(
      operation.reach === 'memory'
        ? 'Also for keys of one memory, and on its hostname.'
        : 'Not for keys of one memory.',
    );
    if (operation.idempotent === true)
      facts.push('Takes an [`Idempotency-Key`](/docs/guides/retries-and-idempotency).');
  }
  if (operation.body !== undefined)
    facts.push(`The body has at most ${Math.floor(largestBodyOf(operation, undefined) / BYTES)} KiB.`);
  return facts.join(' ');
}

function parametersOf({ parameters = [] }: Described, schemas: Schemas): string[] {
  return [
    { place: 'path', title: 'In the path' },
    { place: 'query', title: 'In the query' },
  ].flatMap(({ place, title }) => {
    const fields: Field[] = parameters
      .filter((parameter) => parameter.in === place)
      .map(({ name, required, schema, description }) => ({
        name,
        required: required === true,
        schema: description === undefined ? schema : { ...schema, description },
      }));
    return fields.length === 0 ? [] : [`**${title}**`, fieldTable(fields, schemas)];
  });
}

function bodiesOf({ requestBody }: Described, schemas: Schemas): string[] {
  return Object.entries(requestBody?.content ?? {}).flatMap(([media, { schema }]) => {
    const fields = fieldsOf(schema, schemas);
    const title = media === 'application/json' ? 'In the body' : `As \`${media}\``;
    return fields.length === 0 ? [] : [`**${title}**`, fieldTable(fields, schemas)];
  });
}

function samplesFor(operation: Operation, example: OperationExample | undefined): string {
  const { kind } = operation.response;
  if (example === undefined || kind === 'socket' || kind === 'mcp') return '';
  const call = callOf(operation, example);
  const { curl, typescript, python } = samplesOf(call, ORIGIN);
  return [
    '<cairn-languages>',
    fence('sh title="curl"', curl),
    fence('ts title="TypeScript"', typescript),
    fence('python title="Python"', python),
    '</cairn-languages>',
  ].join('\n\n');
}

function callOf(operation: Operation, { path = {}, query, body }: OperationExample): ApiCall {
  const filled = operation.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => path[name] ?? name);
  const { kind } = operation.response;
  return {
    name: operation.sdk,
    method: operation.method,
    path: filled.startsWith(API_ROOT) ? filled.slice(API_ROOT.length) : `~${filled}`,
    ids: Object.values(path),
    ...(query === undefined ? {} : { query }),
    ...(body === undefined ? {} : { body: body as Record<string, unknown> }),
    answer: kind === 'stream' || kind === 'file' ? kind : 'json',
    isPublic: !isGuarded(operation),
    isForm: !isGuarded(operation) && operation.speaks === 'oauth',
  };
}

/** What came back in the recorded call, and what its fields mean. */
function answerOf(example: OperationExample | undefined, described: Described, schemas: Schemas): string[] {
  const parts: string[] = [];
  const success = Object.keys(described.responses).find((status) => status.startsWith('2'));
  const schema = described.responses[success ?? '']?.content?.['application/json']?.schema;
  if (example?.answer !== undefined) {
    const isText = typeof example.answer === 'string';
    const text = isText ? (example.answer as string) : JSON.stringify(example.answer, null, 2);
    const shown = text.length > ANSWER_MAX_CHARS ? `${text.slice(0, ANSWER_MAX_CHARS)}\n…` : text;
    parts.push(`**Answer ${example.status}**`, fence(isText ? 'text' : 'json', shown));
  }
  if (schema !== undefined) {
    const fields = fieldsOf(resolve(schema, schemas), schemas);
    if (fields.length > 0) parts.push('**Its fields**', fieldTable(fields, schemas));
  }
  return parts;
}
