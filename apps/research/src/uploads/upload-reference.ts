import { createHash } from 'node:crypto';
import type * as operations from '@cairn/contracts';
import { CairnError, notFound, validationFailed } from '@cairn/errors';
import { ENDED } from '../ledger/run.ts';
import { lockRun } from '../ledger/run-store.ts';
import { type Database, idempotent, type Tx } from '@cairn/postgres';
import type { RequestContext, JsonResponse } from '@cairn/service-kit';
import type { DlpPolicy } from '@cairn/screening';
import { policyOfRun } from '../runs/screen-run-texts.ts';
import { findRecord, type RunRecord } from '../runs/run-record.ts';
import { storeSource, TEXT_MAX_CHARS } from '../sources/source-store.ts';
import type { FileReader } from './file-reader.ts';

export interface UploadDeps {
  database: Database;
  files: FileReader;
}

const FILES_MAX = 20;
const NAME_MAX_CHARS = 120;
const REASONS = {
  unreadable: 'cannot be read: it is damaged, encrypted, or unpacks to too much',
  empty: 'contains no text',
};

/** Stores a reference file for an active deep search. Its text is a source of that run only. */
export async function uploadReference(
  deps: UploadDeps,
  request: RequestContext<typeof operations.uploadReference>,
): Promise<JsonResponse<typeof operations.uploadReference>> {
  const { file, fields } = request.upload;
  const { tenantId } = request.identity;
  const { record: before, policy } = await deps.database.withTenant(tenantId, (tx) =>
    activeDeepSearch(tx, fields.thread_id),
  );
  const { memory_id } = before;
  const task = { bytes: file.bytes, name: file.name, policy };
  const read = await deps.files.read(tenantId, task, request.signal);
  if (!read.ok) throw refusalOf(read.reason);
  const response = await deps.database.withTenant(tenantId, (tx) =>
    idempotent(
      tx,
      {
        caller: request.identity,
        operation: 'uploadReference',
        key: request.idempotencyKey,
        request: { ...fields, name: file.name, sha256: createHash('sha256').update(file.bytes).digest('base64') },
        memoryId: memory_id,
      },
      async () => {
        const { record } = await activeDeepSearch(tx, fields.thread_id);
        if (record.text_chars + read.text.length > TEXT_MAX_CHARS)
          throw new CairnError(
            'payload_too_large',
            'Together the files of the run contain more text than one run reads.',
          );
        const path = await freePath(tx, record.run_id, read.name);
        const { sourceId } = await storeSource(tx, {
          tenantId,
          run_id: record.run_id,
          origin: path,
          kind: 'upload',
          title: path.slice(record.run_id.length + 1),
          uri: null,
          body: read.text,
          occurredAt: null,
        });
        await tx.execute(
          `INSERT INTO uploads (tenant_id, run_id, path, media_type, bytes, source_id) VALUES ($1, $2, $3, $4, $5, $6)`,
          [tenantId, record.run_id, path, read.mediaType, file.bytes.length, sourceId],
        );
        return { status: 200, body: { success: true, workspace_id: record.workspace_id, paths: [path] } };
      },
    ),
  );
  return { body: response.body as never, replayed: response.replayed };
}

function refusalOf(reason: 'unsupported' | keyof typeof REASONS): CairnError {
  if (reason !== 'unsupported') return validationFailed([{ path: 'file', message: REASONS[reason] }]);
  return new CairnError(
    'unsupported_media_type',
    'Reference files may be PDF, DOCX, XLSX, PPTX, EPUB, EML, HTML, CSV, JSON, Markdown or text.',
  );
}

/** Locks the run, so that it cannot end while a file is being stored. */
async function activeDeepSearch(tx: Tx, threadId: string): Promise<{ record: RunRecord; policy: DlpPolicy }> {
  const run = await lockRun(tx, threadId);
  const record = await findRecord(tx, threadId);
  if (run === null || record === null) throw notFound('The deep search');
  if (record.kind !== 'deep_search' || ENDED.includes(run.status))
    throw new CairnError('conflict', 'The thread is not an active deep search.');
  return { record, policy: policyOfRun(run) };
}

/** `<thread_id>/<safe name>`, with a number when the name is taken. */
async function freePath(tx: Tx, runId: string, name: string): Promise<string> {
  const taken = new Set(
    (await tx.query<{ path: string }>('SELECT path FROM uploads WHERE run_id = $1', [runId])).map(({ path }) => path),
  );
  if (taken.size >= FILES_MAX) throw new CairnError('conflict', `A run accepts at most ${FILES_MAX} files.`);
  const base = safeName(name);
  for (let number = 1; ; number += 1) {
    const path = `${runId}/${number === 1 ? base : base.replace(/(\.[^.]*)?$/, `-${number}$1`)}`;
    if (!taken.has(path)) return path;
  }
}

/** The last path segment, reduced to letters, digits, `.`, `_` and `-`. */
function safeName(name: string): string {
  const last = name.split(/[/\\]/).at(-1) ?? '';
  const safe = last
    .normalize('NFC')
    .replace(/[^\p{L}\p{N}._-]+/gu, '-')
    .replace(/^[.-]+|(?<![.-])[.-]+$/g, '');
  return safe === '' ? 'file' : safe.slice(-NAME_MAX_CHARS);
}
