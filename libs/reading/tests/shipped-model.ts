import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { loadModel, type ReadingModel } from '../src/learned/model.ts';

/** The model that is committed. */
export function shippedModel(): ReadingModel {
  return loadModel(readFileSync(join(import.meta.dirname, '..', 'model', 'english.model')));
}
