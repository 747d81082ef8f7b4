import type { createDocument } from 'zod-openapi';
import type { OperationExample } from './examples.ts';

type Described = NonNullable<NonNullable<ReturnType<typeof createDocument>['paths']>[string]['get']>;
interface Media {
  example?: unknown;
}

/** Sets the examples of an operation in the document: its parameters, body and answer as they were in one call. */
export function addExample(described: Described, example: OperationExample): void {
  const { path, query, body, status, answer } = example;
  const values: Record<string, string> = { ...query, ...path };
  for (const parameter of described.parameters ?? []) {
    if ('$ref' in parameter || parameter.in === 'header') continue;
    const value = values[parameter.name];
    if (value !== undefined) parameter.example = exampleOf(value, parameter.schema);
  }
  if (body !== undefined) setExample(described.requestBody, body);
  if (answer !== undefined) setExample(described.responses?.[`${status}`], answer);
}

/** Of the first media type, which is JSON where there are several. */
function setExample(holder: unknown, example: unknown): void {
  const media = Object.values((holder as { content?: Record<string, Media> } | undefined)?.content ?? {})[0];
  if (media !== undefined) media.example = example;
}

/** Numbers travel as text in a path and a query. */
function exampleOf(value: string, schema: unknown): unknown {
  const { type } = schema as { type?: unknown };
  return type === 'integer' || type === 'number' ? Number(value) : value;
}
