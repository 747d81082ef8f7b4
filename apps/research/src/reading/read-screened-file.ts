import { type DlpPolicy, maskTexts } from '@cairn/screening';
import { type FileText, readFile } from './read-file.ts';

export interface FileTask {
  bytes: Uint8Array;
  /** The file's name, which is stored and masked too. */
  name: string;
  policy: DlpPolicy;
}

/** The text of a file or the reason for its failure, and its masked name. */
export type ScreenedFile = FileText & { name: string };

/** Reads a file and masks its text and name inside the worker process, so that nothing else sees them unmasked. */
export async function readScreenedFile({ bytes, name, policy }: FileTask): Promise<ScreenedFile> {
  const file = await readFile(bytes, name);
  const { segments } = await maskTexts([name, file.ok ? file.text : ''], policy);
  return file.ok ? { ...file, name: segments[0]!, text: segments[1]! } : { ...file, name: segments[0]! };
}
