import { prepareDocument } from './prepare-document.ts';
import { loadWindowReaders } from '../../graph/extract/window-reader.ts';
import type { PrepareOutcome, DocumentToPrepare } from './prepared-document.ts';

// The tasks of worker processes. The pool knows this file by its place and these functions by their names.
export { maskDescription } from './mask-description.ts';
export { maskWords } from './mask-words.ts';
export { nameOf } from './prepare-document.ts';
export { readWindows } from '../../graph/extract/window-reader.ts';

/** Loads what reading needs, before there is a document. */
export function loadModel(): void {
  loadWindowReaders();
}

export async function prepareDocuments(documents: readonly DocumentToPrepare[]): Promise<PrepareOutcome[]> {
  const prepared: PrepareOutcome[] = [];
  for (const document of documents) prepared.push(await prepareDocument(document));
  return prepared;
}
