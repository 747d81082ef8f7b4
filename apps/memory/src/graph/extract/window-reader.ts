import { createReader, loadShippedModel, Places } from '@cairn/reading';
import type { Extraction } from './extraction.ts';
import { type WindowReaders, readWindow, type WindowChunk } from './read-window.ts';

let reading: WindowReaders | null = null;

/** Reads windows with the model that is shipped, which is loaded at the first use and once for a process. */
export function readWindows(windows: readonly (readonly WindowChunk[])[]): Extraction[][] {
  const { reader, places } = loadWindowReaders();
  return windows.map((chunks) => readWindow(chunks, { reader, places }));
}

/** Loads the model where that was not done before. */
export function loadWindowReaders(): WindowReaders {
  if (reading !== null) return reading;
  const model = loadShippedModel();
  reading = { reader: createReader(model), places: new Places(model.lexicon) };
  return reading;
}
