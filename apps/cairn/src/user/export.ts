import { createWriteStream } from 'node:fs';
import { mkdir, readdir, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { EXIT, UsageError } from './failures.ts';
import { scopeOf, type Session } from './session.ts';
import { show } from './show.ts';

interface ExportedFile {
  file: string;
  /** Of a file of lines. */
  lines?: number;
}

/** Those of web runs are listed only by name. */
const LIST_TYPES = ['company', 'people', 'web'] as const;

/** `cairn export`: everything that a memory holds, and the saved lists, as files in a new folder. */
export async function exportMemory(session: Session, folder: string): Promise<number> {
  await mkdir(folder, { recursive: true });
  if ((await readdir(folder)).length > 0) throw new UsageError(`${folder} is not empty.`);
  const client = await session.client();
  const { memory_id } = await scopeOf(session);
  const memory = memory_id === undefined ? {} : { memory_id };
  const files: ExportedFile[] = [
    await writeLines(folder, 'documents.jsonl', await client.documents.export(await scopeOf(session))),
    await writeLines(folder, 'graph.jsonl', await client.graph.export(memory)),
    await writeLines(folder, 'threads.jsonl', await client.threads.export(memory)),
  ];
  for (const listType of LIST_TYPES)
    for await (const { id } of client.lists.list({ listType })) {
      const file = `list-${id}.json`;
      await pipeline(bodyOf(await client.lists.export(id, { format: 'json' })), createWriteStream(join(folder, file)));
      files.push({ file });
    }
  show(session, { folder, files }, () => [
    ...files.map(({ file, lines }) => `${file}${lines === undefined ? '' : `: ${lines} lines`}`),
    `Exported to ${folder}.`,
  ]);
  return EXIT.done;
}

/** A file has its name when it is whole: the last line of an export says how many there are. */
async function writeLines(folder: string, file: string, answer: Response): Promise<ExportedFile> {
  const part = join(folder, `${file}.part`);
  const tail = new Tail();
  await pipeline(bodyOf(answer), tail, createWriteStream(part, { flags: 'wx' }));
  const lines = tail.declaredLines();
  if (lines === null) throw new Error(`${part} was cut off. Try again into another folder.`);
  await rename(part, join(folder, file));
  return { file, lines };
}

function bodyOf(answer: Response): Readable {
  return Readable.fromWeb(answer.body as never);
}

const TAIL_BYTES = 200;

/** Lets everything through and remembers the end. */
class Tail extends Transform {
  private last = Buffer.alloc(0);

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: (error: null, data: Buffer) => void): void {
    this.last = Buffer.concat([this.last, chunk]).subarray(-TAIL_BYTES);
    done(null, chunk);
  }

  /** What the last line of an export says; null when there is none. */
  declaredLines(): number | null {
    const match = /\{"type":"end","lines":(\d+)\}\n$/.exec(this.last.toString());
    return match === null ? null : Number(match[1]);
  }
}
