import { isUtf8 } from 'node:buffer';
import { openAsBlob } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Cairn } from '@cairn/sdk';
import { findFiles, type FoundFile, isUnreadable, type SkippedFile, UNREADABLE } from './find-files.ts';
import { wordsOf } from './failures.ts';

const UPLOADS_AT_ONCE = 4;
const BATCH_MAX_DOCUMENTS = 100;
const BATCH_MAX_BYTES = 4 * 1_048_576;
const POLL_MS = 150;
const PAGE = 200;
/** A document that cannot be found for so long was deleted; before, a replica may not have it yet. */
const MISSING_MS = 30_000;
/** A full queue or a restarting part is waited for; the external ids make a repeat harmless. */
const PATIENTLY = { maxRetries: 8, timeoutMs: 300_000 };
/** What is wrong with one file is said about it; these are about the key or the plan, and end the command. */
const ABOUT_THE_CALLER: ReadonlySet<number> = new Set([0, 401, 402, 403, 404, 429]);

interface AddProgress {
  total: number;
  completed: number;
  failed: number;
}

export interface AddResult extends AddProgress {
  left_out: SkippedFile[];
  failures: { path: string; message: string }[];
  doc_ids: string[];
}

export interface AddOptions {
  scope?: { memory_id?: string; space_id?: string };
  only?: (path: string) => boolean;
  onProgress?: (progress: AddProgress) => void;
}

/** Sends the files below the paths and waits until each is searchable or has failed. */
export async function addFiles(client: Cairn, paths: readonly string[], options: AddOptions): Promise<AddResult> {
  const { files, leftOut } = await findFiles(paths, options.only);
  const result = newResult(files.length, leftOut);
  const adding = new Adding(client, options, result);
  const texts = files.filter(({ plainText }) => plainText);
  for (const batch of batchesOf(texts)) await adding.sendTexts(batch);
  await adding.sendFiles(files.filter(({ plainText }) => !plainText));
  await adding.wait();
  return result;
}

/** A text to add, and the name by which the result refers to it. */
export interface TextToAdd {
  path: string;
  document: { content: string; external_id: string; occurred_at?: string; metadata?: DocumentMetadata };
}

export type DocumentMetadata = Record<string, string | number | boolean | null | string[]>;

/** Sends the texts and waits until each is searchable or has failed. */
export async function addTexts(
  client: Cairn,
  texts: readonly TextToAdd[],
  options: Pick<AddOptions, 'scope' | 'onProgress'>,
): Promise<AddResult> {
  const result = newResult(texts.length, []);
  const adding = new Adding(client, options, result);
  const sized = texts.map((text) => ({ ...text, bytes: Buffer.byteLength(text.document.content) }));
  for (const batch of batchesOf(sized)) await adding.sendDocuments(batch);
  await adding.wait();
  return result;
}

function newResult(total: number, leftOut: SkippedFile[]): AddResult {
  return { total, completed: 0, failed: 0, left_out: leftOut, failures: [], doc_ids: [] };
}

/** Files and texts on their way into a memory. */
class Adding {
  private readonly client: Cairn;
  private readonly options: AddOptions;
  private readonly result: AddResult;
  /** Documents that are neither searchable nor failed, with their paths. */
  private readonly pending = new Map<string, string>();
  /** Since when some of them were not in the list. */
  private readonly missingSince = new Map<string, number>();

  constructor(client: Cairn, options: AddOptions, result: AddResult) {
    this.client = client;
    this.options = options;
    this.result = result;
  }

  async sendTexts(batch: readonly FoundFile[]): Promise<void> {
    const texts: TextToAdd[] = [];
    const encoded: FoundFile[] = [];
    for (const file of batch) {
      const bytes = await this.readable(file, readFile(file.path));
      if (bytes === null) continue;
      const content = bytes.toString();
      if (content.trim() === '') this.leaveOut(file, 'is empty');
      // Its beginning looked as if it were UTF-8; the service finds out what it is.
      else if (!isUtf8(bytes)) encoded.push(file);
      else texts.push({ path: file.path, document: { content, external_id: file.externalId } });
    }
    await this.sendDocuments(texts);
    await this.sendFiles(encoded);
  }

  async sendDocuments(batch: readonly TextToAdd[]): Promise<void> {
    if (batch.length === 0) return;
    const { memory_id, space_id } = this.options.scope ?? {};
    const documents = batch.map(({ document }) => ({ ...document, ...(space_id === undefined ? {} : { space_id }) }));
    const fields = { documents, ...(memory_id === undefined ? {} : { memory_id }) };
    try {
      const answer = await this.client.documents.add(fields, PATIENTLY);
      answer.documents.forEach(({ doc_id }, index) => this.accept(doc_id, batch[index]!));
    } catch (error) {
      if (isAboutTheCaller(error)) throw error;
      // One of them is refused, and all with it: each is sent by itself, so that only that one is left out.
      if (batch.length > 1) for (const one of batch) await this.sendDocuments([one]);
      else this.fail(batch[0]!, error);
    }
    await this.look();
  }

  async sendFiles(files: readonly FoundFile[]): Promise<void> {
    for (let at = 0; at < files.length; at += UPLOADS_AT_ONCE)
      await this.sendFilesAtOnce(files.slice(at, at + UPLOADS_AT_ONCE));
  }

  private async sendFilesAtOnce(files: readonly FoundFile[]): Promise<void> {
    await Promise.all(
      files.map(async (file) => {
        const blob = await this.readable(file, openAsBlob(file.path));
        if (blob === null) return;
        const content = { name: basename(file.path), content: blob };
        try {
          const fields = { external_id: file.externalId, ...this.options.scope };
          const answer = await this.client.documents.upload(content, fields, PATIENTLY);
          this.accept(answer.documents[0]!.doc_id, file);
        } catch (error) {
          if (isAboutTheCaller(error)) throw error;
          this.fail(file, error);
        }
      }),
    );
    await this.look();
  }

  async wait(): Promise<void> {
    while (this.pending.size > 0) {
      await sleep(POLL_MS);
      await this.look();
    }
  }

  private accept(docId: string, file: { path: string }): void {
    this.result.doc_ids.push(docId);
    this.pending.set(docId, file.path);
  }

  /** Null for a file that has gone since it was found, which is left out. */
  private async readable<T>(file: FoundFile, read: Promise<T>): Promise<T | null> {
    try {
      return await read;
    } catch (error) {
      if (!isUnreadable(error)) throw error;
      this.leaveOut(file, UNREADABLE);
      return null;
    }
  }

  private leaveOut({ path }: FoundFile, reason: string): void {
    this.result.left_out.push({ path, reason });
    this.result.total -= 1;
  }

  private fail(file: { path: string }, error: unknown): void {
    this.result.failed += 1;
    this.result.failures.push({ path: file.path, message: wordsOf(error) });
  }

  /** Looks through the list, whose newest documents come first, as far as there are some to look for. */
  private async look(): Promise<void> {
    const unseen = new Set(this.pending.keys());
    const oldest = [...unseen].reduce((least, docId) => (docId < least ? docId : least), '~');
    const { memory_id } = this.options.scope ?? {};
    const fields = { limit: PAGE, sort: 'newest' as const, ...(memory_id === undefined ? {} : { memory_id }) };
    if (unseen.size > 0)
      for await (const document of this.client.documents.list(fields, PATIENTLY)) {
        if (unseen.delete(document.doc_id)) this.settle(document);
        // The rest of the list is older than all of them.
        if (unseen.size === 0 || document.doc_id < oldest) break;
      }
    this.settleMissing(unseen);
    this.options.onProgress?.(this.result);
  }

  private settleMissing(unseen: ReadonlySet<string>): void {
    const now = performance.now();
    for (const docId of this.pending.keys())
      if (!unseen.has(docId)) this.missingSince.delete(docId);
      else if (!this.missingSince.has(docId)) this.missingSince.set(docId, now);
      else if (now - this.missingSince.get(docId)! > MISSING_MS)
        this.settle({ doc_id: docId, status: 'failed', error: { message: 'was deleted meanwhile' } });
  }

  private settle({
    doc_id,
    status,
    error,
  }: {
    doc_id: string;
    status: string;
    error: { message: string } | null;
  }): void {
    if (status !== 'completed' && status !== 'failed') return;
    const path = this.pending.get(doc_id)!;
    this.pending.delete(doc_id);
    if (status === 'completed') this.result.completed += 1;
    else {
      this.result.failed += 1;
      this.result.failures.push({ path, message: error?.message ?? 'failed' });
    }
  }
}

function isAboutTheCaller(error: unknown): boolean {
  const status = (error as { status?: unknown }).status;
  return typeof status !== 'number' || ABOUT_THE_CALLER.has(status) || status >= 500;
}

function batchesOf<Sized extends { bytes: number }>(files: readonly Sized[]): Sized[][] {
  const batches: Sized[][] = [];
  let bytes = 0;
  for (const file of files) {
    const open = batches.at(-1);
    if (open === undefined || open.length === BATCH_MAX_DOCUMENTS || bytes + file.bytes > BATCH_MAX_BYTES) {
      batches.push([file]);
      bytes = file.bytes;
    } else {
      open.push(file);
      bytes += file.bytes;
    }
  }
  return batches;
}
