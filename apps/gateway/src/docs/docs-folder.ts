import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type BuiltFolder, readFolder } from '../folders/read-folder.ts';

export interface BuiltDocs extends BuiltFolder {
  /** The policy of its pages. */
  policy: string;
}

/** Written by the build: the hash of every script that stands in a page. */
const INLINE_SCRIPTS = 'inline-scripts.json';
const HASH = /^sha256-[A-Za-z0-9+/]{43}=$/;
/** While a folder is being made, requests look for it at most this often. */
const LOOK_AGAIN_MS = 1_000;

/**
 * The built documentation, which may come after the gateway has started: it is looked for when somebody asks for a page,
 * until it is there.
 */
export class DocsFolder {
  private readonly folder: string | undefined;
  private found: Promise<BuiltDocs | null> | undefined;

  constructor(folder: string | undefined) {
    this.folder = folder;
  }

  read(): Promise<BuiltDocs | null> {
    this.found ??= this.look();
    return this.found;
  }

  private async look(): Promise<BuiltDocs | null> {
    if (this.folder === undefined) return null;
    const built = await readDocs(this.folder).catch(() => null);
    if (built === null) setTimeout(() => (this.found = undefined), LOOK_AGAIN_MS).unref();
    return built;
  }
}

async function readDocs(folder: string): Promise<BuiltDocs> {
  const listed = JSON.parse(await readFile(join(folder, INLINE_SCRIPTS), 'utf8')) as unknown[];
  const hashes = listed.filter((hash): hash is string => typeof hash === 'string' && HASH.test(hash));
  const { files } = await readFolder(folder);
  return { folder, files: new Map([...files].filter(([path]) => path !== INLINE_SCRIPTS)), policy: policyOf(hashes) };
}

/** Search runs WebAssembly, and highlighted code has its colours in the element. */
function policyOf(hashes: readonly string[]): string {
  return [
    "default-src 'none'",
    `script-src 'self' 'wasm-unsafe-eval'${hashes.map((hash) => ` '${hash}'`).join('')}`,
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    "worker-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}
