import type * as operations from '@cairn/contracts';
import { nextCursorOf, pageOf } from '@cairn/postgres';
import type { JsonResponse, RequestContext } from '@cairn/service-kit';
import { visibilityOf } from '../../memories/visibility.ts';
import { listJobRows } from './job-store.ts';
import { presentJob } from './present-job.ts';
import type { DocumentJobDeps } from './start-job.ts';

export async function listDocumentJobs(
  deps: DocumentJobDeps,
  context: RequestContext<typeof operations.listDocumentJobs>,
): Promise<JsonResponse<typeof operations.listDocumentJobs>> {
  const { memory_id, kind, status, ...paging } = context.query;
  const page = pageOf(paging);
  const memory = await deps.memories.resolve(context, { memory_id });
  const rows = await deps.engines.read(memory, ({ tx, closedVaults }) =>
    listJobRows(tx, memory, visibilityOf(memory, closedVaults), {
      kind,
      status,
      before: page.after,
      fetch: page.fetch,
    }),
  );
  const { shown, next_cursor } = nextCursorOf(rows, page, (row) => row.job_id);
  return { body: { jobs: shown.map(presentJob), ...(next_cursor === undefined ? {} : { next_cursor }) } };
}
