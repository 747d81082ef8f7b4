import { stemsOf } from '../../text/analyse.ts';
import { createIdleCache } from '../../cache/idle-cache.ts';
import { statementsOf } from './statements.ts';

interface Statement {
  text: string;
  /** In their order, stop words left out. */
  stems: ReadonlySet<string>;
}

/** Reads what chunks state and remembers it: a chunk's text never changes under its id. */
export interface StatementReader {
  /** `language` is the question's, so that its words and the chunk's are compared by the same stems. */
  read(chunk: { chunkId: string; body: string }, language: string): readonly Statement[];
  purgeIdle(): void;
}

const BYTES_KEPT_MAX = 48_000_000;
/** Of the objects around one chunk's statements, around one statement, and of one stem in its set. */
const CHUNK_BYTES = 400;
const STATEMENT_BYTES = 300;
const STEM_BYTES = 40;

export function createStatementReader(): StatementReader {
  const known = createIdleCache<readonly Statement[]>(BYTES_KEPT_MAX, bytesOf);
  return {
    read({ chunkId, body }, language) {
      const key = `${language} ${chunkId}`;
      const cached = known.get(key);
      if (cached !== undefined) return cached;
      const statements = statementsOf(body).map((text) => ({ text, stems: stemsOf(text, language) }));
      known.set(key, statements);
      return statements;
    },
    purgeIdle: () => void known.purgeStale(),
  };
}

function bytesOf(statements: readonly Statement[]): number {
  return statements.reduce(
    (sum, { text, stems }) => sum + STATEMENT_BYTES + 2 * text.length + STEM_BYTES * stems.size,
    CHUNK_BYTES,
  );
}
