import { CALLS } from '../gen/calls.ts';

/** How one operation is called. */
export interface Call {
  method: string;
  path: string;
  marks: ReadonlySet<string>;
  /** Fields that go into the query although there is a body. */
  query: ReadonlySet<string>;
  /** The field with the rows of a page. */
  rows: string | null;
}

let parsed: ReadonlyMap<string, Call> | undefined;

/** Every call by its name, `documents.list`. */
export function allCalls(): ReadonlyMap<string, Call> {
  return (parsed ??= new Map(CALLS.split('\n').map(parseCall)));
}

function parseCall(line: string): [string, Call] {
  const [name, method, path, ...marks] = line.split(' ') as [string, string, string, ...string[]];
  const valueOf = (mark: string) => marks.find((one) => one.startsWith(`${mark}:`))?.slice(mark.length + 1);
  return [
    name,
    {
      method,
      path: path.startsWith('~') ? path.slice(1) : `/api/v1${path}`,
      marks: new Set(marks.map((mark) => mark.replace(/:.*/, ''))),
      query: new Set(valueOf('query')?.split(',')),
      rows: valueOf('page') ?? valueOf('numbered') ?? null,
    },
  ];
}
