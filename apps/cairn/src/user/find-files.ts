import { open, readdir, stat } from 'node:fs/promises';
import { basename, isAbsolute, join, relative, sep } from 'node:path';
import { isUtf8 } from 'node:buffer';

export interface FoundFile {
  path: string;
  /** What the document is called in the memory: adding it again replaces it. */
  externalId: string;
  bytes: number;
  /** Plain text is sent as it is, many at once; what has a format is sent as a file and read by the service. */
  plainText: boolean;
}

export interface SkippedFile {
  path: string;
  reason: string;
}

/** Larger texts are sent as files, of which the service takes more at once. */
const PLAIN_MAX_BYTES = 4 * 1_048_576;
const HEAD_BYTES = 8_192;
/** Longest part of a character that the end of the head may cut off. */
const CUT_MAX_BYTES = 3;
/** How files begin that are not text and yet documents: PDF, Office and EPUB, older Office, UTF-16. */
const DOCUMENT_SIGNS = ['25504446', '504b0304', 'd0cf11e0a1b11ae1', 'fffe', 'feff'].map((hex) =>
  Buffer.from(hex, 'hex'),
);
/** Text whose structure the service reads. */
const STRUCTURED = /\.(?:csv|tsv|jsonl?|ndjson|html?|xml|eml|mbox|vcf|ics|rtf)$/i;
const STRUCTURED_STARTS = /^\s{0,64}(?:<|\{|\[)/;

/** The files at and below the paths that can be documents, and everything else that is there, each with the reason. */
export async function findFiles(
  paths: readonly string[],
  only: (path: string) => boolean = () => true,
): Promise<{ files: FoundFile[]; leftOut: SkippedFile[] }> {
  const files: FoundFile[] = [];
  const leftOut: SkippedFile[] = [];
  const visit = async (path: string, root: string): Promise<void> => {
    const info = await stat(path);
    if (info.isDirectory()) return visitFolder(path, root);
    if (!info.isFile()) return void leftOut.push({ path, reason: 'is neither a file nor a folder' });
    if (!only(path)) return;
    if (info.size === 0) return void leftOut.push({ path, reason: 'is empty' });
    const kind = await kindOf(path);
    if (kind === null) return void leftOut.push({ path, reason: 'is neither text nor a kind of document' });
    const externalId = (relative(root, path) || basename(path)).split(sep).join('/');
    files.push({ path, externalId, bytes: info.size, plainText: kind === 'text' && info.size <= PLAIN_MAX_BYTES });
  };
  const visitFolder = async (folder: string, root: string): Promise<void> => {
    const entries = await readdir(folder, { withFileTypes: true });
    for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
      const path = join(folder, entry.name);
      if (entry.name.startsWith('.')) leftOut.push({ path, reason: 'is hidden' });
      // A link to a folder above would never end.
      else if (entry.isSymbolicLink()) await visitLink(path, root);
      else await visitBelow(path, root);
    }
  };
  /** What the caller did not name itself keeps nothing else from being found. */
  const visitBelow = async (path: string, root: string): Promise<void> => {
    await visit(path, root).catch((error: unknown) => {
      if (!isUnreadable(error)) throw error;
      leftOut.push({ path, reason: UNREADABLE });
    });
  };
  const visitLink = async (path: string, root: string): Promise<void> => {
    const target = await stat(path).catch(() => null);
    if (target?.isFile() === true) return visitBelow(path, root);
    leftOut.push({ path, reason: target === null ? 'is a link to nothing' : 'is a link to a folder' });
  };
  for (const path of paths) await visit(path, path);
  return { files: withDistinctIds(files), leftOut };
}

export const UNREADABLE = 'cannot be read';

/** Whether something is not there any more, or not for this user. */
export function isUnreadable(error: unknown): boolean {
  return ['EACCES', 'EPERM', 'ENOENT'].includes((error as NodeJS.ErrnoException).code ?? '');
}

/** Whether a file is plain text or something that the service takes apart; null is no document. It goes by content. */
async function kindOf(path: string): Promise<'text' | 'file' | null> {
  const head = await headOf(path);
  if (DOCUMENT_SIGNS.some((sign) => head.subarray(0, sign.length).equals(sign))) return 'file';
  if (head.includes(0)) return null;
  if (!isUtf8Head(head)) return 'file';
  return STRUCTURED.test(path) || STRUCTURED_STARTS.test(head.toString('utf8', 0, 128)) ? 'file' : 'text';
}

async function headOf(path: string): Promise<Buffer> {
  const handle = await open(path);
  try {
    const { bytesRead, buffer } = await handle.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await handle.close();
  }
}

function isUtf8Head(head: Buffer): boolean {
  if (isUtf8(head)) return true;
  if (head.length < HEAD_BYTES) return false;
  return Array.from({ length: CUT_MAX_BYTES }, (_, cut) => cut + 1).some((cut) =>
    isUtf8(head.subarray(0, head.length - cut)),
  );
}

/** Two folders may hold files of the same name: each keeps a name of its own, or one would replace the other. */
function withDistinctIds(files: readonly FoundFile[]): FoundFile[] {
  const counts = new Map<string, number>();
  for (const { externalId } of files) counts.set(externalId, (counts.get(externalId) ?? 0) + 1);
  const seen = new Set<string>();
  return files.flatMap((file) => {
    // The same file named twice is one document.
    if (seen.has(file.path)) return [];
    seen.add(file.path);
    if (counts.get(file.externalId) === 1) return [file];
    const path = isAbsolute(file.path) ? file.path : relative('.', file.path);
    return [{ ...file, externalId: path.split(sep).join('/') }];
  });
}
