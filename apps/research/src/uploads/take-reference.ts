import { createHash } from 'node:crypto';
import type { uploadReference } from '@cairn/contracts';
import { CairnError, notFound, validationFailed } from '@cairn/errors';
import { ENDED, lockRun } from '@cairn/ledger';
import { type Database, idempotent, type Tx } from '@cairn/postgres';
import type { Call, JsonAnswer } from '@cairn/service-kit';
import type { DlpPolicy } from '@cairn/screening';
import { policyOfRun } from '../runs/screened.ts';
import { findRecord, type RunRecord } from '../runs/run-record.ts';
import { keepSource, TEXT_MAX_CHARS } from '../run-work/source-store.ts';
import type { FileReader } from './file-reader.ts';

export interface UploadParts {
  database: Database;
  files: FileReader;
}

const FILES_MAX = 20;
const NAME_MAX_CHARS = 120;
const REASONS = {
  unsupported: 'is of a kind that is not read; PDF, DOCX, CSV, JSON, HTML, Markdown and text are',
  unreadable: 'cannot be read: it is broken, encrypted or too large to unpack',
  empty: 'holds no text',
};

/** Takes a reference file for a deep search that has not ended; its text is a source of that run and of nothing else. */
export async function takeReference(
  parts: UploadParts,
  call: Call<typeof uploadReference>,
): Promise<JsonAnswer<typeof uploadReference>> {
  const { file, fields } = call.upload;
  const { tenantId } = call.identity;
  const { record: before, policy } = await parts.database.withTenant(tenantId, (tx) =>
    activeDeepSearch(tx, fields.thread_id),
  );
  const { memory_id } = before;
  const question = { bytes: file.bytes, name: file.name, policy };
  const text = await parts.files.read(tenantId, question, call.signal);
  if (!text.ok) throw validationFailed([{ path: 'file', message: REASONS[text.reason] }]);
  const answer = await parts.database.withTenant(tenantId, (tx) =>
    idempotent(
      tx,
      {
        caller: call.identity,
        operation: 'uploadReference',
        key: call.idempotencyKey,
        request: { ...fields, name: file.name, sha256: createHash('sha256').update(file.bytes).digest('base64') },
        memoryId: memory_id,
      },
      async () => {
        const { record } = await activeDeepSearch(tx, fields.thread_id);
        if (record.text_chars + text.text.length > TEXT_MAX_CHARS)
          throw new CairnError('payload_too_large', 'The files of a run hold more text together than one run reads.');
        const path = await freePath(tx, record.run_id, text.name);
        const { sourceId } = await keepSource(tx, {
          tenantId,
          run_id: record.run_id,
          origin: path,
          kind: 'upload',
          title: path.slice(record.run_id.length + 1),
          uri: null,
          body: text.text,
          occurredAt: null,
        });
        await tx.execute(
          `INSERT INTO uploads (tenant_id, run_id, path, media_type, bytes, source_id) VALUES ($1, $2, $3, $4, $5, $6)`,
          [tenantId, record.run_id, path, text.mediaType, file.bytes.length, sourceId],
        );
        return { status: 200, body: { success: true, workspace_id: record.workspace_id, paths: [path] } };
      },
    ),
  );
  return { body: answer.body as never, replayed: answer.replayed };
}

/** The run is held, so that it does not end while a file comes in. */
async function activeDeepSearch(tx: Tx, threadId: string): Promise<{ record: RunRecord; policy: DlpPolicy }> {
  const run = await lockRun(tx, threadId);
  const record = await findRecord(tx, threadId);
  if (run === null || record === null) throw notFound('The deep search');
  if (record.kind !== 'deep_search' || ENDED.includes(run.status))
    throw new CairnError('conflict', 'The thread is no deep search that is still active.');
  return { record, policy: policyOfRun(run) };
}

/** `<thread_id>/<safe name>`, with a number when the name is taken. */
async function freePath(tx: Tx, runId: string, name: string): Promise<string> {
  const taken = new Set(
    (await tx.query<{ path: string }>('SELECT path FROM uploads WHERE run_id = $1', [runId])).map(({ path }) => path),
  );
  if (taken.size >= FILES_MAX) throw new CairnError('conflict', `A run takes ${FILES_MAX} files at most.`);
  const base = safeName(name);
  for (let number = 1; ; number += 1) {
    const path = `${runId}/${number === 1 ? base : base.replace(/(\.[^.]*)?$/, `-${number}$1`)}`;
    if (!taken.has(path)) return path;
  }
}

/** The last part of a name, of letters, digits, `.`, `_` and `-` alone. */
export function safeName(name: string): string {
  const last = name.split(/[/\\]/).at(-1) ?? '';
  const safe = last
    .normalize('NFC')
    .replace(/[^\p{L}\p{N}._-]+/gu, '-')
    .replace(/^[.-]+|(?<![.-])[.-]+$/g, '');
  return safe === '' ? 'file' : safe.slice(-NAME_MAX_CHARS);
}
