import type { Operation } from '../operation.ts';
import * as documents from './documents.ts';
import * as keys from './keys.ts';
import * as oauth from './oauth.ts';
import * as providers from './providers.ts';
import * as research from './research.ts';
import * as researchLists from './research-lists.ts';
import * as researchStreams from './research-streams.ts';
import * as search from './search.ts';
import * as spaces from './spaces.ts';
import * as tenancy from './tenancy.ts';
import * as threads from './threads.ts';

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
  search.searchMemory,
  search.streamSearch,
  research.startWebResearch,
  research.startCrawler,
  research.startPeopleSearch,
  research.startCompanySearch,
  research.continueListSearch,
  research.stopRun,
  research.getRunStatus,
  research.startResearch,
  research.respondToResearch,
  research.startDeepSearch,
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
];
