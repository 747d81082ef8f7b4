import { type Entry, fromBuffer, type ZipFile } from 'yauzl';

const ENTRIES_MAX = 10_000;

/**
 * Whether all entries of an archive unpack to no more than `bytesMax` together, whatever it says of their sizes: each
 * is unpacked and thrown away. Rejects for what is no archive.
 */
export async function unpacksWithin(bytes: Uint8Array, bytesMax: number): Promise<boolean> {
  const zip = await open(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));
  const entries = await entriesOf(zip, bytesMax);
  if (entries === null) return false;
  let left = bytesMax;
  for (const entry of entries) {
    left -= await sizeOf(zip, entry, left);
    if (left < 0) return false;
  }
  return true;
}

function open(bytes: Buffer): Promise<ZipFile> {
  return new Promise((resolve, reject) => {
    // Nothing is written anywhere, so any name is as good as another.
    const options = { lazyEntries: true, autoClose: false, validateEntrySizes: true, strictFileNames: false };
    fromBuffer(bytes, options, (error, zip) => (error === null ? resolve(zip) : reject(error)));
  });
}

function entriesOf(zip: ZipFile, bytesMax: number): Promise<Entry[] | null> {
  const entries: Entry[] = [];
  let declared = 0;
  return new Promise((resolve, reject) => {
    zip.on('error', reject);
    zip.on('end', () => resolve(entries));
    zip.on('entry', (entry: Entry) => {
      entries.push(entry);
      declared += entry.uncompressedSize;
      if (entries.length > ENTRIES_MAX || declared > bytesMax) resolve(null);
      else zip.readEntry();
    });
    zip.readEntry();
  });
}

/** The size unpacked, counted; more than `bytesMax` as soon as it is. */
function sizeOf(zip: ZipFile, entry: Entry, bytesMax: number): Promise<number> {
  return new Promise((resolve, reject) => {
    zip.openReadStream(entry, (error, stream) => {
      if (error !== null) return reject(error);
      let size = 0;
      stream.on('data', (part: Buffer) => {
        size += part.length;
        if (size <= bytesMax) return;
        stream.destroy();
        resolve(size);
      });
      stream.on('error', reject);
      stream.on('end', () => resolve(size));
    });
  });
}
