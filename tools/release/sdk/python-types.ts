import { nameOf, type Schema } from './api-model.ts';
import { pascal } from './call-names.ts';

const WORDS: Record<string, string> = {
  string: 'str',
  integer: 'int',
  number: 'float',
  boolean: 'bool',
  null: 'None',
};
const KEYWORDS = new Set(
  'and as assert async await break class continue def del elif else except finally for from global if import in is lambda nonlocal not or pass raise return try while with yield None True False'.split(
    ' ',
  ),
);

/** `oauth_clients` for `oauthClients`; a keyword of Python gets an underscore. */
export function snakeCase(name: string): string {
  const snake = name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  return KEYWORDS.has(snake) ? `${snake}_` : snake;
}

/** Collects the classes that Python needs for objects inside of objects. */
export class PythonTypes {
  readonly declarations: string[] = [];
  private readonly names = new Set<string>();

  /** Declares a schema of the document under its name. */
  declare(name: string, schema: Schema): void {
    if (schema.type === 'object' && Object.keys(schema.properties ?? {}).length > 0) this.classOf(name, schema);
    else {
      const type = this.typeOf(schema, `${name}Value`);
      this.declarations.push(`${name}: TypeAlias = ${JSON.stringify(type)}\n`);
    }
  }

  /** The type of a value; `name` is what an object inside of it is called. */
  typeOf(schema: Schema, name: string): string {
    if (schema.$ref !== undefined) return nameOf(schema.$ref);
    if (schema.const !== undefined) return `Literal[${literal(schema.const)}]`;
    if (schema.enum !== undefined) return `Literal[${schema.enum.map(literal).join(', ')}]`;
    const options = schema.anyOf ?? schema.oneOf;
    if (options !== undefined)
      return [
        ...new Set(options.map((option, index) => this.typeOf(option, `${name}${index === 0 ? '' : index + 1}`))),
      ].join(' | ');
    if (schema.allOf !== undefined) return this.typeOf(schema.allOf[0] ?? {}, name);
    if (Array.isArray(schema.type))
      return schema.type.map((type) => this.typeOf({ ...schema, type }, name)).join(' | ');
    if (schema.type === 'array') return `List[${this.typeOf(schema.items ?? {}, `${name}Item`)}]`;
    if (schema.type === 'object') return this.objectOf(schema, name);
    return WORDS[schema.type ?? ''] ?? 'Any';
  }

  private objectOf(schema: Schema, name: string): string {
    if (Object.keys(schema.properties ?? {}).length > 0) {
      this.classOf(name, schema);
      return name;
    }
    const rest =
      typeof schema.additionalProperties === 'object'
        ? this.typeOf(schema.additionalProperties, `${name}Value`)
        : 'Any';
    return `Dict[str, ${rest}]`;
  }

  private classOf(name: string, schema: Schema): void {
    if (this.names.has(name)) return;
    this.names.add(name);
    const required = new Set(schema.required);
    const fields = Object.entries(schema.properties ?? {}).map(([field, property]) => ({
      field,
      type: this.typeOf(property, name + pascal(field)),
      description: property.description,
      required: required.has(field),
    }));
    const comment = schema.description === undefined ? '' : `    """${docText(schema.description)}"""\n\n`;
    const needed = fields.filter((field) => field.required);
    const optional = fields.filter((field) => !field.required);
    if (fields.some(({ field }) => KEYWORDS.has(field) || !/^\w+$/.test(field))) {
      const body = (list: typeof fields) =>
        list.map(({ field, type }) => `    ${JSON.stringify(field)}: ${JSON.stringify(type)},\n`).join('');
      if (optional.length === 0)
        this.declarations.push(`${name} = TypedDict(${JSON.stringify(name)}, {\n${body(needed)}})\n`);
      else if (needed.length === 0)
        this.declarations.push(`${name} = TypedDict(${JSON.stringify(name)}, {\n${body(optional)}}, total=False)\n`);
      else {
        this.declarations.push(`_${name} = TypedDict(${JSON.stringify(`_${name}`)}, {\n${body(needed)}})\n`);
        this.declarations.push(`class ${name}(_${name}, total=False):\n${comment}${members(optional)}`);
      }
      return;
    }
    if (optional.length === 0) this.declarations.push(`class ${name}(TypedDict):\n${comment}${members(needed)}`);
    else if (needed.length === 0)
      this.declarations.push(`class ${name}(TypedDict, total=False):\n${comment}${members(optional)}`);
    else {
      this.declarations.push(`class _${name}(TypedDict):\n${members(needed)}`);
      this.declarations.push(`class ${name}(_${name}, total=False):\n${comment}${members(optional)}`);
    }
  }
}

function members(fields: { field: string; type: string; description: string | undefined }[]): string {
  return fields
    .map(
      ({ field, type, description }) =>
        `    ${field}: ${type}\n${description === undefined ? '' : `    """${docText(description)}"""\n`}`,
    )
    .join('');
}

function literal(value: unknown): string {
  if (value === true) return 'True';
  if (value === false) return 'False';
  return value === null ? 'None' : JSON.stringify(value);
}

/** What can stand between three quotation marks. */
export function docText(text: string): string {
  const safe = text.replaceAll('\\', '\\\\').replaceAll('"""', "'''");
  return safe.endsWith('"') ? `${safe} ` : safe;
}
