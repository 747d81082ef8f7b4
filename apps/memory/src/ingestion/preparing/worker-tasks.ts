import { prepareDocument } from './prepare-document.ts';
import type { Prepared, ToPrepare } from './prepared-document.ts';

// The tasks of worker processes. The pool knows this file by its place and these functions by their names.
export { maskAbout } from './mask-about.ts';
export { maskWords } from './mask-words.ts';
export { nameOf } from './prepare-document.ts';
export { readWindows } from '../../graph/extract/window-reader.ts';

export async function prepareDocuments(documents: readonly ToPrepare[]): Promise<Prepared[]> {
  const prepared: Prepared[] = [];
  for (const document of documents) prepared.push(await prepareDocument(document));
  return prepared;
}
