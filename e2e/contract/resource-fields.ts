/** The types that the tables of the interface give to fields. */
export type FieldType =
  | 'string'
  | 'string[]'
  | 'integer'
  | 'number'
  | 'boolean'
  | 'object'
  | 'date-time'
  | 'array'
  | 'string-or-null'
  | 'date-time-or-null'
  | 'number-or-null';

/**
 * Every field of every table of resources, with its type. `-or-null` is a field that has nothing to say yet: a key
 * that was never used has no last use.
 */
export const FIELDS = {
  ApiKey: {
    key_id: 'string',
    name: 'string',
    prefix: 'string',
    scopes: 'string[]',
    created_at: 'date-time',
    last_used_at: 'date-time-or-null',
    usage_count: 'integer',
    expires_at: 'date-time-or-null',
    api_key: 'string',
  },
  Workspace: {
    workspace_id: 'string',
    tenant_id: 'string',
    name: 'string',
    description: 'string',
    slug: 'string',
    is_default: 'boolean',
    primary_memory_id: 'string',
    created_at: 'date-time',
    updated_at: 'date-time',
  },
  Memory: {
    memory_id: 'string',
    workspace_id: 'string',
    display_name: 'string',
    type: 'string',
    status: 'string',
    memory_serial: 'integer',
    subdomain: 'string',
    created_at: 'date-time',
  },
  Space: {
    space_id: 'string',
    name: 'string',
    slug: 'string',
    vault_id: 'string',
    memory_id: 'string',
    member_count: 'integer',
    created_at: 'date-time',
  },
  Thread: {
    thread_id: 'string',
    title: 'string',
    space_id: 'string-or-null',
    vault_id: 'string',
    turn_count: 'integer',
    created_at: 'date-time',
  },
  SavedList: {
    id: 'string',
    listName: 'string',
    listDescription: 'string',
    listStatus: 'string',
    listType: 'string',
    noOfRecords: 'integer',
  },
  UsageRecord: {
    input_tokens: 'integer',
    output_tokens: 'integer',
    calls: 'integer',
    cost_usd: 'number-or-null',
    credits_charged: 'number',
    byok_tokens: 'integer',
  },
  UsageRow: {
    key: 'string',
    input_tokens: 'integer',
    output_tokens: 'integer',
    calls: 'integer',
    cost_usd: 'number-or-null',
    credits_charged: 'number',
    byok_tokens: 'integer',
  },
  GraphNode: {
    entity_id: 'string',
    name: 'string',
    type: 'string',
    attributes: 'object',
    community_id: 'integer',
    centrality: 'number',
    document_count: 'integer',
  },
  GraphEdge: { source: 'string', target: 'string', type: 'string', weight: 'number' },
  Webhook: {
    webhook_id: 'string',
    url: 'string',
    events: 'string[]',
    active: 'boolean',
    created_at: 'date-time',
    secret: 'string',
  },
  WebSession: {
    success: 'boolean',
    message: 'string',
    thread_id: 'string',
    list_id: 'string',
    websocket_url: 'string',
    status: 'string',
  },
  PeopleSession: { success: 'boolean', message: 'string', thread_id: 'string', status: 'string' },
  DeepSearchSession: {
    success: 'boolean',
    thread_id: 'string',
    list_id: 'string',
    websocket_url: 'string',
    live_url: 'string',
    workspace_id: 'string',
    status: 'string',
  },
  ResearchSession: {
    thread_id: 'string',
    status: 'string',
    message: 'string',
    research_brief: 'string',
    final_report: 'string',
  },
  Envelope: {
    event_id: 'string',
    event: 'string',
    occurred_at: 'date-time',
    scope: 'object',
    payload: 'object',
  },
  EnvelopeScope: { tenant_id: 'string', workspace_id: 'string', memory_id: 'string' },
} as const satisfies Record<string, Record<string, FieldType>>;

export type Resource = keyof typeof FIELDS;
