import { type Answer, type ApiModel, type Call, type Field, wordsOf } from './api-model.ts';
import { marksOf, pascal, uploadName } from './call-names.ts';
import { commentOf, declarationOf, membersOf, typeOf } from './typescript-types.ts';

const HEADER = '// Written by `npm run generate:sdks` from the operations of the API. Changes here are lost.\n';
const PREFIX = '/api/v1';

/** The files of the TypeScript SDK that are made of the operations, by their path in `sdk/src/gen`. */
export function renderTypeScript(api: ApiModel): Record<string, string> {
  return { 'schemas.ts': schemasOf(api), 'resources.ts': resourcesOf(api), 'calls.ts': tableOf(api) };
}

function schemasOf({ schemas }: ApiModel): string {
  const declarations = Object.entries(schemas).map(([name, schema]) => declarationOf(name, schema));
  return `${HEADER}\n${declarations.join('\n')}`;
}

interface Branch {
  calls: Map<string, Method[]>;
  branches: Map<string, Branch>;
}

/** One signature; an operation that takes a body or a file has two. */
interface Method {
  comment: string;
  signature: string;
}

function resourcesOf(api: ApiModel): string {
  const root: Branch = { calls: new Map(), branches: new Map() };
  const types: string[] = [];
  for (const call of api.calls) {
    types.push(...typesOf(call));
    for (const [name, method] of methodsOf(call)) addTo(root, name.split('.'), method);
  }
  const body = `${types.join('\n')}\n${interfaceOf('Resources', root)}`;
  const words = new Set(body.match(/\w+/g));
  const imports = Object.keys(api.schemas)
    .filter((name) => words.has(name))
    .toSorted();
  return `${HEADER}
import type { Connection, EventStream, FileInput, NumberedPages, Pages, RequestOptions, RunHandle } from '../core/shapes.ts';
import type { ${imports.join(', ')} } from './schemas.ts';

${body}`;
}

function addTo(root: Branch, path: string[], method: Method): void {
  const at = path.slice(0, -1).reduce((branch, part) => {
    const next = branch.branches.get(part) ?? { calls: new Map(), branches: new Map() };
    branch.branches.set(part, next);
    return next;
  }, root);
  const name = path.at(-1)!;
  at.calls.set(name, [...(at.calls.get(name) ?? []), method]);
}

function interfaceOf(name: string, branch: Branch): string {
  const below = [...branch.branches].map(([part, inner]) => {
    const type =
      name === 'Resources' ? `${pascal(part)}Resource` : `${name.replace(/Resource$/, '')}${pascal(part)}Resource`;
    return { part, type, text: interfaceOf(type, inner) };
  });
  const methods = [...branch.calls].flatMap(([part, list]) =>
    list.map(({ comment, signature }) => `${comment}${part}${signature};`),
  );
  const members = [...methods, ...below.map(({ part, type }) => `readonly ${part}: ${type};`)];
  return `${below.map(({ text }) => text).join('')}export interface ${name} {\n${members.join('\n')}\n}\n\n`;
}

/** Types of what a call takes and streams, where no schema of the document has them. */
function typesOf(call: Call): string[] {
  const types: string[] = [];
  if (call.query.length > 0) types.push(`export interface ${pascal(call.id)}Params ${membersOf(call.query)}\n`);
  if (call.upload !== null)
    types.push(`export interface ${pascal(call.id)}Fields ${membersOf(call.upload.map(asObject))}\n`);
  if (call.answer.kind === 'stream') {
    // An error is thrown.
    const told = call.answer.events.filter(({ name }) => name !== 'error');
    const events = told.map(({ name, schema }) =>
      streamsItself(call)
        ? `({ type: '${name}' } & Omit<${typeOf(schema)}, 'type'>)`
        : `({ type: '${name}' } & ${typeOf(schema)})`,
    );
    types.push(`export type ${pascal(call.id)}Event = ${events.join(' | ')};\n`);
  }
  return types;
}

/** The data of an event of a run says its type itself. */
function streamsItself(call: Call): boolean {
  return call.answer.kind === 'stream' && new Set(call.answer.events.map(({ schema }) => typeOf(schema))).size === 1;
}

/** A form's field holds JSON; the SDK writes it. */
function asObject(field: Field): Field {
  return field.name === 'metadata' ? { ...field, schema: { ...field.schema, type: 'object' } } : field;
}

function methodsOf(call: Call): [string, Method][] {
  const comment = commentOf(wordsOf(call));
  const path = call.params.map(({ name }) => `${name}: string`);
  const methods: [string, Method][] = [];
  if (call.body !== null || call.upload === null) {
    const takes = [
      call.body === null ? null : typeOf(call.body),
      call.query.length === 0 ? null : `${pascal(call.id)}Params`,
    ];
    const type = takes.filter((part) => part !== null).join(' & ');
    const optional = !needs(call);
    const params = type === '' ? [] : [`params${optional ? '?' : ''}: ${type}`];
    methods.push([call.name, { comment, signature: signatureOf([...path, ...params], call) }]);
  }
  if (call.upload !== null) {
    const optional = call.upload.every(({ required }) => !required);
    const fields = `fields${optional ? '?' : ''}: ${pascal(call.id)}Fields`;
    methods.push([uploadName(call), { comment, signature: signatureOf([...path, 'file: FileInput', fields], call) }]);
  }
  return methods;
}

/** True when something must be given. */
function needs(call: Call): boolean {
  return call.query.some(({ required }) => required) || call.bodyRequired;
}

function signatureOf(parameters: string[], call: Call): string {
  return `(${[...parameters, 'options?: RequestOptions'].join(', ')}): ${returnOf(call, call.answer)}`;
}

function returnOf(call: Call, answer: Answer): string {
  switch (answer.kind) {
    case 'json':
      return `Promise<${typeOf(answer.schema)}${call.startsRun ? ' & RunHandle' : ''}>`;
    case 'page':
      return `Pages<${typeOf(answer.item)}, ${typeOf(answer.schema)}>`;
    case 'numbered':
      return `NumberedPages<${typeOf(answer.item)}, ${typeOf(answer.schema)}>`;
    case 'stream':
      return `EventStream<${pascal(call.id)}Event>`;
    case 'file':
      return 'Promise<Response>';
    case 'socket':
      return 'Promise<Connection>';
    case 'mcp':
      return 'Promise<unknown>';
  }
}

/** One line a call: name, method, path and marks; what the client reads at its first use. */
function tableOf({ calls }: ApiModel): string {
  const lines = calls.flatMap((call) => {
    const line = (name: string, marks: string[]) =>
      [
        name,
        call.method,
        call.path.startsWith(PREFIX) ? call.path.slice(PREFIX.length) : `~${call.path}`,
        ...marks,
      ].join(' ');
    const marks = marksOf(call);
    const lines = call.body !== null || call.upload === null ? [line(call.name, marks)] : [];
    return call.upload === null ? lines : [...lines, line(uploadName(call), [...marks, 'upload'])];
  });
  return `${HEADER}
/**
 * Every call: its name, method and path (from ${PREFIX}, or from the root after \`~\`), and what is special about it.
 * \`repeat\`: takes an idempotency key. \`read\`: changes nothing although it is a POST. \`oauth\`: a form without the
 * credential. \`query:a,b\`: these fields go into the query. \`page:x\`: pages by cursor with rows in \`x\`; \`numbered:x\`
 * likewise by number. \`run\`: starts one. \`memory\`: takes a memory_id. \`bare\`: takes no fields; \`empty\`: has no
 * body. \`stream\`, \`file\`, \`socket\`, \`mcp\`: what is answered. \`upload\`: takes a file.
 */
export const CALLS = \`${lines.join('\n')}\`;
`;
}
