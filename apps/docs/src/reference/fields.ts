import { table } from './markdown.ts';

/** The part of JSON Schema that the OpenAPI document uses. */
export interface Schema {
  $ref?: string;
  type?: string | string[];
  format?: string;
  description?: string;
  const?: unknown;
  enum?: unknown[];
  default?: unknown;
  minimum?: number;
  maximum?: number;
  maxLength?: number;
  maxItems?: number;
  anyOf?: Schema[];
  oneOf?: Schema[];
  allOf?: Schema[];
  items?: Schema;
  properties?: Record<string, Schema>;
  required?: string[];
}

/** Named schemas of the document. */
export type Schemas = Record<string, Schema>;

export interface Field {
  name: string;
  schema: Schema;
  required: boolean;
}

/** Zod says of every integer that a program can hold it. */
const ANY_INTEGER = Number.MAX_SAFE_INTEGER;
const REF = '#/components/schemas/';

export function resolve(schema: Schema, schemas: Schemas): Schema {
  return schema.$ref === undefined ? schema : resolve(schemas[schema.$ref.slice(REF.length)]!, schemas);
}

/** The fields of an object; of alternatives, those of each, once. */
export function fieldsOf(schema: Schema, schemas: Schemas): Field[] {
  const { properties, required = [], anyOf, oneOf, allOf } = resolve(schema, schemas);
  if (properties !== undefined)
    return Object.entries(properties).map(([name, each]) => ({
      name,
      schema: each,
      required: required.includes(name),
    }));
  const alternatives = [...(anyOf ?? []), ...(oneOf ?? []), ...(allOf ?? [])];
  const found = new Map<string, Field>();
  for (const field of alternatives.flatMap((each) => fieldsOf(each, schemas)))
    if (!found.has(field.name)) found.set(field.name, { ...field, required: field.required && allOf !== undefined });
  return [...found.values()];
}

/** Name, type and meaning of each field. */
export function fieldTable(fields: readonly Field[], schemas: Schemas): string {
  const rows = fields.map(({ name, schema, required }) => [
    `\`${name}\``,
    `${typeOf(schema, schemas)}${required ? ', required' : ''}`,
    [resolve(schema, schemas).description ?? schema.description ?? '', boundsOf(resolve(schema, schemas))]
      .filter((part) => part !== '')
      .join(' '),
  ]);
  return table(['field', 'type', 'meaning'], rows);
}

function typeOf(schema: Schema, schemas: Schemas): string {
  const { type, enum: values, const: value, anyOf, oneOf, items, format, properties } = resolve(schema, schemas);
  if (value !== undefined) return `\`${JSON.stringify(value)}\``;
  if (values !== undefined) return values.map((each) => `\`${String(each)}\``).join(', ');
  const alternatives = anyOf ?? oneOf;
  if (alternatives !== undefined) return [...new Set(alternatives.map((each) => typeOf(each, schemas)))].join(' or ');
  if (items !== undefined) return `list of ${typeOf(items, schemas)}`;
  if (properties !== undefined) return 'object';
  const names = type === undefined ? ['any'] : [type].flat();
  return names.map((name) => (name === 'string' && format !== undefined ? format : name)).join(' or ');
}

function boundsOf({ default: preset, minimum, maximum, maxLength, maxItems }: Schema): string {
  const said = [
    preset === undefined ? '' : `Default \`${JSON.stringify(preset)}\`.`,
    minimum === undefined || minimum === -ANY_INTEGER || minimum === 0 ? '' : `At least ${minimum}.`,
    maximum === undefined || maximum === ANY_INTEGER ? '' : `At most ${maximum}.`,
    maxLength === undefined ? '' : `At most ${maxLength} characters.`,
    maxItems === undefined ? '' : `At most ${maxItems}.`,
  ];
  return said.filter((each) => each !== '').join(' ');
}
