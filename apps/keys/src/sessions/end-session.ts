import type * as operations from '@cairn/contracts';
import type { JsonResponse, RequestContext } from '@cairn/service-kit';
import { type EndDeps, endVisibleSession } from './end-visible-session.ts';

/** Ends a session of the environment that the caller may end; a repeat passes the same barriers and returns the same response. */
export async function endSession(
  deps: EndDeps,
  { identity, params }: RequestContext<typeof operations.endSession>,
): Promise<JsonResponse<typeof operations.endSession>> {
  return { body: await endVisibleSession(deps, identity, params.session_id) };
}
