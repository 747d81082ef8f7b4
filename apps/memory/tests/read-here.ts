import { readWindows } from '../src/graph/extract/window-reader.ts';
import { type ReadWindows, readIn } from '../src/graph/linking/windows.ts';

/** Reads in this process, as worker processes do in the service. */
export const readHere: ReadWindows = readIn({ readWindows: async (_tenantId, windows) => readWindows(windows) });
