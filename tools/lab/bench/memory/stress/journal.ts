import type { Database } from '@cairn/postgres';
import { createSegmentIndex } from '@cairn/search-index';
import { type JournalEntry, markerOf } from '@cairn/search-index/workload';
import type { MemoryScope } from '../../../../../apps/memory/src/memories/memory-scope.ts';
import { ANALYSER } from '../../../../../apps/memory/src/text/analyser.ts';

export interface JournalCheck {
  /** Writes that were acknowledged, and those that a kill left without an answer. */
  acknowledged: number;
  unanswered: number;
  /** Chunks that had to be found, and chunks that must not be. */
  present: number;
  gone: number;
  violations: string[];
}

/** Entries of the file; a line that a kill cut off is left out. */
export function parseJournal(text: string): JournalEntry[] {
  return text.split('\n').flatMap((line) => {
    if (line === '') return [];
    try {
      return [JSON.parse(line) as JournalEntry];
    } catch {
      return [];
    }
  });
}

interface Expected {
  present: Set<string>;
  gone: Set<string>;
  /** Chunks of writes without an answer: they may have been committed or not. */
  uncertain: Set<string>;
}

/** What acknowledged writes promise. A chunk that is removed never comes back under its id. */
function expectedOf(entries: readonly JournalEntry[]): Expected {
  const answered = new Set(entries.filter((entry) => entry.step === 'acknowledged').map((entry) => entry.writeId));
  const expected: Expected = { present: new Set(), gone: new Set(), uncertain: new Set() };
  for (const { step, writeId, added, removed } of entries) {
    if (step === 'acknowledged') {
      for (const id of added) expected.present.add(id);
      for (const id of removed) expected.gone.add(id);
    } else if (!answered.has(writeId)) for (const id of [...added, ...removed]) expected.uncertain.add(id);
  }
  for (const id of expected.gone) expected.present.delete(id);
  for (const id of expected.uncertain) expected.present.delete(id);
  return expected;
}

/** Asks the index for the one word of every chunk of the journal: found exactly once, or not at all. */
export async function checkJournal(
  app: Database,
  memory: MemoryScope,
  entries: readonly JournalEntry[],
): Promise<JournalCheck> {
  const { present, gone, uncertain } = expectedOf(entries);
  const index = createSegmentIndex({ analyser: ANALYSER });
  const violations: string[] = [];
  await app.withTenant(
    memory.tenantId,
    async (tx) => {
      const found = async (id: string) =>
        (await index.search(tx, memory, { text: markerOf(id), limit: 10 })).map((hit) => hit.chunkId);
      for (const id of present) {
        const ids = await found(id);
        if (ids.length !== 1 || ids[0] !== id) violations.push(`${id} was acknowledged; found ${JSON.stringify(ids)}`);
      }
      for (const id of gone) {
        if (!uncertain.has(id) && (await found(id)).length > 0) violations.push(`${id} was deleted and is found`);
      }
    },
    { mode: 'snapshot' },
  );
  const acknowledged = entries.filter((entry) => entry.step === 'acknowledged').length;
  const asked = entries.length - acknowledged;
  return { acknowledged, unanswered: asked - acknowledged, present: present.size, gone: gone.size, violations };
}
