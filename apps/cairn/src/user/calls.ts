import { CALL_LIST } from '../gen/calls.ts';
import { UsageError } from './failures.ts';

/** One operation of the API as it is called by name. */
export interface NamedCall {
  /** `listDocuments` */
  id: string;
  /** `documents.list` */
  name: string;
  kind: 'json' | 'stream' | 'socket' | 'file';
  /** What the path names, in order. */
  params: readonly string[];
  /** Fields of query and body; a `text` is taken as it is, anything else is read as JSON. */
  fields: ReadonlyMap<string, 'text' | 'json'>;
  takesFields: boolean;
  takesFile: boolean;
}

const SUGGESTIONS_MAX = 5;

let parsed: readonly NamedCall[] | undefined;

export function namedCalls(): readonly NamedCall[] {
  return (parsed ??= CALL_LIST.split('\n').flatMap(parseLine));
}

/** The operation of this id or name; a word that is in some of them suggests these. */
export function findCall(name: string): NamedCall {
  const calls = namedCalls();
  const found = calls.find(({ id, name: named }) => id === name || named === name);
  if (found !== undefined) return found;
  const word = name.toLowerCase();
  const near = calls.filter((call) => `${call.id} ${call.name}`.toLowerCase().includes(word)).map(({ id }) => id);
  const hint =
    near.length === 0 ? '“cairn call” names them all.' : `Did you mean ${near.slice(0, SUGGESTIONS_MAX).join(', ')}?`;
  throw new UsageError(`There is no operation “${name}”. ${hint}`);
}

/** One operation may have two calls, one of which sends a file: the id then means the other. */
function parseLine(line: string): NamedCall[] {
  const [id, name, kind, params, fields] = line.split(' ') as [string, string, string, string, string];
  const named = fields === '-' ? [] : fields.split(',').map((field) => field.split(':') as [string, string?]);
  return [
    {
      id,
      name,
      kind: kind.split(/[+-]/)[0] as NamedCall['kind'],
      params: params === '-' ? [] : params.split(','),
      fields: new Map(named.map(([field, type]) => [field, type === 'j' ? 'json' : 'text'])),
      takesFields: !kind.includes('-bare'),
      takesFile: kind.includes('+file'),
    },
  ];
}
