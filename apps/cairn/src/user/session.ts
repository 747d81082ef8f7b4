import type { Cairn } from '@cairn/sdk';
import { type Connection, findConnection } from './connection.ts';
import type { Places, Variables } from './places.ts';
import { printable } from './printable.ts';

/** What every command for users takes. */
export interface CommonFlags {
  json?: boolean;
  memory?: string;
  space?: string;
  context?: string;
  quiet?: boolean;
}

export interface Streams {
  stdin: NodeJS.ReadStream;
  stdout: NodeJS.WriteStream;
  stderr: NodeJS.WriteStream;
}

/** One run of a command: its options, and the streams for its answer and its messages. */
export interface Session {
  flags: CommonFlags;
  places: Places;
  streams: Streams;
  color: boolean;
  /** A line of the answer, on standard output. */
  answer(line?: string): void;
  /** Words about the answer, on standard error; nothing with `--quiet`. */
  say(line: string): void;
  connection(): Promise<Connection>;
  client(): Promise<Cairn>;
  /** The memory that the flags or the context name. */
  memoryId(): Promise<string | undefined>;
}

export function openSession(flags: CommonFlags, places: Places, environment: Variables, streams: Streams): Session {
  let connection: Promise<Connection> | undefined;
  const connect = () => (connection ??= findConnection(places, flags.context));
  return {
    flags,
    places,
    streams,
    color: streams.stdout.isTTY && !environment['NO_COLOR'] && environment['TERM'] !== 'dumb',
    answer: (line = '') => void streams.stdout.write(`${line}\n`),
    say: (line) => flags.quiet !== true && void streams.stderr.write(`${printable(line)}\n`),
    connection: connect,
    async client() {
      const { base_url, api_key } = await connect();
      // Loaded last: help, completion and mistakes need no client.
      const { Cairn } = await import('@cairn/sdk');
      return new Cairn({ baseUrl: base_url, apiKey: api_key });
    },
    async memoryId() {
      return flags.memory ?? (await connect()).memory_id ?? undefined;
    },
  };
}

/** The fields that say which memory and space are meant, where either is said. */
export async function scopeOf(session: Session): Promise<{ memory_id?: string; space_id?: string }> {
  const memoryId = await session.memoryId();
  const { space } = session.flags;
  return {
    ...(memoryId === undefined ? {} : { memory_id: memoryId }),
    ...(space === undefined ? {} : { space_id: space }),
  };
}
