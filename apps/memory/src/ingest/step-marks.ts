import type { Database } from '@cairn/postgres';
import type { Logger } from '@cairn/service-kit';
import { type DocumentStatus, markStep, type MemoryScope } from '../document-store.ts';

/** A step that is over so soon is not written down: nobody would see it, and each costs a write of every document. */
const WORTH_SAYING_MS = 500;

/** Says how far documents are, while it takes long enough to be asked for. */
export interface StepMarks {
  /** From now on the documents are at this step. */
  reached(step: DocumentStatus): void;
  /** Says no more, whatever was said before is written; what took long is left at `step`. */
  end(step?: DocumentStatus): Promise<void>;
}

/** Marks documents that the claim `owner` has. What could not be written is logged, and the work goes on without it. */
export function createStepMarks(
  parts: { database: Database; owner: string; logger: Logger },
  scope: MemoryScope,
  docIds: readonly string[],
): StepMarks {
  const { database, owner, logger } = parts;
  let current: DocumentStatus | null = null;
  let said: DocumentStatus | null = null;
  let writing: Promise<unknown> = Promise.resolve();
  const say = () => {
    if (current === said || current === null) return;
    const step = current;
    said = step;
    writing = writing
      .then(() => database.withTenant(scope.tenantId, (tx) => markStep(tx, scope, docIds, { step, owner })))
      .catch((error: unknown) => logger.warn({ err: error }, 'a step could not be noted'));
  };
  const timer = setInterval(say, WORTH_SAYING_MS);
  return {
    reached(step) {
      current = step;
    },
    async end(step) {
      clearInterval(timer);
      if (step !== undefined && said !== null) {
        current = step;
        say();
      }
      await writing;
    },
  };
}
