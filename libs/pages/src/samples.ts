/** A call of the API with the values of one case: what a reader may copy. */
export interface ApiCall {
  /** Its name in the SDKs. */
  name: string;
  method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE';
  /** Below /api/v1, or from the root after `~`, with the ids in it. */
  path: string;
  /** The ids, in the order of the path; the SDKs take them first. */
  ids?: string[];
  query?: Record<string, string | number | boolean | undefined>;
  body?: Record<string, unknown>;
  /** What comes back; a JSON value unless it says otherwise. */
  answer?: 'json' | 'stream' | 'file';
  /** The operation takes no credential. */
  isPublic?: boolean;
  /** The body goes as a form. */
  isForm?: boolean;
}

/** Those that a field of the API might be called; Python's SDK puts an underscore behind them. */
const PYTHON_KEYWORDS = new Set(['from', 'import', 'class', 'global', 'in', 'is', 'not', 'and', 'or', 'with', 'as']);

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
  const text = new URLSearchParams(query.map(([name, value]): [string, string] => [name, String(value)])).toString();
  const path = call.path.startsWith('~') ? call.path.slice(1) : `/api/v1${call.path}`;
  const options = `${call.answer === 'stream' ? '-N ' : ''}${call.method === 'GET' ? '' : `-X ${call.method} `}`;
  const lines = [`curl ${options}${quoted(`${origin}${path}${text === '' ? '' : `?${text}`}`)}`];
  if (call.isPublic !== true) lines.push(`-H "x-api-key: $CAIRN_API_KEY"`);
  if (call.body !== undefined && call.isForm === true)
    lines.push(...Object.entries(call.body).map(([name, value]) => `-d ${quoted(`${name}=${String(value)}`)}`));
  else if (call.body !== undefined)
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
  const made = `cairn.${call.name}(${args.join(', ')})`;
  const key = call.isPublic === true ? '' : `, apiKey: process.env['CAIRN_API_KEY']`;
  return [
    `import { Cairn } from '@cairn/sdk';`,
    `const cairn = new Cairn({ baseUrl: ${JSON.stringify(origin)}${key} });`,
    typescriptUse(made, call.answer),
  ].join('\n');
}

function typescriptUse(made: string, answer: ApiCall['answer']): string {
  if (answer === 'stream') return `for await (const event of ${made}) console.log(event);`;
  return answer === 'file' ? `console.log(await (await ${made}).text());` : `console.log(await ${made});`;
}

function python(call: ApiCall, fields: [string, unknown][], origin: string): string {
  const named = fields.map(([name, value]) => `${PYTHON_KEYWORDS.has(name) ? `${name}_` : name}=${pythonValue(value)}`);
  const args = [...(call.ids ?? []).map((id) => JSON.stringify(id)), ...named];
  const name = call.name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  const made = `cairn.${name}(${args.join(', ')})`;
  const key = call.isPublic === true ? '' : ', api_key=os.environ["CAIRN_API_KEY"]';
  return [
    ...(key === '' ? [] : ['import os']),
    'from cairn import Cairn',
    `cairn = Cairn(base_url=${JSON.stringify(origin)}${key})`,
    pythonUse(made, call.answer),
  ].join('\n');
}

function pythonUse(made: string, answer: ApiCall['answer']): string {
  if (answer === 'stream') return `for event in ${made}:\n    print(event)`;
  return answer === 'file' ? `print(${made}.text)` : `print(${made})`;
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
