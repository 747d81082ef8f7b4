import { randomBytes } from 'node:crypto';
import { chmod, mkdir, open, readFile, rename } from 'node:fs/promises';
import { dirname } from 'node:path';

/** An installation and the key that it is called with. */
export interface Context {
  base_url: string;
  api_key: string;
  /** Used where a command names none; null is the primary memory. */
  memory_id: string | null;
}

export interface Contexts {
  current: string | null;
  contexts: Record<string, Context>;
}

/** What was logged in to on this machine; nothing where there is no file. */
export async function readContexts(file: string): Promise<Contexts> {
  const text = await readIfThere(file);
  if (text === null) return { current: null, contexts: {} };
  let found: Partial<Contexts>;
  try {
    found = JSON.parse(text) as Partial<Contexts>;
  } catch {
    throw new Error(`${file} is not JSON. Repair it, or delete it and log in again.`);
  }
  return { current: found.current ?? null, contexts: found.contexts ?? {} };
}

/** Writes the file, whole or not at all, for its owner only: it holds keys. */
export async function writeContexts(file: string, contexts: Contexts): Promise<void> {
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  const draft = `${file}.${randomBytes(4).toString('hex')}`;
  const handle = await open(draft, 'wx', 0o600);
  try {
    await handle.writeFile(`${JSON.stringify(contexts, null, 2)}\n`);
    await handle.sync();
  } finally {
    await handle.close();
  }
  await rename(draft, file);
  await chmod(file, 0o600);
}

/** The file's text, or null where there is none. */
export async function readIfThere(file: string): Promise<string | null> {
  return readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw error;
  });
}
