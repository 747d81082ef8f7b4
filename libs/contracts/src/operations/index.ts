import type { Operation } from '../operation.ts';
import * as connectedApps from './connected-apps.ts';
import * as documentContent from './document-content.ts';
import * as documentJobs from './document-jobs.ts';
import * as documentStats from './document-stats.ts';
import * as account from './account.ts';
import * as audit from './audit.ts';
import * as documents from './documents.ts';
import * as entityDecisions from './entity-decisions.ts';
import * as entityLinks from './entity-links.ts';
import * as entityPath from './entity-path.ts';
import * as events from './events.ts';
import * as exports from './exports.ts';
import * as graph from './graph.ts';
import * as graphOverview from './graph-overview.ts';
import * as healthHistory from './health-history.ts';
import * as keys from './keys.ts';
import * as mcp from './mcp.ts';
import * as members from './members.ts';
import * as models from './models.ts';
import * as oauth from './oauth.ts';
import * as providers from './providers.ts';
import * as research from './research.ts';
import * as researchLists from './research-lists.ts';
import * as researchRuns from './research-runs.ts';
import * as researchStreams from './research-streams.ts';
import * as search from './search.ts';
import * as searchLog from './search-log.ts';
import * as sessions from './sessions.ts';
import * as spaces from './spaces.ts';
import * as tenancy from './tenancy.ts';
import * as threads from './threads.ts';
import * as webhookOverview from './webhook-overview.ts';
import * as webhooks from './webhooks.ts';
import * as usage from './usage.ts';

/** Every operation of the public API. */
export const OPERATIONS: readonly Operation[] = [
  account.whoami,
  audit.listAuditEvents,
  keys.createApiKey,
  keys.listApiKeys,
  keys.getApiKey,
  keys.updateApiKey,
  keys.rotateApiKey,
  keys.revokeApiKey,
  oauth.createOAuthClient,
  oauth.listOAuthClients,
  oauth.getOAuthClient,
  oauth.revokeOAuthClient,
  oauth.issueOAuthToken,
  oauth.revokeOAuthToken,
  oauth.oauthMetadata,
  connectedApps.readResourceMetadata,
  connectedApps.registerAppClient,
  connectedApps.previewAuthorization,
  connectedApps.authorizeApp,
  connectedApps.listConnectedApps,
  connectedApps.disconnectApp,
  sessions.openSession,
  sessions.readSignIn,
  sessions.startSignIn,
  sessions.startAccountLink,
  sessions.listSessions,
  sessions.signOut,
  sessions.endSession,
  sessions.createSessionTicket,
  members.listMembers,
  members.getMember,
  members.updateMember,
  members.removeMember,
  members.createMemberTicket,
  members.createInvitation,
  members.listInvitations,
  members.revokeInvitation,
  tenancy.createWorkspace,
  tenancy.listWorkspaces,
  tenancy.getWorkspace,
  tenancy.updateWorkspace,
  tenancy.deleteWorkspace,
  tenancy.createMemory,
  tenancy.listMemories,
  tenancy.getMemory,
  tenancy.updateMemory,
  tenancy.deleteMemory,
  spaces.createSpace,
  spaces.listSpaces,
  spaces.getSpace,
  spaces.updateSpace,
  spaces.deleteSpace,
  spaces.listSpaceMembers,
  spaces.putSpaceMember,
  spaces.deleteSpaceMember,
  providers.putProviderKey,
  providers.listProviderKeys,
  providers.getProviderKey,
  providers.deleteProviderKey,
  providers.testProviderKey,
  models.listModels,
  threads.createThread,
  threads.listThreads,
  exports.exportThreads,
  threads.getThread,
  threads.updateThread,
  threads.deleteThread,
  threads.addTurn,
  threads.listTurns,
  documents.ingestDocuments,
  documents.listDocuments,
  documentStats.getDocumentStats,
  exports.exportDocuments,
  documents.getDocument,
  documentJobs.deleteDocuments,
  documentJobs.retryDocuments,
  documentJobs.listDocumentJobs,
  documentJobs.getDocumentJob,
  documentContent.getDocumentContent,
  documentContent.getDocumentOriginal,
  documentContent.getChunk,
  documents.updateDocument,
  documents.deleteDocument,
  graph.exploreGraph,
  graph.listEntities,
  graph.getEntity,
  entityLinks.getEntityLinks,
  entityPath.getEntityPath,
  graphOverview.getGraphOverview,
  exports.exportGraph,
  graph.listContradictions,
  graph.getContradiction,
  graph.resolveContradiction,
  graph.reopenContradiction,
  entityDecisions.listEntityReviews,
  entityDecisions.decideEntityReview,
  entityDecisions.mergeEntities,
  entityDecisions.splitEntity,
  entityDecisions.listEntityDecisions,
  entityDecisions.undoEntityDecision,
  graph.getMemoryHealth,
  healthHistory.listHealthHistory,
  documents.routeDocument,
  search.searchMemory,
  search.streamSearch,
  searchLog.getSearchLog,
  searchLog.updateSearchLog,
  searchLog.listSearches,
  searchLog.getSearch,
  searchLog.rateSearch,
  research.startWebResearch,
  research.startCrawler,
  research.startPeopleSearch,
  research.startCompanySearch,
  research.continueListSearch,
  research.stopRun,
  researchRuns.listRuns,
  researchRuns.listRunEvents,
  researchRuns.listRunSources,
  researchRuns.getSource,
  research.getRunStatus,
  research.exportReport,
  research.startResearch,
  research.respondToResearch,
  research.startDeepSearch,
  research.uploadReference,
  researchLists.listSavedLists,
  researchLists.getSavedList,
  researchLists.listRows,
  researchLists.exportList,
  researchStreams.streamResearch,
  researchStreams.streamResearchVersioned,
  researchStreams.streamSearchRun,
  researchStreams.connectRun,
  researchStreams.showLivePage,
  researchStreams.streamLivePage,
  mcp.callMcp,
  events.streamEvents,
  webhooks.createWebhook,
  webhooks.listWebhooks,
  webhooks.getWebhook,
  webhooks.updateWebhook,
  webhooks.deleteWebhook,
  webhooks.rotateWebhookSecret,
  webhooks.testWebhook,
  webhooks.listDeliveries,
  webhooks.listAllDeliveries,
  webhookOverview.getWebhookStats,
  webhookOverview.listWebhookEventTypes,
  webhooks.getDelivery,
  webhooks.replayDelivery,
  webhooks.replayDeadLetters,
  usage.readLlmUsage,
  usage.readRequests,
  usage.readCredits,
  usage.readLimits,
];
