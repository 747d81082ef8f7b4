import type { Database } from '@cairn/postgres';
import { type DocumentStatus, markStep, type MemoryScope } from '../document-store.ts';

/** A step that is over so soon is not written down: nobody would see it, and each costs a write of every document. */
const WORTH_SAYING_MS = 250;

/** Says how far documents are, while it takes long enough to be asked for. */
export interface StepMarks {
  reached(step: DocumentStatus): Promise<void>;
}

export function createStepMarks(database: Database, scope: MemoryScope, docIds: readonly string[]): StepMarks {
  let saidAtMs = performance.now();
  return {
    async reached(step) {
      if (performance.now() - saidAtMs < WORTH_SAYING_MS) return;
      await database.withTenant(scope.tenantId, (tx) => markStep(tx, scope, docIds, step));
      saidAtMs = performance.now();
    },
  };
}
