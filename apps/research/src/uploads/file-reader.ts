import { CairnError } from '@cairn/errors';
import { WorkerFailure } from '@cairn/workers';
import type { TextWorkers } from '../workers/text-workers.ts';
import type { FileTask, ScreenedFile } from '../reading/read-screened-file.ts';

const READ_CPU_MAX_MS = 20_000;
/** Each concurrent read holds its file in memory. */
const FILES_MAX = 8;
const RETRY_AFTER_SECONDS = 5;

/** Reads reference files, a bounded number at a time. */
export interface FileReader {
  read(tenantId: string, task: FileTask, signal: AbortSignal): Promise<ScreenedFile>;
}

export function createFileReader(text: TextWorkers): FileReader {
  let reading = 0;
  return {
    async read(tenantId, task, signal) {
      if (reading >= FILES_MAX)
        throw new CairnError('unavailable', 'Too many files are being read at the moment.', {
          retryAfterSeconds: RETRY_AFTER_SECONDS,
        });
      reading += 1;
      try {
        return await text.run(tenantId, task, 'readFile', { cpuMaxMs: READ_CPU_MAX_MS, signal });
      } catch (error) {
        if (error instanceof WorkerFailure) return { ok: false, reason: 'unreadable', name: '' };
        throw error;
      } finally {
        reading -= 1;
      }
    },
  };
}
