import type * as operations from '@cairn/contracts';
import type { JsonResponse, RequestContext } from '@cairn/service-kit';
import { type EndDeps, endVisibleSession } from './end-visible-session.ts';
import { withoutSessionCookie } from './session-cookie.ts';

/** Ends the session of the request, and takes its cookie away. */
export async function signOut(
  deps: EndDeps & { baseUrl: string },
  { identity }: RequestContext<typeof operations.signOut>,
): Promise<JsonResponse<typeof operations.signOut>> {
  const body = await endVisibleSession(deps, identity, identity.credentialId);
  return { body, headers: withoutSessionCookie({ baseUrl: deps.baseUrl, livemode: identity.livemode }) };
}
