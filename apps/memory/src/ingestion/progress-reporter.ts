import type { Database } from '@cairn/postgres';
import type { Logger } from '@cairn/service-kit';
import { type DocumentStatus, markStep } from '../documents/document-store.ts';
import type { MemoryScope } from '../memories/memory-scope.ts';

/** Shorter steps are not reported: nobody would see them, and each costs a write of every document. */
const REPORT_AFTER_MS = 500;

/** Writes the current step of documents into their rows, when the step takes long enough to be seen. */
export interface ProgressReporter {
  /** From now on the documents are at this step. */
  reached(step: DocumentStatus): void;
  /** Stops reporting and waits for pending writes; documents that were reported on are left at `step`. */
  end(step?: DocumentStatus): Promise<void>;
}

/** For documents of the claim `owner`. A write that fails is logged, and processing continues. */
export function createProgressReporter(
  deps: { database: Database; owner: string; logger: Logger },
  scope: MemoryScope,
  docIds: readonly string[],
): ProgressReporter {
  const { database, owner, logger } = deps;
  let current: DocumentStatus | null = null;
  let reported: DocumentStatus | null = null;
  let writing: Promise<unknown> = Promise.resolve();
  const report = () => {
    if (current === reported || current === null) return;
    const step = current;
    reported = step;
    writing = writing
      .then(() => database.withTenant(scope.tenantId, (tx) => markStep(tx, scope, docIds, { step, owner })))
      .catch((error: unknown) =>
        logger.warn({ err: error }, 'ingestion: a progress update failed; processing continues'),
      );
  };
  const timer = setInterval(report, REPORT_AFTER_MS);
  return {
    reached(step) {
      current = step;
    },
    async end(step) {
      clearInterval(timer);
      if (step !== undefined && reported !== null) {
        current = step;
        report();
      }
      await writing;
    },
  };
}
