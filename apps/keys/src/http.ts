import * as operations from '@cairn/contracts';
import { handle, handlePublic, type BoundOperation } from '@cairn/service-kit';
import { authorizeApp } from './apps/authorize-app.ts';
import { disconnectApp } from './apps/disconnect-app.ts';
import type { AppTokenDeps } from './oauth/issue-app-tokens.ts';
import { listConnectedApps } from './apps/list-connected-apps.ts';
import { type AuthorizationDeps, previewAuthorization } from './apps/preview-authorization.ts';
import { readResourceMetadata } from './apps/read-resource-metadata.ts';
import { registerAppClient } from './oauth/register-app-client.ts';
import { createApiKey, type CreateApiKeyDeps } from './api-keys/create-api-key.ts';
import { getApiKey } from './api-keys/get-api-key.ts';
import { listApiKeys } from './api-keys/list-api-keys.ts';
import { revokeApiKey } from './api-keys/revoke-api-key.ts';
import { rotateApiKey } from './api-keys/rotate-api-key.ts';
import { updateApiKey } from './api-keys/update-api-key.ts';
import { readRequests } from './traffic/read-requests.ts';
import { whoami } from './account/whoami.ts';
import type { Invalidate } from './invalidation/invalidate.ts';
import { createInvitation } from './members/create-invitation.ts';
import { createMemberTicket } from './members/create-member-ticket.ts';
import { getMember } from './members/get-member.ts';
import { listInvitations } from './members/list-invitations.ts';
import { listMembers } from './members/list-members.ts';
import { removeMember } from './members/remove-member.ts';
import { revokeInvitation } from './members/revoke-invitation.ts';
import { updateMember } from './members/update-member.ts';
import { createOAuthClient } from './oauth/create-oauth-client.ts';
import { getOAuthClient } from './oauth/get-oauth-client.ts';
import { issueOAuthToken } from './oauth/issue-oauth-token.ts';
import { listOAuthClients } from './oauth/list-oauth-clients.ts';
import { oauthMetadata } from './oauth/oauth-metadata.ts';
import { revokeOAuthClient } from './oauth/revoke-oauth-client.ts';
import { revokeOAuthToken } from './oauth/revoke-oauth-token.ts';
import { createSessionTicket } from './sessions/create-session-ticket.ts';
import { endSession } from './sessions/end-session.ts';
import { listSessions } from './sessions/list-sessions.ts';
import { openSession, type SessionDeps } from './sessions/open-session.ts';
import { signOut } from './sessions/sign-out.ts';
import { readSignIn } from './sign-in/read-sign-in.ts';
import { startAccountLink } from './sign-in/start-account-link.ts';
import { startSignIn } from './sign-in/start-sign-in.ts';
import { createTokenServer } from './oauth/token-server.ts';

interface OperationsDeps extends CreateApiKeyDeps, SessionDeps, AppTokenDeps, Omit<AuthorizationDeps, 'tenancy'> {
  invalidate: Invalidate;
}

/** The operations of this service, each bound to its handler. */
export function boundOperations(deps: OperationsDeps): BoundOperation[] {
  const tokenServer = createTokenServer(deps);
  return [
    handle(operations.whoami, (context) => whoami(deps, context)),
    handle(operations.createApiKey, (context) => createApiKey(deps, context)),
    handle(operations.listApiKeys, (context) => listApiKeys(deps, context)),
    handle(operations.getApiKey, (context) => getApiKey(deps, context)),
    handle(operations.updateApiKey, (context) => updateApiKey(deps, context)),
    handle(operations.rotateApiKey, (context) => rotateApiKey(deps, context)),
    handle(operations.revokeApiKey, (context) => revokeApiKey(deps, context)),
    handle(operations.createOAuthClient, (context) => createOAuthClient(deps, context)),
    handle(operations.listOAuthClients, (context) => listOAuthClients(deps, context)),
    handle(operations.getOAuthClient, (context) => getOAuthClient(deps, context)),
    handle(operations.revokeOAuthClient, (context) => revokeOAuthClient(deps, context)),
    handlePublic(operations.openSession, (context) => openSession(deps, context)),
    handlePublic(operations.readSignIn, () => readSignIn(deps)),
    handlePublic(operations.startSignIn, (context) => startSignIn(deps, context)),
    handle(operations.startAccountLink, (context) => startAccountLink(deps, context)),
    handle(operations.listSessions, (context) => listSessions(deps, context)),
    // Before the operation whose parameter would take its last word.
    handle(operations.signOut, (context) => signOut(deps, context)),
    handle(operations.endSession, (context) => endSession(deps, context)),
    handle(operations.createSessionTicket, (context) => createSessionTicket(deps, context)),
    handle(operations.listMembers, (context) => listMembers(deps, context)),
    handle(operations.getMember, (context) => getMember(deps, context)),
    handle(operations.updateMember, (context) => updateMember(deps, context)),
    handle(operations.removeMember, (context) => removeMember(deps, context)),
    handle(operations.createMemberTicket, (context) => createMemberTicket(deps, context)),
    handle(operations.createInvitation, (context) => createInvitation(deps, context)),
    handle(operations.listInvitations, (context) => listInvitations(deps, context)),
    handle(operations.revokeInvitation, (context) => revokeInvitation(deps, context)),
    handle(operations.readRequests, (context) => readRequests(deps, context)),
    handlePublic(operations.issueOAuthToken, (context) => issueOAuthToken({ ...deps, tokenServer }, context)),
    handlePublic(operations.revokeOAuthToken, (context) => revokeOAuthToken(deps, context)),
    handlePublic(operations.oauthMetadata, () => oauthMetadata(deps)),
    handlePublic(operations.readResourceMetadata, (context) => readResourceMetadata(deps, context)),
    handlePublic(operations.registerAppClient, (context) => registerAppClient(deps, context)),
    handle(operations.previewAuthorization, (context) => previewAuthorization(deps, context)),
    handle(operations.authorizeApp, (context) => authorizeApp(deps, context)),
    handle(operations.listConnectedApps, (context) => listConnectedApps(deps, context)),
    handle(operations.disconnectApp, (context) => disconnectApp(deps, context)),
  ];
}
