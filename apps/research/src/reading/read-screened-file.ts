import { putBlocks, type PutText } from '@cairn/documents';
import { type DlpPolicy, maskTexts, type ScreenedText } from '@cairn/screening';
import { type FileTexts, readFile, textOfFile } from './read-file.ts';

export interface FileTask {
  bytes: Uint8Array;
  /** The file's name, which is stored and masked too. */
  name: string;
  policy: DlpPolicy;
}

/** The text of a file or the reason for its failure, and its masked name. */
export type ScreenedFile = { name: string } & (
  | { ok: true; mediaType: string; text: string }
  | Extract<FileTexts, { ok: false }>
);

/** Reads a file and masks its text and name inside the worker process, so that nothing else sees them unmasked. */
export async function readScreenedFile({ bytes, name, policy }: FileTask): Promise<ScreenedFile> {
  const file = await readFile(bytes, name);
  const texts: ScreenedText[] = [];
  const put: PutText = (text, values = []) => texts.push({ text, values }) - 1;
  put(name);
  if (!file.ok) return { ...file, name: (await maskTexts(texts, policy)).segments[0]! };
  const title = file.title === null ? null : put(file.title);
  const context = put(file.context);
  const blocks = putBlocks(file.blocks, put);
  const { segments } = await maskTexts(texts, policy);
  const masked = {
    title: title === null ? null : segments[title]!,
    context: segments[context]!,
    blocks: blocks((place) => segments[place]!),
  };
  return { ok: true, mediaType: file.mediaType, name: segments[0]!, text: textOfFile(masked) };
}
