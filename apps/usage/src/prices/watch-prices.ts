import { readFile } from 'node:fs/promises';
import { CairnError } from '@cairn/errors';
import type { Database } from '@cairn/postgres';
import { type Logger, repeat, type Running } from '@cairn/service-kit';
import { parsePriceList, type PriceList } from './price-list.ts';

const READ_EVERY_MS = 2_000;

interface Prices extends Running {
  current(): PriceList;
}

/**
 * Reads the price list and watches it: a change of the file takes effect within seconds, without a restart. A file that
 * is invalid, or that changes a version already used, is rejected with an alert, and the previous prices stay in force.
 * At the start it is an error.
 */
export async function watchPrices(deps: {
  file: string;
  workerDatabase: Database;
  logger: Logger;
  readEveryMs?: number;
}): Promise<Prices> {
  let text = await readFile(deps.file, 'utf8').catch((error: unknown) => {
    throw new Error(`${deps.file} cannot be read`, { cause: error });
  });
  let list = await validated(deps, text);
  const read = async () => {
    const next = await readFile(deps.file, 'utf8');
    if (next === text) return;
    // Stored before it is validated, so that a broken file is reported once.
    text = next;
    list = await validated(deps, next).catch((error: unknown) => {
      if (error instanceof CairnError && error.code === 'unavailable') text = '';
      throw error;
    });
    deps.logger.info({ versions: list.map(({ version }) => version) }, 'prices: a new price list is in force');
  };
  const reading = repeat(deps.readEveryMs ?? READ_EVERY_MS, read, (error) =>
    deps.logger.error(
      { err: error, alert: 'price_book_refused' },
      'prices: the price list was rejected; the previous one stays in force',
    ),
  );
  return { current: () => list, close: reading.close };
}

async function validated(deps: { file: string; workerDatabase: Database }, text: string): Promise<PriceList> {
  const list = parsePriceList(text, deps.file);
  await deps.workerDatabase.transaction(async (tx) => {
    for (const { version, sha256 } of list) {
      await tx.execute('INSERT INTO price_versions (version, sha256) VALUES ($1, $2) ON CONFLICT DO NOTHING', [
        version,
        sha256,
      ]);
      const stored = await tx.query<{ sha256: Buffer }>('SELECT sha256 FROM price_versions WHERE version = $1', [
        version,
      ]);
      if (stored[0]?.sha256.equals(sha256) !== true)
        throw new Error(
          `${deps.file}: version ${version} is not what it was when it was first used; add a version with its own date instead`,
        );
    }
  });
  return list;
}
