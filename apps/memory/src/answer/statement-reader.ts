import { LRUCache } from 'lru-cache';
import { stemsOf } from '../index/analysis/analyse.ts';
import { statementsOf } from './statements.ts';

export interface Statement {
  text: string;
  /** In their order, stop words left out. */
  stems: ReadonlySet<string>;
}

/** Reads what chunks state and remembers it: a chunk's text never changes under its id. */
export interface StatementReader {
  /** `language` is the question's, so that its words and the chunk's are compared by the same stems. */
  read(chunk: { chunkId: string; body: string }, language: string): readonly Statement[];
}

const STEMS_KEPT_MAX = 300_000;

export function createStatementReader(): StatementReader {
  const known = new LRUCache<string, readonly Statement[]>({
    maxSize: STEMS_KEPT_MAX,
    sizeCalculation: (statements) => statements.reduce((sum, { stems }) => sum + stems.size, 1),
  });
  return {
    read({ chunkId, body }, language) {
      const key = `${language} ${chunkId}`;
      const cached = known.get(key);
      if (cached !== undefined) return cached;
      const statements = statementsOf(body).map((text) => ({ text, stems: stemsOf(text, language) }));
      known.set(key, statements);
      return statements;
    },
  };
}
