import fc from 'fast-check';

/** A request that no careful client would send. */
interface OddRequest {
  path: string;
  body: unknown;
}

/** The parts of the OpenAPI document that say what an operation takes. */
export interface ApiDescription {
  parameters?: readonly { in: string; name: string }[];
  requestBody?: { content: Record<string, { schema: Schema }> };
}
interface Schema {
  $ref?: string;
  properties?: Record<string, Schema>;
  anyOf?: readonly Schema[];
  oneOf?: readonly Schema[];
  allOf?: readonly Schema[];
}

/** Texts that parsers, databases and file systems have stumbled over. */
const oddText = fc.oneof(
  fc.constantFrom(
    '',
    ' ',
    '\u0000',
    'a\u0000b',
    '\ud800',
    '\u202e',
    "'; DROP TABLE keys; --",
    '%00',
    '../../etc/passwd',
    '{{7*7}}',
    '-1',
    '1e999',
    '9'.repeat(40),
    'NaN',
    '0x10',
    'null',
    '[]',
    '__proto__',
    'mem_1111111111111111111111',
    '2026-02-30T25:61:00Z',
    '0001-01-01',
    'http://[::1]:1/',
    'javascript:alert(1)',
    'é'.repeat(3_000),
    '😀'.repeat(600),
  ),
  fc.string({ unit: 'binary', maxLength: 60 }),
);

/** Any JSON value, of any type and of odd sizes. */
const oddValue: fc.Arbitrary<unknown> = fc.oneof(
  oddText,
  fc.constantFrom(null, true, false, 0, -0, -1, 1.5, 2 ** 31, 2 ** 53, -(2 ** 63), 1e308, {}, [], [[]], [null], {
    toString: 1,
  }),
  fc.integer({ min: 2, max: 400 }).map(nested),
  fc.integer({ min: 1, max: 3_000 }).map((length) => Array.from({ length }, () => 'x')),
  fc.jsonValue({ maxDepth: 3 }),
);

function nested(depth: number): unknown {
  let value: unknown = 'x';
  for (let level = 0; level < depth; level += 1) value = level % 2 === 0 ? [value] : { x: value };
  return value;
}

/** Names of the fields that a body may have. */
function fieldsOf(schema: Schema | undefined, schemas: Readonly<Record<string, Schema>>): string[] {
  if (schema === undefined) return [];
  const { $ref, properties = {}, anyOf = [], oneOf = [], allOf = [] } = schema;
  const inner = [...anyOf, ...oneOf, ...allOf];
  if ($ref !== undefined) inner.push(schemas[$ref.slice('#/components/schemas/'.length)]!);
  return [...new Set([...Object.keys(properties), ...inner.flatMap((one) => fieldsOf(one, schemas))])];
}

/**
 * Requests that differ from a good one in one to three places: a field or a parameter that the operation knows has an
 * odd value, is missing or comes twice, an unknown one is there, an identifier of the path is none, or the body is
 * something else.
 */
export function malformedRequests(
  good: { template: string; path: string; body: unknown },
  described: ApiDescription,
  schemas: Readonly<Record<string, Schema>>,
): fc.Arbitrary<OddRequest> {
  const parameters = (described.parameters ?? []).filter((one) => one.in === 'query').map(({ name }) => name);
  const schema = described.requestBody?.content['application/json']?.schema;
  const fields = fieldsOf(schema, schemas);
  const changes: fc.Arbitrary<(request: OddRequest) => OddRequest>[] = [
    fc.tuple(fc.constantFrom(...parameters, 'unknown', '__proto__'), oddText).map(withParameter),
  ];
  if (good.template.includes('{')) changes.push(oddText.map((text) => withIdentifier(good.template, text)));
  if (schema !== undefined) {
    const name = fc.constantFrom(...fields, 'unknown', '__proto__');
    changes.push(
      fc.tuple(name, oddValue).map(withField),
      fc.tuple(name, oddValue).map(withField),
      name.map(withoutField),
      oddValue.map((body) => (request) => ({ ...request, body })),
      fc.constantFrom('{"a":', '\ufeff{}', '{"a":1,"a":2}', '').map((body) => (request) => ({ ...request, body })),
    );
  }
  return fc
    .array(fc.oneof(...changes), { minLength: 1, maxLength: 3 })
    .map((all) => all.reduce<OddRequest>((request, change) => change(request), { path: good.path, body: good.body }));
}

const withParameter =
  ([name, text]: [string, string]) =>
  ({ path, body }: OddRequest): OddRequest => ({
    path: `${path}${path.includes('?') ? '&' : '?'}${encoded(name)}=${encoded(text)}`,
    body,
  });

const withIdentifier =
  (template: string, text: string) =>
  ({ path, body }: OddRequest): OddRequest => {
    const [, query] = path.split('?', 2);
    // A path of dots would be another address before it is sent.
    const identifier = encoded(text).replaceAll('.', '%2E');
    const filled = template.replaceAll(/\{\w+\}/g, () => identifier);
    return { path: query === undefined ? filled : `${filled}?${query}`, body };
  };

const withField =
  ([name, value]: [string, unknown]) =>
  ({ path, body }: OddRequest): OddRequest => ({ path, body: { ...asObject(body), [name]: value } });

const withoutField =
  (name: string) =>
  ({ path, body }: OddRequest): OddRequest => {
    const { [name]: _left, ...rest } = asObject(body);
    return { path, body: rest };
  };

function asObject(body: unknown): Record<string, unknown> {
  return typeof body === 'object' && body !== null ? (body as Record<string, unknown>) : {};
}

/** Half of a surrogate pair has no encoding in an address. */
function encoded(text: string): string {
  return encodeURIComponent(text.toWellFormed());
}
