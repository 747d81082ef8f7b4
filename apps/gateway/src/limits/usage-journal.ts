import {
  closeSync,
  futimesSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';

/**
 * What this gateway process spent of quotas, in a file that outlives it. An entry is written before its request is
 * admitted; what a process wrote survives a kill -9, so nothing is admitted that is not recorded.
 */
export interface UsageJournal {
  slotFor(tenantId: string, month: string): number;
  /** The total spent; throws when the disk fails, and then nothing may be admitted. */
  write(slot: number, spent: number): void;
  /** Shows that this process is alive, however little it spends. */
  touch(): void;
  /** Deletes the journal after all of it was reported to keys. */
  remove(): void;
  close(): void;
}

interface JournalEntry {
  tenantId: string;
  month: string;
  spent: bigint;
}

/** spent, little endian; then month and tenant in UTF-8, padded with zeros. */
const SPENT_BYTES = 8;
const MONTH_BYTES = 8;
const RECORD_BYTES = 128;
const FILE = /^spent-([0-9a-z-]+)\.notes$/;

export function openUsageJournal(folder: string, processId: string): UsageJournal {
  mkdirSync(folder, { recursive: true });
  const file = join(folder, `spent-${processId}.notes`);
  const descriptor = openSync(file, 'w', 0o600);
  const spentBytes = Buffer.alloc(SPENT_BYTES);
  let slots = 0;
  return {
    slotFor(tenantId, month) {
      const record = Buffer.alloc(RECORD_BYTES);
      record.write(month, SPENT_BYTES);
      const written = record.write(tenantId, SPENT_BYTES + MONTH_BYTES);
      if (written < Buffer.byteLength(tenantId)) throw new Error('the tenant’s id is too long for a journal entry');
      writeSync(descriptor, record, 0, RECORD_BYTES, slots * RECORD_BYTES);
      return slots++;
    },
    write(slot, spent) {
      spentBytes.writeBigUInt64LE(BigInt(spent));
      writeSync(descriptor, spentBytes, 0, SPENT_BYTES, slot * RECORD_BYTES);
    },
    touch() {
      const now = new Date();
      futimesSync(descriptor, now, now);
    },
    remove: () => rmSync(file, { force: true }),
    close: () => closeSync(descriptor),
  };
}

/** The processes whose journals lie in the folder and were not touched for so long: they are dead. */
export function deadProcesses(folder: string, untouchedMs: number): string[] {
  let names: string[];
  try {
    names = readdirSync(folder);
  } catch {
    return [];
  }
  return names
    .flatMap((name) => FILE.exec(name)?.[1] ?? [])
    .filter((processId) => Date.now() - touchedAtMs(folder, processId) >= untouchedMs);
}

/** Infinity for a journal that another process removed meanwhile. */
function touchedAtMs(folder: string, processId: string): number {
  return statSync(join(folder, `spent-${processId}.notes`), { throwIfNoEntry: false })?.mtimeMs ?? Infinity;
}

export function readJournal(folder: string, processId: string): JournalEntry[] {
  const bytes = readFileSync(join(folder, `spent-${processId}.notes`));
  const entries: JournalEntry[] = [];
  for (let at = 0; at + RECORD_BYTES <= bytes.length; at += RECORD_BYTES) {
    const text = (from: number, to: number) => bytes.toString('utf8', at + from, at + to).replace(/(?<!\0)\0+$/, '');
    const tenantId = text(SPENT_BYTES + MONTH_BYTES, RECORD_BYTES);
    if (tenantId === '') continue;
    entries.push({
      tenantId,
      month: text(SPENT_BYTES, SPENT_BYTES + MONTH_BYTES),
      spent: bytes.readBigUInt64LE(at),
    });
  }
  return entries;
}

export function removeJournal(folder: string, processId: string): void {
  rmSync(join(folder, `spent-${processId}.notes`), { force: true });
}
