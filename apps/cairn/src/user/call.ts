import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import type { Cairn } from '@cairn/sdk';
import { findCall, namedCalls, type NamedCall } from './calls.ts';
import { UsageError } from './failures.ts';
import type { Session } from './session.ts';
import { showJson } from './show.ts';

type Fields = Record<string, unknown>;
type Method = (...args: unknown[]) => unknown;

/** `cairn call OPERATION …`: any operation of the API, by its id or by its name in the SDKs. */
export async function callOperation(session: Session, [name, ...rest]: readonly string[]): Promise<void> {
  if (name === undefined) return listCalls(session);
  const call = findCall(name);
  const { texts, fields } = readArguments(call, rest);
  const memory = call.fields.has('memory_id') && !('memory_id' in fields) ? await session.memoryId() : undefined;
  const client = await session.client();
  const args: unknown[] = call.params.map((param) => fields[param] ?? texts.shift());
  call.params.forEach((param, index) => {
    if (args[index] === undefined) throw new UsageError(`${call.id} needs a ${param}: ${usageOf(call)}`);
    delete fields[param];
  });
  if (call.takesFile) args.push(await fileOf(call, texts.shift()));
  if (texts.length > 0) throw new UsageError(`“${texts[0]}” is one argument too many: ${usageOf(call)}`);
  const params = { ...(memory === undefined ? {} : { memory_id: memory }), ...fields };
  if (call.takesFields) args.push(params);
  else if (Object.keys(fields).length > 0) throw new UsageError(`${call.id} takes no fields: ${usageOf(call)}`);
  await showAnswer(session, call, methodOf(client, call.name)(...args));
}

function listCalls(session: Session): void {
  if (session.flags.json === true)
    return showJson(
      session,
      namedCalls().map(({ id, name }) => ({ id, name })),
    );
  for (const call of namedCalls()) session.answer(usageOf(call));
}

async function fileOf(call: NamedCall, path: string | undefined): Promise<{ name: string; content: Blob }> {
  if (path === undefined) throw new UsageError(`${call.id} needs a file: ${usageOf(call)}`);
  return { name: basename(path), content: new Blob([await readFile(path)]) };
}

async function showAnswer(session: Session, { kind, id }: NamedCall, answer: unknown): Promise<void> {
  if (kind === 'stream') {
    for await (const event of answer as AsyncIterable<unknown>) session.answer(JSON.stringify(event));
    return;
  }
  if (kind === 'socket') {
    void (answer as Promise<WebSocket>).then((socket) => socket.close()).catch(() => undefined);
    throw new UsageError(`${id} opens a WebSocket, which a command cannot show. Use “cairn runs follow”.`);
  }
  const found = await answer;
  if (found instanceof Response) await (await import('./write-answer.ts')).writeAnswer(session, found, undefined);
  else if (found !== null && found !== undefined) showJson(session, found);
}

/** The function of the client that the name leads to: `documents.list`. */
function methodOf(client: Cairn, name: string): Method {
  const parts = name.split('.');
  const found = parts.reduce<unknown>((at, part) => (at as Fields | undefined)?.[part], client);
  return found as Method;
}

/** `--limit 5`, `--space-id=space_1`, `--data '{…}'`, and texts that stand by themselves. */
export function readArguments(call: NamedCall, given: readonly string[]): { texts: string[]; fields: Fields } {
  const texts: string[] = [];
  const fields: Fields = {};
  for (let at = 0; at < given.length; at += 1) {
    const word = given[at]!;
    if (!word.startsWith('--')) {
      texts.push(word);
      continue;
    }
    const [flag, ...values] = word.slice(2).split('=');
    const name = flag!.replaceAll('-', '_');
    const isNamed = name === 'data' || call.fields.has(name) || call.params.includes(name);
    if (!isNamed) throw new UsageError(`${call.id} has no field “${name}”: ${usageOf(call)}`);
    const next = values.length > 0 ? values.join('=') : given[(at += 1)];
    if (next === undefined) throw new UsageError(`--${flag} needs a value.`);
    if (name === 'data') Object.assign(fields, objectOf(next));
    else fields[name] = valueOf(next, call.fields.get(name) ?? 'text');
  }
  return { texts, fields };
}

function objectOf(text: string): Fields {
  const value = jsonOf(text);
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new UsageError('--data needs a JSON object.');
  return value as Fields;
}

/** A text stays as it is where the field is one; anything else is JSON, or a text if it is not. */
function valueOf(text: string, type: 'text' | 'json'): unknown {
  if (type === 'text') return text;
  const value = jsonOf(text);
  return value === undefined ? text : value;
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

export function usageOf({ id, params, takesFile, fields }: NamedCall): string {
  const places = [...params.map((param) => `<${param}>`), ...(takesFile ? ['<file>'] : [])];
  const flags = [...fields.keys()].map((name) => `[--${name.replaceAll('_', '-')} …]`);
  return ['cairn call', id, ...places, ...flags].join(' ');
}
