import { prepareDocument } from './prepare-document.ts';
import { loadReading } from '../../graph/extract/window-reader.ts';
import type { Prepared, ToPrepare } from './prepared-document.ts';

// The tasks of worker processes. The pool knows this file by its place and these functions by their names.
export { maskAbout } from './mask-about.ts';
export { maskWords } from './mask-words.ts';
export { nameOf } from './prepare-document.ts';
export { readWindows } from '../../graph/extract/window-reader.ts';

/** Loads what reading needs, before there is a document. */
export function loadModel(): void {
  loadReading();
}

export async function prepareDocuments(documents: readonly ToPrepare[]): Promise<Prepared[]> {
  const prepared: Prepared[] = [];
  for (const document of documents) prepared.push(await prepareDocument(document));
  return prepared;
}
