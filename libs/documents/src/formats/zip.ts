import { type Entry, fromBuffer, type ZipFile } from 'yauzl';
import { ParseFailure } from '../parsed.ts';

/** Bounds of what is unpacked; the archive's own words about sizes are checked while reading. */
const ENTRIES_MAX = 10_000;
const ENTRY_MAX_BYTES = 48 * 1_048_576;
const ALL_MAX_BYTES = 96 * 1_048_576;
/** Office files hold XML that shrinks well; more than this is a bomb. */
const RATIO_MAX = 200;
const RATIO_MATTERS_FROM_BYTES = 4 * 1_048_576;

/** An archive whose entries are read into memory, never onto a disk, so that their names are only names. */
export interface OpenZip {
  names: ReadonlySet<string>;
  /** The entry's bytes, or null when there is none. */
  read(name: string): Promise<Buffer | null>;
  readText(name: string): Promise<string | null>;
}

/** Opens an archive; throws `broken_file`, or `unsafe_file` for one that unpacks to more than it may. */
export async function openZip(bytes: Uint8Array): Promise<OpenZip> {
  const zip = await open(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));
  const entries = await listEntries(zip);
  let left = ALL_MAX_BYTES;
  const read = async (name: string): Promise<Buffer | null> => {
    const entry = entries.get(name);
    if (entry === undefined) return null;
    const content = await readEntry(zip, entry, Math.min(left, ENTRY_MAX_BYTES));
    left -= content.length;
    return content;
  };
  return {
    names: new Set(entries.keys()),
    read,
    readText: async (name) => (await read(name))?.toString('utf8') ?? null,
  };
}

/** The entry that another one names, from its own folder or from the root. */
export function entryAt(from: string, target: string): string {
  const folder = target.startsWith('/') ? '' : from.slice(0, from.lastIndexOf('/') + 1);
  const steps: string[] = [];
  for (const step of `${folder}${target}`.split('/')) {
    if (step === '..') steps.pop();
    else if (step !== '' && step !== '.') steps.push(step);
  }
  return steps.join('/');
}

function open(bytes: Buffer): Promise<ZipFile> {
  return new Promise((resolve, reject) => {
    // Names are not decoded into paths: nothing is written anywhere, so `../x` is as good a name as any.
    const options = { lazyEntries: true, autoClose: false, validateEntrySizes: true, strictFileNames: false };
    fromBuffer(bytes, options, (error, zip) => (error === null ? resolve(zip) : reject(broken(error))));
  });
}

function listEntries(zip: ZipFile): Promise<Map<string, Entry>> {
  const entries = new Map<string, Entry>();
  return new Promise((resolve, reject) => {
    let declaredBytes = 0;
    zip.on('error', (error: Error) => reject(broken(error)));
    zip.on('end', () => resolve(entries));
    zip.on('entry', (entry: Entry) => {
      declaredBytes += entry.uncompressedSize;
      if (entries.size >= ENTRIES_MAX || declaredBytes > 4 * ALL_MAX_BYTES || isBomb(entry)) return reject(unsafe());
      // Of two entries with one name the first counts, as for a reader that looks it up.
      if (!entries.has(entry.fileName)) entries.set(entry.fileName, entry);
      zip.readEntry();
    });
    zip.readEntry();
  });
}

function isBomb(entry: Entry): boolean {
  return (
    entry.uncompressedSize > RATIO_MATTERS_FROM_BYTES &&
    entry.uncompressedSize > Math.max(1, entry.compressedSize) * RATIO_MAX
  );
}

function readEntry(zip: ZipFile, entry: Entry, maxBytes: number): Promise<Buffer> {
  if (entry.isEncrypted()) {
    throw new ParseFailure('password_required', 'The file is protected by a password. Send it without one.');
  }
  return new Promise((resolve, reject) => {
    zip.openReadStream(entry, (error, stream) => {
      if (error !== null) return reject(broken(error));
      const parts: Buffer[] = [];
      let size = 0;
      stream.on('data', (part: Buffer) => {
        size += part.length;
        parts.push(part);
        if (size > maxBytes) {
          stream.destroy();
          reject(unsafe());
        }
      });
      stream.on('error', (failure: Error) => reject(broken(failure)));
      stream.on('end', () => resolve(Buffer.concat(parts)));
    });
  });
}

function unsafe(): ParseFailure {
  return new ParseFailure('unsafe_file', 'The file unpacks to more than a document may. It was not read.');
}

function broken(cause: unknown): ParseFailure {
  return new ParseFailure('broken_file', 'The file is damaged: its archive cannot be read.', cause);
}
