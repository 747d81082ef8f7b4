import type * as operations from '@cairn/contracts';
import type { JsonResponse, RequestContext } from '@cairn/service-kit';
import { type DocumentJobDeps, startJob } from './start-job.ts';

export function deleteDocuments(
  deps: DocumentJobDeps,
  context: RequestContext<typeof operations.deleteDocuments>,
): Promise<JsonResponse<typeof operations.deleteDocuments>> {
  return startJob(deps, context, 'delete');
}
