import type * as operations from '@cairn/contracts';
import type { JsonResponse, RequestContext } from '@cairn/service-kit';
import { type DocumentJobDeps, startJob } from './start-job.ts';

export function retryDocuments(
  deps: DocumentJobDeps,
  context: RequestContext<typeof operations.retryDocuments>,
): Promise<JsonResponse<typeof operations.retryDocuments>> {
  return startJob(deps, context, 'retry');
}
