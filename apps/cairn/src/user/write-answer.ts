import { createWriteStream } from 'node:fs';
import { Readable, Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Session } from './session.ts';

/** Writes what was answered as it comes, to standard output or into a new file. */
export async function writeAnswer(session: Session, answer: Response, file: string | undefined): Promise<void> {
  if (answer.body === null) return;
  const source = Readable.fromWeb(answer.body as never);
  if (file !== undefined) {
    await pipeline(source, createWriteStream(file, { flags: 'wx' }));
    return session.say(`Written to ${file}.`);
  }
  const { stdout } = session.streams;
  // Standard output stays open for what comes after.
  const output = new Writable({ write: (chunk: Buffer, _encoding, done) => void stdout.write(chunk, () => done()) });
  await pipeline(source, output);
}
