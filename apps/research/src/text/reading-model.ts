import { loadShippedModel, type ReadingModel } from '@cairn/reading';

let loaded: ReadingModel | null = null;

/** The reading model, loaded on first use and shared by all tasks of a worker process. */
export function readingModel(): ReadingModel {
  loaded ??= loadShippedModel();
  return loaded;
}
