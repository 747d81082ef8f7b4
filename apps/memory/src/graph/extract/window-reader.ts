import { createReader, loadShippedModel, Places } from '@cairn/reading';
import type { Extraction } from './extraction.ts';
import { type Reading, readWindow, type WindowChunk } from './read-window.ts';

let reading: Reading | null = null;

/** Reads windows with the model that is shipped, which is loaded at the first use and once for a process. */
export function readWindows(windows: readonly (readonly WindowChunk[])[]): Extraction[][] {
  reading ??= loadReading();
  const { reader, places } = reading;
  return windows.map((chunks) => readWindow(chunks, { reader, places }));
}

function loadReading(): Reading {
  const model = loadShippedModel();
  return { reader: createReader(model), places: new Places(model.lexicon) };
}
