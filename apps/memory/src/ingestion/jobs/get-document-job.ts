import type * as operations from '@cairn/contracts';
import { notFound } from '@cairn/errors';
import type { JsonResponse, RequestContext } from '@cairn/service-kit';
import { findJob, problemsOf } from './job-store.ts';
import { presentJob } from './present-job.ts';
import type { DocumentJobDeps } from './start-job.ts';

export async function getDocumentJob(
  deps: DocumentJobDeps,
  context: RequestContext<typeof operations.getDocumentJob>,
): Promise<JsonResponse<typeof operations.getDocumentJob>> {
  const memory = await deps.memories.resolve(context, context.query);
  return deps.engines.read(memory, async ({ tx, closedVaults }) => {
    const job = await findJob(tx, memory, context.params.job_id);
    const isReached =
      job !== null &&
      (memory.spaceId === null || job.vault_id === memory.vaultId) &&
      (job.vault_id === null || !closedVaults.has(job.vault_id));
    if (!isReached) throw notFound('The job');
    return { body: { ...presentJob(job), problems: await problemsOf(tx, memory, job.job_id) } };
  });
}
