import { readFile, stat } from 'node:fs/promises';
import type { Cairn } from '@cairn/sdk';
import { addFiles, type AddOptions, type AddResult, addTexts } from './add-files.ts';
import { EXIT, UsageError, wordsOf } from './failures.ts';
import { type ExportKind, readExport } from './read-export.ts';
import { scopeOf, type Session } from './session.ts';
import { oneLine } from './printable.ts';
import { show } from './show.ts';

/** The whole of it is read at once. */
const EXPORT_MAX_BYTES = 256 * 1_048_576;

/** `cairn add`: puts files into a memory and names those that it leaves out. */
export async function addToMemory(session: Session, paths: readonly string[]): Promise<number> {
  return addWith(session, (client, options) => addFiles(client, paths, options));
}

/** `cairn import`: puts what another memory exported into this one. */
export async function importExport(session: Session, kind: ExportKind, file: string): Promise<number> {
  const { size } = await stat(file).catch((error: unknown) => {
    throw new UsageError(wordsOf(error));
  });
  if (size > EXPORT_MAX_BYTES) throw new UsageError(`${file} is larger than 256 MiB. Export it in parts.`);
  const { texts, leftOut } = readExport(kind, await readFile(file, 'utf8'));
  return addWith(session, async (client, options) => {
    const result = await addTexts(client, texts, options);
    return { ...result, left_out: [...result.left_out, ...leftOut] };
  });
}

/** Adds with a progress bar, says what became of it, and returns the exit code. */
async function addWith(
  session: Session,
  add: (client: Cairn, options: AddOptions) => Promise<AddResult>,
): Promise<number> {
  const client = await session.client();
  const bar = await openBar(session);
  const result = await add(client, {
    scope: await scopeOf(session),
    onProgress: ({ total, completed, failed }) => bar?.update(total, completed + failed),
  }).finally(() => bar?.stop());
  for (const { path, reason } of result.left_out) session.say(`left out: ${path} ${reason}`);
  show(session, result, addLines);
  return result.failed > 0 || result.completed === 0 ? EXIT.failed : EXIT.done;
}

/** What has become of the files. */
export function addLines({ completed, failed, failures, left_out }: AddResult): string[] {
  const documents = completed === 1 ? '1 document is' : `${completed} documents are`;
  const others = [
    failed > 0 ? `${failed} failed` : '',
    left_out.length > 0 ? `${left_out.length} left out` : '',
  ].filter((part) => part !== '');
  return [
    `${[`${documents} searchable`, ...others].join(', ')}.`,
    ...failures.map(({ path, message }) => `  ${oneLine(path)}: ${oneLine(message)}`),
  ];
}

interface Bar {
  update(total: number, done: number): void;
  stop(): void;
}

/** On a terminal only, and where words go. */
async function openBar(session: Session): Promise<Bar | null> {
  const { stderr } = session.streams;
  if (!stderr.isTTY || session.flags.quiet === true) return null;
  const { default: progress } = await import('cli-progress');
  const bar = new progress.SingleBar(
    { format: '{bar} {value}/{total} documents', stream: stderr },
    progress.Presets.shades_classic,
  );
  return {
    update(total, done) {
      if (!bar.isActive) bar.start(total, 0);
      bar.setTotal(total);
      bar.update(done);
    },
    stop: () => bar.stop(),
  };
}
