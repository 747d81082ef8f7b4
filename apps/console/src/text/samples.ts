/** A call of the API, as a panel made it: what its reader may copy. */
export interface ApiCall {
  /** Its name in the SDKs. */
  name: string;
  method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE';
  /** Below /api/v1, with the ids in it. */
  path: string;
  /** The ids, in the order of the path; the SDKs take them first. */
  ids?: string[];
  query?: Record<string, string | number | boolean | undefined>;
  body?: Record<string, unknown>;
}

interface Samples {
  curl: string;
  typescript: string;
  python: string;
}

/** The call in three languages. The key is a variable: the page does not have one. */
export function samplesOf(call: ApiCall, origin: string): Samples {
  const query = Object.entries(call.query ?? {}).filter(([, value]) => value !== undefined && value !== '');
  const fields: [string, unknown][] = [...query, ...Object.entries(call.body ?? {})];
  return {
    curl: curl(call, query, origin),
    typescript: typescript(call, fields, origin),
    python: python(call, fields, origin),
  };
}

function curl(call: ApiCall, query: [string, unknown][], origin: string): string {
  const text = new URLSearchParams(query.map(([name, value]) => [name, String(value)])).toString();
  const lines = [
    `curl ${call.method === 'GET' ? '' : `-X ${call.method} `}${quoted(`${origin}/api/v1${call.path}${text === '' ? '' : `?${text}`}`)}`,
  ];
  lines.push(`-H "x-api-key: $CAIRN_API_KEY"`);
  if (call.body !== undefined)
    lines.push(`-H 'content-type: application/json'`, `-d ${quoted(JSON.stringify(call.body))}`);
  return lines.join(' \\\n  ');
}

/** In single quotes for a POSIX shell. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

function typescript(call: ApiCall, fields: [string, unknown][], origin: string): string {
  const params = fields.map(([name, value]) => `${name}: ${JSON.stringify(value)}`).join(', ');
  const args = [...(call.ids ?? []).map((id) => JSON.stringify(id)), ...(params === '' ? [] : [`{ ${params} }`])];
  return [
    `import { Cairn } from '@cairn/sdk';`,
    `const cairn = new Cairn({ baseUrl: ${JSON.stringify(origin)}, apiKey: process.env['CAIRN_API_KEY'] });`,
    `console.log(await cairn.${call.name}(${args.join(', ')}));`,
  ].join('\n');
}

function python(call: ApiCall, fields: [string, unknown][], origin: string): string {
  const named = fields.map(([name, value]) => `${name}=${pythonValue(value)}`);
  const args = [...(call.ids ?? []).map((id) => JSON.stringify(id)), ...named];
  const name = call.name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  return [
    'import os',
    'from cairn import Cairn',
    `cairn = Cairn(base_url=${JSON.stringify(origin)}, api_key=os.environ["CAIRN_API_KEY"])`,
    `print(cairn.${name}(${args.join(', ')}))`,
  ].join('\n');
}

function pythonValue(value: unknown): string {
  if (value === true) return 'True';
  if (value === false) return 'False';
  if (value === null) return 'None';
  if (Array.isArray(value)) return `[${value.map(pythonValue).join(', ')}]`;
  if (typeof value === 'object') {
    return `{${Object.entries(value as object)
      .map(([name, each]) => `${JSON.stringify(name)}: ${pythonValue(each)}`)
      .join(', ')}}`;
  }
  return JSON.stringify(value);
}
