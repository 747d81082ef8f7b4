import type * as operations from '@cairn/contracts';
import { CairnError, notFound } from '@cairn/errors';
import type { Database } from '@cairn/postgres';
import type { FileResponse, RequestContext } from '@cairn/service-kit';
import type { Citation } from '../analysis/report-types.ts';
import { HTML_POLICY } from '../exports/report-html.ts';
import { findRun } from '../ledger/run-store.ts';
import type { TextWorkers } from '../workers/text-workers.ts';
import { exportFailure } from './export-failure.ts';
import { findRecord, type RunRecord } from './run-record.ts';

interface ExportDeps {
  database: Database;
  text: TextWorkers;
}

const CPU_MAX_MS = 15_000;
const FORMATS = {
  markdown: { extension: 'md', mediaType: 'text/markdown; charset=utf-8' },
  html: { extension: 'html', mediaType: 'text/html; charset=utf-8' },
  pdf: { extension: 'pdf', mediaType: 'application/pdf' },
  json: { extension: 'json', mediaType: 'application/json' },
} as const;

/** Returns the report of a run as a download. */
export async function exportReport(
  { database, text }: ExportDeps,
  request: RequestContext<typeof operations.exportReport>,
): Promise<FileResponse> {
  const { thread_id: threadId } = request.params;
  const { tenantId } = request.identity;
  const { record, finishedAt } = await database.withTenant(tenantId, async (tx) => {
    const [run, found] = [await findRun(tx, threadId), await findRecord(tx, threadId)];
    if (run === null || found === null) throw notFound('The run');
    if (found.report === '') throw new CairnError('conflict', 'The run has no report.');
    return { record: found, finishedAt: run.finished_at };
  });
  const { format } = request.query;
  const { extension, mediaType } = FORMATS[format];
  const task = {
    markdown: record.report,
    citations: record.citations as Citation[],
    facts: factsOf(record, finishedAt),
  };
  const body =
    format === 'markdown'
      ? record.report
      : await text
          .run(tenantId, { format, ...task }, 'renderReport', { cpuMaxMs: CPU_MAX_MS, signal: request.signal })
          .catch((error: unknown) => {
            throw exportFailure(error);
          });
  return {
    mediaType,
    body,
    headers: {
      'content-disposition': `attachment; filename="${threadId}.${extension}"`,
      'x-content-type-options': 'nosniff',
      ...(format === 'html' ? { 'content-security-policy': HTML_POLICY } : {}),
    },
  };
}

function factsOf(record: RunRecord, finishedAt: Date | null) {
  return {
    thread_id: record.run_id,
    prompt: record.prompt,
    generated: record.generated,
    assumptions: record.assumptions,
    created_at: record.created_at.toISOString(),
    finished_at: finishedAt?.toISOString() ?? null,
  };
}
