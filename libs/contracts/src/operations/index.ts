import type { Operation } from '../operation.ts';
import * as documents from './documents.ts';
import * as keys from './keys.ts';
import * as mcp from './mcp.ts';
import * as oauth from './oauth.ts';
import * as providers from './providers.ts';
import * as search from './search.ts';
import * as spaces from './spaces.ts';
import * as tenancy from './tenancy.ts';
import * as threads from './threads.ts';
import * as webhooks from './webhooks.ts';
import * as usage from './usage.ts';

/** Every operation of the public API. */
export const OPERATIONS: readonly Operation[] = [
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
  threads.createThread,
  threads.listThreads,
  threads.getThread,
  threads.updateThread,
  threads.deleteThread,
  threads.addTurn,
  threads.listTurns,
  documents.ingestDocuments,
  documents.listDocuments,
  documents.getDocument,
  documents.deleteDocument,
  documents.routeDocument,
  search.searchMemory,
  search.streamSearch,
  mcp.callMcp,
  webhooks.createWebhook,
  webhooks.listWebhooks,
  webhooks.getWebhook,
  webhooks.updateWebhook,
  webhooks.deleteWebhook,
  webhooks.rotateWebhookSecret,
  webhooks.testWebhook,
  webhooks.listDeliveries,
  webhooks.getDelivery,
  webhooks.replayDelivery,
  webhooks.replayDeadLetters,
  usage.readLlmUsage,
  usage.readCredits,
];
