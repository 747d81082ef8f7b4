import { readFile } from 'node:fs/promises';
import { CairnError } from '@cairn/errors';
import type { Database } from '@cairn/postgres';
import { type Logger, repeat, type Running } from '@cairn/service-kit';
import { parsePriceBook, type PriceBook } from './price-book.ts';

const READ_EVERY_MS = 2_000;

export interface Prices extends Running {
  current(): PriceBook;
}

/**
 * Reads the price book and goes on reading it: a change of the file holds within seconds, without a restart. A file
 * that is not valid, or that changes a version which was in use, is refused and said in the log; what was known
 * goes on to hold. At the start it is an error.
 */
export async function watchPrices(parts: {
  file: string;
  workerDatabase: Database;
  logger: Logger;
  readEveryMs?: number;
}): Promise<Prices> {
  let text = await readFile(parts.file, 'utf8').catch((error: unknown) => {
    throw new Error(`${parts.file} cannot be read`, { cause: error });
  });
  let book = await accepted(parts, text);
  const read = async () => {
    const next = await readFile(parts.file, 'utf8');
    if (next === text) return;
    // Remembered before it is judged, so that a broken file is complained of once.
    text = next;
    book = await accepted(parts, next).catch((error: unknown) => {
      if (error instanceof CairnError && error.code === 'unavailable') text = '';
      throw error;
    });
    parts.logger.info({ versions: book.map(({ version }) => version) }, 'new prices hold');
  };
  const reading = repeat(parts.readEveryMs ?? READ_EVERY_MS, read, (error) =>
    parts.logger.error({ err: error, alert: 'price_book_refused' }, 'the price book was not taken; the old one holds'),
  );
  return { current: () => book, close: reading.close };
}

async function accepted(parts: { file: string; workerDatabase: Database }, text: string): Promise<PriceBook> {
  const book = parsePriceBook(text, parts.file);
  await parts.workerDatabase.transaction(async (tx) => {
    for (const { version, sha256 } of book) {
      await tx.execute('INSERT INTO price_versions (version, sha256) VALUES ($1, $2) ON CONFLICT DO NOTHING', [
        version,
        sha256,
      ]);
      const known = await tx.query<{ sha256: Buffer }>('SELECT sha256 FROM price_versions WHERE version = $1', [
        version,
      ]);
      if (known[0]?.sha256.equals(sha256) !== true)
        throw new Error(
          `${parts.file}: version ${version} is not what it was when it was first used; add a version with its own date instead`,
        );
    }
  });
  return book;
}
