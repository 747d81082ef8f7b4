import { z } from 'zod';
import { createDocument, type ZodOpenApiOperationObject, type ZodOpenApiPathsObject } from 'zod-openapi';
import { EXAMPLES } from './examples.ts';
import { errorResponsesOf } from './openapi-errors.ts';
import { addExample } from './openapi-examples.ts';
import { isGuarded, type Operation } from './operation.ts';
import { TAG_DESCRIPTIONS } from './tags.ts';

export interface OpenApiInfo {
  version: string;
  serverUrl: string;
}

/** The OpenAPI 3.1 document of the operations, made from the schemas that validate them. */
export function openApiDocument(
  operations: readonly Operation[],
  info: OpenApiInfo,
): ReturnType<typeof createDocument> {
  const paths: ZodOpenApiPathsObject = {};
  for (const operation of operations) {
    const item = (paths[operation.path] ??= {});
    item[methodOf(operation)] = operationObject(operation);
  }
  const document = createDocument({
    openapi: '3.1.0',
    info: {
      title: 'Cairn',
      version: info.version,
      description: 'Memory, search and research for a whole organisation.',
      contact: { name: 'The operator of this installation', url: info.serverUrl },
      license: { name: 'All rights reserved', identifier: 'LicenseRef-AllRightsReserved' },
    },
    servers: [{ url: info.serverUrl }],
    security: [{ apiKey: [] }, { bearer: [] }],
    tags: tagsOf(operations),
    paths,
    components: {
      securitySchemes: {
        apiKey: { type: 'apiKey', in: 'header', name: 'x-api-key' },
        bearer: { type: 'http', scheme: 'bearer' },
        oauthClient: { type: 'http', scheme: 'basic' },
      },
    },
  });
  for (const operation of operations) {
    const example = EXAMPLES[operation.id];
    if (example !== undefined) addExample(document.paths![operation.path]![methodOf(operation)]!, example);
  }
  return document;
}

function methodOf(operation: Operation): 'get' {
  return operation.method.toLowerCase() as 'get';
}

function tagsOf(operations: readonly Operation[]): { name: string; description?: string }[] {
  return [...new Set(operations.map(({ tag }) => tag))].map((name) => {
    const description = TAG_DESCRIPTIONS[name];
    return description === undefined ? { name } : { name, description };
  });
}

/**
 * The schema under a name of the document, so that generated clients have types with names: its own, or one made of
 * the operation's.
 */
function named(schema: z.ZodType, operation: Operation, role: string): z.ZodType {
  const meta = schema.meta();
  return meta?.id === undefined ? schema.meta({ ...meta, id: capital(operation.id) + role }) : schema;
}

function capital(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}

function operationObject(operation: Operation): ZodOpenApiOperationObject {
  const parameters: NonNullable<ZodOpenApiOperationObject['requestParams']> = {};
  if (operation.params !== undefined) parameters.path = operation.params as never;
  if (operation.query !== undefined) parameters.query = operation.query as never;
  if (isGuarded(operation) && operation.idempotent === true)
    parameters.header = z.object({ 'idempotency-key': z.string().min(1).max(255).optional() });
  const oauth = !isGuarded(operation) && operation.speaks === 'oauth';
  const media = oauth ? 'application/x-www-form-urlencoded' : 'application/json';
  return {
    operationId: operation.id,
    summary: operation.summary,
    description: operation.description,
    tags: [operation.tag],
    ...securityOf(operation),
    requestParams: parameters,
    ...requestBodyOf(operation, media),
    responses: {
      ...successOf(operation),
      ...errorResponsesOf(operation),
    },
  };
}

const UploadedFile = z.string().meta({ type: 'string', format: 'binary' });

function requestBodyOf(operation: Operation, media: string): Pick<ZodOpenApiOperationObject, 'requestBody'> {
  const content: NonNullable<ZodOpenApiOperationObject['requestBody']>['content'] = {};
  if (operation.body !== undefined) content[media] = { schema: named(operation.body, operation, 'Request') };
  if (operation.upload !== undefined) {
    const schema = z.strictObject({ file: UploadedFile, ...operation.upload.fields.shape });
    content['multipart/form-data'] = { schema: named(schema, operation, 'Upload') };
  }
  return Object.keys(content).length === 0 ? {} : { requestBody: { required: true, content } };
}

/** A client of OAuth authenticates by Basic or in the body; other open operations take nobody's word. */
function securityOf(operation: Operation): Pick<ZodOpenApiOperationObject, 'security'> & Record<string, unknown> {
  if (isGuarded(operation)) return operation.scope === null ? {} : { 'x-cairn-scope': operation.scope };
  return { security: operation.speaks === 'oauth' ? [{ oauthClient: [] }, {}] : [] };
}

function successOf(operation: Operation): ZodOpenApiOperationObject['responses'] {
  if (operation.response.kind === 'json') {
    const { status, schema } = operation.response;
    const content = { 'application/json': { schema: named(schema, operation, 'Response') } };
    return { [`${status}`]: { description: operation.summary, content } };
  }
  if (operation.response.kind === 'socket')
    return { '101': { description: 'The connection is a WebSocket from here on.' } };
  if (operation.response.kind === 'file') {
    const content = Object.fromEntries(operation.response.mediaTypes.map((type) => [type, { schema: z.string() }]));
    return { '200': { description: operation.summary, content } };
  }
  if (operation.response.kind === 'mcp') {
    const content = { 'application/json': { schema: z.looseObject({ jsonrpc: z.literal('2.0') }) } };
    return {
      '200': { description: 'A message of the Model Context Protocol.', content },
      '202': { description: 'Taken.' },
    };
  }
  const events = Object.entries(operation.response.events).map(([name, schema]) =>
    named(schema, operation, `${capital(name)}Event`),
  );
  const names = Object.keys(operation.response.events).join(', ');
  return {
    '200': {
      description: `Server-sent events, in this order: ${names}.`,
      content: {
        'text/event-stream': { schema: anyOf([...new Set(events)]) },
      },
    },
  };
}

function anyOf(schemas: readonly z.ZodType[]): z.ZodType {
  const [first, second, ...others] = schemas;
  return first !== undefined && second === undefined ? first : z.union([first!, second!, ...others]);
}
