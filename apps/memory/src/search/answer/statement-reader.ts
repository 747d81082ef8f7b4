import { stemsOf } from '../../text/analyse.ts';
import { charactersOf } from '../../text/content-stems.ts';
import { createIdleCache } from '../../cache/idle-cache.ts';
import { SentenceFeatures } from './sentence-features.ts';
import { statementsOf } from './statements.ts';

export interface AnswerStatement {
  text: string;
  /** In their order, stop words left out; behind them Chinese characters by themselves. */
  stems: ReadonlySet<string>;
  /** The same as a list, without characters by themselves. */
  words: readonly string[];
  signs: SentenceFeatures;
}

/** Reads what chunks state and remembers it: a chunk's text never changes under its id. */
export interface StatementReader {
  /** `language` is the question's, so that its words and the chunk's are compared by the same stems. */
  read(chunk: { chunkId: string; body: string }, language: string): readonly AnswerStatement[];
  /** Stems of a title or of a path of titles. */
  stemsOf(title: string, language: string): ReadonlySet<string>;
  purgeIdle(): void;
}

const CACHED_BYTES_MAX = 48_000_000;
const CACHED_TITLE_BYTES_MAX = 8_000_000;
/** Of the objects around one chunk's statements, around one statement, and of one stem in its set and list. */
const CHUNK_BYTES = 400;
const STATEMENT_BYTES = 800;
const STEM_BYTES = 48;

export function createStatementReader(): StatementReader {
  const known = createIdleCache<readonly AnswerStatement[]>(CACHED_BYTES_MAX, bytesOf);
  const titles = createIdleCache<ReadonlySet<string>>(
    CACHED_TITLE_BYTES_MAX,
    (stems) => STATEMENT_BYTES + 2 * STEM_BYTES * stems.size,
  );
  return {
    read({ chunkId, body }, language) {
      const key = `${language} ${chunkId}`;
      const cached = known.get(key);
      if (cached !== undefined) return cached;
      const statements = statementsOf(body).map((text) => {
        const stems = stemsOf(text, language);
        const words = [...stems];
        for (const character of charactersOf(text)) stems.add(character);
        return { text, stems, words, signs: new SentenceFeatures(text, language) };
      });
      known.set(key, statements);
      return statements;
    },
    stemsOf(title, language) {
      const key = `${language} ${title}`;
      const cached = titles.get(key);
      if (cached !== undefined) return cached;
      const stems = stemsOf(title, language);
      for (const character of charactersOf(title)) stems.add(character);
      titles.set(key, stems);
      return stems;
    },
    purgeIdle() {
      known.purgeStale();
      titles.purgeStale();
    },
  };
}

function bytesOf(statements: readonly AnswerStatement[]): number {
  return statements.reduce(
    (sum, { text, stems }) => sum + STATEMENT_BYTES + 2 * text.length + STEM_BYTES * stems.size,
    CHUNK_BYTES,
  );
}
