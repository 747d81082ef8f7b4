import { CairnError } from '@cairn/errors';
import { WorkerFailure } from '@cairn/workers';
import type { TextWorkers } from '../text-work/text-workers.ts';
import type { FileQuestion, ScreenedFile } from './read-screened.ts';

const READ_CPU_MAX_MS = 20_000;
/** Each holds its file meanwhile. */
const FILES_MAX = 8;
const RETRY_AFTER_SECONDS = 5;

/** Reads reference files, a bounded number at a time. */
export interface FileReader {
  read(tenantId: string, question: FileQuestion, signal: AbortSignal): Promise<ScreenedFile>;
}

export function createFileReader(text: TextWorkers): FileReader {
  let reading = 0;
  return {
    async read(tenantId, question, signal) {
      if (reading >= FILES_MAX)
        throw new CairnError('unavailable', 'Too many files are being read at the moment.', {
          retryAfterSeconds: RETRY_AFTER_SECONDS,
        });
      reading += 1;
      try {
        return await text.run(tenantId, question, 'readFile', { cpuMaxMs: READ_CPU_MAX_MS, signal });
      } catch (error) {
        if (error instanceof WorkerFailure) return { ok: false, reason: 'unreadable', name: '' };
        throw error;
      } finally {
        reading -= 1;
      }
    },
  };
}
