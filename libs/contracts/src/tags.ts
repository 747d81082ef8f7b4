/** What the operations of each tag are about, as the OpenAPI document says it. */
export const TAG_DESCRIPTIONS: Readonly<Record<string, string>> = {
  Account: 'Who a credential is, and what the installation offers it.',
  Audit: 'Who changed what, when and from where.',
  Keys: 'API keys and what each may do. A key never creates or becomes a key that may do more than itself.',
  Sessions: 'Sessions of the console: each stands for one key or member, and ends with it.',
  Members: 'The people of a tenant: each has a role, which is a named set of scopes, and joins by an invitation.',
  OAuth:
    'OAuth 2: client credentials for programs that prefer an access token of an hour to an API key, and apps that a person connects to one space by signing in.',
  Workspaces: 'Workspaces group memories. Each is created with a primary shared memory.',
  Memories: 'Memories hold documents, conversations and the graph made of them, shared or on a server of their own.',
  Spaces: 'Spaces divide a memory. Each has its own documents, conversations and members.',
  'Provider keys': 'Your own API keys of model providers, stored encrypted and never returned.',
  Threads: 'Conversations and their turns, in a memory or in one of its spaces.',
  Documents: 'Documents are accepted durably, indexed in the background, and searchable once they are completed.',
  Graph: 'Entities, relationships and facts of the documents, their contradictions, and the health of a memory.',
  Search: 'Search of a memory with an answer that cites its sources, at once or as a stream.',
  Research: 'Runs over the memory, the web and files: reports, crawls, and lists of people and companies.',
  Lists: 'The lists that runs have made, with the evidence of every cell.',
  MCP: 'The Model Context Protocol endpoint of a space.',
  Webhooks: 'Endpoints that receive signed events, and the deliveries to them.',
  Events: 'What happens in the memories, as a stream that can be taken up where it broke off.',
  Usage: "The tenant's use of models, and its credits.",
};
