# Written by `npm run generate:sdks` from the operations of the API. Changes here are lost.
from __future__ import annotations

from typing import Any, Dict, List, Literal, TypeAlias, TypedDict

class CreateApiKeyRequestRateLimit(TypedDict):
    """Of its own, below that of the plan."""

    requests_per_second: float
    burst: int

class _CreateApiKeyRequest(TypedDict):
    name: str

class CreateApiKeyRequest(_CreateApiKeyRequest, total=False):
    type: Literal["live", "test", "ephemeral", "memory"]
    """`test` acts in the test environment, `ephemeral` lives for 24 hours at most, `memory` is bound to `memory_id`."""
    scopes: List[Literal["keys:read", "keys:write", "oauth:read", "oauth:write", "workspaces:read", "workspaces:write", "memories:read", "memories:write", "spaces:read", "spaces:write", "threads:read", "threads:write", "documents:read", "documents:write", "graph:read", "graph:write", "webhooks:read", "webhooks:write", "providers:read", "providers:write", "memory:search", "usage:read", "search:run", "lists:read", "members:read", "members:write", "owners:write"]]
    """What it may do. Default: what the calling key may."""
    app_permissions: Dict[str, List[Literal["read", "write"]]]
    """Apps the key may use and how; `{}` is unrestricted."""
    ip_allowlist: List[str]
    """Addresses and CIDR ranges the key may be used from; empty means any."""
    expires_at: str
    """ISO 8601 date-time"""
    memory_id: str
    """Of a key of type `memory`: the one that it reaches."""
    space_id: str
    """Of a key of type `memory`: only this space of it."""
    rate_limit: CreateApiKeyRequestRateLimit
    """Of its own, below that of the plan."""

class UpdateApiKeyRequestRateLimit(TypedDict):
    requests_per_second: float
    burst: int

class UpdateApiKeyRequest(TypedDict, total=False):
    name: str
    scopes: List[Literal["keys:read", "keys:write", "oauth:read", "oauth:write", "workspaces:read", "workspaces:write", "memories:read", "memories:write", "spaces:read", "spaces:write", "threads:read", "threads:write", "documents:read", "documents:write", "graph:read", "graph:write", "webhooks:read", "webhooks:write", "providers:read", "providers:write", "memory:search", "usage:read", "search:run", "lists:read", "members:read", "members:write", "owners:write"]]
    app_permissions: Dict[str, List[Literal["read", "write"]]]
    """Apps the key may use and how; `{}` is unrestricted."""
    ip_allowlist: List[str]
    """Addresses and CIDR ranges the key may be used from; empty means any."""
    expires_at: str | None
    rate_limit: UpdateApiKeyRequestRateLimit | None

class RotateApiKeyRequest(TypedDict, total=False):
    overlap_seconds: int
    """How long both keys are good; 0 revokes the old one at once."""

class CreateOAuthClientRequest(TypedDict):
    name: str
    scopes: List[Literal["keys:read", "keys:write", "oauth:read", "oauth:write", "workspaces:read", "workspaces:write", "memories:read", "memories:write", "spaces:read", "spaces:write", "threads:read", "threads:write", "documents:read", "documents:write", "graph:read", "graph:write", "webhooks:read", "webhooks:write", "providers:read", "providers:write", "memory:search", "usage:read", "search:run", "lists:read", "members:read", "members:write", "owners:write"]]

class IssueOAuthTokenRequest(TypedDict, total=False):
    client_id: str
    client_secret: str
    grant_type: str
    """`client_credentials`, `authorization_code` or `refresh_token`"""
    code: str
    redirect_uri: str
    """The one that the code was led to."""
    code_verifier: str
    refresh_token: str
    resource: str
    """Of RFC 8707: the MCP endpoint that the app was connected to."""
    scope: str
    """Separated by spaces; all of the client's when left out."""

class RevokeOAuthTokenRequest(TypedDict, total=False):
    client_id: str
    client_secret: str
    token: str
    token_type_hint: str

class _RegisterAppClientRequest(TypedDict):
    redirect_uris: List[str]
    """Each https, or http on the loopback interface, where the port may differ."""

class RegisterAppClientRequest(_RegisterAppClientRequest, total=False):
    client_name: str

class _AuthorizeAppRequest(TypedDict):
    client_id: str
    """As registered, or the https address of a client id metadata document."""
    redirect_uri: str
    resource: str
    """Of RFC 8707: the `mcp_url` of the space."""
    code_challenge: str
    code_challenge_method: Literal["S256"]
    scopes: List[Literal["keys:read", "keys:write", "oauth:read", "oauth:write", "workspaces:read", "workspaces:write", "memories:read", "memories:write", "spaces:read", "spaces:write", "threads:read", "threads:write", "documents:read", "documents:write", "graph:read", "graph:write", "webhooks:read", "webhooks:write", "providers:read", "providers:write", "memory:search", "usage:read", "search:run", "lists:read", "members:read", "members:write", "owners:write"]]

class AuthorizeAppRequest(_AuthorizeAppRequest, total=False):
    state: str

class OpenSessionRequestInvitation(TypedDict):
    """Where no identity provider is configured."""

    secret: str
    name: str

class _OpenSessionRequestSignIn(TypedDict):
    attempt: str
    """`attempt` of startSignIn."""
    code: str
    state: str

class OpenSessionRequestSignIn(_OpenSessionRequestSignIn, total=False):
    """What the identity provider added to the address that it led the browser back to."""

    iss: str

class OpenSessionRequest(TypedDict, total=False):
    api_key: str
    ticket: str
    invitation: OpenSessionRequestInvitation
    """Where no identity provider is configured."""
    sign_in: OpenSessionRequestSignIn
    """What the identity provider added to the address that it led the browser back to."""

class StartSignInRequest(TypedDict, total=False):
    invitation: str
    """The secret of the invitation to accept, for whoever is a member elsewhere already."""
    member_id: str
    """Which one, for whoever is a member of several tenants; otherwise the one signed in as last. Only members whose account is linked."""

class UpdateMemberRequest(TypedDict, total=False):
    role: Literal["owner", "admin", "developer", "reviewer", "viewer"]
    """A named set of scopes: `viewer` reads and asks, `reviewer` also decides, `developer` also builds, `admin` does everything but appoint owners, `owner` does everything."""
    name: str

class CreateInvitationRequest(TypedDict):
    email: str
    role: Literal["owner", "admin", "developer", "reviewer", "viewer"]
    """A named set of scopes: `viewer` reads and asks, `reviewer` also decides, `developer` also builds, `admin` does everything but appoint owners, `owner` does everything."""

class _CreateWorkspaceRequest(TypedDict):
    name: str

class CreateWorkspaceRequest(_CreateWorkspaceRequest, total=False):
    description: str
    slug: str

class UpdateWorkspaceRequest(TypedDict, total=False):
    name: str
    description: str
    slug: str

class _CreateMemoryRequest(TypedDict):
    display_name: str

class CreateMemoryRequest(_CreateMemoryRequest, total=False):
    type: Literal["shared", "dedicated"]
    """`dedicated`: with a PostgreSQL server of its own."""
    workspace_id: str
    dlp_policy: Literal["off", "secrets", "pii"]
    """What is masked before anything is stored; `pii`: secrets and personal data."""
    keep_originals: bool
    """Keep what is handed in, encrypted, so that it can be downloaded; it counts as stored."""

class UpdateMemoryRequest(TypedDict, total=False):
    display_name: str
    dlp_policy: Literal["off", "secrets", "pii"]
    keep_originals: bool
    status: Literal["active", "suspended"]
    """A suspended memory keeps its data and refuses every call about it."""

class _CreateSpaceRequest(TypedDict):
    name: str

class CreateSpaceRequest(_CreateSpaceRequest, total=False):
    memory_id: str
    """Default: the default workspace's primary memory."""
    description: str
    """What belongs here; documents without a space are routed by it."""
    slug: str

class UpdateSpaceRequest(TypedDict, total=False):
    name: str
    description: str
    """What belongs here; documents without a space are routed by it."""
    slug: str

class PutSpaceMemberRequest(TypedDict):
    role: Literal["reader", "writer"]

class _PutProviderKeyRequest(TypedDict):
    api_key: str

class PutProviderKeyRequest(_PutProviderKeyRequest, total=False):
    base_url: str

TestProviderKeyRequest: TypeAlias = "Dict[str, Any]"

class CreateThreadRequest(TypedDict, total=False):
    title: str
    memory_id: str
    """Default: the space's, the key's, else the default workspace's primary memory."""
    space_id: str
    """Default: the key's space, else none."""
    user: str
    """Whom usage of the conversation counts for."""

class UpdateThreadRequest(TypedDict, total=False):
    title: str

class AddTurnRequest(TypedDict):
    role: Literal["user", "assistant"]
    content: str

class IngestDocumentsRequest(TypedDict, total=False):
    content: str
    """The text itself: plain text, Markdown, HTML, CSV, JSON or an e-mail, told by content."""
    url: str
    """Where to fetch the document. Sending the same address again fetches it again."""
    title: str
    external_id: str
    """Your own id; a later document with it replaces this one."""
    space_id: str
    """Without it the document is routed by what it says."""
    metadata: Dict[str, str | float | bool | None | List[str]]
    """Your own fields, which searches can filter by."""
    occurred_at: str
    """Of when the document is: “last week” in a question means this time."""
    documents: List[NewDocument]
    memory_id: str
    """Default: the key's memory, else the default workspace's primary memory."""

class NewDocument(TypedDict, total=False):
    content: str
    """The text itself: plain text, Markdown, HTML, CSV, JSON or an e-mail, told by content."""
    url: str
    """Where to fetch the document. Sending the same address again fetches it again."""
    title: str
    external_id: str
    """Your own id; a later document with it replaces this one."""
    space_id: str
    """Without it the document is routed by what it says."""
    metadata: Dict[str, str | float | bool | None | List[str]]
    """Your own fields, which searches can filter by."""
    occurred_at: str
    """Of when the document is: “last week” in a question means this time."""

class _IngestDocumentsUpload(TypedDict):
    file: str

class IngestDocumentsUpload(_IngestDocumentsUpload, total=False):
    title: str
    external_id: str
    """Your own id; a later document with it replaces this one."""
    space_id: str
    """Without it the document is routed by what it says."""
    metadata: str
    occurred_at: str
    """Of when the document is: “last week” in a question means this time."""
    memory_id: str
    """Default: the key's memory, else the default workspace's primary memory."""

class UpdateDocumentRequest(TypedDict, total=False):
    title: str
    metadata: Dict[str, str | float | bool | None | List[str]]
    """Takes the place of all metadata that the document has."""
    occurred_at: str | None
    """Null: the document has no time."""
    memory_id: str
    """Default: the key's memory, else the default workspace's primary memory."""

class DeleteDocumentsRequest(TypedDict, total=False):
    doc_ids: List[str]
    filter: DocumentFilter
    dry_run: bool
    """Only count what the job would be about."""
    memory_id: str
    """Default: the key's memory, else the default workspace's primary memory."""

class DocumentFilter(TypedDict, total=False):
    """The conditions of the list of documents; all must hold."""

    status: List[Literal["queued", "parsing", "screening", "routing", "indexing", "linking", "completed", "failed"]]
    space_id: str
    external_id: str
    query: str
    """Part of the title or of the external id, in any case of letters."""
    needs_review: bool

class RetryDocumentsRequest(TypedDict, total=False):
    doc_ids: List[str]
    filter: FailedDocumentFilter
    dry_run: bool
    """Only count what the job would be about."""
    memory_id: str
    """Default: the key's memory, else the default workspace's primary memory."""

class FailedDocumentFilter(TypedDict, total=False):
    """Failed documents for which all conditions hold."""

    status: List[Literal["failed"]]
    space_id: str
    external_id: str
    query: str
    """Part of the title or of the external id, in any case of letters."""
    needs_review: bool

class _ResolveContradictionRequest(TypedDict):
    winner: str
    """The fact that holds, or `both`."""

class ResolveContradictionRequest(_ResolveContradictionRequest, total=False):
    note: str

class ReopenContradictionRequest(TypedDict, total=False):
    note: str

class DecideEntityReviewRequest(TypedDict):
    decision: Literal["same", "different"]

class MergeEntitiesRequest(TypedDict):
    entity_ids: List[str]

class _SplitEntityRequest(TypedDict):
    entity_id: str

class SplitEntityRequest(_SplitEntityRequest, total=False):
    names: List[str]
    doc_ids: List[str]

class _RouteDocumentRequest(TypedDict):
    space_id: str | None
    """The space it belongs in; null for none of them."""

class RouteDocumentRequest(_RouteDocumentRequest, total=False):
    memory_id: str
    """Default: the key's memory, else the default workspace's primary memory."""

class _SearchMemoryRequest(TypedDict):
    query: str

class SearchMemoryRequest(_SearchMemoryRequest, total=False):
    memory_id: str
    """Default: the key's memory, else the default workspace's primary memory."""
    space_id: str
    """Only this space. Default: the key's space, else the whole memory."""
    top_k: int
    """How many passages `results` has."""
    filters: SearchFilter
    """Only passages of documents that it holds for: `{field, op, value}`, nested by `and`, `or` and `not`. Fields are `metadata.<key>`, `occurred_at`, `created_at`, `vault_id` and `doc_id`."""
    thread_id: str
    """Earlier turns help to understand the question; question and answer become turns of it."""
    user: str
    """Whom model usage counts for. Default: the thread's user."""
    llm_model: str
    """One of the operator's models, which `whoami` lists; any other is 422. Left out: the first of them, or, without any, an extractive answer."""
    as_of: str
    """The clock that “yesterday” or “last week” in the query refers to. Default: now."""
    explain: bool
    """Adds to each result which signals made its score."""

class SearchFilterValue(TypedDict):
    field: str
    op: Literal["eq", "ne", "in", "gt", "gte", "lt", "lte", "exists"]
    value: str | float | bool | None | List[str | float | bool | None]

SearchFilterValue2 = TypedDict("SearchFilterValue2", {
    "and": "List[SearchFilter]",
})

SearchFilterValue3 = TypedDict("SearchFilterValue3", {
    "or": "List[SearchFilter]",
})

SearchFilterValue4 = TypedDict("SearchFilterValue4", {
    "not": "SearchFilter",
})

SearchFilter: TypeAlias = "SearchFilterValue | SearchFilterValue2 | SearchFilterValue3 | SearchFilterValue4"

class _StreamSearchRequest(TypedDict):
    query: str

class StreamSearchRequest(_StreamSearchRequest, total=False):
    memory_id: str
    """Default: the key's memory, else the default workspace's primary memory."""
    space_id: str
    """Only this space. Default: the key's space, else the whole memory."""
    top_k: int
    """How many passages `results` has."""
    filters: SearchFilter
    """Only passages of documents that it holds for: `{field, op, value}`, nested by `and`, `or` and `not`. Fields are `metadata.<key>`, `occurred_at`, `created_at`, `vault_id` and `doc_id`."""
    thread_id: str
    """Earlier turns help to understand the question; question and answer become turns of it."""
    user: str
    """Whom model usage counts for. Default: the thread's user."""
    llm_model: str
    """One of the operator's models, which `whoami` lists; any other is 422. Left out: the first of them, or, without any, an extractive answer."""
    as_of: str
    """The clock that “yesterday” or “last week” in the query refers to. Default: now."""
    explain: bool
    """Adds to each result which signals made its score."""

class UpdateSearchLogRequest(TypedDict, total=False):
    enabled: bool
    keep_days: int
    """1–365; 30 unless set. Applies to what is there, too."""

class _RateSearchRequest(TypedDict):
    helpful: bool

class RateSearchRequest(_RateSearchRequest, total=False):
    comment: str
    memory_id: str

class StartWebResearchRequestConfig(TypedDict, total=False):
    seeds: List[str]
    """Sites to read, besides those in the prompt."""
    sources: List[Literal["memory", "web"]]
    """Where to look. `["memory"]` never opens a connection."""
    max_pages: int
    max_depth: int
    max_seconds: int
    max_tokens: int
    max_cost_usd: float

class _StartWebResearchRequest(TypedDict):
    prompt: str

class StartWebResearchRequest(_StartWebResearchRequest, total=False):
    llm_model: str
    """One of the operator's models, which `whoami` lists; any other is 422. Left out: the first of them, or, without any, the run works offline."""
    live_url: bool
    """Also make a page where a person watches the run."""
    proxy: bool
    """Send web traffic through the operator's proxy."""
    start: Literal["on_connect", "now"]
    """`now` starts the run with this call; it is followed by its WebSocket or its event stream all the same."""
    memory_id: str
    """The memory that is searched. Default: the default workspace's primary memory."""
    config: StartWebResearchRequestConfig
    user: str
    """Whose usage this is."""

class StartCrawlerRequestConfig(TypedDict, total=False):
    seeds: List[str]
    """Sites to read, besides those in the prompt."""
    sources: List[Literal["memory", "web"]]
    """Where to look. `["memory"]` never opens a connection."""
    max_pages: int
    max_depth: int
    max_seconds: int
    max_tokens: int
    max_cost_usd: float

class _StartCrawlerRequest(TypedDict):
    prompt: str

class StartCrawlerRequest(_StartCrawlerRequest, total=False):
    llm_model: str
    """One of the operator's models, which `whoami` lists; any other is 422. Left out: the first of them, or, without any, the run works offline."""
    proxy: bool
    """Send web traffic through the operator's proxy."""
    start: Literal["on_connect", "now"]
    """`now` starts the run with this call; it is followed by its WebSocket or its event stream all the same."""
    memory_id: str
    """The memory that is searched. Default: the default workspace's primary memory."""
    config: StartCrawlerRequestConfig
    user: str
    """Whose usage this is."""

class StartPeopleSearchRequestConfig(TypedDict, total=False):
    seeds: List[str]
    """Sites to read, besides those in the prompt."""
    sources: List[Literal["memory", "web"]]
    """Where to look. `["memory"]` never opens a connection."""
    max_pages: int
    max_depth: int
    max_seconds: int
    max_tokens: int
    max_cost_usd: float

class _StartPeopleSearchRequest(TypedDict):
    prompt: str

class StartPeopleSearchRequest(_StartPeopleSearchRequest, total=False):
    list_name: str
    list_description: str
    search_mode: Literal["fast", "standard", "deep"]
    """How far it looks before it ends."""
    total_target: int
    """Rows at most. Default: 10, 25 or 100 by `search_mode`."""
    llm_model: str
    """One of the operator's models, which `whoami` lists; any other is 422. Left out: the first of them, or, without any, the run works offline."""
    memory_id: str
    """The memory that is searched. Default: the default workspace's primary memory."""
    config: StartPeopleSearchRequestConfig
    user: str
    """Whose usage this is."""

class StartCompanySearchRequestConfig(TypedDict, total=False):
    seeds: List[str]
    """Sites to read, besides those in the prompt."""
    sources: List[Literal["memory", "web"]]
    """Where to look. `["memory"]` never opens a connection."""
    max_pages: int
    max_depth: int
    max_seconds: int
    max_tokens: int
    max_cost_usd: float

class _StartCompanySearchRequest(TypedDict):
    prompt: str

class StartCompanySearchRequest(_StartCompanySearchRequest, total=False):
    list_name: str
    list_description: str
    search_mode: Literal["fast", "standard", "deep"]
    """How far it looks before it ends."""
    total_target: int
    """Rows at most. Default: 10, 25 or 100 by `search_mode`."""
    llm_model: str
    """One of the operator's models, which `whoami` lists; any other is 422. Left out: the first of them, or, without any, the run works offline."""
    memory_id: str
    """The memory that is searched. Default: the default workspace's primary memory."""
    config: StartCompanySearchRequestConfig
    user: str
    """Whose usage this is."""

class ContinueListSearchRequest(TypedDict):
    thread_id: str
    total_target: int

class StartResearchRequestConfig(TypedDict, total=False):
    seeds: List[str]
    """Sites to read, besides those in the prompt."""
    sources: List[Literal["memory", "web"]]
    """Where to look. `["memory"]` never opens a connection."""
    max_pages: int
    max_depth: int
    max_seconds: int
    max_tokens: int
    max_cost_usd: float

class _StartResearchRequest(TypedDict):
    query: str

class StartResearchRequest(_StartResearchRequest, total=False):
    allow_clarification: bool
    """Whether the run may ask a question; it waits ten minutes for the answer."""
    serviceId: str
    """Recorded with the charge."""
    llm_model: str
    """One of the operator's models, which `whoami` lists; any other is 422. Left out: the first of them, or, without any, the run works offline."""
    memory_id: str
    """The memory that is searched. Default: the default workspace's primary memory."""
    config: StartResearchRequestConfig
    user: str
    """Whose usage this is."""

class StartDeepSearchRequestConfig(TypedDict, total=False):
    seeds: List[str]
    """Sites to read, besides those in the prompt."""
    sources: List[Literal["memory", "web"]]
    """Where to look. `["memory"]` never opens a connection."""
    max_pages: int
    max_depth: int
    max_seconds: int
    max_tokens: int
    max_cost_usd: float

class _StartDeepSearchRequest(TypedDict):
    prompt: str

class StartDeepSearchRequest(_StartDeepSearchRequest, total=False):
    llm_model: str
    """One of the operator's models, which `whoami` lists; any other is 422. Left out: the first of them, or, without any, the run works offline."""
    live_url: bool
    """Also make a page where a person watches the run."""
    proxy: bool
    """Send web traffic through the operator's proxy."""
    start: Literal["on_connect", "now"]
    """`now` starts the run with this call; it is followed by its WebSocket or its event stream all the same."""
    thread_id: str
    """Of a run that has asked: `prompt` is the answer."""
    list_id: str
    """The list of that run."""
    memory_id: str
    """The memory that is searched. Default: the default workspace's primary memory."""
    config: StartDeepSearchRequestConfig
    user: str
    """Whose usage this is."""

class UploadReferenceUpload(TypedDict):
    file: str
    thread_id: str

CallMcpRequest: TypeAlias = "Any"

class _CreateWebhookRequest(TypedDict):
    url: str
    """HTTPS endpoint; without user information."""
    events: List[Literal["memory.ingest.completed", "memory.ingest.dlp_flagged", "memory.ingest.auto_routed", "memory.entity.created", "memory.entity.contradiction_detected", "memory.entity.contradiction_resolved", "memory.health.assessed"]]
    """Names of the events that are delivered."""

class CreateWebhookRequest(_CreateWebhookRequest, total=False):
    description: str
    active: bool
    auto_replay: bool
    """Deliver dead letters again by itself once the endpoint answers again; each at most three times."""

class UpdateWebhookRequest(TypedDict, total=False):
    url: str
    """HTTPS endpoint; without user information."""
    events: List[Literal["memory.ingest.completed", "memory.ingest.dlp_flagged", "memory.ingest.auto_routed", "memory.entity.created", "memory.entity.contradiction_detected", "memory.entity.contradiction_resolved", "memory.health.assessed"]]
    """Names of the events that are delivered."""
    description: str
    active: bool
    auto_replay: bool
    """Deliver dead letters again by itself once the endpoint answers again; each at most three times."""

class RotateWebhookSecretRequest(TypedDict, total=False):
    overlap_seconds: int
    """How long the old secret goes on signing; 0 ends it, and a rotation under way, at once."""

class TestWebhookRequest(TypedDict, total=False):
    event: Literal["memory.ingest.completed", "memory.ingest.dlp_flagged", "memory.ingest.auto_routed", "memory.entity.created", "memory.entity.contradiction_detected", "memory.entity.contradiction_resolved", "memory.health.assessed"]
    """Whether it is subscribed to or not."""

ReplayDeliveryRequest: TypeAlias = "Dict[str, Any]"

class ReplayDeadLettersRequest(TypedDict, total=False):
    delivery_ids: List[str]
    """Only these; without it all."""
    event: Literal["memory.ingest.completed", "memory.ingest.dlp_flagged", "memory.ingest.auto_routed", "memory.entity.created", "memory.entity.contradiction_detected", "memory.entity.contradiction_resolved", "memory.health.assessed"]

class WhoamiMember(TypedDict):
    member_id: str
    email: str
    name: str
    role: Literal["owner", "admin", "developer", "reviewer", "viewer"]
    linked: bool
    """Signs in with an account at the identity provider."""

class WhoamiTenant(TypedDict):
    tenant_id: str
    name: str
    plan: str

class Whoami(TypedDict):
    credential: CallingCredential
    member: WhoamiMember | None
    """The person who is signed in; null for other credentials."""
    tenant: WhoamiTenant
    version: str
    features: Features | None

class CallingCredentialRateLimit(TypedDict):
    requests_per_second: float
    burst: int

class CallingCredential(TypedDict):
    kind: Literal["live", "test", "ephemeral", "memory", "member", "oauth"]
    id: str
    """The key, the member, or the OAuth client that the token was issued to."""
    name: str
    prefix: str | None
    """The first 12 characters of a key; null for members, and for OAuth tokens, of which none is kept."""
    environment: Literal["live", "test"]
    scopes: List[Literal["keys:read", "keys:write", "oauth:read", "oauth:write", "workspaces:read", "workspaces:write", "memories:read", "memories:write", "spaces:read", "spaces:write", "threads:read", "threads:write", "documents:read", "documents:write", "graph:read", "graph:write", "webhooks:read", "webhooks:write", "providers:read", "providers:write", "memory:search", "usage:read", "search:run", "lists:read", "members:read", "members:write", "owners:write"]]
    """For an OAuth token those of the token."""
    app_permissions: Dict[str, List[Literal["read", "write"]]]
    """Apps the key may use and how; `{}` is unrestricted."""
    ip_allowlist: List[str]
    memory_id: str | None
    """The only memory that it reaches."""
    space_id: str | None
    """The only space that it reaches."""
    rate_limit: CallingCredentialRateLimit | None
    """Null: the plan's."""
    expires_at: str | None
    revokes_at: str | None
    """When the key, having been rotated, is revoked by itself."""

class Features(TypedDict):
    language_models: List[str]
    """What `llm_model` takes, the default first. Empty: answers are made without a model."""
    embeddings: bool
    """Searches also compare meanings, by an embedding model."""
    reranking: bool
    web_search: bool
    """Runs may ask a search engine of the web."""
    proxy: bool
    """`proxy: true` is possible."""

class ProblemErrorsItem(TypedDict):
    path: str
    message: str

class _Problem(TypedDict):
    type: str
    """The address of the page about the error, at the gateway’s host."""
    title: str
    status: int
    detail: str
    code: str
    """One of the codes of `/docs/errors`; stable."""
    request_id: str

class Problem(_Problem, total=False):
    """RFC 9457 problem details."""

    errors: List[ProblemErrorsItem]
    upgrade: Dict[str, Any]

class _ListAuditEventsResponse(TypedDict):
    audit_events: List[AuditEvent]

class ListAuditEventsResponse(_ListAuditEventsResponse, total=False):
    next_cursor: str
    """There only when more follow."""

class AuditEventActor(TypedDict):
    id: str
    """The key, the member, or the client of an OAuth token."""
    kind: Literal["live", "test", "ephemeral", "memory", "member", "oauth"]
    credential_id: str
    """What was presented: the key, the single token, or the session of the console."""

class AuditEventTargetsItem(TypedDict):
    name: str
    """The field or parameter that held it, for instance `key_id`."""
    id: str

class AuditEvent(TypedDict):
    audit_id: str
    occurred_at: str
    """When the request reached the service."""
    operation: str
    """The operation's id, as this document names it."""
    actor: AuditEventActor
    targets: List[AuditEventTargetsItem]
    """The ids in the path, and up to 100 that the answer named, such as the new key's."""
    status: int
    """HTTP status of the answer; that of success when the service ended before it answered."""
    client_address: str | None
    """As the gateway saw it."""
    request_id: str

class ApiKeyWithPlaintextRateLimit(TypedDict):
    requests_per_second: float
    burst: int

class ApiKeyWithPlaintextRotatedFrom(TypedDict):
    key_id: str
    """The key that it replaced."""
    rotated_by: str
    """The key that asked for the replacement."""

class _ApiKeyWithPlaintext(TypedDict):
    key_id: str
    name: str
    prefix: str
    """The first 12 characters of the key."""
    type: Literal["live", "test", "ephemeral", "memory"]
    livemode: bool
    scopes: List[Literal["keys:read", "keys:write", "oauth:read", "oauth:write", "workspaces:read", "workspaces:write", "memories:read", "memories:write", "spaces:read", "spaces:write", "threads:read", "threads:write", "documents:read", "documents:write", "graph:read", "graph:write", "webhooks:read", "webhooks:write", "providers:read", "providers:write", "memory:search", "usage:read", "search:run", "lists:read", "members:read", "members:write", "owners:write"]]
    app_permissions: Dict[str, List[Literal["read", "write"]]]
    """Apps the key may use and how; `{}` is unrestricted."""
    ip_allowlist: List[str]
    memory_id: str | None
    space_id: str | None
    rate_limit: ApiKeyWithPlaintextRateLimit | None
    parent_key_id: str | None
    """The key that it was minted below; null for the first keys of a tenant."""
    rotated_from: ApiKeyWithPlaintextRotatedFrom | None
    created_at: str
    """ISO 8601 date-time"""
    last_used_at: str | None
    usage_count: int
    expires_at: str | None
    revokes_at: str | None
    """When the key, having been rotated, will be revoked by itself."""
    revoked_at: str | None

class ApiKeyWithPlaintext(_ApiKeyWithPlaintext, total=False):
    api_key: str
    """The key itself. In the answer that made it and never again."""

class _ListApiKeysResponse(TypedDict):
    api_keys: List[ApiKey]

class ListApiKeysResponse(_ListApiKeysResponse, total=False):
    next_cursor: str
    """There only when more follow."""

class ApiKeyRateLimit(TypedDict):
    requests_per_second: float
    burst: int

class ApiKeyRotatedFrom(TypedDict):
    key_id: str
    """The key that it replaced."""
    rotated_by: str
    """The key that asked for the replacement."""

class ApiKey(TypedDict):
    key_id: str
    name: str
    prefix: str
    """The first 12 characters of the key."""
    type: Literal["live", "test", "ephemeral", "memory"]
    livemode: bool
    scopes: List[Literal["keys:read", "keys:write", "oauth:read", "oauth:write", "workspaces:read", "workspaces:write", "memories:read", "memories:write", "spaces:read", "spaces:write", "threads:read", "threads:write", "documents:read", "documents:write", "graph:read", "graph:write", "webhooks:read", "webhooks:write", "providers:read", "providers:write", "memory:search", "usage:read", "search:run", "lists:read", "members:read", "members:write", "owners:write"]]
    app_permissions: Dict[str, List[Literal["read", "write"]]]
    """Apps the key may use and how; `{}` is unrestricted."""
    ip_allowlist: List[str]
    memory_id: str | None
    space_id: str | None
    rate_limit: ApiKeyRateLimit | None
    parent_key_id: str | None
    """The key that it was minted below; null for the first keys of a tenant."""
    rotated_from: ApiKeyRotatedFrom | None
    created_at: str
    """ISO 8601 date-time"""
    last_used_at: str | None
    usage_count: int
    expires_at: str | None
    revokes_at: str | None
    """When the key, having been rotated, will be revoked by itself."""
    revoked_at: str | None

class RevokeApiKeyResponseDescendants(TypedDict):
    """With `descendants=true`: everything that came of the key and is revoked."""

    members: List[str]
    api_keys: List[str]
    oauth_clients: List[str]

class _RevokeApiKeyResponse(TypedDict):
    key_id: str
    revoked: Literal[True]
    revoked_at: str
    """ISO 8601 date-time"""

class RevokeApiKeyResponse(_RevokeApiKeyResponse, total=False):
    descendants: RevokeApiKeyResponseDescendants
    """With `descendants=true`: everything that came of the key and is revoked."""

class RotatedApiKeyRateLimit(TypedDict):
    requests_per_second: float
    burst: int

class RotatedApiKeyRotatedFrom(TypedDict):
    key_id: str
    rotated_by: str
    revokes_at: str
    """ISO 8601 date-time"""

class _RotatedApiKey(TypedDict):
    key_id: str
    name: str
    prefix: str
    """The first 12 characters of the key."""
    type: Literal["live", "test", "ephemeral", "memory"]
    livemode: bool
    scopes: List[Literal["keys:read", "keys:write", "oauth:read", "oauth:write", "workspaces:read", "workspaces:write", "memories:read", "memories:write", "spaces:read", "spaces:write", "threads:read", "threads:write", "documents:read", "documents:write", "graph:read", "graph:write", "webhooks:read", "webhooks:write", "providers:read", "providers:write", "memory:search", "usage:read", "search:run", "lists:read", "members:read", "members:write", "owners:write"]]
    app_permissions: Dict[str, List[Literal["read", "write"]]]
    """Apps the key may use and how; `{}` is unrestricted."""
    ip_allowlist: List[str]
    memory_id: str | None
    space_id: str | None
    rate_limit: RotatedApiKeyRateLimit | None
    parent_key_id: str | None
    """The key that it was minted below; null for the first keys of a tenant."""
    rotated_from: RotatedApiKeyRotatedFrom
    created_at: str
    """ISO 8601 date-time"""
    last_used_at: str | None
    usage_count: int
    expires_at: str | None
    revokes_at: str | None
    """When the key, having been rotated, will be revoked by itself."""
    revoked_at: str | None

class RotatedApiKey(_RotatedApiKey, total=False):
    api_key: str
    """The key itself. In the answer that made it and never again."""

class _OAuthClientWithSecret(TypedDict):
    client_id: str
    name: str
    livemode: bool
    scopes: List[Literal["keys:read", "keys:write", "oauth:read", "oauth:write", "workspaces:read", "workspaces:write", "memories:read", "memories:write", "spaces:read", "spaces:write", "threads:read", "threads:write", "documents:read", "documents:write", "graph:read", "graph:write", "webhooks:read", "webhooks:write", "providers:read", "providers:write", "memory:search", "usage:read", "search:run", "lists:read", "members:read", "members:write", "owners:write"]]
    parent_key_id: str
    """The key that made it."""
    created_at: str
    """ISO 8601 date-time"""
    last_used_at: str | None
    usage_count: int
    expires_at: str | None
    """When its tokens end at the latest: with the key that made it."""
    revoked_at: str | None

class OAuthClientWithSecret(_OAuthClientWithSecret, total=False):
    client_secret: str
    """The secret itself. In the answer that made it and never again."""

class _ListOAuthClientsResponse(TypedDict):
    oauth_clients: List[OAuthClient]

class ListOAuthClientsResponse(_ListOAuthClientsResponse, total=False):
    next_cursor: str
    """There only when more follow."""

class OAuthClient(TypedDict):
    client_id: str
    name: str
    livemode: bool
    scopes: List[Literal["keys:read", "keys:write", "oauth:read", "oauth:write", "workspaces:read", "workspaces:write", "memories:read", "memories:write", "spaces:read", "spaces:write", "threads:read", "threads:write", "documents:read", "documents:write", "graph:read", "graph:write", "webhooks:read", "webhooks:write", "providers:read", "providers:write", "memory:search", "usage:read", "search:run", "lists:read", "members:read", "members:write", "owners:write"]]
    parent_key_id: str
    """The key that made it."""
    created_at: str
    """ISO 8601 date-time"""
    last_used_at: str | None
    usage_count: int
    expires_at: str | None
    """When its tokens end at the latest: with the key that made it."""
    revoked_at: str | None

class RevokeOAuthClientResponse(TypedDict):
    client_id: str
    revoked: Literal[True]
    revoked_at: str
    """ISO 8601 date-time"""

class _IssueOAuthTokenResponse(TypedDict):
    access_token: str
    token_type: Literal["Bearer"]
    expires_in: int
    """Seconds."""
    scope: str

class IssueOAuthTokenResponse(_IssueOAuthTokenResponse, total=False):
    refresh_token: str
    """Of a connected app; it can be used once."""

class _OAuthError(TypedDict):
    error: str

class OAuthError(_OAuthError, total=False):
    """RFC 6749, section 5.2."""

    error_description: str

RevokeOAuthTokenResponse: TypeAlias = "Dict[str, Any]"

class OauthMetadataResponse(TypedDict):
    issuer: str
    authorization_endpoint: str
    registration_endpoint: str
    token_endpoint: str
    revocation_endpoint: str
    grant_types_supported: List[str]
    response_types_supported: List[str]
    scopes_supported: List[Literal["keys:read", "keys:write", "oauth:read", "oauth:write", "workspaces:read", "workspaces:write", "memories:read", "memories:write", "spaces:read", "spaces:write", "threads:read", "threads:write", "documents:read", "documents:write", "graph:read", "graph:write", "webhooks:read", "webhooks:write", "providers:read", "providers:write", "memory:search", "usage:read", "search:run", "lists:read", "members:read", "members:write", "owners:write"]]
    token_endpoint_auth_methods_supported: List[str]
    revocation_endpoint_auth_methods_supported: List[str]
    code_challenge_methods_supported: List[str]
    authorization_response_iss_parameter_supported: bool
    client_id_metadata_document_supported: bool
    service_documentation: str

class ReadResourceMetadataResponse(TypedDict):
    resource: str
    authorization_servers: List[str]
    scopes_supported: List[Literal["keys:read", "keys:write", "oauth:read", "oauth:write", "workspaces:read", "workspaces:write", "memories:read", "memories:write", "spaces:read", "spaces:write", "threads:read", "threads:write", "documents:read", "documents:write", "graph:read", "graph:write", "webhooks:read", "webhooks:write", "providers:read", "providers:write", "memory:search", "usage:read", "search:run", "lists:read", "members:read", "members:write", "owners:write"]]
    bearer_methods_supported: List[str]
    resource_name: str

class RegisterAppClientResponse(TypedDict):
    client_id: str
    client_id_issued_at: int
    """Seconds since 1970."""
    client_name: str
    redirect_uris: List[str]
    token_endpoint_auth_method: Literal["none"]
    grant_types: List[str]
    response_types: List[str]

class AuthorizationPreviewClient(TypedDict):
    client_id: str
    name: str
    """As the client calls itself; nobody has checked it."""
    redirect_host: str
    """Where the browser is led with the code."""
    on_this_device: bool
    """It is led to a program on the device of the browser."""

class AuthorizationPreviewSpace(TypedDict):
    space_id: str
    name: str
    memory_id: str

class AuthorizationPreview(TypedDict):
    client: AuthorizationPreviewClient
    space: AuthorizationPreviewSpace
    scopes: List[Literal["keys:read", "keys:write", "oauth:read", "oauth:write", "workspaces:read", "workspaces:write", "memories:read", "memories:write", "spaces:read", "spaces:write", "threads:read", "threads:write", "documents:read", "documents:write", "graph:read", "graph:write", "webhooks:read", "webhooks:write", "providers:read", "providers:write", "memory:search", "usage:read", "search:run", "lists:read", "members:read", "members:write", "owners:write"]]
    """What can be granted."""
    denied_url: str
    """Where the browser is led by whoever refuses."""

class AppAuthorization(TypedDict):
    app_id: str
    redirect_to: str

class _ConnectedAppPage(TypedDict):
    connected_apps: List[ConnectedApp]

class ConnectedAppPage(_ConnectedAppPage, total=False):
    next_cursor: str
    """There only when more follow."""

class ConnectedApp(TypedDict):
    app_id: str
    client_id: str
    client_name: str
    key_id: str
    """The key or the member that connected it."""
    key_name: str
    memory_id: str
    space_id: str
    scopes: List[Literal["keys:read", "keys:write", "oauth:read", "oauth:write", "workspaces:read", "workspaces:write", "memories:read", "memories:write", "spaces:read", "spaces:write", "threads:read", "threads:write", "documents:read", "documents:write", "graph:read", "graph:write", "webhooks:read", "webhooks:write", "providers:read", "providers:write", "memory:search", "usage:read", "search:run", "lists:read", "members:read", "members:write", "owners:write"]]
    """What was granted; what the key or member no longer holds does not count."""
    connected_at: str
    """ISO 8601 date-time"""
    last_used_at: str | None
    """When it last fetched a token."""
    expires_at: str
    """When it ends unless it fetches a token before."""
    disconnected_at: str | None

class DisconnectedApp(TypedDict):
    app_id: str
    disconnected: Literal[True]
    disconnected_at: str
    """ISO 8601 date-time"""

class Session(TypedDict):
    session_id: str
    key_id: str
    """The key or the member that it stands for: it may do what that may, and ends with it."""
    key_name: str
    """The name of that key or member."""
    livemode: bool
    address: str
    """From where it was opened."""
    user_agent: str
    created_at: str
    """ISO 8601 date-time"""
    last_used_at: str
    """To within some minutes."""
    expires_at: str
    """When it ends unless it is used before."""
    ends_at: str
    """When it ends at the latest."""
    ended_at: str | None
    current: bool
    """The request was made with it."""

class _SessionPage(TypedDict):
    sessions: List[Session]

class SessionPage(_SessionPage, total=False):
    next_cursor: str
    """There only when more follow."""

class SignInOptionsProvider(TypedDict):
    name: str
    """As the operator calls it."""

class SignInOptions(TypedDict):
    provider: SignInOptionsProvider | None
    """Null: none is configured."""

class SignInAttempt(TypedDict):
    url: str
    attempt: str
    """A secret of this browser; whoever lacks it cannot finish."""
    expires_at: str
    """ISO 8601 date-time"""

class EndedSession(TypedDict):
    session_id: str
    ended: Literal[True]
    ended_at: str
    """ISO 8601 date-time"""

class SessionTicket(TypedDict):
    ticket: str
    """In this answer and never again."""
    url: str
    expires_at: str
    """ISO 8601 date-time"""

class _MemberPage(TypedDict):
    members: List[Member]

class MemberPage(_MemberPage, total=False):
    next_cursor: str
    """There only when more follow."""

class Member(TypedDict):
    member_id: str
    """Also the `actor.id` of what the member changed."""
    email: str
    """Empty, as the name, 400 days after the removal."""
    name: str
    role: Literal["owner", "admin", "developer", "reviewer", "viewer"]
    """A named set of scopes: `viewer` reads and asks, `reviewer` also decides, `developer` also builds, `admin` does everything but appoint owners, `owner` does everything."""
    scopes: List[Literal["keys:read", "keys:write", "oauth:read", "oauth:write", "workspaces:read", "workspaces:write", "memories:read", "memories:write", "spaces:read", "spaces:write", "threads:read", "threads:write", "documents:read", "documents:write", "graph:read", "graph:write", "webhooks:read", "webhooks:write", "providers:read", "providers:write", "memory:search", "usage:read", "search:run", "lists:read", "members:read", "members:write", "owners:write"]]
    """What the role allows this member."""
    invited_by: str
    """The member or the key that invited it."""
    linked: bool
    """Signs in with an account at the identity provider."""
    created_at: str
    """ISO 8601 date-time"""
    last_signed_in_at: str | None
    removed_at: str | None

class RemovedMemberDescendants(TypedDict):
    """With `descendants=true`: everything that came of the member and is revoked."""

    members: List[str]
    api_keys: List[str]
    oauth_clients: List[str]

class _RemovedMember(TypedDict):
    member_id: str
    removed: Literal[True]
    removed_at: str
    """ISO 8601 date-time"""

class RemovedMember(_RemovedMember, total=False):
    descendants: RemovedMemberDescendants
    """With `descendants=true`: everything that came of the member and is revoked."""

class MemberTicket(TypedDict):
    member_id: str
    ticket: str
    """In this answer and never again."""
    url: str
    expires_at: str
    """ISO 8601 date-time"""

class _InvitationWithLink(TypedDict):
    invitation_id: str
    email: str
    role: Literal["owner", "admin", "developer", "reviewer", "viewer"]
    """A named set of scopes: `viewer` reads and asks, `reviewer` also decides, `developer` also builds, `admin` does everything but appoint owners, `owner` does everything."""
    status: Literal["open", "accepted", "revoked", "expired"]
    invited_by: str
    """The member or the key that made it; it is void when that ends."""
    member_id: str | None
    """Who accepted it."""
    created_at: str
    """ISO 8601 date-time"""
    expires_at: str
    """ISO 8601 date-time"""

class InvitationWithLink(_InvitationWithLink, total=False):
    invitation: str
    """The secret of the link. In the answer that made it and never again."""
    url: str
    """Leads a browser to the console with the secret behind the `#`."""

class _InvitationPage(TypedDict):
    invitations: List[Invitation]

class InvitationPage(_InvitationPage, total=False):
    next_cursor: str
    """There only when more follow."""

class Invitation(TypedDict):
    invitation_id: str
    email: str
    role: Literal["owner", "admin", "developer", "reviewer", "viewer"]
    """A named set of scopes: `viewer` reads and asks, `reviewer` also decides, `developer` also builds, `admin` does everything but appoint owners, `owner` does everything."""
    status: Literal["open", "accepted", "revoked", "expired"]
    invited_by: str
    """The member or the key that made it; it is void when that ends."""
    member_id: str | None
    """Who accepted it."""
    created_at: str
    """ISO 8601 date-time"""
    expires_at: str
    """ISO 8601 date-time"""

class CreateWorkspaceResponse(TypedDict):
    workspace: Workspace

class Workspace(TypedDict):
    workspace_id: str
    tenant_id: str
    name: str
    description: str
    slug: str
    is_default: bool
    primary_memory_id: str
    created_at: str
    """ISO 8601 date-time"""
    updated_at: str
    """ISO 8601 date-time"""

class _ListWorkspacesResponse(TypedDict):
    workspaces: List[Workspace]

class ListWorkspacesResponse(_ListWorkspacesResponse, total=False):
    next_cursor: str
    """There only when more follow."""

class GetWorkspaceResponse(TypedDict):
    workspace: Workspace

class UpdateWorkspaceResponse(TypedDict):
    workspace: Workspace

class DeleteWorkspaceResponse(TypedDict):
    workspace_id: str
    deleted: Literal[True]

class Memory(TypedDict):
    memory_id: str
    workspace_id: str
    display_name: str
    type: Literal["shared", "dedicated"]
    status: Literal["provisioning", "active", "suspended", "deleting", "failed"]
    status_reason: str | None
    """Why a memory is `failed`; null otherwise."""
    memory_serial: int
    subdomain: str
    dlp_policy: Literal["off", "secrets", "pii"]
    keep_originals: bool
    """What is handed in is kept, encrypted, and can be downloaded."""
    created_at: str
    """ISO 8601 date-time"""

class _ListMemoriesResponse(TypedDict):
    memories: List[Memory]

class ListMemoriesResponse(_ListMemoriesResponse, total=False):
    next_cursor: str
    """There only when more follow."""

class Space(TypedDict):
    space_id: str
    name: str
    slug: str
    description: str
    vault_id: str
    """Where the documents of the space lie."""
    memory_id: str
    member_count: int
    mcp_url: str
    """The MCP endpoint of the space, from the base address."""
    created_at: str
    """ISO 8601 date-time"""
    updated_at: str
    """ISO 8601 date-time"""

class _ListSpacesResponse(TypedDict):
    spaces: List[Space]

class ListSpacesResponse(_ListSpacesResponse, total=False):
    next_cursor: str
    """There only when more follow."""

class DeleteSpaceResponse(TypedDict):
    space_id: str
    deleted: Literal[True]

class _ListSpaceMembersResponse(TypedDict):
    members: List[SpaceMember]

class ListSpaceMembersResponse(_ListSpaceMembersResponse, total=False):
    next_cursor: str
    """There only when more follow."""

class SpaceMember(TypedDict):
    user: str
    role: Literal["reader", "writer"]
    created_at: str
    """ISO 8601 date-time"""
    updated_at: str
    """ISO 8601 date-time"""

class DeleteSpaceMemberResponse(TypedDict):
    space_id: str
    user: str
    deleted: Literal[True]

class ProviderKey(TypedDict):
    provider: str
    base_url: str | None
    created_at: str
    """ISO 8601 date-time"""
    updated_at: str
    """ISO 8601 date-time"""

class DeleteProviderKeyResponse(TypedDict):
    provider: str
    deleted: Literal[True]

class ListProviderKeysResponse(TypedDict):
    provider_keys: List[ProviderKey]

class ProviderKeyTestModelsItem(TypedDict):
    model: str
    listed: bool

class ProviderKeyTest(TypedDict):
    provider: str
    ok: bool
    failure: Literal["provider_not_configured", "address_refused", "unreachable", "timed_out", "key_refused", "rate_limited", "provider_error", "unexpected_answer"] | None
    detail: str
    """A sentence about the outcome."""
    status: int | None
    """The provider's HTTP status, if it answered."""
    models: List[ProviderKeyTestModelsItem]
    """Empty unless `ok`."""
    took_ms: int

class ListModelsResponse(TypedDict):
    models: List[OfferedModel]

class OfferedModelPrice(TypedDict):
    input: float
    """US dollars per million tokens."""
    output: float
    """US dollars per million tokens."""
    cached_input: float
    """US dollars per million tokens."""

class OfferedModel(TypedDict):
    id: str
    """What `llm_model` takes; provider and model for the others."""
    provider: str
    model: str
    """What the provider calls it."""
    kind: Literal["language", "embedding", "reranking"]
    default: bool
    """Used where a request names no model."""
    price: OfferedModelPrice | None
    """Today's prices; null when the model has none, and so no known cost."""
    billed_to: Literal["own_key", "platform"] | None
    """`own_key`: the tenant's own key of the provider is used, and no credits are charged."""
    state: Literal["available", "no_key"]
    """`no_key`: neither the tenant nor, for it, the operator has a key of the provider."""

class Thread(TypedDict):
    thread_id: str
    title: str
    memory_id: str
    space_id: str | None
    vault_id: str
    user: str | None
    turn_count: int
    created_at: str
    """ISO 8601 date-time"""
    updated_at: str
    """ISO 8601 date-time"""

class _ListThreadsResponse(TypedDict):
    threads: List[Thread]

class ListThreadsResponse(_ListThreadsResponse, total=False):
    next_cursor: str
    """There only when more follow."""

class DeleteThreadResponse(TypedDict):
    thread_id: str
    deleted: Literal[True]

class Turn(TypedDict):
    turn_id: str
    thread_id: str
    role: Literal["user", "assistant"]
    content: str
    created_at: str
    """ISO 8601 date-time"""

class _ListTurnsResponse(TypedDict):
    turns: List[Turn]

class ListTurnsResponse(_ListTurnsResponse, total=False):
    next_cursor: str
    """There only when more follow."""

class IngestDocumentsResponseDocumentsItem(TypedDict):
    doc_id: str
    status: Literal["queued", "parsing", "screening", "routing", "indexing", "linking", "completed", "failed"]
    vault_id: str

class IngestDocumentsResponse(TypedDict):
    documents: List[IngestDocumentsResponseDocumentsItem]

class _ListDocumentsResponse(TypedDict):
    documents: List[Document]

class ListDocumentsResponse(_ListDocumentsResponse, total=False):
    next_cursor: str
    """There only when more follow."""

class DocumentError(TypedDict):
    code: str
    message: str

class DocumentMaskedItem(TypedDict):
    kind: str
    count: int

class DocumentOriginal(TypedDict):
    bytes: int

class Document(TypedDict):
    doc_id: str
    memory_id: str
    vault_id: str
    space_id: str | None
    external_id: str | None
    title: str
    status: Literal["queued", "parsing", "screening", "routing", "indexing", "linking", "completed", "failed"]
    error: DocumentError | None
    progress: DocumentProgress | None
    """While the document is on its way; null afterwards."""
    routing: DocumentRouting | None
    """Null for a document whose space was named."""
    masked: List[DocumentMaskedItem]
    """What screening masked: counts, never values."""
    metadata: Dict[str, Any]
    media_type: str
    bytes: int
    original: DocumentOriginal | None
    """What was handed in, if it is kept; null otherwise."""
    chunks: int
    source_uri: str | None
    occurred_at: str | None
    created_at: str
    """ISO 8601 date-time"""
    updated_at: str
    """ISO 8601 date-time"""
    completed_at: str | None

class DocumentProgress(TypedDict):
    step: Literal["queued", "parsing", "screening", "routing", "indexing", "linking", "completed", "failed"]
    attempts: int
    cause: str | None
    """Why the attempt before was given up."""
    next_attempt_at: str | None

class DocumentRouting(TypedDict):
    confidence: float
    """0 to 1: the winner’s share of winner and runner-up."""
    needs_review: bool
    """The winner was not at least twice the runner-up."""
    reviewed_at: str | None

class DocumentStatsByStatusItem(TypedDict):
    status: Literal["queued", "parsing", "screening", "routing", "indexing", "linking", "completed", "failed"]
    documents: int
    """How many documents."""

class DocumentStatsByErrorItem(TypedDict):
    code: str
    documents: int
    """How many documents."""

class DocumentStatsBySpaceItem(TypedDict):
    space_id: str | None
    documents: int
    """How many documents."""

class DocumentStatsByMediaTypeItem(TypedDict):
    media_type: str
    documents: int
    """How many documents."""

class DocumentStats(TypedDict):
    memory_id: str
    total: int
    """How many documents."""
    by_status: List[DocumentStatsByStatusItem]
    by_error: List[DocumentStatsByErrorItem]
    """Failed documents by `error.code`, the most frequent first."""
    by_space: List[DocumentStatsBySpaceItem]
    """The most frequent first, at most 100; null for documents in no space."""
    by_media_type: List[DocumentStatsByMediaTypeItem]
    """The most frequent first, at most 100."""
    oldest_waiting_at: str | None
    """Since when the document that waits longest has been waiting; null when none waits."""
    completed_last_minute: int
    """How many documents."""
    completed_last_hour: int
    """How many documents."""

class DeleteDocumentResponse(TypedDict):
    doc_id: str
    deleted: Literal[True]

class StartedDocumentJob(TypedDict):
    documents: int
    """Documents that the job is about."""
    job: DocumentJob | None
    """Null with `dry_run`."""

class DocumentJob(TypedDict):
    job_id: str
    memory_id: str
    kind: Literal["delete", "retry"]
    status: Literal["running", "completed"]
    documents: int
    """What the job was about when it was made."""
    done: int
    failed: int
    """Documents with which nothing could be done."""
    created_at: str
    """ISO 8601 date-time"""
    updated_at: str
    """ISO 8601 date-time"""
    completed_at: str | None

class _DocumentJobs(TypedDict):
    jobs: List[DocumentJob]

class DocumentJobs(_DocumentJobs, total=False):
    next_cursor: str
    """There only when more follow."""

class DocumentJobDetail(TypedDict):
    job_id: str
    memory_id: str
    kind: Literal["delete", "retry"]
    status: Literal["running", "completed"]
    documents: int
    """What the job was about when it was made."""
    done: int
    failed: int
    """Documents with which nothing could be done."""
    created_at: str
    """ISO 8601 date-time"""
    updated_at: str
    """ISO 8601 date-time"""
    completed_at: str | None
    problems: List[DocumentJobProblem]

class DocumentJobProblem(TypedDict):
    doc_id: str
    code: Literal["not_found", "not_failed", "content_not_kept", "duplicate", "internal"]
    """Why nothing could be done with the document."""
    message: str

class _DocumentContent(TypedDict):
    doc_id: str
    title: str
    status: Literal["queued", "parsing", "screening", "routing", "indexing", "linking", "completed", "failed"]
    media_type: str
    source_uri: str | None
    updated_at: str
    """ISO 8601 date-time"""
    chunks: List[DocumentChunk]

class DocumentContent(_DocumentContent, total=False):
    next_cursor: str
    """There only when more follow."""

class DocumentChunkFactsItem(TypedDict):
    fact_id: str
    entity_id: str
    relation: str
    span: TextSpan

class DocumentChunk(TypedDict):
    chunk_id: str
    ordinal: int
    """Its place among the chunks of the document, from 0."""
    text: str
    headings: List[str]
    """The headings above it, outermost first."""
    page: int | None
    """Page, slide or chapter, from 1; null where there is none."""
    page_end: int | None
    """The last page, when it covers several."""
    location: Dict[str, Any]
    """Where it lies in the document, as results of a search say it."""
    facts: List[DocumentChunkFactsItem]
    """What its words state, in the order of the text; at most 100."""

class TextSpan(TypedDict):
    """A place in the text of a chunk, in UTF-16 units: `text.slice(start, end)`."""

    start: int
    end: int

class ChunkFactsItem(TypedDict):
    fact_id: str
    entity_id: str
    relation: str
    span: TextSpan

class Chunk(TypedDict):
    chunk_id: str
    ordinal: int
    """Its place among the chunks of the document, from 0."""
    text: str
    headings: List[str]
    """The headings above it, outermost first."""
    page: int | None
    """Page, slide or chapter, from 1; null where there is none."""
    page_end: int | None
    """The last page, when it covers several."""
    location: Dict[str, Any]
    """Where it lies in the document, as results of a search say it."""
    facts: List[ChunkFactsItem]
    """What its words state, in the order of the text; at most 100."""
    doc_id: str
    title: str
    """The title of the document."""
    vault_id: str
    source_uri: str | None
    occurred_at: str | None
    previous_chunk_id: str | None
    next_chunk_id: str | None

class ExploreGraphResponse(TypedDict):
    nodes: List[GraphNode]
    edges: List[GraphEdge]
    truncated: bool

class _GraphNode(TypedDict):
    entity_id: str
    name: str
    type: str
    attributes: Dict[str, Any]
    """What the documents say of it, by relation."""
    community_id: int
    """0 until communities were computed, or for an entity alone."""
    centrality: float
    """PageRank, 1 for the most central entity of the memory."""
    document_count: int

class GraphNode(_GraphNode, total=False):
    hop: int
    """Steps from the entity that was asked for."""

class GraphEdge(TypedDict):
    source: str
    target: str
    type: str
    weight: float
    """How often the relationship is stated, weighted by confidence."""

class _EntityPage(TypedDict):
    entities: List[Entity]

class EntityPage(_EntityPage, total=False):
    next_cursor: str
    """There only when more follow."""

class Entity(TypedDict):
    entity_id: str
    name: str
    type: str
    attributes: Dict[str, Any]
    """What the documents say of it, by relation."""
    community_id: int
    """0 until communities were computed, or for an entity alone."""
    centrality: float
    """PageRank, 1 for the most central entity of the memory."""
    document_count: int
    aliases: List[str]

class GetEntityResponse(TypedDict):
    entity_id: str
    name: str
    type: str
    attributes: Dict[str, Any]
    """What the documents say of it, by relation."""
    community_id: int
    """0 until communities were computed, or for an entity alone."""
    centrality: float
    """PageRank, 1 for the most central entity of the memory."""
    document_count: int
    aliases: List[str]
    facts: List[Fact]

class FactLocation(TypedDict):
    """Where the quote stands in the text of the chunk, in UTF-16 units."""

    start: int
    end: int

class Fact(TypedDict):
    fact_id: str
    entity_id: str
    relation: str
    value: str
    target_entity_id: str | None
    """The entity that the value names, if it names one."""
    negated: bool
    confidence: float
    doc_id: str
    title: str
    """The title of the document."""
    chunk_id: str
    quote: str
    """The words of the document that say so."""
    location: FactLocation
    """Where the quote stands in the text of the chunk, in UTF-16 units."""
    valid_from: str | None
    valid_to: str | None
    ended: bool
    """The words say that it holds no longer, as “former” does."""
    superseded_by: str | None
    """The fact that holds instead; both are kept."""

class EntityLinksEntitiesItem(TypedDict):
    entity_id: str
    name: str
    type: str

class _EntityLinks(TypedDict):
    entities: List[EntityLinksEntitiesItem]
    """The two, in the order of the path."""
    links: List[GraphEdge]
    """The weightiest first."""
    passages: List[LinkPassage]
    """Those that state a link, in the order of their ids."""

class EntityLinks(_EntityLinks, total=False):
    next_cursor: str
    """There only when more follow."""

class LinkPassage(TypedDict):
    doc_id: str
    title: str
    """The title of the document."""
    chunk_id: str
    statements: List[LinkStatement]
    """Empty where the two names stand together in no single sentence, as in rows of a table."""

class LinkStatementSpan(TypedDict):
    """Where they stand in the text of the chunk, in UTF-16 units."""

    start: int
    end: int

class LinkStatement(TypedDict):
    source: str
    target: str
    type: str
    text: str
    """The words of the document that say so."""
    span: LinkStatementSpan
    """Where they stand in the text of the chunk, in UTF-16 units."""
    fact_id: str | None
    """The fact that quotes them, if they state one."""

class EntityPathEntitiesItem(TypedDict):
    entity_id: str
    name: str
    type: str

class EntityPath(TypedDict):
    entities: List[EntityPathEntitiesItem]
    """From the source to the target, both included; empty when there is no path."""
    hops: List[PathHop]
    """One for each two neighbouring entities, in the same order."""
    truncated: bool
    """Not everything could be looked at."""

class PathHop(TypedDict):
    links: List[GraphEdge]
    """Between the two entities, the weightiest first."""
    passages: List[LinkPassage]
    """The first that state a link, as `getEntityLinks` pages them."""

class GraphOverviewTotals(TypedDict):
    entities: int
    communities: int

class GraphOverview(TypedDict):
    nodes: List[OverviewNode]
    edges: List[GraphEdge]
    """At most three for each entity of `limit`, the weightiest first."""
    communities: List[GraphCommunity]
    """Those of the nodes, the largest first."""
    totals: GraphOverviewTotals
    truncated: bool
    """There are entities that are not among the nodes."""
    edges_truncated: bool
    """There are links among the nodes that are left out."""

class OverviewNode(TypedDict):
    entity_id: str
    name: str
    type: str
    community_id: int
    """0 until communities were computed, or for an entity alone."""
    centrality: float
    """PageRank, 1 for the most central entity of the memory."""
    document_count: int
    x: float | None
    """Where it stands in the picture, about -1 to 1, the same at every visit. Null until it was computed, a moment after the last change, and for keys of one space."""
    y: float | None

class GraphCommunity(TypedDict):
    community_id: int
    name: str
    """The name of its most central entity."""
    entity_id: str
    """That entity."""
    size: int
    """Entities of it, shown or not."""

class _ListContradictionsResponse(TypedDict):
    contradictions: List[Contradiction]

class ListContradictionsResponse(_ListContradictionsResponse, total=False):
    next_cursor: str
    """There only when more follow."""

class ContradictionEntity(TypedDict):
    entity_id: str
    name: str
    type: str

class Contradiction(TypedDict):
    contradiction_id: str
    memory_id: str
    entity: ContradictionEntity
    relation: str
    status: Literal["open", "resolved"]
    score: float
    """0 to 1: how sure it is that the statements exclude each other."""
    facts: List[Fact]
    winner: str | None
    """A fact id, or `both`, once resolved."""
    note: str | None
    resolved_by: str | None
    resolved_at: str | None
    created_at: str
    """ISO 8601 date-time"""
    updated_at: str
    """ISO 8601 date-time"""

class _ListEntityReviewsResponse(TypedDict):
    reviews: List[EntityReview]

class ListEntityReviewsResponse(_ListEntityReviewsResponse, total=False):
    next_cursor: str
    """There only when more follow."""

class EntityReviewEntitiesItem(TypedDict):
    entity_id: str
    name: str
    type: str
    document_count: int

class EntityReview(TypedDict):
    review_id: str
    status: Literal["open", "decided"]
    similarity: float
    entities: List[EntityReviewEntitiesItem]
    decision: Literal["same", "different"] | None
    created_at: str
    """ISO 8601 date-time"""

class EntityDecision(TypedDict):
    decision_id: str
    kind: Literal["merge", "split", "different"]
    names: List[str]
    doc_ids: List[str]
    decided_by: str
    created_at: str
    """ISO 8601 date-time"""

class MergeEntitiesResponse(TypedDict):
    decision_id: str
    kind: Literal["merge", "split", "different"]
    names: List[str]
    doc_ids: List[str]
    decided_by: str
    created_at: str
    """ISO 8601 date-time"""
    entity_id: str

class SplitEntityResponse(TypedDict):
    decision_id: str
    kind: Literal["merge", "split", "different"]
    names: List[str]
    doc_ids: List[str]
    decided_by: str
    created_at: str
    """ISO 8601 date-time"""
    entity_id: str

class _ListEntityDecisionsResponse(TypedDict):
    decisions: List[EntityDecision]

class ListEntityDecisionsResponse(_ListEntityDecisionsResponse, total=False):
    next_cursor: str
    """There only when more follow."""

class UndoEntityDecisionResponse(TypedDict):
    decision_id: str
    undone: Literal[True]

class GetMemoryHealthResponsePartsFreshness(TypedDict):
    score: float
    """0 to 100."""
    weight: float
    value: float
    """The measured share or count that the score is made of."""
    affected: int
    advice: str
    """What to do about it; empty when nothing is to be done."""

class GetMemoryHealthResponsePartsCoverage(TypedDict):
    score: float
    """0 to 100."""
    weight: float
    value: float
    """The measured share or count that the score is made of."""
    affected: int
    advice: str
    """What to do about it; empty when nothing is to be done."""

class GetMemoryHealthResponsePartsContradictions(TypedDict):
    score: float
    """0 to 100."""
    weight: float
    value: float
    """The measured share or count that the score is made of."""
    affected: int
    advice: str
    """What to do about it; empty when nothing is to be done."""

class GetMemoryHealthResponsePartsOrphans(TypedDict):
    score: float
    """0 to 100."""
    weight: float
    value: float
    """The measured share or count that the score is made of."""
    affected: int
    advice: str
    """What to do about it; empty when nothing is to be done."""

class GetMemoryHealthResponsePartsFailedIngests(TypedDict):
    score: float
    """0 to 100."""
    weight: float
    value: float
    """The measured share or count that the score is made of."""
    affected: int
    advice: str
    """What to do about it; empty when nothing is to be done."""

class GetMemoryHealthResponsePartsReviewBacklog(TypedDict):
    score: float
    """0 to 100."""
    weight: float
    value: float
    """The measured share or count that the score is made of."""
    affected: int
    advice: str
    """What to do about it; empty when nothing is to be done."""

class GetMemoryHealthResponseParts(TypedDict):
    freshness: GetMemoryHealthResponsePartsFreshness
    coverage: GetMemoryHealthResponsePartsCoverage
    contradictions: GetMemoryHealthResponsePartsContradictions
    orphans: GetMemoryHealthResponsePartsOrphans
    failed_ingests: GetMemoryHealthResponsePartsFailedIngests
    review_backlog: GetMemoryHealthResponsePartsReviewBacklog

class GetMemoryHealthResponse(TypedDict):
    memory_id: str
    score: float
    parts: GetMemoryHealthResponseParts
    assessed_at: str
    """ISO 8601 date-time"""

class _HealthHistory(TypedDict):
    history: List[HealthAssessment]

class HealthHistory(_HealthHistory, total=False):
    next_cursor: str
    """There only when more follow."""

class HealthAssessmentPartsFreshness(TypedDict):
    score: float
    affected: int

class HealthAssessmentPartsCoverage(TypedDict):
    score: float
    affected: int

class HealthAssessmentPartsContradictions(TypedDict):
    score: float
    affected: int

class HealthAssessmentPartsOrphans(TypedDict):
    score: float
    affected: int

class HealthAssessmentPartsFailedIngests(TypedDict):
    score: float
    affected: int

class HealthAssessmentPartsReviewBacklog(TypedDict):
    score: float
    affected: int

class HealthAssessmentParts(TypedDict):
    freshness: HealthAssessmentPartsFreshness
    coverage: HealthAssessmentPartsCoverage
    contradictions: HealthAssessmentPartsContradictions
    orphans: HealthAssessmentPartsOrphans
    failed_ingests: HealthAssessmentPartsFailedIngests
    review_backlog: HealthAssessmentPartsReviewBacklog

class HealthAssessment(TypedDict):
    assessed_at: str
    """ISO 8601 date-time"""
    score: float
    """0 to 100."""
    parts: HealthAssessmentParts
    documents: int
    """Documents of the memory at that time, of every status."""
    documents_added: int
    """Since the assessment before, as far as they are still there."""
    documents_deleted: int
    """Since the assessment before, of those it counted."""

class SearchAnswerEntitiesItem(TypedDict):
    entity_id: str
    name: str
    type: str

class SearchAnswerContradictionsItemEntity(TypedDict):
    entity_id: str
    name: str
    type: str

class SearchAnswerContradictionsItemFactsItem(TypedDict):
    fact_id: str
    value: str
    doc_id: str
    chunk_id: str
    quote: str

class SearchAnswerContradictionsItem(TypedDict):
    contradiction_id: str
    entity: SearchAnswerContradictionsItemEntity
    relation: str
    facts: List[SearchAnswerContradictionsItemFactsItem]
    citation_ids: List[str]
    """Citations of the answer that take one of the sides."""

class SearchAnswer(TypedDict):
    search_id: str
    answer: str
    """Refers to the citations as [1], [2] …"""
    generated: bool
    """False for an answer made of sentences taken from the sources."""
    citations: List[Citation]
    results: List[SearchResult]
    entities: List[SearchAnswerEntitiesItem]
    contradictions: List[SearchAnswerContradictionsItem]
    """Open contradictions of which a shown source states one side."""
    suggested_followups: List[str]
    confidence: float
    """0 to 1: how likely the answer is right, by signs that were weighed on questions with known answers; for what was said in conversations, in small memories and in other languages than English, how much of the question the best source carries. Low where nothing answers."""
    fallback: str | None
    """Why a configured model did not write all of the answer, e.g. `timed_out`; else null."""
    thread_id: str | None
    timing_ms: Dict[str, float]

class Citation(TypedDict):
    citation_id: str
    doc_id: str
    chunk_id: str
    title: str
    snippet: str
    """The words that support the answer, white space as single spaces."""
    span: TextSpan | None
    """Where the words of `snippet` stand in the text of the chunk, from the first to the last of them; null where no sentence of it is told to support the answer."""
    source_uri: str | None
    occurred_at: str | None
    """The date of the source, by which values that differ are ordered, the newest first."""
    score: float

class _SearchResult(TypedDict):
    chunk_id: str
    doc_id: str
    title: str
    text: str
    score: float
    vault_id: str
    source_uri: str | None
    occurred_at: str | None
    location: Dict[str, Any]

class SearchResult(_SearchResult, total=False):
    explanation: SearchExplanation
    """There when the request says `explain`."""

class SearchExplanationSignals(TypedDict):
    """What each signal added. Together they are the score."""

    words: float
    """For the words of the question that the passage has."""
    meaning: float
    """For nearness in meaning, where embeddings are configured."""
    word_proximity: float
    """For words of the question that stand near each other, in its order."""
    similarity_to_best: float
    """For being like the passage that the other signals rate highest, where documents are short."""
    adjacent_turns: float
    """In a conversation, for what the turns just before and after say."""
    nearby_turns: float
    """In a conversation, for what the turns two before and after say."""
    named_speaker: float
    """For a turn by somebody whom the question names."""
    said_by_asker: float
    """In a dialogue with an assistant, for a turn of the user, when the question is about the one who asks."""
    asked_date: float
    """For a text of the day, month or year that the question names."""
    asked_period: float
    """For a text of the period that the question means, like “last week”."""
    graph: float
    """For what the knowledge graph connects with the question."""
    reranker: float
    """What the configured reranker made of the score by moving the passage; may be negative."""

class SearchExplanationWordsItem(TypedDict):
    word: str
    """As the question says it, in lower case."""
    passages_with_word: int
    """How many of the searched passages have it."""
    rarity: float
    """Inverse document frequency: the rarer, the more the word counts."""
    frequency: float
    """How often the passage has it; in titles it counts more."""
    contribution: float
    """What the word added. Together they are the signal `words`."""

class SearchExplanation(TypedDict):
    signals: SearchExplanationSignals
    """What each signal added. Together they are the score."""
    words: List[SearchExplanationWordsItem]
    """Empty for a passage that was not found by words."""
    passage_length: float | None
    """In words as they are weighted; shorter passages score higher."""
    average_length: float | None
    passages_searched: int | None

class StreamSearchSourcesEvent(TypedDict):
    citations: List[Citation]

class StreamSearchTokenEvent(TypedDict):
    text: str

class StreamSearchDoneEventEntitiesItem(TypedDict):
    entity_id: str
    name: str
    type: str

class StreamSearchDoneEventContradictionsItemEntity(TypedDict):
    entity_id: str
    name: str
    type: str

class StreamSearchDoneEventContradictionsItemFactsItem(TypedDict):
    fact_id: str
    value: str
    doc_id: str
    chunk_id: str
    quote: str

class StreamSearchDoneEventContradictionsItem(TypedDict):
    contradiction_id: str
    entity: StreamSearchDoneEventContradictionsItemEntity
    relation: str
    facts: List[StreamSearchDoneEventContradictionsItemFactsItem]
    citation_ids: List[str]
    """Citations of the answer that take one of the sides."""

class StreamSearchDoneEvent(TypedDict):
    """Its `citations` are those of the sources that the answer refers to."""

    search_id: str
    answer: str
    """Refers to the citations as [1], [2] …"""
    generated: bool
    """False for an answer made of sentences taken from the sources."""
    citations: List[Citation]
    results: List[SearchResult]
    entities: List[StreamSearchDoneEventEntitiesItem]
    contradictions: List[StreamSearchDoneEventContradictionsItem]
    """Open contradictions of which a shown source states one side."""
    suggested_followups: List[str]
    confidence: float
    """0 to 1: how likely the answer is right, by signs that were weighed on questions with known answers; for what was said in conversations, in small memories and in other languages than English, how much of the question the best source carries. Low where nothing answers."""
    fallback: str | None
    """Why a configured model did not write all of the answer, e.g. `timed_out`; else null."""
    thread_id: str | None
    timing_ms: Dict[str, float]

class StreamSearchErrorEvent(TypedDict):
    code: str
    detail: str
    request_id: str

class SearchLogSettings(TypedDict):
    memory_id: str
    enabled: bool
    """Whether searches of the memory are kept. False unless turned on."""
    keep_days: int
    """How long each is kept."""

class _LoggedSearches(TypedDict):
    searches: List[LoggedSearch]

class LoggedSearches(_LoggedSearches, total=False):
    next_cursor: str
    """There only when more follow."""

class LoggedSearchCitationsItem(TypedDict):
    doc_id: str
    chunk_id: str

class LoggedSearchFeedback(TypedDict):
    helpful: bool
    comment: str | None
    rated_at: str
    """ISO 8601 date-time"""

class LoggedSearch(TypedDict):
    search_id: str
    memory_id: str
    space_id: str | None
    """The space that was searched; null for the whole memory."""
    asked_at: str
    """ISO 8601 date-time"""
    question: str
    """Masked by the memory's `dlp_policy`."""
    answered: bool
    """False when the answer cited nothing."""
    generated: bool
    confidence: float
    citations: List[LoggedSearchCitationsItem]
    """What the answer cited, in its order; a document may have been deleted since."""
    took_ms: int
    credential_id: str
    """The key or OAuth client that asked."""
    feedback: LoggedSearchFeedback | None
    """What was said last about the answer; null when nobody has said."""

class WebSession(TypedDict):
    success: bool
    message: str
    thread_id: str
    list_id: str
    websocket_url: str
    """The run starts when a WebSocket connects here, unless it was started by the call; for one connection."""
    status: Literal["awaiting_connection", "queued", "running", "awaiting_clarification", "completed", "failed", "cancelled", "expired"]

class StartPeopleSearchResponse(TypedDict):
    success: bool
    message: str
    thread_id: str
    status: Literal["awaiting_connection", "queued", "running", "awaiting_clarification", "completed", "failed", "cancelled", "expired"]

class StartCompanySearchResponse(TypedDict):
    success: bool
    message: str
    thread_id: str
    status: Literal["awaiting_connection", "queued", "running", "awaiting_clarification", "completed", "failed", "cancelled", "expired"]

class ContinueListSearchResponse(TypedDict):
    success: bool
    thread_id: str
    status: Literal["awaiting_connection", "queued", "running", "awaiting_clarification", "completed", "failed", "cancelled", "expired"]

class StopRunResponse(TypedDict):
    success: bool
    thread_id: str
    status: Literal["awaiting_connection", "queued", "running", "awaiting_clarification", "completed", "failed", "cancelled", "expired"]
    message: str

class _ListRunsResponse(TypedDict):
    runs: List[RunSummary]

class ListRunsResponse(_ListRunsResponse, total=False):
    next_cursor: str
    """There only when more follow."""

class RunSummaryProgress(TypedDict):
    stage: str
    percent: int

class RunSummary(TypedDict):
    thread_id: str
    kind: Literal["web", "crawler", "people", "company", "research", "deep_search"]
    status: Literal["awaiting_connection", "queued", "running", "awaiting_clarification", "completed", "failed", "cancelled", "expired"]
    prompt: str
    progress: RunSummaryProgress
    list_id: str | None
    memory_id: str
    started_by: str
    """The key that started it."""
    credits: float
    """Reserved while it runs, charged when it has ended, 0 when released."""
    events: int
    """How many its log has."""
    created_at: str
    """ISO 8601 date-time"""
    started_at: str | None
    finished_at: str | None

class _ListRunEventsResponse(TypedDict):
    events: List[RunEvent]

class ListRunEventsResponse(_ListRunEventsResponse, total=False):
    next_cursor: str
    """There only when more follow."""

class RunEvent(TypedDict):
    seq: int
    """From 1, without gaps."""
    type: Literal["run.queued", "run.started", "run.progress", "plan.ready", "query.issued", "source.fetched", "source.skipped", "finding.added", "conflict.found", "row.candidate", "row.matched", "row.rejected", "clarification.requested", "clarification.answered", "budget.warning", "report.delta", "report.ready", "run.completed", "run.failed", "run.cancelled", "run.expired"]
    thread_id: str
    at: str
    """ISO 8601 date-time"""
    data: Dict[str, Any]

class _ListRunSourcesResponse(TypedDict):
    sources: List[RunSource]

class ListRunSourcesResponse(_ListRunSourcesResponse, total=False):
    next_cursor: str
    """There only when more follow."""

class RunSource(TypedDict):
    source_id: str
    thread_id: str
    """The run that read it."""
    kind: Literal["memory", "web", "upload"]
    title: str
    uri: str | None
    """Its address, when it was read from one."""
    doc_id: str | None
    """The document, when it is one of the memory."""
    occurred_at: str | None
    """The time that it is of, where that is known."""
    read_at: str
    """ISO 8601 date-time"""

class SourceText(TypedDict):
    source_id: str
    thread_id: str
    """The run that read it."""
    kind: Literal["memory", "web", "upload"]
    title: str
    uri: str | None
    """Its address, when it was read from one."""
    doc_id: str | None
    """The document, when it is one of the memory."""
    occurred_at: str | None
    """The time that it is of, where that is known."""
    read_at: str
    """ISO 8601 date-time"""
    text: str | None
    total_chars: int
    """Length of the whole text in UTF-16 units."""
    start: int
    next_start: int | None
    """Where the next part begins; null at the end."""

class RunStatusCriteriaItem(TypedDict):
    criterion_id: str
    kind: str
    text: str

class RunStatusProgress(TypedDict):
    stage: str
    percent: int

class RunStatusCounts(TypedDict):
    sources: int
    findings: int
    conflicts: int
    candidates: int
    rows: int
    events: int

class _RunStatusQuestion(TypedDict):
    question_id: str
    question: str
    default: str
    """Taken when nobody answers in time."""
    expires_at: str
    """ISO 8601 date-time"""

class RunStatusQuestion(_RunStatusQuestion, total=False):
    choices: List[str]
    """What the sources offer to choose from; other words are an answer, too."""

class RunStatusCitationsItem(TypedDict):
    number: int
    finding_id: str
    source_id: str
    title: str
    uri: str | None
    quote: str
    start: int

class RunStatusError(TypedDict):
    code: str
    message: str

class RunStatusCost(TypedDict):
    charge: str
    credits: float
    state: Literal["none", "reserved", "settled", "released"]
    input_tokens: int
    output_tokens: int

class RunStatus(TypedDict):
    thread_id: str
    kind: Literal["web", "crawler", "people", "company", "research", "deep_search"]
    status: Literal["awaiting_connection", "queued", "running", "awaiting_clarification", "completed", "failed", "cancelled", "expired"]
    prompt: str
    criteria: List[RunStatusCriteriaItem]
    progress: RunStatusProgress
    counts: RunStatusCounts
    total_target: int | None
    list_id: str | None
    workspace_id: str
    memory_id: str
    websocket_url: str
    live_url: str
    """Empty when it was not asked for."""
    question: RunStatusQuestion | None
    assumptions: List[str]
    research_brief: str
    final_report: str
    citations: List[RunStatusCitationsItem]
    generated: bool
    """True when a model wrote the report."""
    error: RunStatusError | None
    cost: RunStatusCost
    created_at: str
    """ISO 8601 date-time"""
    started_at: str | None
    finished_at: str | None

class StartResearchResponse(TypedDict):
    thread_id: str
    status: Literal["awaiting_connection", "queued", "running", "awaiting_clarification", "completed", "failed", "cancelled", "expired"]
    message: str
    research_brief: str
    final_report: str

class RespondToResearchResponse(TypedDict):
    status: Literal["awaiting_connection", "queued", "running", "awaiting_clarification", "completed", "failed", "cancelled", "expired"]
    message: str

class StartDeepSearchResponse(TypedDict):
    success: bool
    thread_id: str
    list_id: str
    websocket_url: str
    live_url: str
    workspace_id: str
    status: Literal["awaiting_connection", "queued", "running", "awaiting_clarification", "completed", "failed", "cancelled", "expired"]

class UploadReferenceResponse(TypedDict):
    success: bool
    workspace_id: str
    paths: List[str]

class ListSavedListsResponse(TypedDict):
    success: bool
    data: List[SavedList]
    total: int

class SavedList(TypedDict):
    id: str
    listName: str
    listDescription: str
    listStatus: Literal["building", "ready", "stopped", "failed"]
    listType: Literal["company", "people", "web"]
    noOfRecords: int
    thread_id: str
    created_at: str
    """ISO 8601 date-time"""

class ListRowsResponse(TypedDict):
    success: bool
    data: List[ListRow]
    total: int

class ListRowCellsValue(TypedDict):
    value: str
    confidence: float
    evidence: List[CellEvidence]

class ListRowSourcesItem(TypedDict):
    source_id: str
    title: str
    uri: str | None

class ListRow(TypedDict):
    row_id: str
    position: int
    name: str
    cells: Dict[str, ListRowCellsValue]
    sources: List[ListRowSourcesItem]
    created_at: str
    """ISO 8601 date-time"""

class CellEvidence(TypedDict):
    source_id: str
    title: str
    uri: str | None
    quote: str
    start: int
    """Where the quote begins in the source's text, in UTF-16 units."""

class MemoryIngestCompletedEventScope(TypedDict):
    tenant_id: str
    workspace_id: str
    memory_id: str

class MemoryIngestCompletedEventPayload(TypedDict):
    doc_id: str
    """The document."""
    vault_id: str
    """The vault that the document lies in: of a space, or the root."""
    title: str
    chunks: int
    """Passages that it was divided into."""

class MemoryIngestCompletedEvent(TypedDict):
    event_id: str
    """The same at every attempt; ignore one that you have handled."""
    event: Literal["memory.ingest.completed"]
    occurred_at: str
    livemode: bool
    """False in the test environment."""
    scope: MemoryIngestCompletedEventScope
    payload: MemoryIngestCompletedEventPayload
    position: int
    """What `Last-Event-ID` and `last_event_id` take: everything up to here was sent."""

class MemoryIngestDlpFlaggedEventScope(TypedDict):
    tenant_id: str
    workspace_id: str
    memory_id: str

class MemoryIngestDlpFlaggedEventPayloadFindingsItem(TypedDict):
    kind: str
    """What was masked, for instance `email` or `credit_card`."""
    count: int

class MemoryIngestDlpFlaggedEventPayload(TypedDict):
    doc_id: str
    """The document."""
    vault_id: str
    """The vault that the document lies in: of a space, or the root."""
    findings: List[MemoryIngestDlpFlaggedEventPayloadFindingsItem]

class MemoryIngestDlpFlaggedEvent(TypedDict):
    event_id: str
    """The same at every attempt; ignore one that you have handled."""
    event: Literal["memory.ingest.dlp_flagged"]
    occurred_at: str
    livemode: bool
    """False in the test environment."""
    scope: MemoryIngestDlpFlaggedEventScope
    payload: MemoryIngestDlpFlaggedEventPayload
    position: int
    """What `Last-Event-ID` and `last_event_id` take: everything up to here was sent."""

class MemoryIngestAutoRoutedEventScope(TypedDict):
    tenant_id: str
    workspace_id: str
    memory_id: str

class MemoryIngestAutoRoutedEventPayload(TypedDict):
    doc_id: str
    """The document."""
    vault_id: str
    """The vault that the document lies in: of a space, or the root."""
    space_id: str | None
    """Null: the root."""
    confidence: float
    """0 to 1."""
    needs_review: bool

class MemoryIngestAutoRoutedEvent(TypedDict):
    event_id: str
    """The same at every attempt; ignore one that you have handled."""
    event: Literal["memory.ingest.auto_routed"]
    occurred_at: str
    livemode: bool
    """False in the test environment."""
    scope: MemoryIngestAutoRoutedEventScope
    payload: MemoryIngestAutoRoutedEventPayload
    position: int
    """What `Last-Event-ID` and `last_event_id` take: everything up to here was sent."""

class MemoryEntityCreatedEventScope(TypedDict):
    tenant_id: str
    workspace_id: str
    memory_id: str

class MemoryEntityCreatedEventPayload(TypedDict):
    entity_id: str
    name: str
    type: str

class MemoryEntityCreatedEvent(TypedDict):
    event_id: str
    """The same at every attempt; ignore one that you have handled."""
    event: Literal["memory.entity.created"]
    occurred_at: str
    livemode: bool
    """False in the test environment."""
    scope: MemoryEntityCreatedEventScope
    payload: MemoryEntityCreatedEventPayload
    position: int
    """What `Last-Event-ID` and `last_event_id` take: everything up to here was sent."""

class MemoryEntityContradictionDetectedEventScope(TypedDict):
    tenant_id: str
    workspace_id: str
    memory_id: str

class MemoryEntityContradictionDetectedEventPayloadFactsItem(TypedDict):
    fact_id: str
    value: str
    doc_id: str
    """The document."""

class MemoryEntityContradictionDetectedEventPayload(TypedDict):
    contradiction_id: str
    entity_id: str
    relation: str
    facts: List[MemoryEntityContradictionDetectedEventPayloadFactsItem]

class MemoryEntityContradictionDetectedEvent(TypedDict):
    event_id: str
    """The same at every attempt; ignore one that you have handled."""
    event: Literal["memory.entity.contradiction_detected"]
    occurred_at: str
    livemode: bool
    """False in the test environment."""
    scope: MemoryEntityContradictionDetectedEventScope
    payload: MemoryEntityContradictionDetectedEventPayload
    position: int
    """What `Last-Event-ID` and `last_event_id` take: everything up to here was sent."""

class MemoryEntityContradictionResolvedEventScope(TypedDict):
    tenant_id: str
    workspace_id: str
    memory_id: str

class MemoryEntityContradictionResolvedEventPayload(TypedDict):
    contradiction_id: str
    winner: str
    """The id of the fact that holds, or `both`."""
    resolved_by: str
    """The id of the key that decided, or `system`."""

class MemoryEntityContradictionResolvedEvent(TypedDict):
    event_id: str
    """The same at every attempt; ignore one that you have handled."""
    event: Literal["memory.entity.contradiction_resolved"]
    occurred_at: str
    livemode: bool
    """False in the test environment."""
    scope: MemoryEntityContradictionResolvedEventScope
    payload: MemoryEntityContradictionResolvedEventPayload
    position: int
    """What `Last-Event-ID` and `last_event_id` take: everything up to here was sent."""

class MemoryHealthAssessedEventScope(TypedDict):
    tenant_id: str
    workspace_id: str
    memory_id: str

class MemoryHealthAssessedEventPayload(TypedDict):
    score: float
    """0 to 100."""
    parts: Dict[str, float]
    """As GET /api/v1/memory/health names them."""

class MemoryHealthAssessedEvent(TypedDict):
    event_id: str
    """The same at every attempt; ignore one that you have handled."""
    event: Literal["memory.health.assessed"]
    occurred_at: str
    livemode: bool
    """False in the test environment."""
    scope: MemoryHealthAssessedEventScope
    payload: MemoryHealthAssessedEventPayload
    position: int
    """What `Last-Event-ID` and `last_event_id` take: everything up to here was sent."""

class MemoryDocumentQueuedEventScope(TypedDict):
    tenant_id: str
    workspace_id: str
    memory_id: str

class MemoryDocumentQueuedEventPayload(TypedDict):
    doc_ids: List[str]
    vault_id: str
    """The vault that the document lies in: of a space, or the root."""

class MemoryDocumentQueuedEvent(TypedDict):
    event_id: str
    """The same at every attempt; ignore one that you have handled."""
    event: Literal["memory.document.queued"]
    occurred_at: str
    livemode: bool
    """False in the test environment."""
    scope: MemoryDocumentQueuedEventScope
    payload: MemoryDocumentQueuedEventPayload
    position: int
    """What `Last-Event-ID` and `last_event_id` take: everything up to here was sent."""

class MemoryDocumentFailedEventScope(TypedDict):
    tenant_id: str
    workspace_id: str
    memory_id: str

class MemoryDocumentFailedEventPayloadError(TypedDict):
    code: str
    message: str

class MemoryDocumentFailedEventPayload(TypedDict):
    doc_id: str
    """The document."""
    vault_id: str
    """The vault that the document lies in: of a space, or the root."""
    title: str
    error: MemoryDocumentFailedEventPayloadError

class MemoryDocumentFailedEvent(TypedDict):
    event_id: str
    """The same at every attempt; ignore one that you have handled."""
    event: Literal["memory.document.failed"]
    occurred_at: str
    livemode: bool
    """False in the test environment."""
    scope: MemoryDocumentFailedEventScope
    payload: MemoryDocumentFailedEventPayload
    position: int
    """What `Last-Event-ID` and `last_event_id` take: everything up to here was sent."""

class MemoryDocumentDeletedEventScope(TypedDict):
    tenant_id: str
    workspace_id: str
    memory_id: str

class MemoryDocumentDeletedEventPayload(TypedDict):
    doc_ids: List[str]
    vault_id: str
    """The vault that the document lies in: of a space, or the root."""

class MemoryDocumentDeletedEvent(TypedDict):
    event_id: str
    """The same at every attempt; ignore one that you have handled."""
    event: Literal["memory.document.deleted"]
    occurred_at: str
    livemode: bool
    """False in the test environment."""
    scope: MemoryDocumentDeletedEventScope
    payload: MemoryDocumentDeletedEventPayload
    position: int
    """What `Last-Event-ID` and `last_event_id` take: everything up to here was sent."""

class ResearchRunStatusChangedEventScope(TypedDict):
    tenant_id: str
    workspace_id: str
    memory_id: str

class ResearchRunStatusChangedEventPayload(TypedDict):
    thread_id: str
    """The run."""
    kind: Literal["web", "crawler", "people", "company", "research", "deep_search"]
    status: Literal["awaiting_connection", "queued", "running", "awaiting_clarification", "completed", "failed", "cancelled", "expired"]

class ResearchRunStatusChangedEvent(TypedDict):
    event_id: str
    """The same at every attempt; ignore one that you have handled."""
    event: Literal["research.run.status_changed"]
    occurred_at: str
    livemode: bool
    """False in the test environment."""
    scope: ResearchRunStatusChangedEventScope
    payload: ResearchRunStatusChangedEventPayload
    position: int
    """What `Last-Event-ID` and `last_event_id` take: everything up to here was sent."""

class CredentialCreatedEventScope(TypedDict):
    tenant_id: str
    workspace_id: str
    memory_id: str

class CredentialCreatedEventPayload(TypedDict):
    credential_id: str
    """A key, an OAuth client, or a single OAuth token."""
    kind: Literal["live", "test", "ephemeral", "memory", "member", "oauth"]

class CredentialCreatedEvent(TypedDict):
    event_id: str
    """The same at every attempt; ignore one that you have handled."""
    event: Literal["credential.created"]
    occurred_at: str
    livemode: bool
    """False in the test environment."""
    scope: CredentialCreatedEventScope
    payload: CredentialCreatedEventPayload
    position: int
    """What `Last-Event-ID` and `last_event_id` take: everything up to here was sent."""

class CredentialRevokedEventScope(TypedDict):
    tenant_id: str
    workspace_id: str
    memory_id: str

class CredentialRevokedEventPayload(TypedDict):
    credential_id: str
    """A key, an OAuth client, or a single OAuth token."""

class CredentialRevokedEvent(TypedDict):
    event_id: str
    """The same at every attempt; ignore one that you have handled."""
    event: Literal["credential.revoked"]
    occurred_at: str
    livemode: bool
    """False in the test environment."""
    scope: CredentialRevokedEventScope
    payload: CredentialRevokedEventPayload
    position: int
    """What `Last-Event-ID` and `last_event_id` take: everything up to here was sent."""

class StreamPosition(TypedDict):
    position: int
    """What `Last-Event-ID` and `last_event_id` take: everything up to here was sent."""

class _WebhookWithSecret(TypedDict):
    webhook_id: str
    url: str
    events: List[Literal["memory.ingest.completed", "memory.ingest.dlp_flagged", "memory.ingest.auto_routed", "memory.entity.created", "memory.entity.contradiction_detected", "memory.entity.contradiction_resolved", "memory.health.assessed"]]
    description: str
    active: bool
    status: Literal["active", "failing", "inactive"]
    """`failing` while deliveries end as dead letters and none is accepted; `inactive` when `active` is false."""
    failing_since: str | None
    """The first dead letter since the endpoint last accepted a delivery."""
    inactive_since: str | None
    inactive_reason: Literal["switched_off", "endpoint_failing"] | None
    """`switched_off` by a request; `endpoint_failing` when the endpoint had accepted nothing for too long. `active: true` brings it back."""
    auto_replay: bool
    livemode: bool
    dead_letters: int
    """Deliveries that wait for a replay."""
    secret_rotates_at: str | None
    """When a secret that was rotated stops signing."""
    created_at: str
    """ISO 8601 date-time"""
    updated_at: str
    """ISO 8601 date-time"""

class WebhookWithSecret(_WebhookWithSecret, total=False):
    secret: str
    """The signing secret. In the answer that made it and never again."""

class _ListWebhooksResponse(TypedDict):
    webhooks: List[Webhook]

class ListWebhooksResponse(_ListWebhooksResponse, total=False):
    next_cursor: str
    """There only when more follow."""

class Webhook(TypedDict):
    webhook_id: str
    url: str
    events: List[Literal["memory.ingest.completed", "memory.ingest.dlp_flagged", "memory.ingest.auto_routed", "memory.entity.created", "memory.entity.contradiction_detected", "memory.entity.contradiction_resolved", "memory.health.assessed"]]
    description: str
    active: bool
    status: Literal["active", "failing", "inactive"]
    """`failing` while deliveries end as dead letters and none is accepted; `inactive` when `active` is false."""
    failing_since: str | None
    """The first dead letter since the endpoint last accepted a delivery."""
    inactive_since: str | None
    inactive_reason: Literal["switched_off", "endpoint_failing"] | None
    """`switched_off` by a request; `endpoint_failing` when the endpoint had accepted nothing for too long. `active: true` brings it back."""
    auto_replay: bool
    livemode: bool
    dead_letters: int
    """Deliveries that wait for a replay."""
    secret_rotates_at: str | None
    """When a secret that was rotated stops signing."""
    created_at: str
    """ISO 8601 date-time"""
    updated_at: str
    """ISO 8601 date-time"""

class DeleteWebhookResponse(TypedDict):
    webhook_id: str
    deleted: Literal[True]

class Delivery(TypedDict):
    delivery_id: str
    webhook_id: str
    event_id: str
    event: str
    state: Literal["pending", "delivering", "delivered", "dead_lettered", "test_failed"]
    next_attempt_at: str | None
    dead_lettered_at: str | None
    created_at: str
    """ISO 8601 date-time"""
    attempts: List[DeliveryAttempt]
    """Oldest first; the last 30."""

class DeliveryAttempt(TypedDict):
    retry: int
    """0 for the first attempt, then 1 to 5."""
    round: int
    """1, and one more for each replay."""
    started_at: str
    """ISO 8601 date-time"""
    outcome: Literal["delivered", "refused_by_receiver", "timed_out", "connection_failed", "tls_failed", "not_allowed", "interrupted"] | None
    """null while it is under way; `interrupted` when we were, which costs no retry."""
    status: int | None
    """The answer's HTTP status, if one came."""
    latency_ms: int | None
    error: str | None
    """What went wrong, in words."""
    answer: str | None
    """The first 4 KiB of the answer, as UTF-8."""
    answer_truncated: bool

class _ListDeliveriesResponse(TypedDict):
    deliveries: List[Delivery]

class ListDeliveriesResponse(_ListDeliveriesResponse, total=False):
    next_cursor: str
    """There only when more follow."""

class _ListAllDeliveriesResponse(TypedDict):
    deliveries: List[Delivery]

class ListAllDeliveriesResponse(_ListAllDeliveriesResponse, total=False):
    next_cursor: str
    """There only when more follow."""

GetWebhookStatsResponse = TypedDict("GetWebhookStatsResponse", {
    "from": "str",
    "webhooks": "List[EndpointStats]",
})

class EndpointStats(TypedDict):
    webhook_id: str
    deliveries: int
    """Created in these hours; pings are not counted."""
    delivered: int
    dead_lettered: int
    waiting: int
    attempts: int
    """Those that have ended."""
    failed_attempts: int
    success_rate: float | None
    """Attempts that were accepted, of those that ended; null when none has."""
    p50_ms: float | None
    """Half of the attempts took no longer."""
    p95_ms: float | None

class ListWebhookEventTypesResponse(TypedDict):
    event_types: List[WebhookEventType]

class WebhookEventType(TypedDict):
    event: Literal["memory.ingest.completed", "memory.ingest.dlp_flagged", "memory.ingest.auto_routed", "memory.entity.created", "memory.entity.contradiction_detected", "memory.entity.contradiction_resolved", "memory.health.assessed"]
    description: str
    schema: Dict[str, Any]
    """JSON Schema of the body of a delivery."""
    example: Dict[str, Any]
    """A body. Its ids exist nowhere."""

class DeliveryWithRequestRequest(TypedDict):
    body: str
    """Exactly what is sent and signed, the same at each attempt."""
    headers: Dict[str, str]
    """Those that are the same at each attempt. Time and signatures are another at each and are not kept."""

class DeliveryWithRequest(TypedDict):
    delivery_id: str
    webhook_id: str
    event_id: str
    event: str
    state: Literal["pending", "delivering", "delivered", "dead_lettered", "test_failed"]
    next_attempt_at: str | None
    dead_lettered_at: str | None
    created_at: str
    """ISO 8601 date-time"""
    attempts: List[DeliveryAttempt]
    """Oldest first; the last 30."""
    request: DeliveryWithRequestRequest | None
    """Null when the event was erased with what it is about."""

class ReplayDeadLettersResponse(TypedDict):
    replayed: int
    """Dead letters that are delivered again."""

ReadLlmUsageResponse = TypedDict("ReadLlmUsageResponse", {
    "totals": "UsageRecord",
    "series": "List[UsageRow]",
    "from": "str",
    "to": "str",
})

class UsageRecord(TypedDict):
    input_tokens: int
    """All tokens read, cached ones included."""
    output_tokens: int
    """All tokens written, reasoning included."""
    calls: int
    cost_usd: float | None
    """Null when no call has a known price; the sum of those that have one otherwise."""
    credits_charged: float
    byok_tokens: int
    """Tokens billed to the tenant's own provider key; never charged."""
    cached_input_tokens: int
    """The part of the input that the provider's cache had."""
    reasoning_tokens: int
    """The part of the output that was reasoning."""
    unpriced_calls: int
    """Calls whose model has no known price."""

class _UsageRow(TypedDict):
    key: str
    """The UTC day as YYYY-MM-DD, the model, or both with a slash between them."""
    input_tokens: int
    """All tokens read, cached ones included."""
    output_tokens: int
    """All tokens written, reasoning included."""
    calls: int
    cost_usd: float | None
    """Null when no call has a known price; the sum of those that have one otherwise."""
    credits_charged: float
    byok_tokens: int
    """Tokens billed to the tenant's own provider key; never charged."""
    cached_input_tokens: int
    """The part of the input that the provider's cache had."""
    reasoning_tokens: int
    """The part of the output that was reasoning."""
    unpriced_calls: int
    """Calls whose model has no known price."""

class UsageRow(_UsageRow, total=False):
    day: str
    """With `group_by=day_and_model`."""
    model: str
    """With `group_by=day_and_model`."""

ReadRequestsResponse = TypedDict("ReadRequestsResponse", {
    "totals": "RequestFigures",
    "series": "List[RequestRow]",
    "from": "str",
    "to": "str",
})

class RequestFigures(TypedDict):
    requests: int
    client_errors: int
    """Answered with a status of 400 to 499."""
    server_errors: int
    """Answered with a status of 500 or more."""
    p50_ms: float | None
    """Half of the requests took no longer; from counts by duration. Null: none was timed."""
    p95_ms: float | None

class RequestRow(TypedDict):
    key: str
    """The hour (2026-11-23T10:00:00Z), day, operation or credential."""
    requests: int
    client_errors: int
    """Answered with a status of 400 to 499."""
    server_errors: int
    """Answered with a status of 500 or more."""
    p50_ms: float | None
    """Half of the requests took no longer; from counts by duration. Null: none was timed."""
    p95_ms: float | None

ReadCreditsResponsePeriod = TypedDict("ReadCreditsResponsePeriod", {
    "from": "str",
    "to": "str",
})

class _ReadCreditsResponse(TypedDict):
    balance: float
    """Credits left this month (UTC)."""
    period: ReadCreditsResponsePeriod
    granted: float
    reserved: float
    settled: float
    """Charges of runs that ended."""
    llm: float
    """Calls of models outside of charged runs."""
    ledger: List[LedgerEntry]

class ReadCreditsResponse(_ReadCreditsResponse, total=False):
    next_cursor: str
    """There only when more follow."""

class LedgerEntry(TypedDict):
    charge: str
    """`list.build`, `research.run`, `llm.usage` (all models of one UTC day) or `plan.credits`."""
    thread_id: str | None
    """The run that was charged."""
    credits: float
    state: Literal["granted", "reserved", "settled", "released"]
    """Only `granted` adds to the balance; `released` takes nothing."""
    at: str
    """ISO 8601 date-time"""

class LimitsRate(TypedDict):
    requests_per_second: float
    burst: int

class Limits(TypedDict):
    plan: str
    limits: List[Limit]
    rate: LimitsRate
    suggested_plan: str | None
    upgrade_url: str | None

class Limit(TypedDict):
    resource: Literal["workspaces", "memories", "spaces", "documents", "stored_bytes", "api_keys", "oauth_clients", "webhooks", "monthly_requests", "monthly_credits"]
    used: float
    """Counted as where the limit is enforced."""
    limit: float | None
    """Null: there is none."""
    resets_at: str | None
    """When `used` starts at 0 again; null: it does not."""

class CreateApiKeyRateLimit(TypedDict):
    """Of its own, below that of the plan."""

    requests_per_second: float
    burst: int

class UpdateApiKeyRateLimit(TypedDict):
    requests_per_second: float
    burst: int

class OpenSessionInvitation(TypedDict):
    """Where no identity provider is configured."""

    secret: str
    name: str

class _OpenSessionSignIn(TypedDict):
    attempt: str
    """`attempt` of startSignIn."""
    code: str
    state: str

class OpenSessionSignIn(_OpenSessionSignIn, total=False):
    """What the identity provider added to the address that it led the browser back to."""

    iss: str

class StartWebResearchConfig(TypedDict, total=False):
    seeds: List[str]
    """Sites to read, besides those in the prompt."""
    sources: List[Literal["memory", "web"]]
    """Where to look. `["memory"]` never opens a connection."""
    max_pages: int
    max_depth: int
    max_seconds: int
    max_tokens: int
    max_cost_usd: float

class StartCrawlerConfig(TypedDict, total=False):
    seeds: List[str]
    """Sites to read, besides those in the prompt."""
    sources: List[Literal["memory", "web"]]
    """Where to look. `["memory"]` never opens a connection."""
    max_pages: int
    max_depth: int
    max_seconds: int
    max_tokens: int
    max_cost_usd: float

class StartPeopleSearchConfig(TypedDict, total=False):
    seeds: List[str]
    """Sites to read, besides those in the prompt."""
    sources: List[Literal["memory", "web"]]
    """Where to look. `["memory"]` never opens a connection."""
    max_pages: int
    max_depth: int
    max_seconds: int
    max_tokens: int
    max_cost_usd: float

class StartCompanySearchConfig(TypedDict, total=False):
    seeds: List[str]
    """Sites to read, besides those in the prompt."""
    sources: List[Literal["memory", "web"]]
    """Where to look. `["memory"]` never opens a connection."""
    max_pages: int
    max_depth: int
    max_seconds: int
    max_tokens: int
    max_cost_usd: float

class StartResearchConfig(TypedDict, total=False):
    seeds: List[str]
    """Sites to read, besides those in the prompt."""
    sources: List[Literal["memory", "web"]]
    """Where to look. `["memory"]` never opens a connection."""
    max_pages: int
    max_depth: int
    max_seconds: int
    max_tokens: int
    max_cost_usd: float

class StartDeepSearchConfig(TypedDict, total=False):
    seeds: List[str]
    """Sites to read, besides those in the prompt."""
    sources: List[Literal["memory", "web"]]
    """Where to look. `["memory"]` never opens a connection."""
    max_pages: int
    max_depth: int
    max_seconds: int
    max_tokens: int
    max_cost_usd: float
