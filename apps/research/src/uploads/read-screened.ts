import { type DlpPolicy, maskTexts } from '@cairn/screening';
import { type FileText, readFile } from './read-file.ts';

export interface FileQuestion {
  bytes: Uint8Array;
  /** Its own name, which is stored too. */
  name: string;
  policy: DlpPolicy;
}

/** A file that was read, or why not, and what it may be called. */
export type ScreenedFile = FileText & { name: string };

/** Reads a file and masks its text and its name, in the thread that reads it: nothing else sees them as they came. */
export async function readScreened({ bytes, name, policy }: FileQuestion): Promise<ScreenedFile> {
  const file = await readFile(bytes);
  const { segments } = await maskTexts([name, file.ok ? file.text : ''], policy);
  return file.ok ? { ...file, name: segments[0]!, text: segments[1]! } : { ...file, name: segments[0]! };
}
