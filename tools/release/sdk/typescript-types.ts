import { type Field, nameOf, type Schema } from './api-model.ts';

const WORDS: Record<string, string> = { integer: 'number', number: 'number', boolean: 'boolean', null: 'null' };

/** The type of a value, in TypeScript. */
export function typeOf(schema: Schema): string {
  if (schema.$ref !== undefined) return nameOf(schema.$ref);
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum !== undefined) return schema.enum.map((value) => JSON.stringify(value)).join(' | ');
  const options = schema.anyOf ?? schema.oneOf;
  if (options !== undefined) return [...new Set(options.map(typeOf))].join(' | ');
  if (schema.allOf !== undefined) return schema.allOf.map((part) => grouped(typeOf(part))).join(' & ');
  if (Array.isArray(schema.type))
    return [...new Set(schema.type.map((type) => typeOf({ ...schema, type })))].join(' | ');
  if (schema.type === 'array') return `${grouped(typeOf(schema.items ?? {}))}[]`;
  if (schema.type === 'object') return objectOf(schema);
  if (schema.type === 'string') return 'string';
  return WORDS[schema.type ?? ''] ?? 'unknown';
}

function objectOf(schema: Schema): string {
  const fields = Object.entries(schema.properties ?? {});
  const rest = typeof schema.additionalProperties === 'object' ? typeOf(schema.additionalProperties) : null;
  if (fields.length === 0) return `Record<string, ${rest ?? 'unknown'}>`;
  const required = new Set(schema.required);
  return membersOf(fields.map(([name, property]) => ({ name, schema: property, required: required.has(name) })));
}

/** `{ … }` with one member a line. */
export function membersOf(fields: readonly Field[]): string {
  const lines = fields.map(
    ({ name, schema, required }) =>
      `${commentOf(schema.description)}${/^\w+$/.test(name) ? name : JSON.stringify(name)}${required ? '' : '?'}: ${typeOf(schema)};`,
  );
  return `{\n${lines.join('\n')}\n}`;
}

export function commentOf(text: string | undefined): string {
  return text === undefined ? '' : `/** ${text.replaceAll('*/', '* /')} */\n`;
}

/** A union or an intersection needs brackets before something is appended; an object has its own. */
function grouped(type: string): string {
  const isObject = type.startsWith('{') && type.indexOf('}') === type.length - 1;
  return !isObject && /[|&]/.test(type) ? `(${type})` : type;
}

/** A declaration of the name; what has members is an interface, which editors show by its name. */
export function declarationOf(name: string, schema: Schema): string {
  const type = typeOf(schema);
  const comment = commentOf(schema.description);
  return schema.type === 'object' && type.startsWith('{')
    ? `${comment}export interface ${name} ${type}\n`
    : `${comment}export type ${name} = ${type};\n`;
}
