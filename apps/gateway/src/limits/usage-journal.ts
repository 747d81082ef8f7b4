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
 * What this boot of the gateway spent of quotas, in a file that outlives it. A note is written before its request is
 * admitted; what a process wrote survives its being killed, so nothing is admitted that is not noted.
 */
export interface UsageJournal {
  slotFor(tenantId: string, month: string): number;
  /** Spent in all; throws when the disk refuses, and then nothing may be admitted. */
  write(slot: number, spent: number): void;
  /** Says that this boot lives, however little it spends. */
  touch(): void;
  /** Ends the notes for good: all of them were told to keys. */
  remove(): void;
  close(): void;
}

export interface Note {
  tenantId: string;
  month: string;
  spent: bigint;
}

/** spent, little endian; then month and tenant in UTF-8, filled up with zeros. */
const SPENT_BYTES = 8;
const MONTH_BYTES = 8;
const RECORD_BYTES = 128;
const FILE = /^spent-([0-9a-z-]+)\.notes$/;

export function openUsageJournal(folder: string, bootId: string): UsageJournal {
  mkdirSync(folder, { recursive: true });
  const file = join(folder, `spent-${bootId}.notes`);
  const descriptor = openSync(file, 'w', 0o600);
  const spentBytes = Buffer.alloc(SPENT_BYTES);
  let slots = 0;
  return {
    slotFor(tenantId, month) {
      const record = Buffer.alloc(RECORD_BYTES);
      record.write(month, SPENT_BYTES);
      const written = record.write(tenantId, SPENT_BYTES + MONTH_BYTES);
      if (written < Buffer.byteLength(tenantId)) throw new Error('the tenant’s id is too long for a note');
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

/** The boots whose notes lie in the folder and were not touched for so long: they are gone. */
export function bootsGone(folder: string, untouchedMs: number): string[] {
  let names: string[];
  try {
    names = readdirSync(folder);
  } catch {
    return [];
  }
  return names
    .flatMap((name) => FILE.exec(name)?.[1] ?? [])
    .filter((bootId) => Date.now() - touchedAtMs(folder, bootId) >= untouchedMs);
}

/** Infinity for notes that somebody else removed meanwhile. */
function touchedAtMs(folder: string, bootId: string): number {
  return statSync(join(folder, `spent-${bootId}.notes`), { throwIfNoEntry: false })?.mtimeMs ?? Infinity;
}

export function readNotes(folder: string, bootId: string): Note[] {
  const bytes = readFileSync(join(folder, `spent-${bootId}.notes`));
  const notes: Note[] = [];
  for (let at = 0; at + RECORD_BYTES <= bytes.length; at += RECORD_BYTES) {
    const text = (from: number, to: number) => bytes.toString('utf8', at + from, at + to).replace(/(?<!\0)\0+$/, '');
    const tenantId = text(SPENT_BYTES + MONTH_BYTES, RECORD_BYTES);
    if (tenantId === '') continue;
    notes.push({
      tenantId,
      month: text(SPENT_BYTES, SPENT_BYTES + MONTH_BYTES),
      spent: bytes.readBigUInt64LE(at),
    });
  }
  return notes;
}

export function removeNotes(folder: string, bootId: string): void {
  rmSync(join(folder, `spent-${bootId}.notes`), { force: true });
}
