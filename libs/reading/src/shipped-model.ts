import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { loadModel, type ReadingModel } from './learned/model.ts';

/**
 * The model that is committed: a third of a second, and 90 MB that readers of one process share. This is the only
 * file that the library reads, and reading a text never does.
 */
export function loadShippedModel(): ReadingModel {
  return loadModel(readFileSync(join(import.meta.dirname, '..', 'model', 'english.model')));
}
