# Written by `npm run generate:sdks` from the operations of the API. Changes here are lost.
from __future__ import annotations

from typing import Any, Dict, List, Literal, Optional, cast

import httpx

from .._call import Call, arguments
from .._options import NOT_GIVEN, FileInput, NotGiven, RequestOptions
from .._pages import AsyncPages, Pages
from .._streams import AsyncEventStream, EventStream
from .._transport import AsyncTransport, Transport
from .types import (
    ApiKey,
    ApiKeyWithPlaintext,
    AppAuthorization,
    AuditEvent,
    AuthorizationPreview,
    Chunk,
    ConnectedApp,
    ConnectedAppPage,
    ContinueListSearchResponse,
    Contradiction,
    CreateApiKeyRateLimit,
    CreateWorkspaceResponse,
    DeleteDocumentResponse,
    DeleteProviderKeyResponse,
    DeleteSpaceMemberResponse,
    DeleteSpaceResponse,
    DeleteThreadResponse,
    DeleteWebhookResponse,
    DeleteWorkspaceResponse,
    Delivery,
    DeliveryWithRequest,
    DisconnectedApp,
    Document,
    DocumentChunk,
    DocumentContent,
    DocumentFilter,
    DocumentJob,
    DocumentJobDetail,
    DocumentJobs,
    DocumentStats,
    EndedSession,
    Entity,
    EntityDecision,
    EntityLinks,
    EntityPage,
    EntityPath,
    EntityReview,
    ExploreGraphResponse,
    FailedDocumentFilter,
    GetEntityResponse,
    GetMemoryHealthResponse,
    GetWebhookStatsResponse,
    GetWorkspaceResponse,
    GraphOverview,
    HealthAssessment,
    HealthHistory,
    IngestDocumentsResponse,
    Invitation,
    InvitationPage,
    InvitationWithLink,
    IssueOAuthTokenResponse,
    LedgerEntry,
    Limits,
    ListAllDeliveriesResponse,
    ListApiKeysResponse,
    ListAuditEventsResponse,
    ListContradictionsResponse,
    ListDeliveriesResponse,
    ListDocumentsResponse,
    ListEntityDecisionsResponse,
    ListEntityReviewsResponse,
    ListMemoriesResponse,
    ListModelsResponse,
    ListOAuthClientsResponse,
    ListProviderKeysResponse,
    ListRow,
    ListRowsResponse,
    ListRunEventsResponse,
    ListRunSourcesResponse,
    ListRunsResponse,
    ListSavedListsResponse,
    ListSpaceMembersResponse,
    ListSpacesResponse,
    ListThreadsResponse,
    ListTurnsResponse,
    ListWebhookEventTypesResponse,
    ListWebhooksResponse,
    ListWorkspacesResponse,
    LoggedSearch,
    LoggedSearches,
    Member,
    MemberPage,
    MemberTicket,
    Memory,
    MergeEntitiesResponse,
    NewDocument,
    OAuthClient,
    OAuthClientWithSecret,
    OauthMetadataResponse,
    OpenSessionInvitation,
    OpenSessionSignIn,
    ProviderKey,
    ProviderKeyTest,
    ReadCreditsResponse,
    ReadLlmUsageResponse,
    ReadRequestsResponse,
    ReadResourceMetadataResponse,
    RegisterAppClientResponse,
    RemovedMember,
    ReplayDeadLettersResponse,
    RespondToResearchResponse,
    RevokeApiKeyResponse,
    RevokeOAuthClientResponse,
    RevokeOAuthTokenResponse,
    RotatedApiKey,
    RunEvent,
    RunSource,
    RunStatus,
    RunSummary,
    SavedList,
    SearchAnswer,
    SearchFilter,
    SearchLogSettings,
    Session,
    SessionPage,
    SessionTicket,
    SignInAttempt,
    SignInOptions,
    SourceText,
    Space,
    SpaceMember,
    SplitEntityResponse,
    StartCompanySearchConfig,
    StartCompanySearchResponse,
    StartCrawlerConfig,
    StartDeepSearchConfig,
    StartDeepSearchResponse,
    StartPeopleSearchConfig,
    StartPeopleSearchResponse,
    StartResearchConfig,
    StartResearchResponse,
    StartWebResearchConfig,
    StartedDocumentJob,
    StopRunResponse,
    Thread,
    Turn,
    UndoEntityDecisionResponse,
    UpdateApiKeyRateLimit,
    UpdateWorkspaceResponse,
    UploadReferenceResponse,
    WebSession,
    Webhook,
    WebhookWithSecret,
    Whoami,
    Workspace,
)


class Account:
    def __init__(self, transport: Transport, defaults: Dict[str, Any]) -> None:
        self._transport = transport
        self._defaults = defaults

    def whoami(
        self,
        *,
        options: Optional[RequestOptions] = None,
    ) -> Whoami:
        """Read what the calling credential is and may do. The credential of the request with its scopes and bindings, its tenant, the version of the installation and what the operator has configured. Any valid credential may call it, on the base address and on the hostname of a memory that it reaches. `features` is null while the service that knows them does not answer; a secret is never part of the answer."""
        call = Call("GET", "/api/v1/whoami", {}, frozenset({"bare"}), frozenset({}))
        given = arguments({})
        return cast("Whoami", self._transport.json(call, given, options))


class Audit:
    def __init__(self, transport: Transport, defaults: Dict[str, Any]) -> None:
        self._transport = transport
        self._defaults = defaults

    def list(
        self,
        *,
        actor_id: str | NotGiven = NOT_GIVEN,
        operation: str | NotGiven = NOT_GIVEN,
        target_id: str | NotGiven = NOT_GIVEN,
        from_: str | NotGiven = NOT_GIVEN,
        to: str | NotGiven = NOT_GIVEN,
        limit: int | NotGiven = NOT_GIVEN,
        cursor: str | NotGiven = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> Pages[AuditEvent, ListAuditEventsResponse]:
        """List who changed what. Every request that changed something, and every sign-in to the console, newest first: who asked, for which operation, about what, from which address. The record is made in the transaction of the change, so no change lacks one; it can be read within seconds. Requests that were refused and requests that only read are not recorded, nor is anything of what was sent. Records are kept for 400 days. Scope: `keys:read`."""
        call = Call("GET", "/api/v1/audit-events", {}, frozenset({}), frozenset({"actor_id", "operation", "target_id", "from", "to", "limit", "cursor"}))
        given = arguments({"actor_id": actor_id, "operation": operation, "target_id": target_id, "from": from_, "to": to, "limit": limit, "cursor": cursor})
        return Pages(self._transport, call, given, options, "audit_events", False)


class Keys:
    def __init__(self, transport: Transport, defaults: Dict[str, Any]) -> None:
        self._transport = transport
        self._defaults = defaults

    def create(
        self,
        *,
        name: str,
        type: Literal["live", "test", "ephemeral", "memory"] | NotGiven = NOT_GIVEN,
        scopes: List[Literal["keys:read", "keys:write", "oauth:read", "oauth:write", "workspaces:read", "workspaces:write", "memories:read", "memories:write", "spaces:read", "spaces:write", "threads:read", "threads:write", "documents:read", "documents:write", "graph:read", "graph:write", "webhooks:read", "webhooks:write", "providers:read", "providers:write", "memory:search", "usage:read", "search:run", "lists:read", "members:read", "members:write", "owners:write"]] | NotGiven = NOT_GIVEN,
        app_permissions: Dict[str, List[Literal["read", "write"]]] | NotGiven = NOT_GIVEN,
        ip_allowlist: List[str] | NotGiven = NOT_GIVEN,
        expires_at: str | NotGiven = NOT_GIVEN,
        memory_id: str | NotGiven = NOT_GIVEN,
        space_id: str | NotGiven = NOT_GIVEN,
        rate_limit: CreateApiKeyRateLimit | NotGiven = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> ApiKeyWithPlaintext:
        """Create an API key. Creates a key with at most the scopes, app permissions, addresses, rate and lifetime of the calling key. The plaintext is returned once and is not stored; a repeat with the same `Idempotency-Key` returns the key without it. Keys of one memory (`type: memory`) and OAuth tokens cannot create keys. Scope: `keys:write`."""
        call = Call("POST", "/api/v1/api-keys", {}, frozenset({"repeat"}), frozenset({}))
        given = arguments({"name": name, "type": type, "scopes": scopes, "app_permissions": app_permissions, "ip_allowlist": ip_allowlist, "expires_at": expires_at, "memory_id": memory_id, "space_id": space_id, "rate_limit": rate_limit})
        return cast("ApiKeyWithPlaintext", self._transport.json(call, given, options))

    def list(
        self,
        *,
        limit: int | NotGiven = NOT_GIVEN,
        cursor: str | NotGiven = NOT_GIVEN,
        type: Literal["live", "test", "ephemeral", "memory"] | NotGiven = NOT_GIVEN,
        memory_id: str | NotGiven = NOT_GIVEN,
        space_id: str | NotGiven = NOT_GIVEN,
        parent_key_id: str | NotGiven = NOT_GIVEN,
        revoked: bool | NotGiven = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> Pages[ApiKey, ListApiKeysResponse]:
        """List the API keys of the tenant. Lists keys, oldest first, without their plaintext. A live key sees the keys of both environments, a test key those of its own. `usage_count` and `last_used_at` are at most five seconds late. Scope: `keys:read`."""
        call = Call("GET", "/api/v1/api-keys", {}, frozenset({}), frozenset({"limit", "cursor", "type", "memory_id", "space_id", "parent_key_id", "revoked"}))
        given = arguments({"limit": limit, "cursor": cursor, "type": type, "memory_id": memory_id, "space_id": space_id, "parent_key_id": parent_key_id, "revoked": revoked})
        return Pages(self._transport, call, given, options, "api_keys", False)

    def get(
        self,
        key_id: str,
        *,
        options: Optional[RequestOptions] = None,
    ) -> ApiKey:
        """Read one API key. Returns one key with its scopes, restrictions, usage and, if it was rotated, what replaced it. The plaintext is never returned again. Scope: `keys:read`."""
        call = Call("GET", "/api/v1/api-keys/{key_id}", {"key_id": key_id}, frozenset({"bare"}), frozenset({}))
        given = arguments({})
        return cast("ApiKey", self._transport.json(call, given, options))

    def update(
        self,
        key_id: str,
        *,
        name: str | NotGiven = NOT_GIVEN,
        scopes: List[Literal["keys:read", "keys:write", "oauth:read", "oauth:write", "workspaces:read", "workspaces:write", "memories:read", "memories:write", "spaces:read", "spaces:write", "threads:read", "threads:write", "documents:read", "documents:write", "graph:read", "graph:write", "webhooks:read", "webhooks:write", "providers:read", "providers:write", "memory:search", "usage:read", "search:run", "lists:read", "members:read", "members:write", "owners:write"]] | NotGiven = NOT_GIVEN,
        app_permissions: Dict[str, List[Literal["read", "write"]]] | NotGiven = NOT_GIVEN,
        ip_allowlist: List[str] | NotGiven = NOT_GIVEN,
        expires_at: str | None | NotGiven = NOT_GIVEN,
        rate_limit: UpdateApiKeyRateLimit | None | NotGiven = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> ApiKey:
        """Change the name or the restrictions of an API key. Changes the name and the restrictions of a key; the change is in force on every gateway when the response arrives. Restricting needs only `keys:write`; for any other change the calling key must cover everything that the resulting key may do. A revoked key cannot be changed. Scope: `keys:write`."""
        call = Call("PATCH", "/api/v1/api-keys/{key_id}", {"key_id": key_id}, frozenset({}), frozenset({}))
        given = arguments({"name": name, "scopes": scopes, "app_permissions": app_permissions, "ip_allowlist": ip_allowlist, "expires_at": expires_at, "rate_limit": rate_limit})
        return cast("ApiKey", self._transport.json(call, given, options))

    def rotate(
        self,
        key_id: str,
        *,
        overlap_seconds: int | NotGiven = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> RotatedApiKey:
        """Replace an API key. Creates a replacement with the same permissions and expiry, and returns its plaintext once. The original stays valid until `revokes_at` and is then revoked; with `overlap_seconds: 0` it is revoked when the response arrives. Revoked and expired keys cannot be rotated. Scope: `keys:write`."""
        call = Call("POST", "/api/v1/api-keys/{key_id}/rotate", {"key_id": key_id}, frozenset({"repeat"}), frozenset({}))
        given = arguments({"overlap_seconds": overlap_seconds})
        return cast("RotatedApiKey", self._transport.json(call, given, options))

    def revoke(
        self,
        key_id: str,
        *,
        descendants: bool | NotGiven = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> RevokeApiKeyResponse:
        """Revoke an API key, alone or with its descendants. Revokes a key permanently: when the response arrives, no gateway accepts it any more. With `descendants=true` everything derived from it is revoked, too, which is what a leaked key calls for; the caller must hold what each of them holds, and one owner must remain: 409. A repeat returns the same answer. Scope: `keys:write`."""
        call = Call("DELETE", "/api/v1/api-keys/{key_id}", {"key_id": key_id}, frozenset({}), frozenset({"descendants"}))
        given = arguments({"descendants": descendants})
        return cast("RevokeApiKeyResponse", self._transport.json(call, given, options))


class OauthClients:
    def __init__(self, transport: Transport, defaults: Dict[str, Any]) -> None:
        self._transport = transport
        self._defaults = defaults

    def create(
        self,
        *,
        name: str,
        scopes: List[Literal["keys:read", "keys:write", "oauth:read", "oauth:write", "workspaces:read", "workspaces:write", "memories:read", "memories:write", "spaces:read", "spaces:write", "threads:read", "threads:write", "documents:read", "documents:write", "graph:read", "graph:write", "webhooks:read", "webhooks:write", "providers:read", "providers:write", "memory:search", "usage:read", "search:run", "lists:read", "members:read", "members:write", "owners:write"]],
        options: Optional[RequestOptions] = None,
    ) -> OAuthClientWithSecret:
        """Create an OAuth client. Creates a client for the client-credentials grant, within the permissions of the calling key. The secret is returned once. The client outlives the key that created it, unless that key is revoked with its descendants. Scope: `oauth:write`."""
        call = Call("POST", "/api/v1/oauth-clients", {}, frozenset({"repeat"}), frozenset({}))
        given = arguments({"name": name, "scopes": scopes})
        return cast("OAuthClientWithSecret", self._transport.json(call, given, options))

    def list(
        self,
        *,
        limit: int | NotGiven = NOT_GIVEN,
        cursor: str | NotGiven = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> Pages[OAuthClient, ListOAuthClientsResponse]:
        """List the OAuth clients of the tenant. Lists the OAuth clients of the key's environment, oldest first, without their secrets. Scope: `oauth:read`."""
        call = Call("GET", "/api/v1/oauth-clients", {}, frozenset({}), frozenset({"limit", "cursor"}))
        given = arguments({"limit": limit, "cursor": cursor})
        return Pages(self._transport, call, given, options, "oauth_clients", False)

    def get(
        self,
        client_id: str,
        *,
        options: Optional[RequestOptions] = None,
    ) -> OAuthClient:
        """Read one OAuth client. Returns one OAuth client with its scopes and usage, without its secret. Scope: `oauth:read`."""
        call = Call("GET", "/api/v1/oauth-clients/{client_id}", {"client_id": client_id}, frozenset({"bare"}), frozenset({}))
        given = arguments({})
        return cast("OAuthClient", self._transport.json(call, given, options))

    def revoke(
        self,
        client_id: str,
        *,
        options: Optional[RequestOptions] = None,
    ) -> RevokeOAuthClientResponse:
        """Revoke an OAuth client with all its tokens. Revokes the client and every token issued to it: when the response arrives, no gateway accepts any of them. A repeat returns the same answer. Scope: `oauth:write`."""
        call = Call("DELETE", "/api/v1/oauth-clients/{client_id}", {"client_id": client_id}, frozenset({"bare"}), frozenset({}))
        given = arguments({})
        return cast("RevokeOAuthClientResponse", self._transport.json(call, given, options))


class Oauth:
    def __init__(self, transport: Transport, defaults: Dict[str, Any]) -> None:
        self._transport = transport
        self._defaults = defaults

    def issue_token(
        self,
        *,
        client_id: str | NotGiven = NOT_GIVEN,
        client_secret: str | NotGiven = NOT_GIVEN,
        grant_type: str | NotGiven = NOT_GIVEN,
        code: str | NotGiven = NOT_GIVEN,
        redirect_uri: str | NotGiven = NOT_GIVEN,
        code_verifier: str | NotGiven = NOT_GIVEN,
        refresh_token: str | NotGiven = NOT_GIVEN,
        resource: str | NotGiven = NOT_GIVEN,
        scope: str | NotGiven = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> IssueOAuthTokenResponse:
        """Issue an access token (RFC 6749). Issues an access token. For `client_credentials` it is valid for an hour: the client authenticates by HTTP Basic or by `client_id` and `client_secret` in the body, and `scope` requests fewer scopes than the client has. A connected app, which has no secret, redeems its code with the verifier of PKCE (`authorization_code`) and then each refresh token once (`refresh_token`); its access tokens are valid for fifteen minutes. Errors have the format of RFC 6749."""
        call = Call("POST", "/oauth/token", {}, frozenset({"oauth"}), frozenset({}))
        given = arguments({"client_id": client_id, "client_secret": client_secret, "grant_type": grant_type, "code": code, "redirect_uri": redirect_uri, "code_verifier": code_verifier, "refresh_token": refresh_token, "resource": resource, "scope": scope})
        return cast("IssueOAuthTokenResponse", self._transport.json(call, given, options))

    def revoke_token(
        self,
        *,
        client_id: str | NotGiven = NOT_GIVEN,
        client_secret: str | NotGiven = NOT_GIVEN,
        token: str | NotGiven = NOT_GIVEN,
        token_type_hint: str | NotGiven = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> RevokeOAuthTokenResponse:
        """Revoke a token (RFC 7009). Revokes one of the client's own tokens; either token of a connected app disconnects it. As RFC 7009 demands, a token that does not exist is answered in the same way as one that was revoked."""
        call = Call("POST", "/oauth/revoke", {}, frozenset({"oauth"}), frozenset({}))
        given = arguments({"client_id": client_id, "client_secret": client_secret, "token": token, "token_type_hint": token_type_hint})
        return cast("RevokeOAuthTokenResponse", self._transport.json(call, given, options))

    def metadata(
        self,
        *,
        options: Optional[RequestOptions] = None,
    ) -> OauthMetadataResponse:
        """Read the authorization server's metadata (RFC 8414). Returns the authorization server's metadata: its endpoints, grants, scopes and ways to authenticate."""
        call = Call("GET", "/.well-known/oauth-authorization-server", {}, frozenset({"bare"}), frozenset({}))
        given = arguments({})
        return cast("OauthMetadataResponse", self._transport.json(call, given, options))

    def resource_metadata(
        self,
        space_id: str,
        *,
        options: Optional[RequestOptions] = None,
    ) -> ReadResourceMetadataResponse:
        """Read the metadata of an MCP endpoint (RFC 9728). Says where a client of the Model Context Protocol gets a token for the endpoint of a space. The endpoint names this address in the `WWW-Authenticate` header of its 401. It says nothing about whether the space exists."""
        call = Call("GET", "/.well-known/oauth-protected-resource/api/v1/spaces/{space_id}/mcp", {"space_id": space_id}, frozenset({"bare"}), frozenset({}))
        given = arguments({})
        return cast("ReadResourceMetadataResponse", self._transport.json(call, given, options))

    def register(
        self,
        *,
        redirect_uris: List[str],
        client_name: str | NotGiven = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> RegisterAppClientResponse:
        """Register a client that people connect by signing in (RFC 7591). Registers a public client: it gets an id and no secret, and may do nothing until a person connects it. A registration that nobody connects ends after a day. What the client asks for besides is answered with what it gets."""
        call = Call("POST", "/oauth/register", {}, frozenset({}), frozenset({}))
        given = arguments({"redirect_uris": redirect_uris, "client_name": client_name})
        return cast("RegisterAppClientResponse", self._transport.json(call, given, options))


class Apps:
    def __init__(self, transport: Transport, defaults: Dict[str, Any]) -> None:
        self._transport = transport
        self._defaults = defaults

    def preview(
        self,
        *,
        client_id: str,
        redirect_uri: str,
        resource: str,
        code_challenge: str,
        code_challenge_method: Literal["S256"],
        response_type: Literal["code"],
        state: str | NotGiven = NOT_GIVEN,
        scope: str | NotGiven = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> AuthorizationPreview:
        """Read what an app asks for. Checks the request of a client that wants to be connected to a space, and says who asks, for which space, and what the caller can grant: what is asked for of that which the caller holds itself. Grants nothing."""
        call = Call("GET", "/api/v1/oauth/authorizations", {}, frozenset({}), frozenset({"client_id", "redirect_uri", "resource", "code_challenge", "code_challenge_method", "state", "response_type", "scope"}))
        given = arguments({"client_id": client_id, "redirect_uri": redirect_uri, "resource": resource, "code_challenge": code_challenge, "code_challenge_method": code_challenge_method, "response_type": response_type, "state": state, "scope": scope})
        return cast("AuthorizationPreview", self._transport.json(call, given, options))

    def authorize(
        self,
        *,
        client_id: str,
        redirect_uri: str,
        resource: str,
        code_challenge: str,
        code_challenge_method: Literal["S256"],
        scopes: List[Literal["keys:read", "keys:write", "oauth:read", "oauth:write", "workspaces:read", "workspaces:write", "memories:read", "memories:write", "spaces:read", "spaces:write", "threads:read", "threads:write", "documents:read", "documents:write", "graph:read", "graph:write", "webhooks:read", "webhooks:write", "providers:read", "providers:write", "memory:search", "usage:read", "search:run", "lists:read", "members:read", "members:write", "owners:write"]],
        state: str | NotGiven = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> AppAuthorization:
        """Connect an app to a space. Grants a client some of what the caller may do in one space, and returns the address that leads the browser back to it with a code. The client redeems the code once, within a minute, with the verifier of PKCE. What it gets ends with the key or the member that the caller stands for, and never does more than that."""
        call = Call("POST", "/api/v1/oauth/authorizations", {}, frozenset({}), frozenset({}))
        given = arguments({"client_id": client_id, "redirect_uri": redirect_uri, "resource": resource, "code_challenge": code_challenge, "code_challenge_method": code_challenge_method, "scopes": scopes, "state": state})
        return cast("AppAuthorization", self._transport.json(call, given, options))

    def list(
        self,
        *,
        limit: int | NotGiven = NOT_GIVEN,
        cursor: str | NotGiven = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> Pages[ConnectedApp, ConnectedAppPage]:
        """List connected apps. Lists the apps that the calling key or member has connected, oldest first, and with the scope `oauth:read` those of everybody in the environment; also those that ended in the last thirty days."""
        call = Call("GET", "/api/v1/connected-apps", {}, frozenset({}), frozenset({"limit", "cursor"}))
        given = arguments({"limit": limit, "cursor": cursor})
        return Pages(self._transport, call, given, options, "connected_apps", False)

    def disconnect(
        self,
        app_id: str,
        *,
        options: Optional[RequestOptions] = None,
    ) -> DisconnectedApp:
        """Disconnect an app. Ends a connected app: when it answers, every gateway refuses its tokens. Somebody else's app needs the scope `oauth:write`. A repeat returns the same answer."""
        call = Call("DELETE", "/api/v1/connected-apps/{app_id}", {"app_id": app_id}, frozenset({"bare"}), frozenset({}))
        given = arguments({})
        return cast("DisconnectedApp", self._transport.json(call, given, options))


class Sessions:
    def __init__(self, transport: Transport, defaults: Dict[str, Any]) -> None:
        self._transport = transport
        self._defaults = defaults

    def open(
        self,
        *,
        api_key: str | NotGiven = NOT_GIVEN,
        ticket: str | NotGiven = NOT_GIVEN,
        invitation: OpenSessionInvitation | NotGiven = NOT_GIVEN,
        sign_in: OpenSessionSignIn | NotGiven = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> Session:
        """Open a session of the console. Exchanges one proof for a session: a key, a ticket, an invitation, which makes its person a member first, or what the identity provider answered to a sign-in that this browser began. The session itself is in the cookie of the answer, which pages cannot read; the browser then needs no key. Tickets, invitations and sign-ins can be used once. Called by a browser, it must be from a page of the same host."""
        call = Call("POST", "/api/v1/console/sessions", {}, frozenset({}), frozenset({}))
        given = arguments({"api_key": api_key, "ticket": ticket, "invitation": invitation, "sign_in": sign_in})
        return cast("Session", self._transport.json(call, given, options))

    def sign_in_options(
        self,
        *,
        options: Optional[RequestOptions] = None,
    ) -> SignInOptions:
        """Read how people sign in to the console. Names the identity provider that people sign in with, if the operator has configured one. Keys, tickets and links work either way."""
        call = Call("GET", "/api/v1/console/sign-in", {}, frozenset({"bare"}), frozenset({}))
        given = arguments({})
        return cast("SignInOptions", self._transport.json(call, given, options))

    def start_sign_in(
        self,
        *,
        invitation: str | NotGiven = NOT_GIVEN,
        member_id: str | NotGiven = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> SignInAttempt:
        """Begin to sign in with the identity provider. Returns the address of the identity provider to lead the browser to (OpenID Connect, authorization code with PKCE). The browser keeps `attempt`; the provider leads it back to `/console/sign-in` with a code, and openSession takes both, once, within ten minutes. 404 when no provider is configured."""
        call = Call("POST", "/api/v1/console/sign-in", {}, frozenset({}), frozenset({}))
        given = arguments({"invitation": invitation, "member_id": member_id})
        return cast("SignInAttempt", self._transport.json(call, given, options))

    def start_link(
        self,
        *,
        options: Optional[RequestOptions] = None,
    ) -> SignInAttempt:
        """Begin to link an account at the identity provider. For a member who joined before there was an identity provider: begins a sign-in that links the account to the member of the calling session. It is finished like one of startSignIn. The provider must have verified the e-mail address of the member. A member who has an account already: 409. 404 when no provider is configured."""
        call = Call("POST", "/api/v1/console/sign-in/link", {}, frozenset({"empty", "bare"}), frozenset({}))
        given = arguments({})
        return cast("SignInAttempt", self._transport.json(call, given, options))

    def list(
        self,
        *,
        limit: int | NotGiven = NOT_GIVEN,
        cursor: str | NotGiven = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> Pages[Session, SessionPage]:
        """List the sessions of the console. Lists the sessions that stand for keys and members of the key's environment, oldest first, also those that have ended in the last thirty days. Scope: `keys:read`."""
        call = Call("GET", "/api/v1/console/sessions", {}, frozenset({}), frozenset({"limit", "cursor"}))
        given = arguments({"limit": limit, "cursor": cursor})
        return Pages(self._transport, call, given, options, "sessions", False)

    def sign_out(
        self,
        *,
        options: Optional[RequestOptions] = None,
    ) -> EndedSession:
        """End the session that makes the request. Ends the session of the cookie that the request was made with, on every gateway before the answer, and takes the cookie away. With a key instead of a session the answer is `not_found`."""
        call = Call("DELETE", "/api/v1/console/sessions/current", {}, frozenset({"bare"}), frozenset({}))
        given = arguments({})
        return cast("EndedSession", self._transport.json(call, given, options))

    def end(
        self,
        session_id: str,
        *,
        options: Optional[RequestOptions] = None,
    ) -> EndedSession:
        """End a session of the console. Ends a session of the environment: one of the caller itself, of a key that it may revoke, or of a member who holds no more than it does. When it answers, every gateway refuses the session, and what was open by it is closed. The key or the member that it stood for goes on. Scope: `keys:write`."""
        call = Call("DELETE", "/api/v1/console/sessions/{session_id}", {"session_id": session_id}, frozenset({"bare"}), frozenset({}))
        given = arguments({})
        return cast("EndedSession", self._transport.json(call, given, options))

    def create_ticket(
        self,
        *,
        options: Optional[RequestOptions] = None,
    ) -> SessionTicket:
        """Make a link that signs in to the console once. Makes a ticket that opens one session standing for the calling key, within ten minutes. `url` leads a browser to the console with the ticket behind the `#`, which no server and no log sees. Neither an OAuth token nor a session can make one."""
        call = Call("POST", "/api/v1/console/tickets", {}, frozenset({"empty", "bare"}), frozenset({}))
        given = arguments({})
        return cast("SessionTicket", self._transport.json(call, given, options))


class Members:
    def __init__(self, transport: Transport, defaults: Dict[str, Any]) -> None:
        self._transport = transport
        self._defaults = defaults

    def list(
        self,
        *,
        limit: int | NotGiven = NOT_GIVEN,
        cursor: str | NotGiven = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> Pages[Member, MemberPage]:
        """List the members of the tenant. Lists the people of the tenant, in the order in which they joined, also those who were removed. Members act in the live environment; the test environment has none. Scope: `members:read`."""
        call = Call("GET", "/api/v1/members", {}, frozenset({}), frozenset({"limit", "cursor"}))
        given = arguments({"limit": limit, "cursor": cursor})
        return Pages(self._transport, call, given, options, "members", False)

    def get(
        self,
        member_id: str,
        *,
        options: Optional[RequestOptions] = None,
    ) -> Member:
        """Read one member. Returns one member with role and scopes, also one who was removed. Scope: `members:read`."""
        call = Call("GET", "/api/v1/members/{member_id}", {"member_id": member_id}, frozenset({"bare"}), frozenset({}))
        given = arguments({})
        return cast("Member", self._transport.json(call, given, options))

    def update(
        self,
        member_id: str,
        *,
        role: Literal["owner", "admin", "developer", "reviewer", "viewer"] | NotGiven = NOT_GIVEN,
        name: str | NotGiven = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> Member:
        """Change the role or the name of a member. Changes what a member may do; the change is in force on every gateway when the response arrives. The calling credential must hold everything that the member holds before and after the change. The last owner keeps the role: 409. Scope: `members:write`."""
        call = Call("PATCH", "/api/v1/members/{member_id}", {"member_id": member_id}, frozenset({}), frozenset({}))
        given = arguments({"role": role, "name": name})
        return cast("Member", self._transport.json(call, given, options))

    def remove(
        self,
        member_id: str,
        *,
        descendants: bool | NotGiven = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> RemovedMember:
        """Remove a member. Removes a member for good: when the response arrives, no gateway accepts any of its sessions, and open invitations that it sent are void. Keys that it created stay valid unless `descendants=true`. The calling credential must hold everything that the member holds, and with `descendants=true` everything that each of them holds; the last owner cannot be removed: 409. A repeat returns the same answer. Scope: `members:write`."""
        call = Call("DELETE", "/api/v1/members/{member_id}", {"member_id": member_id}, frozenset({}), frozenset({"descendants"}))
        given = arguments({"descendants": descendants})
        return cast("RemovedMember", self._transport.json(call, given, options))

    def create_ticket(
        self,
        member_id: str,
        *,
        options: Optional[RequestOptions] = None,
    ) -> MemberTicket:
        """Make a link that signs a member in once. For installations without an identity provider: makes a ticket that opens one session of the member, within ten minutes; pass its link on to that person alone. The calling credential must hold everything that the member holds. A member who has an account at the identity provider signs in there: 409. Scope: `members:write`."""
        call = Call("POST", "/api/v1/members/{member_id}/tickets", {"member_id": member_id}, frozenset({"empty", "bare"}), frozenset({}))
        given = arguments({})
        return cast("MemberTicket", self._transport.json(call, given, options))


class Invitations:
    def __init__(self, transport: Transport, defaults: Dict[str, Any]) -> None:
        self._transport = transport
        self._defaults = defaults

    def create(
        self,
        *,
        email: str,
        role: Literal["owner", "admin", "developer", "reviewer", "viewer"],
        options: Optional[RequestOptions] = None,
    ) -> InvitationWithLink:
        """Invite a person. Invites the person with an e-mail address to become a member with a role that the calling credential holds itself. Cairn sends no mail: pass `url` on. Where people sign in with an identity provider, the first sign-in with that address, verified there, accepts the invitation; elsewhere the link does, once. It is good for seven days. Scope: `members:write`."""
        call = Call("POST", "/api/v1/invitations", {}, frozenset({"repeat"}), frozenset({}))
        given = arguments({"email": email, "role": role})
        return cast("InvitationWithLink", self._transport.json(call, given, options))

    def list(
        self,
        *,
        limit: int | NotGiven = NOT_GIVEN,
        cursor: str | NotGiven = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> Pages[Invitation, InvitationPage]:
        """List invitations. Lists the invitations of the tenant, oldest first, without their secrets; ended ones for thirty days. Scope: `members:read`."""
        call = Call("GET", "/api/v1/invitations", {}, frozenset({}), frozenset({"limit", "cursor"}))
        given = arguments({"limit": limit, "cursor": cursor})
        return Pages(self._transport, call, given, options, "invitations", False)

    def revoke(
        self,
        invitation_id: str,
        *,
        options: Optional[RequestOptions] = None,
    ) -> Invitation:
        """Revoke an invitation. Makes an invitation void, so that nobody can accept it any more. The calling credential must hold what the role holds, or have made the invitation. One that was accepted is a member: 409. A repeat returns the same answer. Scope: `members:write`."""
        call = Call("DELETE", "/api/v1/invitations/{invitation_id}", {"invitation_id": invitation_id}, frozenset({"bare"}), frozenset({}))
        given = arguments({})
        return cast("Invitation", self._transport.json(call, given, options))


class Workspaces:
    def __init__(self, transport: Transport, defaults: Dict[str, Any]) -> None:
        self._transport = transport
        self._defaults = defaults

    def create(
        self,
        *,
        name: str,
        description: str | NotGiven = NOT_GIVEN,
        slug: str | NotGiven = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> CreateWorkspaceResponse:
        """Create a workspace with its primary shared memory. Creates a workspace together with its primary shared memory, in one step. A slug that you specify must be free within the tenant; a generated one gets a numeric suffix. Scope: `workspaces:write`."""
        call = Call("POST", "/api/v1/workspaces", {}, frozenset({"repeat"}), frozenset({}))
        given = arguments({"name": name, "description": description, "slug": slug})
        return cast("CreateWorkspaceResponse", self._transport.json(call, given, options))

    def list(
        self,
        *,
        limit: int | NotGiven = NOT_GIVEN,
        cursor: str | NotGiven = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> Pages[Workspace, ListWorkspacesResponse]:
        """List the workspaces of the tenant. Lists the workspaces that are not deleted, oldest first. Scope: `workspaces:read`."""
        call = Call("GET", "/api/v1/workspaces", {}, frozenset({}), frozenset({"limit", "cursor"}))
        given = arguments({"limit": limit, "cursor": cursor})
        return Pages(self._transport, call, given, options, "workspaces", False)

    def get(
        self,
        workspace_id: str,
        *,
        options: Optional[RequestOptions] = None,
    ) -> GetWorkspaceResponse:
        """Read one workspace. Returns one workspace with the id of its primary memory. Scope: `workspaces:read`."""
        call = Call("GET", "/api/v1/workspaces/{workspace_id}", {"workspace_id": workspace_id}, frozenset({"bare"}), frozenset({}))
        given = arguments({})
        return cast("GetWorkspaceResponse", self._transport.json(call, given, options))

    def update(
        self,
        workspace_id: str,
        *,
        name: str | NotGiven = NOT_GIVEN,
        description: str | NotGiven = NOT_GIVEN,
        slug: str | NotGiven = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> UpdateWorkspaceResponse:
        """Change the name, description or slug of a workspace. Changes only the fields that are given. A slug that is already taken is refused. Scope: `workspaces:write`."""
        call = Call("PATCH", "/api/v1/workspaces/{workspace_id}", {"workspace_id": workspace_id}, frozenset({}), frozenset({}))
        given = arguments({"name": name, "description": description, "slug": slug})
        return cast("UpdateWorkspaceResponse", self._transport.json(call, given, options))

    def delete(
        self,
        workspace_id: str,
        *,
        options: Optional[RequestOptions] = None,
    ) -> DeleteWorkspaceResponse:
        """Delete a workspace with all its memories. Removes the workspace, its memories and their spaces for every caller at once; keys bound to them stop working. Erasure goes on in the background and leaves no rows, index entries or files. The default workspace cannot be deleted. Scope: `workspaces:write`."""
        call = Call("DELETE", "/api/v1/workspaces/{workspace_id}", {"workspace_id": workspace_id}, frozenset({"bare"}), frozenset({}))
        given = arguments({})
        return cast("DeleteWorkspaceResponse", self._transport.json(call, given, options))


class Memories:
    def __init__(self, transport: Transport, defaults: Dict[str, Any]) -> None:
        self._transport = transport
        self._defaults = defaults

    def create(
        self,
        *,
        display_name: str,
        type: Literal["shared", "dedicated"] | NotGiven = NOT_GIVEN,
        workspace_id: str | NotGiven = NOT_GIVEN,
        dlp_policy: Literal["off", "secrets", "pii"] | NotGiven = NOT_GIVEN,
        keep_originals: bool | NotGiven = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> Memory:
        """Create a memory. Creates a memory in a workspace, by default in the default one. A dedicated memory is `provisioning` until its own PostgreSQL server is ready; poll it, or wait for `active`. Scope: `memories:write`."""
        call = Call("POST", "/api/v1/memories", {}, frozenset({"repeat"}), frozenset({}))
        given = arguments({"display_name": display_name, "type": type, "workspace_id": workspace_id, "dlp_policy": dlp_policy, "keep_originals": keep_originals})
        return cast("Memory", self._transport.json(call, given, options))

    def list(
        self,
        *,
        workspace_id: str | NotGiven = NOT_GIVEN,
        limit: int | NotGiven = NOT_GIVEN,
        cursor: str | NotGiven = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> Pages[Memory, ListMemoriesResponse]:
        """List the memories of the tenant or of one workspace. Lists memories with their status, hostname and policy, oldest first; `workspace_id` selects one workspace. Scope: `memories:read`."""
        call = Call("GET", "/api/v1/memories", {}, frozenset({}), frozenset({"workspace_id", "limit", "cursor"}))
        given = arguments({"workspace_id": workspace_id, "limit": limit, "cursor": cursor})
        return Pages(self._transport, call, given, options, "memories", False)

    def get(
        self,
        memory_id: str,
        *,
        options: Optional[RequestOptions] = None,
    ) -> Memory:
        """Read one memory. Returns one memory. While it is being deleted its status is `deleting`; afterwards it does not exist. Scope: `memories:read`."""
        call = Call("GET", "/api/v1/memories/{memory_id}", {"memory_id": memory_id}, frozenset({"bare"}), frozenset({}))
        given = arguments({})
        return cast("Memory", self._transport.json(call, given, options))

    def update(
        self,
        memory_id: str,
        *,
        display_name: str | NotGiven = NOT_GIVEN,
        dlp_policy: Literal["off", "secrets", "pii"] | NotGiven = NOT_GIVEN,
        keep_originals: bool | NotGiven = NOT_GIVEN,
        status: Literal["active", "suspended"] | NotGiven = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> Memory:
        """Change, suspend or resume a memory. Changes only the fields that are given. `status: suspended` rejects every request about the memory and keeps its data; `active` resumes it. A new masking policy, and `keep_originals`, apply to what is added afterwards. Scope: `memories:write`."""
        call = Call("PATCH", "/api/v1/memories/{memory_id}", {"memory_id": memory_id}, frozenset({}), frozenset({}))
        given = arguments({"display_name": display_name, "dlp_policy": dlp_policy, "keep_originals": keep_originals, "status": status})
        return cast("Memory", self._transport.json(call, given, options))

    def delete(
        self,
        memory_id: str,
        *,
        options: Optional[RequestOptions] = None,
    ) -> Memory:
        """Delete a memory with everything in it. Removes the memory for every caller at once and revokes the keys bound to it; runs that read from it are erased, too. Erasure goes on in the background. A workspace's primary memory can only be deleted with the workspace. Scope: `memories:write`."""
        call = Call("DELETE", "/api/v1/memories/{memory_id}", {"memory_id": memory_id}, frozenset({"bare"}), frozenset({}))
        given = arguments({})
        return cast("Memory", self._transport.json(call, given, options))

    def health(
        self,
        *,
        memory_id: str | NotGiven = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> GetMemoryHealthResponse:
        """Read the health of a memory. Computes a score from 0 to 100 from freshness, coverage, contradictions, orphaned entities, failed documents and waiting reviews. Each part has its weight, the number of cases and a recommendation. Scope: `graph:read`."""
        call = Call("GET", "/api/v1/memory/health", {}, frozenset({"memory"}), frozenset({"memory_id"}))
        given = arguments({"memory_id": memory_id}, self._defaults)
        return cast("GetMemoryHealthResponse", self._transport.json(call, given, options))

    def health_history(
        self,
        *,
        memory_id: str | NotGiven = NOT_GIVEN,
        from_: str | NotGiven = NOT_GIVEN,
        to: str | NotGiven = NOT_GIVEN,
        limit: int | NotGiven = NOT_GIVEN,
        cursor: str | NotGiven = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> Pages[HealthAssessment, HealthHistory]:
        """List past assessments of the health of a memory. Lists what the health of a memory was, newest first: one row for each change, changes within ten minutes counting as one, and one a day without a change. Documents that came or went since the row before explain jumps. Rows are kept for 400 days and are erased with the memory; a key of one space gets 403. Scope: `graph:read`."""
        call = Call("GET", "/api/v1/memory/health/history", {}, frozenset({"memory"}), frozenset({"memory_id", "from", "to", "limit", "cursor"}))
        given = arguments({"memory_id": memory_id, "from": from_, "to": to, "limit": limit, "cursor": cursor}, self._defaults)
        return Pages(self._transport, call, given, options, "history", False)

    def search_log(
        self,
        memory_id: str,
        *,
        options: Optional[RequestOptions] = None,
    ) -> SearchLogSettings:
        """Read whether the searches of a memory are kept. Returns whether the searches of a memory are kept, and for how many days. They are not unless turned on. Scope: `memories:read`."""
        call = Call("GET", "/api/v1/memories/{memory_id}/search-log", {"memory_id": memory_id}, frozenset({"bare"}), frozenset({}))
        given = arguments({})
        return cast("SearchLogSettings", self._transport.json(call, given, options))

    def update_search_log(
        self,
        memory_id: str,
        *,
        enabled: bool | NotGiven = NOT_GIVEN,
        keep_days: int | NotGiven = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> SearchLogSettings:
        """Have the searches of a memory kept, or no longer. Changes only the fields that are given. Once on, each answered search is kept for `keep_days` days, its question masked like a document; other replicas begin within ten seconds. Turned off, no further search is kept at once, and what is there stays until its days are over. A key that is bound to a memory gets 403. Scope: `memories:write`."""
        call = Call("PATCH", "/api/v1/memories/{memory_id}/search-log", {"memory_id": memory_id}, frozenset({}), frozenset({}))
        given = arguments({"enabled": enabled, "keep_days": keep_days})
        return cast("SearchLogSettings", self._transport.json(call, given, options))


class SpacesMembers:
    def __init__(self, transport: Transport, defaults: Dict[str, Any]) -> None:
        self._transport = transport
        self._defaults = defaults

    def list(
        self,
        space_id: str,
        *,
        limit: int | NotGiven = NOT_GIVEN,
        cursor: str | NotGiven = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> Pages[SpaceMember, ListSpaceMembersResponse]:
        """List the members of a space. Lists the members with their roles. Members are identified by whatever you call your users. Scope: `spaces:read`."""
        call = Call("GET", "/api/v1/spaces/{space_id}/members", {"space_id": space_id}, frozenset({}), frozenset({"limit", "cursor"}))
        given = arguments({"limit": limit, "cursor": cursor})
        return Pages(self._transport, call, given, options, "members", False)

    def put(
        self,
        space_id: str,
        user: str,
        *,
        role: Literal["reader", "writer"],
        options: Optional[RequestOptions] = None,
    ) -> SpaceMember:
        """Add a member to a space or change the role. Adds the user or changes the role. Roles are informational: your application enforces them, because a key acts with its own scopes. Scope: `spaces:write`."""
        call = Call("PUT", "/api/v1/spaces/{space_id}/members/{user}", {"space_id": space_id, "user": user}, frozenset({}), frozenset({}))
        given = arguments({"role": role})
        return cast("SpaceMember", self._transport.json(call, given, options))

    def delete(
        self,
        space_id: str,
        user: str,
        *,
        options: Optional[RequestOptions] = None,
    ) -> DeleteSpaceMemberResponse:
        """Remove a member from a space. Removes the user from the space; nothing that the user added is deleted. Scope: `spaces:write`."""
        call = Call("DELETE", "/api/v1/spaces/{space_id}/members/{user}", {"space_id": space_id, "user": user}, frozenset({"bare"}), frozenset({}))
        given = arguments({})
        return cast("DeleteSpaceMemberResponse", self._transport.json(call, given, options))


class Spaces:
    def __init__(self, transport: Transport, defaults: Dict[str, Any]) -> None:
        self._transport = transport
        self._defaults = defaults
        self.members = SpacesMembers(transport, defaults)

    def create(
        self,
        *,
        name: str,
        memory_id: str | NotGiven = NOT_GIVEN,
        description: str | NotGiven = NOT_GIVEN,
        slug: str | NotGiven = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> Space:
        """Create a space in a memory. Creates a space with its vault. Its name and description help to route documents that are added without a space. A slug that you specify must be free within the memory. Scope: `spaces:write`."""
        call = Call("POST", "/api/v1/spaces", {}, frozenset({"repeat", "memory"}), frozenset({}))
        given = arguments({"name": name, "memory_id": memory_id, "description": description, "slug": slug}, self._defaults)
        return cast("Space", self._transport.json(call, given, options))

    def list(
        self,
        *,
        memory_id: str | NotGiven = NOT_GIVEN,
        limit: int | NotGiven = NOT_GIVEN,
        cursor: str | NotGiven = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> Pages[Space, ListSpacesResponse]:
        """List the spaces of the tenant or of one memory. Lists spaces, oldest first; a memory key sees those it reaches. Scope: `spaces:read`."""
        call = Call("GET", "/api/v1/spaces", {}, frozenset({"memory"}), frozenset({"memory_id", "limit", "cursor"}))
        given = arguments({"memory_id": memory_id, "limit": limit, "cursor": cursor}, self._defaults)
        return Pages(self._transport, call, given, options, "spaces", False)

    def get(
        self,
        space_id: str,
        *,
        options: Optional[RequestOptions] = None,
    ) -> Space:
        """Read one space. Returns one space with the id of its vault. Scope: `spaces:read`."""
        call = Call("GET", "/api/v1/spaces/{space_id}", {"space_id": space_id}, frozenset({"bare"}), frozenset({}))
        given = arguments({})
        return cast("Space", self._transport.json(call, given, options))

    def update(
        self,
        space_id: str,
        *,
        name: str | NotGiven = NOT_GIVEN,
        description: str | NotGiven = NOT_GIVEN,
        slug: str | NotGiven = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> Space:
        """Change the name, description or slug of a space. Changes only the fields that are given. A slug that is already taken in the memory is refused. Scope: `spaces:write`."""
        call = Call("PATCH", "/api/v1/spaces/{space_id}", {"space_id": space_id}, frozenset({}), frozenset({}))
        given = arguments({"name": name, "description": description, "slug": slug})
        return cast("Space", self._transport.json(call, given, options))

    def delete(
        self,
        space_id: str,
        *,
        options: Optional[RequestOptions] = None,
    ) -> DeleteSpaceResponse:
        """Delete a space with its documents and threads. Removes the space with its documents, threads and keys for every caller at once. Erasure goes on in the background and includes runs that read from the space. Scope: `spaces:write`."""
        call = Call("DELETE", "/api/v1/spaces/{space_id}", {"space_id": space_id}, frozenset({"bare"}), frozenset({}))
        given = arguments({})
        return cast("DeleteSpaceResponse", self._transport.json(call, given, options))

    def mcp(
        self,
        space_id: str,
        message: Dict[str, Any],
        *,
        options: Optional[RequestOptions] = None,
    ) -> Any:
        """Call the MCP endpoint of a space. Takes one message of the Model Context Protocol over Streamable HTTP, without sessions. It offers search, documents, threads and the graph of this space as tools, each under the scope of its operation. Scope: `spaces:read`."""
        call = Call("POST", "/api/v1/spaces/{space_id}/mcp", {"space_id": space_id}, frozenset({"mcp"}), frozenset({}))
        given = message
        return self._transport.json(call, given, options)


class ProviderKeys:
    def __init__(self, transport: Transport, defaults: Dict[str, Any]) -> None:
        self._transport = transport
        self._defaults = defaults

    def put(
        self,
        provider: str,
        *,
        api_key: str,
        base_url: str | NotGiven = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> ProviderKey:
        """Store your own key of a model provider. Stores your own API key of a model provider, or replaces it. It is encrypted with a key that is kept outside the database, and never returned. Model calls on it are not charged. Scope: `providers:write`."""
        call = Call("PUT", "/api/v1/provider-keys/{provider}", {"provider": provider}, frozenset({}), frozenset({}))
        given = arguments({"api_key": api_key, "base_url": base_url})
        return cast("ProviderKey", self._transport.json(call, given, options))

    def list(
        self,
        *,
        options: Optional[RequestOptions] = None,
    ) -> ListProviderKeysResponse:
        """List the providers for which a key is stored. Lists the providers for which a key is stored, with the base URL and the time of change, never with the key. Scope: `providers:read`."""
        call = Call("GET", "/api/v1/provider-keys", {}, frozenset({"bare"}), frozenset({}))
        given = arguments({})
        return cast("ListProviderKeysResponse", self._transport.json(call, given, options))

    def get(
        self,
        provider: str,
        *,
        options: Optional[RequestOptions] = None,
    ) -> ProviderKey:
        """Read what is known of a stored provider key. Returns the provider, the base URL and when the key was stored and changed. Scope: `providers:read`."""
        call = Call("GET", "/api/v1/provider-keys/{provider}", {"provider": provider}, frozenset({"bare"}), frozenset({}))
        given = arguments({})
        return cast("ProviderKey", self._transport.json(call, given, options))

    def delete(
        self,
        provider: str,
        *,
        options: Optional[RequestOptions] = None,
    ) -> DeleteProviderKeyResponse:
        """Delete a stored provider key. Deletes the key. Later model calls use the operator's provider, if there is one. Scope: `providers:write`."""
        call = Call("DELETE", "/api/v1/provider-keys/{provider}", {"provider": provider}, frozenset({"bare"}), frozenset({}))
        given = arguments({})
        return cast("DeleteProviderKeyResponse", self._transport.json(call, given, options))

    def test(
        self,
        provider: str,
        *,
        options: Optional[RequestOptions] = None,
    ) -> ProviderKeyTest:
        """Ask the provider whether a stored key works. Asks the provider for its list of models with the stored key, which costs nothing, and waits ten seconds at most. `ok` says that the provider took the key, `failure` what went wrong otherwise, `models` which of the installation's models of this provider it lists. Neither the key nor the provider's words are part of the answer. Scope: `providers:write`."""
        call = Call("POST", "/api/v1/provider-keys/{provider}/test", {"provider": provider}, frozenset({"repeat"}), frozenset({}))
        given = arguments({})
        return cast("ProviderKeyTest", self._transport.json(call, given, options))


class Models:
    def __init__(self, transport: Transport, defaults: Dict[str, Any]) -> None:
        self._transport = transport
        self._defaults = defaults

    def list(
        self,
        *,
        options: Optional[RequestOptions] = None,
    ) -> ListModelsResponse:
        """List the models of the installation. The language models that `llm_model` takes, the default first, then the embedding and the reranking model. Each with today's prices and whose key a call of this tenant would use. Empty where the operator has configured none: searches and runs then work without a model. Scope: `providers:read`."""
        call = Call("GET", "/api/v1/models", {}, frozenset({"bare"}), frozenset({}))
        given = arguments({})
        return cast("ListModelsResponse", self._transport.json(call, given, options))


class ThreadsTurns:
    def __init__(self, transport: Transport, defaults: Dict[str, Any]) -> None:
        self._transport = transport
        self._defaults = defaults

    def add(
        self,
        thread_id: str,
        *,
        role: Literal["user", "assistant"],
        content: str,
        options: Optional[RequestOptions] = None,
    ) -> Turn:
        """Add a turn to a conversation. Appends a turn, which is stored when the response arrives. What the memory's policy masks is masked before it is stored, and the response shows the masked text. Scope: `threads:write`."""
        call = Call("POST", "/api/v1/threads/{thread_id}/turns", {"thread_id": thread_id}, frozenset({"repeat"}), frozenset({}))
        given = arguments({"role": role, "content": content})
        return cast("Turn", self._transport.json(call, given, options))

    def list(
        self,
        thread_id: str,
        *,
        limit: int | NotGiven = NOT_GIVEN,
        cursor: str | NotGiven = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> Pages[Turn, ListTurnsResponse]:
        """List the turns of a conversation, oldest first. Returns the turns in the order in which they were added. Scope: `threads:read`."""
        call = Call("GET", "/api/v1/threads/{thread_id}/turns", {"thread_id": thread_id}, frozenset({}), frozenset({"limit", "cursor"}))
        given = arguments({"limit": limit, "cursor": cursor})
        return Pages(self._transport, call, given, options, "turns", False)


class Threads:
    def __init__(self, transport: Transport, defaults: Dict[str, Any]) -> None:
        self._transport = transport
        self._defaults = defaults
        self.turns = ThreadsTurns(transport, defaults)

    def create(
        self,
        *,
        title: str | NotGiven = NOT_GIVEN,
        memory_id: str | NotGiven = NOT_GIVEN,
        space_id: str | NotGiven = NOT_GIVEN,
        user: str | NotGiven = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> Thread:
        """Start a conversation in a memory or in one of its spaces. Starts a conversation in a memory or in one of its spaces. Searches that name it understand follow-up questions and add their question and answer as turns. Scope: `threads:write`."""
        call = Call("POST", "/api/v1/threads", {}, frozenset({"repeat", "memory"}), frozenset({}))
        given = arguments({"title": title, "memory_id": memory_id, "space_id": space_id, "user": user}, self._defaults)
        return cast("Thread", self._transport.json(call, given, options))

    def list(
        self,
        *,
        memory_id: str | NotGiven = NOT_GIVEN,
        space_id: str | NotGiven = NOT_GIVEN,
        limit: int | NotGiven = NOT_GIVEN,
        cursor: str | NotGiven = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> Pages[Thread, ListThreadsResponse]:
        """List the conversations of the tenant, of one memory or of one space. Lists conversations without their turns, oldest first. Scope: `threads:read`."""
        call = Call("GET", "/api/v1/threads", {}, frozenset({"memory"}), frozenset({"memory_id", "space_id", "limit", "cursor"}))
        given = arguments({"memory_id": memory_id, "space_id": space_id, "limit": limit, "cursor": cursor}, self._defaults)
        return Pages(self._transport, call, given, options, "threads", False)

    def export(
        self,
        *,
        memory_id: str | NotGiven = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> httpx.Response:
        """Download all conversations of a memory. Streams every thread, oldest first, each followed by its turns. One JSON object a line, each with its `type`; the last line is `{"type":"end"}` with the number of lines before it, and without it the answer was cut off. What changes while it is written may be in it as it was or as it is. Scope: `threads:read`."""
        call = Call("GET", "/api/v1/threads/export", {}, frozenset({"memory", "file"}), frozenset({"memory_id"}))
        given = arguments({"memory_id": memory_id}, self._defaults)
        return self._transport.response(call, given, options)

    def get(
        self,
        thread_id: str,
        *,
        options: Optional[RequestOptions] = None,
    ) -> Thread:
        """Read one conversation, without its turns. Returns title, place, user and number of turns. Scope: `threads:read`."""
        call = Call("GET", "/api/v1/threads/{thread_id}", {"thread_id": thread_id}, frozenset({"bare"}), frozenset({}))
        given = arguments({})
        return cast("Thread", self._transport.json(call, given, options))

    def update(
        self,
        thread_id: str,
        *,
        title: str | NotGiven = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> Thread:
        """Change the title of a conversation. Changes the title of the conversation; its turns stay as they are. Scope: `threads:write`."""
        call = Call("PATCH", "/api/v1/threads/{thread_id}", {"thread_id": thread_id}, frozenset({}), frozenset({}))
        given = arguments({"title": title})
        return cast("Thread", self._transport.json(call, given, options))

    def delete(
        self,
        thread_id: str,
        *,
        options: Optional[RequestOptions] = None,
    ) -> DeleteThreadResponse:
        """Delete a conversation with its turns. Deletes the conversation with all its turns, permanently. Scope: `threads:write`."""
        call = Call("DELETE", "/api/v1/threads/{thread_id}", {"thread_id": thread_id}, frozenset({"bare"}), frozenset({}))
        given = arguments({})
        return cast("DeleteThreadResponse", self._transport.json(call, given, options))


class Documents:
    def __init__(self, transport: Transport, defaults: Dict[str, Any]) -> None:
        self._transport = transport
        self._defaults = defaults

    def add(
        self,
        *,
        content: str | NotGiven = NOT_GIVEN,
        url: str | NotGiven = NOT_GIVEN,
        title: str | NotGiven = NOT_GIVEN,
        external_id: str | NotGiven = NOT_GIVEN,
        space_id: str | NotGiven = NOT_GIVEN,
        metadata: Dict[str, str | float | bool | None | List[str]] | NotGiven = NOT_GIVEN,
        occurred_at: str | NotGiven = NOT_GIVEN,
        documents: List[NewDocument] | NotGiven = NOT_GIVEN,
        memory_id: str | NotGiven = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> IngestDocumentsResponse:
        """Add one document or up to 100 to a memory. Accepts a text, the address of a page or file, a list of up to 100 of them, or a form with one file. All documents of a request are accepted together or not at all, and are stored durably when the response arrives. Each is searchable by the time its `status` is `completed`; `external_id` replaces an earlier version. Scope: `documents:write`."""
        call = Call("POST", "/api/v1/memory/documents", {}, frozenset({"repeat", "memory"}), frozenset({}))
        given = arguments({"content": content, "url": url, "title": title, "external_id": external_id, "space_id": space_id, "metadata": metadata, "occurred_at": occurred_at, "documents": documents, "memory_id": memory_id}, self._defaults)
        return cast("IngestDocumentsResponse", self._transport.json(call, given, options))

    def upload(
        self,
        file: FileInput,
        *,
        title: str | NotGiven = NOT_GIVEN,
        external_id: str | NotGiven = NOT_GIVEN,
        space_id: str | NotGiven = NOT_GIVEN,
        metadata: Dict[str, Any] | NotGiven = NOT_GIVEN,
        occurred_at: str | NotGiven = NOT_GIVEN,
        memory_id: str | NotGiven = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> IngestDocumentsResponse:
        """Add one document or up to 100 to a memory. Accepts a text, the address of a page or file, a list of up to 100 of them, or a form with one file. All documents of a request are accepted together or not at all, and are stored durably when the response arrives. Each is searchable by the time its `status` is `completed`; `external_id` replaces an earlier version. Scope: `documents:write`."""
        call = Call("POST", "/api/v1/memory/documents", {}, frozenset({"repeat", "memory"}), frozenset({}))
        given = arguments({"title": title, "external_id": external_id, "space_id": space_id, "metadata": metadata, "occurred_at": occurred_at, "memory_id": memory_id}, self._defaults)
        return cast("IngestDocumentsResponse", self._transport.json(call, given, options, file))

    def list(
        self,
        *,
        memory_id: str | NotGiven = NOT_GIVEN,
        space_id: str | NotGiven = NOT_GIVEN,
        status: str | NotGiven = NOT_GIVEN,
        external_id: str | NotGiven = NOT_GIVEN,
        query: str | NotGiven = NOT_GIVEN,
        sort: Literal["oldest", "newest"] | NotGiven = NOT_GIVEN,
        needs_review: bool | NotGiven = NOT_GIVEN,
        limit: int | NotGiven = NOT_GIVEN,
        cursor: str | NotGiven = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> Pages[Document, ListDocumentsResponse]:
        """List the documents of a memory. Lists documents with their status, by default the oldest first. Filters select by status, space, words of title or external id, and whether a person has to confirm where a document belongs. With `query` a page may have fewer documents than `limit`, or none, and still a `next_cursor`: each page looks at a bounded number of documents. Scope: `documents:read`."""
        call = Call("GET", "/api/v1/memory/documents", {}, frozenset({"memory"}), frozenset({"memory_id", "space_id", "status", "external_id", "query", "sort", "needs_review", "limit", "cursor"}))
        given = arguments({"memory_id": memory_id, "space_id": space_id, "status": status, "external_id": external_id, "query": query, "sort": sort, "needs_review": needs_review, "limit": limit, "cursor": cursor}, self._defaults)
        return Pages(self._transport, call, given, options, "documents", False)

    def stats(
        self,
        *,
        memory_id: str | NotGiven = NOT_GIVEN,
        space_id: str | NotGiven = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> DocumentStats:
        """Count the documents of a memory. Counts the documents of a memory, or of one of its spaces, by status, error, space and format, as of one moment. Also tells how long the oldest document has been waiting and how many were completed lately. Scope: `documents:read`."""
        call = Call("GET", "/api/v1/memory/documents/stats", {}, frozenset({"memory"}), frozenset({"memory_id", "space_id"}))
        given = arguments({"memory_id": memory_id, "space_id": space_id}, self._defaults)
        return cast("DocumentStats", self._transport.json(call, given, options))

    def export(
        self,
        *,
        memory_id: str | NotGiven = NOT_GIVEN,
        space_id: str | NotGiven = NOT_GIVEN,
        after: str | NotGiven = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> httpx.Response:
        """Download all documents of a memory with their text. Streams every document, oldest first, each followed by its passages in their order. One JSON object a line, each with its `type`; the last line is `{"type":"end"}` with the number of lines before it, and without it the answer was cut off. What changes while it is written may be in it as it was or as it is. `after` goes on behind a document that arrived whole. Scope: `documents:read`."""
        call = Call("GET", "/api/v1/memory/documents/export", {}, frozenset({"memory", "file"}), frozenset({"memory_id", "space_id", "after"}))
        given = arguments({"memory_id": memory_id, "space_id": space_id, "after": after}, self._defaults)
        return self._transport.response(call, given, options)

    def get(
        self,
        doc_id: str,
        *,
        memory_id: str | NotGiven = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> Document:
        """Read the status of one document. Returns the processing status of a document, its space and routing, what was masked and, if it failed, why. Scope: `documents:read`."""
        call = Call("GET", "/api/v1/memory/documents/{doc_id}", {"doc_id": doc_id}, frozenset({"memory"}), frozenset({"memory_id"}))
        given = arguments({"memory_id": memory_id}, self._defaults)
        return cast("Document", self._transport.json(call, given, options))

    def delete_many(
        self,
        *,
        doc_ids: List[str] | NotGiven = NOT_GIVEN,
        filter: DocumentFilter | NotGiven = NOT_GIVEN,
        dry_run: bool | NotGiven = NOT_GIVEN,
        memory_id: str | NotGiven = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> StartedDocumentJob:
        """Delete many documents, by their ids or by a filter. Starts a job that deletes up to 1,000 documents by their ids, or all that a filter matches, with everything made of them. It goes on by itself, through restarts too; read it by its `job_id`. A filter is matched when the job comes to a document, and never takes one that was added after the job. `dry_run` starts nothing and counts what would be deleted. Scope: `documents:write`."""
        call = Call("POST", "/api/v1/memory/documents/delete", {}, frozenset({"repeat", "memory"}), frozenset({}))
        given = arguments({"doc_ids": doc_ids, "filter": filter, "dry_run": dry_run, "memory_id": memory_id}, self._defaults)
        return cast("StartedDocumentJob", self._transport.json(call, given, options))

    def retry_many(
        self,
        *,
        doc_ids: List[str] | NotGiven = NOT_GIVEN,
        filter: FailedDocumentFilter | NotGiven = NOT_GIVEN,
        dry_run: bool | NotGiven = NOT_GIVEN,
        memory_id: str | NotGiven = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> StartedDocumentJob:
        """Try failed documents again, by their ids or by a filter. Starts a job that queues failed documents again: up to 1,000 by their ids, or all that a filter matches. An address is fetched again; a text or file is read again while what was sent is kept, encrypted: for seven days after the failure unless the operator sets another time. Documents with which nothing could be done are listed in the job with the reason. Scope: `documents:write`."""
        call = Call("POST", "/api/v1/memory/documents/retry", {}, frozenset({"repeat", "memory"}), frozenset({}))
        given = arguments({"doc_ids": doc_ids, "filter": filter, "dry_run": dry_run, "memory_id": memory_id}, self._defaults)
        return cast("StartedDocumentJob", self._transport.json(call, given, options))

    def jobs(
        self,
        *,
        memory_id: str | NotGiven = NOT_GIVEN,
        kind: Literal["delete", "retry"] | NotGiven = NOT_GIVEN,
        status: Literal["running", "completed"] | NotGiven = NOT_GIVEN,
        limit: int | NotGiven = NOT_GIVEN,
        cursor: str | NotGiven = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> Pages[DocumentJob, DocumentJobs]:
        """List the jobs over documents of a memory. Lists the jobs that delete documents or try them again, newest first: those that run, and those that ended in the last seven days. A key of one space sees the jobs of that space only. Scope: `documents:read`."""
        call = Call("GET", "/api/v1/memory/jobs", {}, frozenset({"memory"}), frozenset({"memory_id", "kind", "status", "limit", "cursor"}))
        given = arguments({"memory_id": memory_id, "kind": kind, "status": status, "limit": limit, "cursor": cursor}, self._defaults)
        return Pages(self._transport, call, given, options, "jobs", False)

    def job(
        self,
        job_id: str,
        *,
        memory_id: str | NotGiven = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> DocumentJobDetail:
        """Read how far a job over documents is. Returns how many documents a job has dealt with, and those with which nothing could be done, with the reason: the first 1,000 by id; `failed` counts all. A job is kept for seven days after its end. Scope: `documents:read`."""
        call = Call("GET", "/api/v1/memory/jobs/{job_id}", {"job_id": job_id}, frozenset({"memory"}), frozenset({"memory_id"}))
        given = arguments({"memory_id": memory_id}, self._defaults)
        return cast("DocumentJobDetail", self._transport.json(call, given, options))

    def content(
        self,
        doc_id: str,
        *,
        memory_id: str | NotGiven = NOT_GIVEN,
        max_bytes: int | NotGiven = NOT_GIVEN,
        cursor: str | NotGiven = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> Pages[DocumentChunk, DocumentContent]:
        """Read the text of a document. Returns the stored text of a document in its order, chunk by chunk, with headings, page numbers and the places of its facts. Values that screening masked are masked here too. A document that is replaced keeps its earlier text until the new one is indexed; `updated_at` tells whether it changed between two pages. Scope: `documents:read`."""
        call = Call("GET", "/api/v1/memory/documents/{doc_id}/content", {"doc_id": doc_id}, frozenset({"memory"}), frozenset({"memory_id", "max_bytes", "cursor"}))
        given = arguments({"memory_id": memory_id, "max_bytes": max_bytes, "cursor": cursor}, self._defaults)
        return Pages(self._transport, call, given, options, "chunks", False)

    def original(
        self,
        doc_id: str,
        *,
        memory_id: str | NotGiven = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> httpx.Response:
        """Download what was handed in as a document. Returns the text or file byte by byte as it was handed in, or as it was fetched from its address, as a download. It is there only for documents that were indexed while the memory had `keep_originals` on, and in which screening masked nothing; `original` of a document says so. A document that is replaced keeps the original of its earlier version until the new one is indexed. Scope: `documents:read`."""
        call = Call("GET", "/api/v1/memory/documents/{doc_id}/original", {"doc_id": doc_id}, frozenset({"memory", "file"}), frozenset({"memory_id"}))
        given = arguments({"memory_id": memory_id}, self._defaults)
        return self._transport.response(call, given, options)

    def update(
        self,
        doc_id: str,
        *,
        title: str | NotGiven = NOT_GIVEN,
        metadata: Dict[str, str | float | bool | None | List[str]] | NotGiven = NOT_GIVEN,
        occurred_at: str | None | NotGiven = NOT_GIVEN,
        memory_id: str | NotGiven = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> Document:
        """Change title, metadata or time of a document. Changes what is said about a completed document; its text stays as it is. Title and metadata are screened like those of a new document. Searches and the graph follow by the time the response arrives; a changed title or time gives the chunks new ids. 409 while the document is being processed, or when it failed. Scope: `documents:write`."""
        call = Call("PATCH", "/api/v1/memory/documents/{doc_id}", {"doc_id": doc_id}, frozenset({"memory"}), frozenset({}))
        given = arguments({"title": title, "metadata": metadata, "occurred_at": occurred_at, "memory_id": memory_id}, self._defaults)
        return cast("Document", self._transport.json(call, given, options))

    def delete(
        self,
        doc_id: str,
        *,
        memory_id: str | NotGiven = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> DeleteDocumentResponse:
        """Delete one document with everything made of it. Deletes the document with its chunks, vectors, names, links and facts. Searches do not find it any more when the response arrives. Scope: `documents:write`."""
        call = Call("DELETE", "/api/v1/memory/documents/{doc_id}", {"doc_id": doc_id}, frozenset({"memory"}), frozenset({"memory_id"}))
        given = arguments({"memory_id": memory_id}, self._defaults)
        return cast("DeleteDocumentResponse", self._transport.json(call, given, options))

    def route(
        self,
        doc_id: str,
        *,
        space_id: str | None,
        memory_id: str | NotGiven = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> Document:
        """Decide to which space a document belongs. Confirms or changes the space of a document and moves it with its chunks. Later documents are routed by such decisions. `null` moves it to the memory's root. Scope: `documents:write`."""
        call = Call("POST", "/api/v1/memory/documents/{doc_id}/route", {"doc_id": doc_id}, frozenset({"repeat", "memory"}), frozenset({}))
        given = arguments({"space_id": space_id, "memory_id": memory_id}, self._defaults)
        return cast("Document", self._transport.json(call, given, options))


class Chunks:
    def __init__(self, transport: Transport, defaults: Dict[str, Any]) -> None:
        self._transport = transport
        self._defaults = defaults

    def get(
        self,
        chunk_id: str,
        *,
        memory_id: str | NotGiven = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> Chunk:
        """Read one chunk of a document. Returns the text that citations, results and facts refer to by `chunk_id`, with its place in the document and the chunks beside it. A new version of a document keeps the ids of chunks whose text did not change; the others are not found any more. Scope: `documents:read`."""
        call = Call("GET", "/api/v1/memory/chunks/{chunk_id}", {"chunk_id": chunk_id}, frozenset({"memory"}), frozenset({"memory_id"}))
        given = arguments({"memory_id": memory_id}, self._defaults)
        return cast("Chunk", self._transport.json(call, given, options))


class GraphEntities:
    def __init__(self, transport: Transport, defaults: Dict[str, Any]) -> None:
        self._transport = transport
        self._defaults = defaults

    def list(
        self,
        *,
        memory_id: str | NotGiven = NOT_GIVEN,
        query: str | NotGiven = NOT_GIVEN,
        type: str | NotGiven = NOT_GIVEN,
        sort: Literal["relevance", "name", "mentions", "newest"] | NotGiven = NOT_GIVEN,
        limit: int | NotGiven = NOT_GIVEN,
        cursor: str | NotGiven = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> Pages[Entity, EntityPage]:
        """List entities, or find them by name. Lists entities, all or those whose name or alias matches `query`, optionally of one type. With `type`, a page may hold fewer than `limit` although more follow: `next_cursor` says so. Scope: `graph:read`."""
        call = Call("GET", "/api/v1/memory/graph/entities", {}, frozenset({"memory"}), frozenset({"memory_id", "query", "type", "sort", "limit", "cursor"}))
        given = arguments({"memory_id": memory_id, "query": query, "type": type, "sort": sort, "limit": limit, "cursor": cursor}, self._defaults)
        return Pages(self._transport, call, given, options, "entities", False)

    def get(
        self,
        entity_id: str,
        *,
        memory_id: str | NotGiven = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> GetEntityResponse:
        """Read an entity with the facts stated about it. Returns an entity with its aliases and with the facts stated about it, each with the quote and the document that states it. Scope: `graph:read`."""
        call = Call("GET", "/api/v1/memory/graph/entities/{entity_id}", {"entity_id": entity_id}, frozenset({"memory"}), frozenset({"memory_id"}))
        given = arguments({"memory_id": memory_id}, self._defaults)
        return cast("GetEntityResponse", self._transport.json(call, given, options))


class GraphLinks:
    def __init__(self, transport: Transport, defaults: Dict[str, Any]) -> None:
        self._transport = transport
        self._defaults = defaults

    def get(
        self,
        source: str,
        target: str,
        *,
        memory_id: str | NotGiven = NOT_GIVEN,
        limit: int | NotGiven = NOT_GIVEN,
        cursor: str | NotGiven = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> EntityLinks:
        """Read how two entities are linked and which sentences say so. Returns every link between two entities, in both directions, and page by page the passages that state them, each with its sentences and their places. The links are complete on every page. Two entities without a link have an empty answer. Scope: `graph:read`."""
        call = Call("GET", "/api/v1/memory/graph/links/{source}/{target}", {"source": source, "target": target}, frozenset({"memory"}), frozenset({"memory_id", "limit", "cursor"}))
        given = arguments({"memory_id": memory_id, "limit": limit, "cursor": cursor}, self._defaults)
        return cast("EntityLinks", self._transport.json(call, given, options))


class GraphContradictions:
    def __init__(self, transport: Transport, defaults: Dict[str, Any]) -> None:
        self._transport = transport
        self._defaults = defaults

    def list(
        self,
        *,
        memory_id: str | NotGiven = NOT_GIVEN,
        status: Literal["open", "resolved"] | NotGiven = NOT_GIVEN,
        entity_id: str | NotGiven = NOT_GIVEN,
        limit: int | NotGiven = NOT_GIVEN,
        cursor: str | NotGiven = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> Pages[Contradiction, ListContradictionsResponse]:
        """List contradictions between documents. Lists statements of different documents about one relation of one entity that cannot all be true, each with its quote and document. Scope: `graph:read`."""
        call = Call("GET", "/api/v1/memory/contradictions", {}, frozenset({"memory"}), frozenset({"memory_id", "status", "entity_id", "limit", "cursor"}))
        given = arguments({"memory_id": memory_id, "status": status, "entity_id": entity_id, "limit": limit, "cursor": cursor}, self._defaults)
        return Pages(self._transport, call, given, options, "contradictions", False)

    def get(
        self,
        contradiction_id: str,
        *,
        memory_id: str | NotGiven = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> Contradiction:
        """Read a contradiction with its statements. Returns one contradiction with all its facts, quotes and documents, and with its resolution, if there is one. Scope: `graph:read`."""
        call = Call("GET", "/api/v1/memory/contradictions/{contradiction_id}", {"contradiction_id": contradiction_id}, frozenset({"memory"}), frozenset({"memory_id"}))
        given = arguments({"memory_id": memory_id}, self._defaults)
        return cast("Contradiction", self._transport.json(call, given, options))

    def resolve(
        self,
        contradiction_id: str,
        *,
        winner: str,
        memory_id: str | NotGiven = NOT_GIVEN,
        note: str | NotGiven = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> Contradiction:
        """Resolve a contradiction. Records which fact holds, or that both do. The other facts are marked as superseded. Repeating a resolution returns the response of the first; a different winner is refused until it is reopened. Scope: `graph:write`."""
        call = Call("POST", "/api/v1/memory/contradictions/{contradiction_id}/resolve", {"contradiction_id": contradiction_id}, frozenset({"repeat", "memory", "query"}), frozenset({"memory_id"}))
        given = arguments({"winner": winner, "memory_id": memory_id, "note": note}, self._defaults)
        return cast("Contradiction", self._transport.json(call, given, options))

    def reopen(
        self,
        contradiction_id: str,
        *,
        memory_id: str | NotGiven = NOT_GIVEN,
        note: str | NotGiven = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> Contradiction:
        """Reopen a resolved contradiction. Reverts a resolution: every fact stands again. Scope: `graph:write`."""
        call = Call("POST", "/api/v1/memory/contradictions/{contradiction_id}/reopen", {"contradiction_id": contradiction_id}, frozenset({"repeat", "memory", "query"}), frozenset({"memory_id"}))
        given = arguments({"memory_id": memory_id, "note": note}, self._defaults)
        return cast("Contradiction", self._transport.json(call, given, options))


class GraphReviews:
    def __init__(self, transport: Transport, defaults: Dict[str, Any]) -> None:
        self._transport = transport
        self._defaults = defaults

    def list(
        self,
        *,
        memory_id: str | NotGiven = NOT_GIVEN,
        status: Literal["open", "decided"] | NotGiven = NOT_GIVEN,
        limit: int | NotGiven = NOT_GIVEN,
        cursor: str | NotGiven = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> Pages[EntityReview, ListEntityReviewsResponse]:
        """List pairs of names that may mean the same entity. Lists pairs of names that are similar enough to be one entity and not similar enough to be merged without asking. Scope: `graph:read`."""
        call = Call("GET", "/api/v1/memory/graph/reviews", {}, frozenset({"memory"}), frozenset({"memory_id", "status", "limit", "cursor"}))
        given = arguments({"memory_id": memory_id, "status": status, "limit": limit, "cursor": cursor}, self._defaults)
        return Pages(self._transport, call, given, options, "reviews", False)

    def decide(
        self,
        review_id: str,
        *,
        decision: Literal["same", "different"],
        memory_id: str | NotGiven = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> EntityDecision:
        """Decide whether two names mean the same entity. Records whether both names mean the same entity. `same` merges the two; later documents follow the decision. Scope: `graph:write`."""
        call = Call("POST", "/api/v1/memory/graph/reviews/{review_id}/decide", {"review_id": review_id}, frozenset({"repeat", "memory", "query"}), frozenset({"memory_id"}))
        given = arguments({"decision": decision, "memory_id": memory_id}, self._defaults)
        return cast("EntityDecision", self._transport.json(call, given, options))


class GraphDecisions:
    def __init__(self, transport: Transport, defaults: Dict[str, Any]) -> None:
        self._transport = transport
        self._defaults = defaults

    def list(
        self,
        *,
        memory_id: str | NotGiven = NOT_GIVEN,
        limit: int | NotGiven = NOT_GIVEN,
        cursor: str | NotGiven = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> Pages[EntityDecision, ListEntityDecisionsResponse]:
        """List merges, splits and rejected merges. Lists what people decided about names: which entities were merged, split or kept apart, when, and with what effect. Scope: `graph:read`."""
        call = Call("GET", "/api/v1/memory/graph/decisions", {}, frozenset({"memory"}), frozenset({"memory_id", "limit", "cursor"}))
        given = arguments({"memory_id": memory_id, "limit": limit, "cursor": cursor}, self._defaults)
        return Pages(self._transport, call, given, options, "decisions", False)

    def undo(
        self,
        decision_id: str,
        *,
        memory_id: str | NotGiven = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> UndoEntityDecisionResponse:
        """Undo a merge or split. Reverts one decision; the graph is recomputed as if it had never been made. Scope: `graph:write`."""
        call = Call("DELETE", "/api/v1/memory/graph/decisions/{decision_id}", {"decision_id": decision_id}, frozenset({"memory"}), frozenset({"memory_id"}))
        given = arguments({"memory_id": memory_id}, self._defaults)
        return cast("UndoEntityDecisionResponse", self._transport.json(call, given, options))


class Graph:
    def __init__(self, transport: Transport, defaults: Dict[str, Any]) -> None:
        self._transport = transport
        self._defaults = defaults
        self.entities = GraphEntities(transport, defaults)
        self.links = GraphLinks(transport, defaults)
        self.contradictions = GraphContradictions(transport, defaults)
        self.reviews = GraphReviews(transport, defaults)
        self.decisions = GraphDecisions(transport, defaults)

    def explore(
        self,
        entity_id: str,
        *,
        memory_id: str | NotGiven = NOT_GIVEN,
        max_hops: int | NotGiven = NOT_GIVEN,
        relationship_types: List[str] | str | NotGiven = NOT_GIVEN,
        limit: int | NotGiven = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> ExploreGraphResponse:
        """Walk the knowledge graph from an entity, up to six hops. Returns the entities within `max_hops` links of an entity, in both directions, ordered by distance and centrality, with the links among them. `truncated` says whether `limit` cut off the end of that order. Scope: `graph:read`."""
        call = Call("GET", "/api/v1/memory/graph/explore/{entity_id}", {"entity_id": entity_id}, frozenset({"memory"}), frozenset({"memory_id", "max_hops", "relationship_types", "limit"}))
        given = arguments({"memory_id": memory_id, "max_hops": max_hops, "relationship_types": relationship_types, "limit": limit}, self._defaults)
        return cast("ExploreGraphResponse", self._transport.json(call, given, options))

    def path(
        self,
        source: str,
        target: str,
        *,
        memory_id: str | NotGiven = NOT_GIVEN,
        max_hops: int | NotGiven = NOT_GIVEN,
        relationship_types: List[str] | str | NotGiven = NOT_GIVEN,
        passages: int | NotGiven = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> EntityPath:
        """Find how two entities are connected, step by step. Returns a shortest path of links between two entities, followed in both directions, and for each step the links and the sentences that state them. Of several shortest paths it is one whose weakest step has the most weight. No path within `max_hops`, 6 unless it says less, is an empty answer. At most 10000 entities are looked at; `truncated` says that there were more, so that a path, or a shorter one, may have been missed. Scope: `graph:read`."""
        call = Call("GET", "/api/v1/memory/graph/paths/{source}/{target}", {"source": source, "target": target}, frozenset({"memory"}), frozenset({"memory_id", "max_hops", "relationship_types", "passages"}))
        given = arguments({"memory_id": memory_id, "max_hops": max_hops, "relationship_types": relationship_types, "passages": passages}, self._defaults)
        return cast("EntityPath", self._transport.json(call, given, options))

    def overview(
        self,
        *,
        memory_id: str | NotGiven = NOT_GIVEN,
        limit: int | NotGiven = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> GraphOverview:
        """Read a picture of the whole knowledge graph. Returns the most central entities with their places in a picture, the weightiest links among them, the communities that they belong to, and how many entities and communities there are in all. A key of one space gets the entities that its documents mention most, without places. Scope: `graph:read`."""
        call = Call("GET", "/api/v1/memory/graph/overview", {}, frozenset({"memory"}), frozenset({"memory_id", "limit"}))
        given = arguments({"memory_id": memory_id, "limit": limit}, self._defaults)
        return cast("GraphOverview", self._transport.json(call, given, options))

    def export(
        self,
        *,
        memory_id: str | NotGiven = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> httpx.Response:
        """Download all entities and facts of a memory. Streams every entity with its aliases, then every fact with its quote and document. One JSON object a line, each with its `type`; the last line is `{"type":"end"}` with the number of lines before it, and without it the answer was cut off. What changes while it is written may be in it as it was or as it is. Scope: `graph:read`."""
        call = Call("GET", "/api/v1/memory/graph/export", {}, frozenset({"memory", "file"}), frozenset({"memory_id"}))
        given = arguments({"memory_id": memory_id}, self._defaults)
        return self._transport.response(call, given, options)

    def merge(
        self,
        *,
        entity_ids: List[str],
        memory_id: str | NotGiven = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> MergeEntitiesResponse:
        """Merge entities. Makes several entities one, with all their names, links and facts. The merge is a decision that outlives new versions of documents and can be undone. Scope: `graph:write`."""
        call = Call("POST", "/api/v1/memory/graph/merges", {}, frozenset({"repeat", "memory", "query"}), frozenset({"memory_id"}))
        given = arguments({"entity_ids": entity_ids, "memory_id": memory_id}, self._defaults)
        return cast("MergeEntitiesResponse", self._transport.json(call, given, options))

    def split(
        self,
        *,
        entity_id: str,
        memory_id: str | NotGiven = NOT_GIVEN,
        names: List[str] | NotGiven = NOT_GIVEN,
        doc_ids: List[str] | NotGiven = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> SplitEntityResponse:
        """Split an entity. Separates some names of an entity, or what some documents mean by it, into an entity of its own. The split is a decision that can be undone. Scope: `graph:write`."""
        call = Call("POST", "/api/v1/memory/graph/splits", {}, frozenset({"repeat", "memory", "query"}), frozenset({"memory_id"}))
        given = arguments({"entity_id": entity_id, "memory_id": memory_id, "names": names, "doc_ids": doc_ids}, self._defaults)
        return cast("SplitEntityResponse", self._transport.json(call, given, options))


class Search:
    def __init__(self, transport: Transport, defaults: Dict[str, Any]) -> None:
        self._transport = transport
        self._defaults = defaults

    def query(
        self,
        *,
        query: str,
        memory_id: str | NotGiven = NOT_GIVEN,
        space_id: str | NotGiven = NOT_GIVEN,
        top_k: int | NotGiven = NOT_GIVEN,
        filters: SearchFilter | NotGiven = NOT_GIVEN,
        thread_id: str | NotGiven = NOT_GIVEN,
        user: str | NotGiven = NOT_GIVEN,
        llm_model: str | NotGiven = NOT_GIVEN,
        as_of: str | NotGiven = NOT_GIVEN,
        explain: bool | NotGiven = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> SearchAnswer:
        """Search a memory and get a cited answer. Returns the best passages and an answer in which every sentence cites its source. Without a model the answer consists of verbatim sentences; with one it is written from the passages and checked against them. Open contradictions among the sources are returned with it. With `thread_id` the question and the answer are added as turns. Scope: `memory:search`."""
        call = Call("POST", "/api/v1/memory/search", {}, frozenset({"read", "memory"}), frozenset({}))
        given = arguments({"query": query, "memory_id": memory_id, "space_id": space_id, "top_k": top_k, "filters": filters, "thread_id": thread_id, "user": user, "llm_model": llm_model, "as_of": as_of, "explain": explain}, self._defaults)
        return cast("SearchAnswer", self._transport.json(call, given, options))

    def stream(
        self,
        *,
        query: str,
        memory_id: str | NotGiven = NOT_GIVEN,
        space_id: str | NotGiven = NOT_GIVEN,
        top_k: int | NotGiven = NOT_GIVEN,
        filters: SearchFilter | NotGiven = NOT_GIVEN,
        thread_id: str | NotGiven = NOT_GIVEN,
        user: str | NotGiven = NOT_GIVEN,
        llm_model: str | NotGiven = NOT_GIVEN,
        as_of: str | NotGiven = NOT_GIVEN,
        explain: bool | NotGiven = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> EventStream:
        """Search a memory and stream the cited answer. Answers like `searchMemory`, as server-sent events: `sources`, then `token` several times, then `done`. The concatenated tokens are the answer; `done` has all that `searchMemory` returns, with results, entities and the places of what is cited. Closing the connection cancels the work, including the model call. Scope: `memory:search`."""
        call = Call("POST", "/api/v1/memory/search/stream", {}, frozenset({"read", "memory", "stream"}), frozenset({}))
        given = arguments({"query": query, "memory_id": memory_id, "space_id": space_id, "top_k": top_k, "filters": filters, "thread_id": thread_id, "user": user, "llm_model": llm_model, "as_of": as_of, "explain": explain}, self._defaults)
        return EventStream(self._transport, call, given, options)


class Searches:
    def __init__(self, transport: Transport, defaults: Dict[str, Any]) -> None:
        self._transport = transport
        self._defaults = defaults

    def list(
        self,
        *,
        memory_id: str | NotGiven = NOT_GIVEN,
        space_id: str | NotGiven = NOT_GIVEN,
        unanswered: bool | NotGiven = NOT_GIVEN,
        thumbs: Literal["up", "down", "none"] | NotGiven = NOT_GIVEN,
        since: str | NotGiven = NOT_GIVEN,
        until: str | NotGiven = NOT_GIVEN,
        limit: int | NotGiven = NOT_GIVEN,
        cursor: str | NotGiven = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> Pages[LoggedSearch, LoggedSearches]:
        """List what was asked of a memory. Lists the searches of a memory that were kept, newest first. Nothing is kept unless `updateSearchLog` has turned it on. A key of one space sees the searches of that space only. Scope: `threads:read`."""
        call = Call("GET", "/api/v1/memory/searches", {}, frozenset({"memory"}), frozenset({"memory_id", "space_id", "unanswered", "thumbs", "since", "until", "limit", "cursor"}))
        given = arguments({"memory_id": memory_id, "space_id": space_id, "unanswered": unanswered, "thumbs": thumbs, "since": since, "until": until, "limit": limit, "cursor": cursor}, self._defaults)
        return Pages(self._transport, call, given, options, "searches", False)

    def get(
        self,
        search_id: str,
        *,
        memory_id: str | NotGiven = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> LoggedSearch:
        """Read a search that was kept. Returns a kept search by the `search_id` of its answer. A search is kept just after its answer was made, and one whose process dies at that moment may be missing. Scope: `threads:read`."""
        call = Call("GET", "/api/v1/memory/searches/{search_id}", {"search_id": search_id}, frozenset({"memory"}), frozenset({"memory_id"}))
        given = arguments({"memory_id": memory_id}, self._defaults)
        return cast("LoggedSearch", self._transport.json(call, given, options))

    def rate(
        self,
        search_id: str,
        *,
        helpful: bool,
        comment: str | NotGiven = NOT_GIVEN,
        memory_id: str | NotGiven = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> LoggedSearch:
        """Say whether the answer of a search helped. Keeps whether the answer helped, with a comment if there is one, masked like the question. A repeat replaces what was said before; without `comment` the search has none afterwards. 404 for a search that was not kept. Scope: `memory:search`."""
        call = Call("POST", "/api/v1/memory/searches/{search_id}/feedback", {"search_id": search_id}, frozenset({"memory"}), frozenset({}))
        given = arguments({"helpful": helpful, "comment": comment, "memory_id": memory_id}, self._defaults)
        return cast("LoggedSearch", self._transport.json(call, given, options))


class Runs:
    def __init__(self, transport: Transport, defaults: Dict[str, Any]) -> None:
        self._transport = transport
        self._defaults = defaults

    def start_web(
        self,
        *,
        prompt: str,
        llm_model: str | NotGiven = NOT_GIVEN,
        live_url: bool | NotGiven = NOT_GIVEN,
        proxy: bool | NotGiven = NOT_GIVEN,
        start: Literal["on_connect", "now"] | NotGiven = NOT_GIVEN,
        memory_id: str | NotGiven = NOT_GIVEN,
        config: StartWebResearchConfig | NotGiven = NOT_GIVEN,
        user: str | NotGiven = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> WebSession:
        """Prepare a web and research run. Prepares a run that answers from the web and the tenant's memory, and collects what it finds in a list. It starts when a WebSocket connects to `websocket_url`, and expires after an hour if none does; with `now` as `start` it starts with this call. Scope: `search:run`."""
        call = Call("POST", "/api/v1/search/agent/web-and-research", {}, frozenset({"repeat", "run", "memory"}), frozenset({}))
        given = arguments({"prompt": prompt, "llm_model": llm_model, "live_url": live_url, "proxy": proxy, "start": start, "memory_id": memory_id, "config": config, "user": user}, self._defaults)
        return cast("WebSession", self._transport.json(call, given, options))

    def start_crawl(
        self,
        *,
        prompt: str,
        llm_model: str | NotGiven = NOT_GIVEN,
        proxy: bool | NotGiven = NOT_GIVEN,
        start: Literal["on_connect", "now"] | NotGiven = NOT_GIVEN,
        memory_id: str | NotGiven = NOT_GIVEN,
        config: StartCrawlerConfig | NotGiven = NOT_GIVEN,
        user: str | NotGiven = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> WebSession:
        """Prepare a crawl of the sites named in the prompt. Prepares a run that reads the sites named in the prompt and collects the entities asked for into a list, each cell with its quote. It starts when a WebSocket connects to `websocket_url`, and expires after an hour if none does; with `now` as `start` it starts with this call. Scope: `search:run`."""
        call = Call("POST", "/api/v1/search/agent/agentic-crawler", {}, frozenset({"repeat", "run", "memory"}), frozenset({}))
        given = arguments({"prompt": prompt, "llm_model": llm_model, "proxy": proxy, "start": start, "memory_id": memory_id, "config": config, "user": user}, self._defaults)
        return cast("WebSession", self._transport.json(call, given, options))

    def start_people(
        self,
        *,
        prompt: str,
        list_name: str | NotGiven = NOT_GIVEN,
        list_description: str | NotGiven = NOT_GIVEN,
        search_mode: Literal["fast", "standard", "deep"] | NotGiven = NOT_GIVEN,
        total_target: int | NotGiven = NOT_GIVEN,
        llm_model: str | NotGiven = NOT_GIVEN,
        memory_id: str | NotGiven = NOT_GIVEN,
        config: StartPeopleSearchConfig | NotGiven = NOT_GIVEN,
        user: str | NotGiven = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> StartPeopleSearchResponse:
        """Build a list of people who meet the criteria in the prompt. Starts at once to build a list of people who meet the criteria in the prompt, each criterion with its evidence. The price is reserved when the run starts and charged once when it ends. Scope: `search:run`."""
        call = Call("POST", "/api/v1/search/workflow/people/start", {}, frozenset({"repeat", "run", "memory"}), frozenset({}))
        given = arguments({"prompt": prompt, "list_name": list_name, "list_description": list_description, "search_mode": search_mode, "total_target": total_target, "llm_model": llm_model, "memory_id": memory_id, "config": config, "user": user}, self._defaults)
        return cast("StartPeopleSearchResponse", self._transport.json(call, given, options))

    def start_companies(
        self,
        *,
        prompt: str,
        list_name: str | NotGiven = NOT_GIVEN,
        list_description: str | NotGiven = NOT_GIVEN,
        search_mode: Literal["fast", "standard", "deep"] | NotGiven = NOT_GIVEN,
        total_target: int | NotGiven = NOT_GIVEN,
        llm_model: str | NotGiven = NOT_GIVEN,
        memory_id: str | NotGiven = NOT_GIVEN,
        config: StartCompanySearchConfig | NotGiven = NOT_GIVEN,
        user: str | NotGiven = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> StartCompanySearchResponse:
        """Build a list of companies that meet the criteria in the prompt. Starts at once to build a list of companies that meet the criteria in the prompt, each criterion with its evidence. The price is reserved when the run starts and charged once when it ends. Scope: `search:run`."""
        call = Call("POST", "/api/v1/search/workflow/company/start", {}, frozenset({"repeat", "run", "memory"}), frozenset({}))
        given = arguments({"prompt": prompt, "list_name": list_name, "list_description": list_description, "search_mode": search_mode, "total_target": total_target, "llm_model": llm_model, "memory_id": memory_id, "config": config, "user": user}, self._defaults)
        return cast("StartCompanySearchResponse", self._transport.json(call, given, options))

    def continue_(
        self,
        *,
        thread_id: str,
        total_target: int,
        options: Optional[RequestOptions] = None,
    ) -> ContinueListSearchResponse:
        """Continue a people or company search with a higher target. Raises the target of a list search and continues it: rows that it has stay, and nobody is listed twice. The target must be higher than the number of rows. Scope: `search:run`."""
        call = Call("POST", "/api/v1/search/workflow/continue", {}, frozenset({"repeat"}), frozenset({}))
        given = arguments({"thread_id": thread_id, "total_target": total_target})
        return cast("ContinueListSearchResponse", self._transport.json(call, given, options))

    def stop(
        self,
        thread_id: str,
        *,
        options: Optional[RequestOptions] = None,
    ) -> StopRunResponse:
        """Stop a run. Ends a run immediately and keeps what it found. Stopping a run that has ended returns the same answer. Scope: `search:run`."""
        call = Call("POST", "/api/v1/search/workflow/stop/{thread_id}", {"thread_id": thread_id}, frozenset({"repeat", "empty", "bare"}), frozenset({}))
        given = arguments({})
        return cast("StopRunResponse", self._transport.json(call, given, options))

    def list(
        self,
        *,
        kind: Literal["web", "crawler", "people", "company", "research", "deep_search"] | NotGiven = NOT_GIVEN,
        status: List[Literal["awaiting_connection", "queued", "running", "awaiting_clarification", "completed", "failed", "cancelled", "expired"]] | Literal["awaiting_connection", "queued", "running", "awaiting_clarification", "completed", "failed", "cancelled", "expired"] | NotGiven = NOT_GIVEN,
        query: str | NotGiven = NOT_GIVEN,
        limit: int | NotGiven = NOT_GIVEN,
        cursor: str | NotGiven = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> Pages[RunSummary, ListRunsResponse]:
        """List the runs of the tenant. Lists runs of every kind, newest first, 50 to a page unless `limit` says otherwise. Filters select by kind, status and words of the prompt; runs that wait for an answer have the status `awaiting_clarification`. Scope: `search:run`."""
        call = Call("GET", "/api/v1/search/runs", {}, frozenset({}), frozenset({"kind", "status", "query", "limit", "cursor"}))
        given = arguments({"kind": kind, "status": status, "query": query, "limit": limit, "cursor": cursor})
        return Pages(self._transport, call, given, options, "runs", False)

    def log(
        self,
        thread_id: str,
        *,
        limit: int | NotGiven = NOT_GIVEN,
        cursor: str | NotGiven = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> Pages[RunEvent, ListRunEventsResponse]:
        """List the events of a run. Returns the log of a run in order, the same events that its stream sends, 50 to a page unless `limit` says otherwise. The number of the last event that you have is the cursor of what follows it. Scope: `search:run`."""
        call = Call("GET", "/api/v1/search/runs/{thread_id}/events", {"thread_id": thread_id}, frozenset({}), frozenset({"limit", "cursor"}))
        given = arguments({"limit": limit, "cursor": cursor})
        return Pages(self._transport, call, given, options, "events", False)

    def sources(
        self,
        thread_id: str,
        *,
        limit: int | NotGiven = NOT_GIVEN,
        cursor: str | NotGiven = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> Pages[RunSource, ListRunSourcesResponse]:
        """List what a run has read. Lists the documents, pages and files that a run has read, in the order in which it read them, without their texts; 50 to a page by default. Scope: `search:run`."""
        call = Call("GET", "/api/v1/search/runs/{thread_id}/sources", {"thread_id": thread_id}, frozenset({}), frozenset({"limit", "cursor"}))
        given = arguments({"limit": limit, "cursor": cursor})
        return Pages(self._transport, call, given, options, "sources", False)

    def status(
        self,
        thread_id: str,
        *,
        options: Optional[RequestOptions] = None,
    ) -> RunStatus:
        """Read the status of a run. Returns stage, progress, results so far, the open question, if any, and a fresh ticket for the WebSocket. Scope: `search:run`."""
        call = Call("GET", "/api/v1/search/workflow/status/{thread_id}", {"thread_id": thread_id}, frozenset({"bare"}), frozenset({}))
        given = arguments({})
        return cast("RunStatus", self._transport.json(call, given, options))

    def report(
        self,
        thread_id: str,
        *,
        format: Literal["markdown", "html", "pdf", "json"] | NotGiven = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> httpx.Response:
        """Download the report of a run. Returns the report as Markdown, HTML, PDF or JSON. A run that has none yet is refused. Scope: `search:run`."""
        call = Call("GET", "/api/v1/search/workflow/report/{thread_id}", {"thread_id": thread_id}, frozenset({"file"}), frozenset({"format"}))
        given = arguments({"format": format})
        return self._transport.response(call, given, options)

    def start_research(
        self,
        *,
        query: str,
        allow_clarification: bool | NotGiven = NOT_GIVEN,
        service_id: str | NotGiven = NOT_GIVEN,
        llm_model: str | NotGiven = NOT_GIVEN,
        memory_id: str | NotGiven = NOT_GIVEN,
        config: StartResearchConfig | NotGiven = NOT_GIVEN,
        user: str | NotGiven = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> StartResearchResponse:
        """Start deep research. Starts deep research at once: questions, reading, gaps, and a report whose statements cite their quotes. The price is reserved now and charged once at the end. Follow it by its event stream. Scope: `search:run`."""
        call = Call("POST", "/api/v1/search/research/start", {}, frozenset({"repeat", "run", "memory"}), frozenset({}))
        given = arguments({"query": query, "allow_clarification": allow_clarification, "serviceId": service_id, "llm_model": llm_model, "memory_id": memory_id, "config": config, "user": user}, self._defaults)
        return cast("StartResearchResponse", self._transport.json(call, given, options))

    def answer(
        self,
        thread_id: str,
        *,
        response: str,
        options: Optional[RequestOptions] = None,
    ) -> RespondToResearchResponse:
        """Answer the question of a research run. Answers the question that the run asked and lets it go on. A run that has no open question refuses it. Scope: `search:run`."""
        call = Call("POST", "/api/v1/search/research/respond/{thread_id}", {"thread_id": thread_id}, frozenset({"repeat", "query", "empty"}), frozenset({"response"}))
        given = arguments({"response": response})
        return cast("RespondToResearchResponse", self._transport.json(call, given, options))

    def start_deep_search(
        self,
        *,
        prompt: str,
        llm_model: str | NotGiven = NOT_GIVEN,
        live_url: bool | NotGiven = NOT_GIVEN,
        proxy: bool | NotGiven = NOT_GIVEN,
        start: Literal["on_connect", "now"] | NotGiven = NOT_GIVEN,
        thread_id: str | NotGiven = NOT_GIVEN,
        list_id: str | NotGiven = NOT_GIVEN,
        memory_id: str | NotGiven = NOT_GIVEN,
        config: StartDeepSearchConfig | NotGiven = NOT_GIVEN,
        user: str | NotGiven = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> StartDeepSearchResponse:
        """Prepare a deep search or answer its question. Prepares a run that reads reference files, the memory and the web. It starts when a WebSocket connects to `websocket_url`, or with this call when `start` is `now`. With `thread_id` and `list_id` the prompt answers the question that the run has asked. Scope: `search:run`."""
        call = Call("POST", "/api/v1/search/service-deep-search/start", {}, frozenset({"repeat", "run", "memory"}), frozenset({}))
        given = arguments({"prompt": prompt, "llm_model": llm_model, "live_url": live_url, "proxy": proxy, "start": start, "thread_id": thread_id, "list_id": list_id, "memory_id": memory_id, "config": config, "user": user}, self._defaults)
        return cast("StartDeepSearchResponse", self._transport.json(call, given, options))

    def upload_reference(
        self,
        file: FileInput,
        *,
        thread_id: str,
        options: Optional[RequestOptions] = None,
    ) -> UploadReferenceResponse:
        """Upload a reference file for a deep search. Gives an active deep search one file that only this run reads. Its format is detected from its content. At most 20 files for each run. Scope: `search:run`."""
        call = Call("POST", "/api/v1/search/service-deep-search/upload", {}, frozenset({"repeat"}), frozenset({}))
        given = arguments({"thread_id": thread_id})
        return cast("UploadReferenceResponse", self._transport.json(call, given, options, file))

    def stream_research(
        self,
        thread_id: str,
        *,
        last_event_id: int | NotGiven = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> EventStream:
        """Follow a run as server-sent events. Sends the events of a run, numbered from 1 without gaps, from the first or after `Last-Event-ID`. The last one is `run.completed`, `run.failed`, `run.cancelled` or `run.expired`. A stream ends after ten minutes; reconnect with the last id. Scope: `search:run`."""
        call = Call("GET", "/research/stream/{thread_id}", {"thread_id": thread_id}, frozenset({"stream"}), frozenset({"last_event_id"}))
        given = arguments({"last_event_id": last_event_id})
        return EventStream(self._transport, call, given, options)

    def stream_research_versioned(
        self,
        thread_id: str,
        *,
        last_event_id: int | NotGiven = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> EventStream:
        """Follow a run as server-sent events, below /api/v1. The same stream as `/research/stream/{thread_id}`, below `/api/v1`. Sends the events of a run, numbered from 1 without gaps, from the first or after `Last-Event-ID`. The last one is `run.completed`, `run.failed`, `run.cancelled` or `run.expired`. A stream ends after ten minutes; reconnect with the last id. Scope: `search:run`."""
        call = Call("GET", "/api/v1/research/stream/{thread_id}", {"thread_id": thread_id}, frozenset({"stream"}), frozenset({"last_event_id"}))
        given = arguments({"last_event_id": last_event_id})
        return EventStream(self._transport, call, given, options)

    def stream(
        self,
        thread_id: str,
        *,
        last_event_id: int | NotGiven = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> EventStream:
        """Follow a run as server-sent events, below /api/v1/search. The same stream as `/research/stream/{thread_id}`, beside the other operations of runs. Sends the events of a run, numbered from 1 without gaps, from the first or after `Last-Event-ID`. The last one is `run.completed`, `run.failed`, `run.cancelled` or `run.expired`. A stream ends after ten minutes; reconnect with the last id. Scope: `search:run`."""
        call = Call("GET", "/api/v1/search/research/stream/{thread_id}", {"thread_id": thread_id}, frozenset({"stream"}), frozenset({"last_event_id"}))
        given = arguments({"last_event_id": last_event_id})
        return EventStream(self._transport, call, given, options)

    def connect(
        self,
        thread_id: str,
        *,
        ticket: str | NotGiven = NOT_GIVEN,
        last_seq: int | NotGiven = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> str:
        """Connect to a run by WebSocket. Opens a WebSocket to a run; for runs that were only prepared, the first connection starts them. It sends the events of the run and accepts `clarification.answer`, `cancel` and `ping`. Losing the connection does not affect the run. Scope: `search:run`."""
        call = Call("GET", "/api/v1/search/socket/{thread_id}", {"thread_id": thread_id}, frozenset({"socket"}), frozenset({"ticket", "last_seq"}))
        given = arguments({"ticket": ticket, "last_seq": last_seq})
        return self._transport.socket_url(call, given)

    def live_page(
        self,
        thread_id: str,
        *,
        ticket: str | NotGiven = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> httpx.Response:
        """Show the live page of a run. Returns a page that shows the run while it works. `live_url` contains a ticket for it, valid for a day, that opens this run only. Scope: `search:run`."""
        call = Call("GET", "/research/live/{thread_id}", {"thread_id": thread_id}, frozenset({"file"}), frozenset({"ticket"}))
        given = arguments({"ticket": ticket})
        return self._transport.response(call, given, options)

    def stream_live_page(
        self,
        thread_id: str,
        *,
        ticket: str | NotGiven = NOT_GIVEN,
        last_event_id: int | NotGiven = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> EventStream:
        """Stream the events of the live page. Sends the events that the live page shows, under the page's own ticket. Scope: `search:run`."""
        call = Call("GET", "/research/live/{thread_id}/events", {"thread_id": thread_id}, frozenset({"stream"}), frozenset({"ticket", "last_event_id"}))
        given = arguments({"ticket": ticket, "last_event_id": last_event_id})
        return EventStream(self._transport, call, given, options)


class Sources:
    def __init__(self, transport: Transport, defaults: Dict[str, Any]) -> None:
        self._transport = transport
        self._defaults = defaults

    def get(
        self,
        source_id: str,
        *,
        start: int | NotGiven = NOT_GIVEN,
        length: int | NotGiven = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> SourceText:
        """Read the text that a quote is from. Returns one source of a run with a part of its text, as the run read it: `start` and `quote` of evidence are places in it. Texts are kept for a while after the run's end; `text` is null when it is over. Scope: `search:run`."""
        call = Call("GET", "/api/v1/search/sources/{source_id}", {"source_id": source_id}, frozenset({}), frozenset({"start", "length"}))
        given = arguments({"start": start, "length": length})
        return cast("SourceText", self._transport.json(call, given, options))


class Lists:
    def __init__(self, transport: Transport, defaults: Dict[str, Any]) -> None:
        self._transport = transport
        self._defaults = defaults

    def list(
        self,
        *,
        page: int | NotGiven = NOT_GIVEN,
        limit: int | NotGiven = NOT_GIVEN,
        search_term: str | NotGiven = NOT_GIVEN,
        list_type: Literal["company", "people", "web"] | NotGiven = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> Pages[SavedList, ListSavedListsResponse]:
        """List the saved lists. Lists the saved lists of people and company searches, newest first; those of the web are included on request. Scope: `lists:read`."""
        call = Call("GET", "/api/v1/search/lists", {}, frozenset({}), frozenset({"page", "limit", "searchTerm", "listType"}))
        given = arguments({"page": page, "limit": limit, "searchTerm": search_term, "listType": list_type})
        return Pages(self._transport, call, given, options, "data", True)

    def get(
        self,
        list_id: str,
        *,
        options: Optional[RequestOptions] = None,
    ) -> SavedList:
        """Read one saved list. Returns one saved list with its criteria and columns. Scope: `lists:read`."""
        call = Call("GET", "/api/v1/search/lists/{list_id}", {"list_id": list_id}, frozenset({"bare"}), frozenset({}))
        given = arguments({})
        return cast("SavedList", self._transport.json(call, given, options))

    def rows(
        self,
        list_id: str,
        *,
        page: int | NotGiven = NOT_GIVEN,
        limit: int | NotGiven = NOT_GIVEN,
        search_term: str | NotGiven = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> Pages[ListRow, ListRowsResponse]:
        """Read the rows of a list with the evidence of every cell. Returns the rows of a list, each cell with its quote, source and confidence. Scope: `lists:read`."""
        call = Call("GET", "/api/v1/search/lists/{list_id}/rows", {"list_id": list_id}, frozenset({}), frozenset({"page", "limit", "searchTerm"}))
        given = arguments({"page": page, "limit": limit, "searchTerm": search_term})
        return Pages(self._transport, call, given, options, "data", True)

    def export(
        self,
        list_id: str,
        *,
        format: Literal["csv", "json"] | NotGiven = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> httpx.Response:
        """Download a list with all its rows. Returns all rows as CSV or JSON. Values that a spreadsheet would take for a formula are escaped in CSV. Scope: `lists:read`."""
        call = Call("GET", "/api/v1/search/lists/{list_id}/export", {"list_id": list_id}, frozenset({"file"}), frozenset({"format"}))
        given = arguments({"format": format})
        return self._transport.response(call, given, options)


class Events:
    def __init__(self, transport: Transport, defaults: Dict[str, Any]) -> None:
        self._transport = transport
        self._defaults = defaults

    def stream(
        self,
        *,
        types: str | NotGiven = NOT_GIVEN,
        memory_id: str | NotGiven = NOT_GIVEN,
        last_event_id: int | NotGiven = NOT_GIVEN,
        follow: bool | NotGiven = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> EventStream:
        """Follow what happens as server-sent events. Sends what happens, each event once and in order: from now on, or after `Last-Event-ID`. The events that webhooks receive come with the same bodies; besides, it tells of documents that were queued, failed or deleted, of the status of runs, and of credentials. An event needs the scope of the operations that show the same: `documents:read` for documents, `graph:read` for entities, contradictions and health, `search:run` for runs, `keys:read` for credentials; a credential of one memory sees that memory, one of one space is refused. Events are kept for three days, and 409 says that some after the given one may be gone. A stream ends after ten minutes; reconnect with the last id, which `stream.position` renews while nothing else happens."""
        call = Call("GET", "/api/v1/events/stream", {}, frozenset({"memory", "stream"}), frozenset({"types", "memory_id", "last_event_id", "follow"}))
        given = arguments({"types": types, "memory_id": memory_id, "last_event_id": last_event_id, "follow": follow}, self._defaults)
        return EventStream(self._transport, call, given, options)


class WebhooksDeliveries:
    def __init__(self, transport: Transport, defaults: Dict[str, Any]) -> None:
        self._transport = transport
        self._defaults = defaults

    def list(
        self,
        webhook_id: str,
        *,
        limit: int | NotGiven = NOT_GIVEN,
        cursor: str | NotGiven = NOT_GIVEN,
        state: Literal["pending", "delivering", "delivered", "dead_lettered", "test_failed"] | NotGiven = NOT_GIVEN,
        event: Literal["memory.ingest.completed", "memory.ingest.dlp_flagged", "memory.ingest.auto_routed", "memory.entity.created", "memory.entity.contradiction_detected", "memory.entity.contradiction_resolved", "memory.health.assessed", "webhook.test"] | NotGiven = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> Pages[Delivery, ListDeliveriesResponse]:
        """List the deliveries of a webhook. Lists deliveries with their attempts, newest first, 50 to a page unless `limit` says otherwise. Scope: `webhooks:read`."""
        call = Call("GET", "/api/v1/webhooks/{webhook_id}/deliveries", {"webhook_id": webhook_id}, frozenset({}), frozenset({"limit", "cursor", "state", "event"}))
        given = arguments({"limit": limit, "cursor": cursor, "state": state, "event": event})
        return Pages(self._transport, call, given, options, "deliveries", False)

    def get(
        self,
        webhook_id: str,
        delivery_id: str,
        *,
        options: Optional[RequestOptions] = None,
    ) -> DeliveryWithRequest:
        """Read one delivery with its attempts. Returns one delivery with what is sent and every attempt: time, status, latency and the beginning of the response. Scope: `webhooks:read`."""
        call = Call("GET", "/api/v1/webhooks/{webhook_id}/deliveries/{delivery_id}", {"webhook_id": webhook_id, "delivery_id": delivery_id}, frozenset({"bare"}), frozenset({}))
        given = arguments({})
        return cast("DeliveryWithRequest", self._transport.json(call, given, options))

    def replay(
        self,
        webhook_id: str,
        delivery_id: str,
        *,
        options: Optional[RequestOptions] = None,
    ) -> Delivery:
        """Redeliver one event. Delivers again at once: a delivery that was given up, one that succeeded, or one that waits for its next attempt. Scope: `webhooks:write`."""
        call = Call("POST", "/api/v1/webhooks/{webhook_id}/deliveries/{delivery_id}/replay", {"webhook_id": webhook_id, "delivery_id": delivery_id}, frozenset({"repeat"}), frozenset({}))
        given = arguments({})
        return cast("Delivery", self._transport.json(call, given, options))


class Webhooks:
    def __init__(self, transport: Transport, defaults: Dict[str, Any]) -> None:
        self._transport = transport
        self._defaults = defaults
        self.deliveries = WebhooksDeliveries(transport, defaults)

    def create(
        self,
        *,
        url: str,
        events: List[Literal["memory.ingest.completed", "memory.ingest.dlp_flagged", "memory.ingest.auto_routed", "memory.entity.created", "memory.entity.contradiction_detected", "memory.entity.contradiction_resolved", "memory.health.assessed"]],
        description: str | NotGiven = NOT_GIVEN,
        active: bool | NotGiven = NOT_GIVEN,
        auto_replay: bool | NotGiven = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> WebhookWithSecret:
        """Create a webhook. Registers an HTTPS endpoint for event types. The signing secret is returned once. A tenant has at most 100 webhooks. Scope: `webhooks:write`."""
        call = Call("POST", "/api/v1/webhooks", {}, frozenset({"repeat"}), frozenset({}))
        given = arguments({"url": url, "events": events, "description": description, "active": active, "auto_replay": auto_replay})
        return cast("WebhookWithSecret", self._transport.json(call, given, options))

    def list(
        self,
        *,
        limit: int | NotGiven = NOT_GIVEN,
        cursor: str | NotGiven = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> Pages[Webhook, ListWebhooksResponse]:
        """List the webhooks of the tenant. Lists the webhooks with the health of their endpoints, without their secrets. Scope: `webhooks:read`."""
        call = Call("GET", "/api/v1/webhooks", {}, frozenset({}), frozenset({"limit", "cursor"}))
        given = arguments({"limit": limit, "cursor": cursor})
        return Pages(self._transport, call, given, options, "webhooks", False)

    def get(
        self,
        webhook_id: str,
        *,
        options: Optional[RequestOptions] = None,
    ) -> Webhook:
        """Read one webhook. Returns one webhook with the health of its endpoint. Scope: `webhooks:read`."""
        call = Call("GET", "/api/v1/webhooks/{webhook_id}", {"webhook_id": webhook_id}, frozenset({"bare"}), frozenset({}))
        given = arguments({})
        return cast("Webhook", self._transport.json(call, given, options))

    def update(
        self,
        webhook_id: str,
        *,
        url: str | NotGiven = NOT_GIVEN,
        events: List[Literal["memory.ingest.completed", "memory.ingest.dlp_flagged", "memory.ingest.auto_routed", "memory.entity.created", "memory.entity.contradiction_detected", "memory.entity.contradiction_resolved", "memory.health.assessed"]] | NotGiven = NOT_GIVEN,
        description: str | NotGiven = NOT_GIVEN,
        active: bool | NotGiven = NOT_GIVEN,
        auto_replay: bool | NotGiven = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> Webhook:
        """Change, pause or resume a webhook. Changes only the fields that are given. While a webhook is not active no event is recorded for it, and deliveries that wait go on waiting. Scope: `webhooks:write`."""
        call = Call("PATCH", "/api/v1/webhooks/{webhook_id}", {"webhook_id": webhook_id}, frozenset({}), frozenset({}))
        given = arguments({"url": url, "events": events, "description": description, "active": active, "auto_replay": auto_replay})
        return cast("Webhook", self._transport.json(call, given, options))

    def delete(
        self,
        webhook_id: str,
        *,
        options: Optional[RequestOptions] = None,
    ) -> DeleteWebhookResponse:
        """Delete a webhook with its deliveries. Deletes a webhook; a request that is under way may still arrive, and none after it. Its deliveries are erased in the background. Scope: `webhooks:write`."""
        call = Call("DELETE", "/api/v1/webhooks/{webhook_id}", {"webhook_id": webhook_id}, frozenset({"bare"}), frozenset({}))
        given = arguments({})
        return cast("DeleteWebhookResponse", self._transport.json(call, given, options))

    def rotate_secret(
        self,
        webhook_id: str,
        *,
        overlap_seconds: int | NotGiven = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> WebhookWithSecret:
        """Rotate the signing secret of a webhook. Creates a new signing secret and returns it once. Until the overlap ends every request carries both signatures, so that receivers can change over. Scope: `webhooks:write`."""
        call = Call("POST", "/api/v1/webhooks/{webhook_id}/rotate-secret", {"webhook_id": webhook_id}, frozenset({"repeat"}), frozenset({}))
        given = arguments({"overlap_seconds": overlap_seconds})
        return cast("WebhookWithSecret", self._transport.json(call, given, options))

    def test(
        self,
        webhook_id: str,
        *,
        event: Literal["memory.ingest.completed", "memory.ingest.dlp_flagged", "memory.ingest.auto_routed", "memory.entity.created", "memory.entity.contradiction_detected", "memory.entity.contradiction_resolved", "memory.health.assessed"] | NotGiven = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> Delivery:
        """Send a test event. Sends one test event at once, without retries, and returns the endpoint's response: a ping, or with `event` that type's example, whose ids exist nowhere. Scope: `webhooks:write`."""
        call = Call("POST", "/api/v1/webhooks/{webhook_id}/test", {"webhook_id": webhook_id}, frozenset({"repeat"}), frozenset({}))
        given = arguments({"event": event})
        return cast("Delivery", self._transport.json(call, given, options))

    def all_deliveries(
        self,
        *,
        limit: int | NotGiven = NOT_GIVEN,
        cursor: str | NotGiven = NOT_GIVEN,
        webhook_id: str | NotGiven = NOT_GIVEN,
        state: Literal["pending", "delivering", "delivered", "dead_lettered", "test_failed"] | NotGiven = NOT_GIVEN,
        event: Literal["memory.ingest.completed", "memory.ingest.dlp_flagged", "memory.ingest.auto_routed", "memory.entity.created", "memory.entity.contradiction_detected", "memory.entity.contradiction_resolved", "memory.health.assessed", "webhook.test"] | NotGiven = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> Pages[Delivery, ListAllDeliveriesResponse]:
        """List the deliveries of all webhooks. Lists deliveries of every webhook with their attempts, newest first, 50 to a page by default. Scope: `webhooks:read`."""
        call = Call("GET", "/api/v1/webhooks/deliveries", {}, frozenset({}), frozenset({"limit", "cursor", "webhook_id", "state", "event"}))
        given = arguments({"limit": limit, "cursor": cursor, "webhook_id": webhook_id, "state": state, "event": event})
        return Pages(self._transport, call, given, options, "deliveries", False)

    def stats(
        self,
        *,
        hours: int | NotGiven = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> GetWebhookStatsResponse:
        """Read how well the endpoints answer. Returns for each webhook what became of the deliveries of the last hours, how many attempts were accepted, and how long the endpoint took. At most the latest 10,000 deliveries of each webhook are looked at. Scope: `webhooks:read`."""
        call = Call("GET", "/api/v1/webhooks/stats", {}, frozenset({}), frozenset({"hours"}))
        given = arguments({"hours": hours})
        return cast("GetWebhookStatsResponse", self._transport.json(call, given, options))

    def event_types(
        self,
        *,
        options: Optional[RequestOptions] = None,
    ) -> ListWebhookEventTypesResponse:
        """List the events that a webhook can receive. Returns each type of event with a description, the JSON Schema of what is delivered, and an example. Scope: `webhooks:read`."""
        call = Call("GET", "/api/v1/webhooks/event-types", {}, frozenset({"bare"}), frozenset({}))
        given = arguments({})
        return cast("ListWebhookEventTypesResponse", self._transport.json(call, given, options))

    def replay(
        self,
        webhook_id: str,
        *,
        delivery_ids: List[str] | NotGiven = NOT_GIVEN,
        event: Literal["memory.ingest.completed", "memory.ingest.dlp_flagged", "memory.ingest.auto_routed", "memory.entity.created", "memory.entity.contradiction_detected", "memory.entity.contradiction_resolved", "memory.health.assessed"] | NotGiven = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> ReplayDeadLettersResponse:
        """Redeliver dead letters. Delivers again what was given up: everything of the webhook, or the deliveries that are named. Scope: `webhooks:write`."""
        call = Call("POST", "/api/v1/webhooks/{webhook_id}/replay", {"webhook_id": webhook_id}, frozenset({"repeat"}), frozenset({}))
        given = arguments({"delivery_ids": delivery_ids, "event": event})
        return cast("ReplayDeadLettersResponse", self._transport.json(call, given, options))


class Usage:
    def __init__(self, transport: Transport, defaults: Dict[str, Any]) -> None:
        self._transport = transport
        self._defaults = defaults

    def llm(
        self,
        *,
        dimension: Literal["tenant", "workspace", "memory", "space", "conversation", "user", "api_key", "model"] | NotGiven = NOT_GIVEN,
        id: str | NotGiven = NOT_GIVEN,
        from_: str | NotGiven = NOT_GIVEN,
        to: str | NotGiven = NOT_GIVEN,
        group_by: Literal["day", "model", "day_and_model"] | NotGiven = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> ReadLlmUsageResponse:
        """Read the usage of models. Returns tokens, calls, cost and credits by UTC day, by model, or by both. A call appears within seconds. `cost_usd` is null when no call of the row has a known price. Scope: `usage:read`."""
        call = Call("GET", "/api/v1/usage/llm", {}, frozenset({}), frozenset({"dimension", "id", "from", "to", "group_by"}))
        given = arguments({"dimension": dimension, "id": id, "from": from_, "to": to, "group_by": group_by})
        return cast("ReadLlmUsageResponse", self._transport.json(call, given, options))

    def requests(
        self,
        *,
        group_by: Literal["hour", "day", "operation", "key"] | NotGiven = NOT_GIVEN,
        from_: str | NotGiven = NOT_GIVEN,
        to: str | NotGiven = NOT_GIVEN,
        key_id: str | NotGiven = NOT_GIVEN,
        operation: str | NotGiven = NOT_GIVEN,
        status_class: Literal["2xx", "3xx", "4xx", "5xx"] | NotGiven = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> ReadRequestsResponse:
        """Read how many requests there were. Returns the requests that were permitted, those beyond their rate or quota included, by UTC hour or day, by operation, or by key or OAuth client, with their errors and how long they took at the gateway. A request appears within some seconds; streams are counted and not timed. Requests are kept for 90 days; what a gateway had not reported when it was killed is missing, ten seconds at most. Scope: `usage:read`."""
        call = Call("GET", "/api/v1/usage/requests", {}, frozenset({}), frozenset({"group_by", "from", "to", "key_id", "operation", "status_class"}))
        given = arguments({"group_by": group_by, "from": from_, "to": to, "key_id": key_id, "operation": operation, "status_class": status_class})
        return cast("ReadRequestsResponse", self._transport.json(call, given, options))

    def credits(
        self,
        *,
        limit: int | NotGiven = NOT_GIVEN,
        cursor: str | NotGiven = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> Pages[LedgerEntry, ReadCreditsResponse]:
        """Read the credits of the month. Returns the month's balance and the ledger that explains it, newest first. Scope: `usage:read`."""
        call = Call("GET", "/api/v1/usage/credits", {}, frozenset({}), frozenset({"limit", "cursor"}))
        given = arguments({"limit": limit, "cursor": cursor})
        return Pages(self._transport, call, given, options, "ledger", False)

    def limits(
        self,
        *,
        options: Optional[RequestOptions] = None,
    ) -> Limits:
        """Read what is used of each of the plan's limits. Each resource as the service counts it that enforces its limit: what is used, the limit, and when that starts at 0 again. `monthly_requests` includes what gateways hold in advance, some hundred requests at most for each. `rate` is what all credentials together may send; what a single one may is in `whoami`. Scope: `usage:read`."""
        call = Call("GET", "/api/v1/usage/limits", {}, frozenset({"bare"}), frozenset({}))
        given = arguments({})
        return cast("Limits", self._transport.json(call, given, options))


class Resources:
    def __init__(self, transport: Transport, defaults: Dict[str, Any]) -> None:
        self._transport = transport
        self._defaults = defaults
        self.account = Account(transport, defaults)
        self.audit = Audit(transport, defaults)
        self.keys = Keys(transport, defaults)
        self.oauth_clients = OauthClients(transport, defaults)
        self.oauth = Oauth(transport, defaults)
        self.apps = Apps(transport, defaults)
        self.sessions = Sessions(transport, defaults)
        self.members = Members(transport, defaults)
        self.invitations = Invitations(transport, defaults)
        self.workspaces = Workspaces(transport, defaults)
        self.memories = Memories(transport, defaults)
        self.spaces = Spaces(transport, defaults)
        self.provider_keys = ProviderKeys(transport, defaults)
        self.models = Models(transport, defaults)
        self.threads = Threads(transport, defaults)
        self.documents = Documents(transport, defaults)
        self.chunks = Chunks(transport, defaults)
        self.graph = Graph(transport, defaults)
        self.search = Search(transport, defaults)
        self.searches = Searches(transport, defaults)
        self.runs = Runs(transport, defaults)
        self.sources = Sources(transport, defaults)
        self.lists = Lists(transport, defaults)
        self.events = Events(transport, defaults)
        self.webhooks = Webhooks(transport, defaults)
        self.usage = Usage(transport, defaults)




class AsyncAccount:
    def __init__(self, transport: AsyncTransport, defaults: Dict[str, Any]) -> None:
        self._transport = transport
        self._defaults = defaults

    async def whoami(
        self,
        *,
        options: Optional[RequestOptions] = None,
    ) -> Whoami:
        """Read what the calling credential is and may do. The credential of the request with its scopes and bindings, its tenant, the version of the installation and what the operator has configured. Any valid credential may call it, on the base address and on the hostname of a memory that it reaches. `features` is null while the service that knows them does not answer; a secret is never part of the answer."""
        call = Call("GET", "/api/v1/whoami", {}, frozenset({"bare"}), frozenset({}))
        given = arguments({})
        return cast("Whoami", await self._transport.json(call, given, options))


class AsyncAudit:
    def __init__(self, transport: AsyncTransport, defaults: Dict[str, Any]) -> None:
        self._transport = transport
        self._defaults = defaults

    def list(
        self,
        *,
        actor_id: str | NotGiven = NOT_GIVEN,
        operation: str | NotGiven = NOT_GIVEN,
        target_id: str | NotGiven = NOT_GIVEN,
        from_: str | NotGiven = NOT_GIVEN,
        to: str | NotGiven = NOT_GIVEN,
        limit: int | NotGiven = NOT_GIVEN,
        cursor: str | NotGiven = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> AsyncPages[AuditEvent, ListAuditEventsResponse]:
        """List who changed what. Every request that changed something, and every sign-in to the console, newest first: who asked, for which operation, about what, from which address. The record is made in the transaction of the change, so no change lacks one; it can be read within seconds. Requests that were refused and requests that only read are not recorded, nor is anything of what was sent. Records are kept for 400 days. Scope: `keys:read`."""
        call = Call("GET", "/api/v1/audit-events", {}, frozenset({}), frozenset({"actor_id", "operation", "target_id", "from", "to", "limit", "cursor"}))
        given = arguments({"actor_id": actor_id, "operation": operation, "target_id": target_id, "from": from_, "to": to, "limit": limit, "cursor": cursor})
        return AsyncPages(self._transport, call, given, options, "audit_events", False)


class AsyncKeys:
    def __init__(self, transport: AsyncTransport, defaults: Dict[str, Any]) -> None:
        self._transport = transport
        self._defaults = defaults

    async def create(
        self,
        *,
        name: str,
        type: Literal["live", "test", "ephemeral", "memory"] | NotGiven = NOT_GIVEN,
        scopes: List[Literal["keys:read", "keys:write", "oauth:read", "oauth:write", "workspaces:read", "workspaces:write", "memories:read", "memories:write", "spaces:read", "spaces:write", "threads:read", "threads:write", "documents:read", "documents:write", "graph:read", "graph:write", "webhooks:read", "webhooks:write", "providers:read", "providers:write", "memory:search", "usage:read", "search:run", "lists:read", "members:read", "members:write", "owners:write"]] | NotGiven = NOT_GIVEN,
        app_permissions: Dict[str, List[Literal["read", "write"]]] | NotGiven = NOT_GIVEN,
        ip_allowlist: List[str] | NotGiven = NOT_GIVEN,
        expires_at: str | NotGiven = NOT_GIVEN,
        memory_id: str | NotGiven = NOT_GIVEN,
        space_id: str | NotGiven = NOT_GIVEN,
        rate_limit: CreateApiKeyRateLimit | NotGiven = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> ApiKeyWithPlaintext:
        """Create an API key. Creates a key with at most the scopes, app permissions, addresses, rate and lifetime of the calling key. The plaintext is returned once and is not stored; a repeat with the same `Idempotency-Key` returns the key without it. Keys of one memory (`type: memory`) and OAuth tokens cannot create keys. Scope: `keys:write`."""
        call = Call("POST", "/api/v1/api-keys", {}, frozenset({"repeat"}), frozenset({}))
        given = arguments({"name": name, "type": type, "scopes": scopes, "app_permissions": app_permissions, "ip_allowlist": ip_allowlist, "expires_at": expires_at, "memory_id": memory_id, "space_id": space_id, "rate_limit": rate_limit})
        return cast("ApiKeyWithPlaintext", await self._transport.json(call, given, options))

    def list(
        self,
        *,
        limit: int | NotGiven = NOT_GIVEN,
        cursor: str | NotGiven = NOT_GIVEN,
        type: Literal["live", "test", "ephemeral", "memory"] | NotGiven = NOT_GIVEN,
        memory_id: str | NotGiven = NOT_GIVEN,
        space_id: str | NotGiven = NOT_GIVEN,
        parent_key_id: str | NotGiven = NOT_GIVEN,
        revoked: bool | NotGiven = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> AsyncPages[ApiKey, ListApiKeysResponse]:
        """List the API keys of the tenant. Lists keys, oldest first, without their plaintext. A live key sees the keys of both environments, a test key those of its own. `usage_count` and `last_used_at` are at most five seconds late. Scope: `keys:read`."""
        call = Call("GET", "/api/v1/api-keys", {}, frozenset({}), frozenset({"limit", "cursor", "type", "memory_id", "space_id", "parent_key_id", "revoked"}))
        given = arguments({"limit": limit, "cursor": cursor, "type": type, "memory_id": memory_id, "space_id": space_id, "parent_key_id": parent_key_id, "revoked": revoked})
        return AsyncPages(self._transport, call, given, options, "api_keys", False)

    async def get(
        self,
        key_id: str,
        *,
        options: Optional[RequestOptions] = None,
    ) -> ApiKey:
        """Read one API key. Returns one key with its scopes, restrictions, usage and, if it was rotated, what replaced it. The plaintext is never returned again. Scope: `keys:read`."""
        call = Call("GET", "/api/v1/api-keys/{key_id}", {"key_id": key_id}, frozenset({"bare"}), frozenset({}))
        given = arguments({})
        return cast("ApiKey", await self._transport.json(call, given, options))

    async def update(
        self,
        key_id: str,
        *,
        name: str | NotGiven = NOT_GIVEN,
        scopes: List[Literal["keys:read", "keys:write", "oauth:read", "oauth:write", "workspaces:read", "workspaces:write", "memories:read", "memories:write", "spaces:read", "spaces:write", "threads:read", "threads:write", "documents:read", "documents:write", "graph:read", "graph:write", "webhooks:read", "webhooks:write", "providers:read", "providers:write", "memory:search", "usage:read", "search:run", "lists:read", "members:read", "members:write", "owners:write"]] | NotGiven = NOT_GIVEN,
        app_permissions: Dict[str, List[Literal["read", "write"]]] | NotGiven = NOT_GIVEN,
        ip_allowlist: List[str] | NotGiven = NOT_GIVEN,
        expires_at: str | None | NotGiven = NOT_GIVEN,
        rate_limit: UpdateApiKeyRateLimit | None | NotGiven = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> ApiKey:
        """Change the name or the restrictions of an API key. Changes the name and the restrictions of a key; the change is in force on every gateway when the response arrives. Restricting needs only `keys:write`; for any other change the calling key must cover everything that the resulting key may do. A revoked key cannot be changed. Scope: `keys:write`."""
        call = Call("PATCH", "/api/v1/api-keys/{key_id}", {"key_id": key_id}, frozenset({}), frozenset({}))
        given = arguments({"name": name, "scopes": scopes, "app_permissions": app_permissions, "ip_allowlist": ip_allowlist, "expires_at": expires_at, "rate_limit": rate_limit})
        return cast("ApiKey", await self._transport.json(call, given, options))

    async def rotate(
        self,
        key_id: str,
        *,
        overlap_seconds: int | NotGiven = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> RotatedApiKey:
        """Replace an API key. Creates a replacement with the same permissions and expiry, and returns its plaintext once. The original stays valid until `revokes_at` and is then revoked; with `overlap_seconds: 0` it is revoked when the response arrives. Revoked and expired keys cannot be rotated. Scope: `keys:write`."""
        call = Call("POST", "/api/v1/api-keys/{key_id}/rotate", {"key_id": key_id}, frozenset({"repeat"}), frozenset({}))
        given = arguments({"overlap_seconds": overlap_seconds})
        return cast("RotatedApiKey", await self._transport.json(call, given, options))

    async def revoke(
        self,
        key_id: str,
        *,
        descendants: bool | NotGiven = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> RevokeApiKeyResponse:
        """Revoke an API key, alone or with its descendants. Revokes a key permanently: when the response arrives, no gateway accepts it any more. With `descendants=true` everything derived from it is revoked, too, which is what a leaked key calls for; the caller must hold what each of them holds, and one owner must remain: 409. A repeat returns the same answer. Scope: `keys:write`."""
        call = Call("DELETE", "/api/v1/api-keys/{key_id}", {"key_id": key_id}, frozenset({}), frozenset({"descendants"}))
        given = arguments({"descendants": descendants})
        return cast("RevokeApiKeyResponse", await self._transport.json(call, given, options))


class AsyncOauthClients:
    def __init__(self, transport: AsyncTransport, defaults: Dict[str, Any]) -> None:
        self._transport = transport
        self._defaults = defaults

    async def create(
        self,
        *,
        name: str,
        scopes: List[Literal["keys:read", "keys:write", "oauth:read", "oauth:write", "workspaces:read", "workspaces:write", "memories:read", "memories:write", "spaces:read", "spaces:write", "threads:read", "threads:write", "documents:read", "documents:write", "graph:read", "graph:write", "webhooks:read", "webhooks:write", "providers:read", "providers:write", "memory:search", "usage:read", "search:run", "lists:read", "members:read", "members:write", "owners:write"]],
        options: Optional[RequestOptions] = None,
    ) -> OAuthClientWithSecret:
        """Create an OAuth client. Creates a client for the client-credentials grant, within the permissions of the calling key. The secret is returned once. The client outlives the key that created it, unless that key is revoked with its descendants. Scope: `oauth:write`."""
        call = Call("POST", "/api/v1/oauth-clients", {}, frozenset({"repeat"}), frozenset({}))
        given = arguments({"name": name, "scopes": scopes})
        return cast("OAuthClientWithSecret", await self._transport.json(call, given, options))

    def list(
        self,
        *,
        limit: int | NotGiven = NOT_GIVEN,
        cursor: str | NotGiven = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> AsyncPages[OAuthClient, ListOAuthClientsResponse]:
        """List the OAuth clients of the tenant. Lists the OAuth clients of the key's environment, oldest first, without their secrets. Scope: `oauth:read`."""
        call = Call("GET", "/api/v1/oauth-clients", {}, frozenset({}), frozenset({"limit", "cursor"}))
        given = arguments({"limit": limit, "cursor": cursor})
        return AsyncPages(self._transport, call, given, options, "oauth_clients", False)

    async def get(
        self,
        client_id: str,
        *,
        options: Optional[RequestOptions] = None,
    ) -> OAuthClient:
        """Read one OAuth client. Returns one OAuth client with its scopes and usage, without its secret. Scope: `oauth:read`."""
        call = Call("GET", "/api/v1/oauth-clients/{client_id}", {"client_id": client_id}, frozenset({"bare"}), frozenset({}))
        given = arguments({})
        return cast("OAuthClient", await self._transport.json(call, given, options))

    async def revoke(
        self,
        client_id: str,
        *,
        options: Optional[RequestOptions] = None,
    ) -> RevokeOAuthClientResponse:
        """Revoke an OAuth client with all its tokens. Revokes the client and every token issued to it: when the response arrives, no gateway accepts any of them. A repeat returns the same answer. Scope: `oauth:write`."""
        call = Call("DELETE", "/api/v1/oauth-clients/{client_id}", {"client_id": client_id}, frozenset({"bare"}), frozenset({}))
        given = arguments({})
        return cast("RevokeOAuthClientResponse", await self._transport.json(call, given, options))


class AsyncOauth:
    def __init__(self, transport: AsyncTransport, defaults: Dict[str, Any]) -> None:
        self._transport = transport
        self._defaults = defaults

    async def issue_token(
        self,
        *,
        client_id: str | NotGiven = NOT_GIVEN,
        client_secret: str | NotGiven = NOT_GIVEN,
        grant_type: str | NotGiven = NOT_GIVEN,
        code: str | NotGiven = NOT_GIVEN,
        redirect_uri: str | NotGiven = NOT_GIVEN,
        code_verifier: str | NotGiven = NOT_GIVEN,
        refresh_token: str | NotGiven = NOT_GIVEN,
        resource: str | NotGiven = NOT_GIVEN,
        scope: str | NotGiven = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> IssueOAuthTokenResponse:
        """Issue an access token (RFC 6749). Issues an access token. For `client_credentials` it is valid for an hour: the client authenticates by HTTP Basic or by `client_id` and `client_secret` in the body, and `scope` requests fewer scopes than the client has. A connected app, which has no secret, redeems its code with the verifier of PKCE (`authorization_code`) and then each refresh token once (`refresh_token`); its access tokens are valid for fifteen minutes. Errors have the format of RFC 6749."""
        call = Call("POST", "/oauth/token", {}, frozenset({"oauth"}), frozenset({}))
        given = arguments({"client_id": client_id, "client_secret": client_secret, "grant_type": grant_type, "code": code, "redirect_uri": redirect_uri, "code_verifier": code_verifier, "refresh_token": refresh_token, "resource": resource, "scope": scope})
        return cast("IssueOAuthTokenResponse", await self._transport.json(call, given, options))

    async def revoke_token(
        self,
        *,
        client_id: str | NotGiven = NOT_GIVEN,
        client_secret: str | NotGiven = NOT_GIVEN,
        token: str | NotGiven = NOT_GIVEN,
        token_type_hint: str | NotGiven = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> RevokeOAuthTokenResponse:
        """Revoke a token (RFC 7009). Revokes one of the client's own tokens; either token of a connected app disconnects it. As RFC 7009 demands, a token that does not exist is answered in the same way as one that was revoked."""
        call = Call("POST", "/oauth/revoke", {}, frozenset({"oauth"}), frozenset({}))
        given = arguments({"client_id": client_id, "client_secret": client_secret, "token": token, "token_type_hint": token_type_hint})
        return cast("RevokeOAuthTokenResponse", await self._transport.json(call, given, options))

    async def metadata(
        self,
        *,
        options: Optional[RequestOptions] = None,
    ) -> OauthMetadataResponse:
        """Read the authorization server's metadata (RFC 8414). Returns the authorization server's metadata: its endpoints, grants, scopes and ways to authenticate."""
        call = Call("GET", "/.well-known/oauth-authorization-server", {}, frozenset({"bare"}), frozenset({}))
        given = arguments({})
        return cast("OauthMetadataResponse", await self._transport.json(call, given, options))

    async def resource_metadata(
        self,
        space_id: str,
        *,
        options: Optional[RequestOptions] = None,
    ) -> ReadResourceMetadataResponse:
        """Read the metadata of an MCP endpoint (RFC 9728). Says where a client of the Model Context Protocol gets a token for the endpoint of a space. The endpoint names this address in the `WWW-Authenticate` header of its 401. It says nothing about whether the space exists."""
        call = Call("GET", "/.well-known/oauth-protected-resource/api/v1/spaces/{space_id}/mcp", {"space_id": space_id}, frozenset({"bare"}), frozenset({}))
        given = arguments({})
        return cast("ReadResourceMetadataResponse", await self._transport.json(call, given, options))

    async def register(
        self,
        *,
        redirect_uris: List[str],
        client_name: str | NotGiven = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> RegisterAppClientResponse:
        """Register a client that people connect by signing in (RFC 7591). Registers a public client: it gets an id and no secret, and may do nothing until a person connects it. A registration that nobody connects ends after a day. What the client asks for besides is answered with what it gets."""
        call = Call("POST", "/oauth/register", {}, frozenset({}), frozenset({}))
        given = arguments({"redirect_uris": redirect_uris, "client_name": client_name})
        return cast("RegisterAppClientResponse", await self._transport.json(call, given, options))


class AsyncApps:
    def __init__(self, transport: AsyncTransport, defaults: Dict[str, Any]) -> None:
        self._transport = transport
        self._defaults = defaults

    async def preview(
        self,
        *,
        client_id: str,
        redirect_uri: str,
        resource: str,
        code_challenge: str,
        code_challenge_method: Literal["S256"],
        response_type: Literal["code"],
        state: str | NotGiven = NOT_GIVEN,
        scope: str | NotGiven = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> AuthorizationPreview:
        """Read what an app asks for. Checks the request of a client that wants to be connected to a space, and says who asks, for which space, and what the caller can grant: what is asked for of that which the caller holds itself. Grants nothing."""
        call = Call("GET", "/api/v1/oauth/authorizations", {}, frozenset({}), frozenset({"client_id", "redirect_uri", "resource", "code_challenge", "code_challenge_method", "state", "response_type", "scope"}))
        given = arguments({"client_id": client_id, "redirect_uri": redirect_uri, "resource": resource, "code_challenge": code_challenge, "code_challenge_method": code_challenge_method, "response_type": response_type, "state": state, "scope": scope})
        return cast("AuthorizationPreview", await self._transport.json(call, given, options))

    async def authorize(
        self,
        *,
        client_id: str,
        redirect_uri: str,
        resource: str,
        code_challenge: str,
        code_challenge_method: Literal["S256"],
        scopes: List[Literal["keys:read", "keys:write", "oauth:read", "oauth:write", "workspaces:read", "workspaces:write", "memories:read", "memories:write", "spaces:read", "spaces:write", "threads:read", "threads:write", "documents:read", "documents:write", "graph:read", "graph:write", "webhooks:read", "webhooks:write", "providers:read", "providers:write", "memory:search", "usage:read", "search:run", "lists:read", "members:read", "members:write", "owners:write"]],
        state: str | NotGiven = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> AppAuthorization:
        """Connect an app to a space. Grants a client some of what the caller may do in one space, and returns the address that leads the browser back to it with a code. The client redeems the code once, within a minute, with the verifier of PKCE. What it gets ends with the key or the member that the caller stands for, and never does more than that."""
        call = Call("POST", "/api/v1/oauth/authorizations", {}, frozenset({}), frozenset({}))
        given = arguments({"client_id": client_id, "redirect_uri": redirect_uri, "resource": resource, "code_challenge": code_challenge, "code_challenge_method": code_challenge_method, "scopes": scopes, "state": state})
        return cast("AppAuthorization", await self._transport.json(call, given, options))

    def list(
        self,
        *,
        limit: int | NotGiven = NOT_GIVEN,
        cursor: str | NotGiven = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> AsyncPages[ConnectedApp, ConnectedAppPage]:
        """List connected apps. Lists the apps that the calling key or member has connected, oldest first, and with the scope `oauth:read` those of everybody in the environment; also those that ended in the last thirty days."""
        call = Call("GET", "/api/v1/connected-apps", {}, frozenset({}), frozenset({"limit", "cursor"}))
        given = arguments({"limit": limit, "cursor": cursor})
        return AsyncPages(self._transport, call, given, options, "connected_apps", False)

    async def disconnect(
        self,
        app_id: str,
        *,
        options: Optional[RequestOptions] = None,
    ) -> DisconnectedApp:
        """Disconnect an app. Ends a connected app: when it answers, every gateway refuses its tokens. Somebody else's app needs the scope `oauth:write`. A repeat returns the same answer."""
        call = Call("DELETE", "/api/v1/connected-apps/{app_id}", {"app_id": app_id}, frozenset({"bare"}), frozenset({}))
        given = arguments({})
        return cast("DisconnectedApp", await self._transport.json(call, given, options))


class AsyncSessions:
    def __init__(self, transport: AsyncTransport, defaults: Dict[str, Any]) -> None:
        self._transport = transport
        self._defaults = defaults

    async def open(
        self,
        *,
        api_key: str | NotGiven = NOT_GIVEN,
        ticket: str | NotGiven = NOT_GIVEN,
        invitation: OpenSessionInvitation | NotGiven = NOT_GIVEN,
        sign_in: OpenSessionSignIn | NotGiven = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> Session:
        """Open a session of the console. Exchanges one proof for a session: a key, a ticket, an invitation, which makes its person a member first, or what the identity provider answered to a sign-in that this browser began. The session itself is in the cookie of the answer, which pages cannot read; the browser then needs no key. Tickets, invitations and sign-ins can be used once. Called by a browser, it must be from a page of the same host."""
        call = Call("POST", "/api/v1/console/sessions", {}, frozenset({}), frozenset({}))
        given = arguments({"api_key": api_key, "ticket": ticket, "invitation": invitation, "sign_in": sign_in})
        return cast("Session", await self._transport.json(call, given, options))

    async def sign_in_options(
        self,
        *,
        options: Optional[RequestOptions] = None,
    ) -> SignInOptions:
        """Read how people sign in to the console. Names the identity provider that people sign in with, if the operator has configured one. Keys, tickets and links work either way."""
        call = Call("GET", "/api/v1/console/sign-in", {}, frozenset({"bare"}), frozenset({}))
        given = arguments({})
        return cast("SignInOptions", await self._transport.json(call, given, options))

    async def start_sign_in(
        self,
        *,
        invitation: str | NotGiven = NOT_GIVEN,
        member_id: str | NotGiven = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> SignInAttempt:
        """Begin to sign in with the identity provider. Returns the address of the identity provider to lead the browser to (OpenID Connect, authorization code with PKCE). The browser keeps `attempt`; the provider leads it back to `/console/sign-in` with a code, and openSession takes both, once, within ten minutes. 404 when no provider is configured."""
        call = Call("POST", "/api/v1/console/sign-in", {}, frozenset({}), frozenset({}))
        given = arguments({"invitation": invitation, "member_id": member_id})
        return cast("SignInAttempt", await self._transport.json(call, given, options))

    async def start_link(
        self,
        *,
        options: Optional[RequestOptions] = None,
    ) -> SignInAttempt:
        """Begin to link an account at the identity provider. For a member who joined before there was an identity provider: begins a sign-in that links the account to the member of the calling session. It is finished like one of startSignIn. The provider must have verified the e-mail address of the member. A member who has an account already: 409. 404 when no provider is configured."""
        call = Call("POST", "/api/v1/console/sign-in/link", {}, frozenset({"empty", "bare"}), frozenset({}))
        given = arguments({})
        return cast("SignInAttempt", await self._transport.json(call, given, options))

    def list(
        self,
        *,
        limit: int | NotGiven = NOT_GIVEN,
        cursor: str | NotGiven = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> AsyncPages[Session, SessionPage]:
        """List the sessions of the console. Lists the sessions that stand for keys and members of the key's environment, oldest first, also those that have ended in the last thirty days. Scope: `keys:read`."""
        call = Call("GET", "/api/v1/console/sessions", {}, frozenset({}), frozenset({"limit", "cursor"}))
        given = arguments({"limit": limit, "cursor": cursor})
        return AsyncPages(self._transport, call, given, options, "sessions", False)

    async def sign_out(
        self,
        *,
        options: Optional[RequestOptions] = None,
    ) -> EndedSession:
        """End the session that makes the request. Ends the session of the cookie that the request was made with, on every gateway before the answer, and takes the cookie away. With a key instead of a session the answer is `not_found`."""
        call = Call("DELETE", "/api/v1/console/sessions/current", {}, frozenset({"bare"}), frozenset({}))
        given = arguments({})
        return cast("EndedSession", await self._transport.json(call, given, options))

    async def end(
        self,
        session_id: str,
        *,
        options: Optional[RequestOptions] = None,
    ) -> EndedSession:
        """End a session of the console. Ends a session of the environment: one of the caller itself, of a key that it may revoke, or of a member who holds no more than it does. When it answers, every gateway refuses the session, and what was open by it is closed. The key or the member that it stood for goes on. Scope: `keys:write`."""
        call = Call("DELETE", "/api/v1/console/sessions/{session_id}", {"session_id": session_id}, frozenset({"bare"}), frozenset({}))
        given = arguments({})
        return cast("EndedSession", await self._transport.json(call, given, options))

    async def create_ticket(
        self,
        *,
        options: Optional[RequestOptions] = None,
    ) -> SessionTicket:
        """Make a link that signs in to the console once. Makes a ticket that opens one session standing for the calling key, within ten minutes. `url` leads a browser to the console with the ticket behind the `#`, which no server and no log sees. Neither an OAuth token nor a session can make one."""
        call = Call("POST", "/api/v1/console/tickets", {}, frozenset({"empty", "bare"}), frozenset({}))
        given = arguments({})
        return cast("SessionTicket", await self._transport.json(call, given, options))


class AsyncMembers:
    def __init__(self, transport: AsyncTransport, defaults: Dict[str, Any]) -> None:
        self._transport = transport
        self._defaults = defaults

    def list(
        self,
        *,
        limit: int | NotGiven = NOT_GIVEN,
        cursor: str | NotGiven = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> AsyncPages[Member, MemberPage]:
        """List the members of the tenant. Lists the people of the tenant, in the order in which they joined, also those who were removed. Members act in the live environment; the test environment has none. Scope: `members:read`."""
        call = Call("GET", "/api/v1/members", {}, frozenset({}), frozenset({"limit", "cursor"}))
        given = arguments({"limit": limit, "cursor": cursor})
        return AsyncPages(self._transport, call, given, options, "members", False)

    async def get(
        self,
        member_id: str,
        *,
        options: Optional[RequestOptions] = None,
    ) -> Member:
        """Read one member. Returns one member with role and scopes, also one who was removed. Scope: `members:read`."""
        call = Call("GET", "/api/v1/members/{member_id}", {"member_id": member_id}, frozenset({"bare"}), frozenset({}))
        given = arguments({})
        return cast("Member", await self._transport.json(call, given, options))

    async def update(
        self,
        member_id: str,
        *,
        role: Literal["owner", "admin", "developer", "reviewer", "viewer"] | NotGiven = NOT_GIVEN,
        name: str | NotGiven = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> Member:
        """Change the role or the name of a member. Changes what a member may do; the change is in force on every gateway when the response arrives. The calling credential must hold everything that the member holds before and after the change. The last owner keeps the role: 409. Scope: `members:write`."""
        call = Call("PATCH", "/api/v1/members/{member_id}", {"member_id": member_id}, frozenset({}), frozenset({}))
        given = arguments({"role": role, "name": name})
        return cast("Member", await self._transport.json(call, given, options))

    async def remove(
        self,
        member_id: str,
        *,
        descendants: bool | NotGiven = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> RemovedMember:
        """Remove a member. Removes a member for good: when the response arrives, no gateway accepts any of its sessions, and open invitations that it sent are void. Keys that it created stay valid unless `descendants=true`. The calling credential must hold everything that the member holds, and with `descendants=true` everything that each of them holds; the last owner cannot be removed: 409. A repeat returns the same answer. Scope: `members:write`."""
        call = Call("DELETE", "/api/v1/members/{member_id}", {"member_id": member_id}, frozenset({}), frozenset({"descendants"}))
        given = arguments({"descendants": descendants})
        return cast("RemovedMember", await self._transport.json(call, given, options))

    async def create_ticket(
        self,
        member_id: str,
        *,
        options: Optional[RequestOptions] = None,
    ) -> MemberTicket:
        """Make a link that signs a member in once. For installations without an identity provider: makes a ticket that opens one session of the member, within ten minutes; pass its link on to that person alone. The calling credential must hold everything that the member holds. A member who has an account at the identity provider signs in there: 409. Scope: `members:write`."""
        call = Call("POST", "/api/v1/members/{member_id}/tickets", {"member_id": member_id}, frozenset({"empty", "bare"}), frozenset({}))
        given = arguments({})
        return cast("MemberTicket", await self._transport.json(call, given, options))


class AsyncInvitations:
    def __init__(self, transport: AsyncTransport, defaults: Dict[str, Any]) -> None:
        self._transport = transport
        self._defaults = defaults

    async def create(
        self,
        *,
        email: str,
        role: Literal["owner", "admin", "developer", "reviewer", "viewer"],
        options: Optional[RequestOptions] = None,
    ) -> InvitationWithLink:
        """Invite a person. Invites the person with an e-mail address to become a member with a role that the calling credential holds itself. Cairn sends no mail: pass `url` on. Where people sign in with an identity provider, the first sign-in with that address, verified there, accepts the invitation; elsewhere the link does, once. It is good for seven days. Scope: `members:write`."""
        call = Call("POST", "/api/v1/invitations", {}, frozenset({"repeat"}), frozenset({}))
        given = arguments({"email": email, "role": role})
        return cast("InvitationWithLink", await self._transport.json(call, given, options))

    def list(
        self,
        *,
        limit: int | NotGiven = NOT_GIVEN,
        cursor: str | NotGiven = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> AsyncPages[Invitation, InvitationPage]:
        """List invitations. Lists the invitations of the tenant, oldest first, without their secrets; ended ones for thirty days. Scope: `members:read`."""
        call = Call("GET", "/api/v1/invitations", {}, frozenset({}), frozenset({"limit", "cursor"}))
        given = arguments({"limit": limit, "cursor": cursor})
        return AsyncPages(self._transport, call, given, options, "invitations", False)

    async def revoke(
        self,
        invitation_id: str,
        *,
        options: Optional[RequestOptions] = None,
    ) -> Invitation:
        """Revoke an invitation. Makes an invitation void, so that nobody can accept it any more. The calling credential must hold what the role holds, or have made the invitation. One that was accepted is a member: 409. A repeat returns the same answer. Scope: `members:write`."""
        call = Call("DELETE", "/api/v1/invitations/{invitation_id}", {"invitation_id": invitation_id}, frozenset({"bare"}), frozenset({}))
        given = arguments({})
        return cast("Invitation", await self._transport.json(call, given, options))


class AsyncWorkspaces:
    def __init__(self, transport: AsyncTransport, defaults: Dict[str, Any]) -> None:
        self._transport = transport
        self._defaults = defaults

    async def create(
        self,
        *,
        name: str,
        description: str | NotGiven = NOT_GIVEN,
        slug: str | NotGiven = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> CreateWorkspaceResponse:
        """Create a workspace with its primary shared memory. Creates a workspace together with its primary shared memory, in one step. A slug that you specify must be free within the tenant; a generated one gets a numeric suffix. Scope: `workspaces:write`."""
        call = Call("POST", "/api/v1/workspaces", {}, frozenset({"repeat"}), frozenset({}))
        given = arguments({"name": name, "description": description, "slug": slug})
        return cast("CreateWorkspaceResponse", await self._transport.json(call, given, options))

    def list(
        self,
        *,
        limit: int | NotGiven = NOT_GIVEN,
        cursor: str | NotGiven = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> AsyncPages[Workspace, ListWorkspacesResponse]:
        """List the workspaces of the tenant. Lists the workspaces that are not deleted, oldest first. Scope: `workspaces:read`."""
        call = Call("GET", "/api/v1/workspaces", {}, frozenset({}), frozenset({"limit", "cursor"}))
        given = arguments({"limit": limit, "cursor": cursor})
        return AsyncPages(self._transport, call, given, options, "workspaces", False)

    async def get(
        self,
        workspace_id: str,
        *,
        options: Optional[RequestOptions] = None,
    ) -> GetWorkspaceResponse:
        """Read one workspace. Returns one workspace with the id of its primary memory. Scope: `workspaces:read`."""
        call = Call("GET", "/api/v1/workspaces/{workspace_id}", {"workspace_id": workspace_id}, frozenset({"bare"}), frozenset({}))
        given = arguments({})
        return cast("GetWorkspaceResponse", await self._transport.json(call, given, options))

    async def update(
        self,
        workspace_id: str,
        *,
        name: str | NotGiven = NOT_GIVEN,
        description: str | NotGiven = NOT_GIVEN,
        slug: str | NotGiven = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> UpdateWorkspaceResponse:
        """Change the name, description or slug of a workspace. Changes only the fields that are given. A slug that is already taken is refused. Scope: `workspaces:write`."""
        call = Call("PATCH", "/api/v1/workspaces/{workspace_id}", {"workspace_id": workspace_id}, frozenset({}), frozenset({}))
        given = arguments({"name": name, "description": description, "slug": slug})
        return cast("UpdateWorkspaceResponse", await self._transport.json(call, given, options))

    async def delete(
        self,
        workspace_id: str,
        *,
        options: Optional[RequestOptions] = None,
    ) -> DeleteWorkspaceResponse:
        """Delete a workspace with all its memories. Removes the workspace, its memories and their spaces for every caller at once; keys bound to them stop working. Erasure goes on in the background and leaves no rows, index entries or files. The default workspace cannot be deleted. Scope: `workspaces:write`."""
        call = Call("DELETE", "/api/v1/workspaces/{workspace_id}", {"workspace_id": workspace_id}, frozenset({"bare"}), frozenset({}))
        given = arguments({})
        return cast("DeleteWorkspaceResponse", await self._transport.json(call, given, options))


class AsyncMemories:
    def __init__(self, transport: AsyncTransport, defaults: Dict[str, Any]) -> None:
        self._transport = transport
        self._defaults = defaults

    async def create(
        self,
        *,
        display_name: str,
        type: Literal["shared", "dedicated"] | NotGiven = NOT_GIVEN,
        workspace_id: str | NotGiven = NOT_GIVEN,
        dlp_policy: Literal["off", "secrets", "pii"] | NotGiven = NOT_GIVEN,
        keep_originals: bool | NotGiven = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> Memory:
        """Create a memory. Creates a memory in a workspace, by default in the default one. A dedicated memory is `provisioning` until its own PostgreSQL server is ready; poll it, or wait for `active`. Scope: `memories:write`."""
        call = Call("POST", "/api/v1/memories", {}, frozenset({"repeat"}), frozenset({}))
        given = arguments({"display_name": display_name, "type": type, "workspace_id": workspace_id, "dlp_policy": dlp_policy, "keep_originals": keep_originals})
        return cast("Memory", await self._transport.json(call, given, options))

    def list(
        self,
        *,
        workspace_id: str | NotGiven = NOT_GIVEN,
        limit: int | NotGiven = NOT_GIVEN,
        cursor: str | NotGiven = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> AsyncPages[Memory, ListMemoriesResponse]:
        """List the memories of the tenant or of one workspace. Lists memories with their status, hostname and policy, oldest first; `workspace_id` selects one workspace. Scope: `memories:read`."""
        call = Call("GET", "/api/v1/memories", {}, frozenset({}), frozenset({"workspace_id", "limit", "cursor"}))
        given = arguments({"workspace_id": workspace_id, "limit": limit, "cursor": cursor})
        return AsyncPages(self._transport, call, given, options, "memories", False)

    async def get(
        self,
        memory_id: str,
        *,
        options: Optional[RequestOptions] = None,
    ) -> Memory:
        """Read one memory. Returns one memory. While it is being deleted its status is `deleting`; afterwards it does not exist. Scope: `memories:read`."""
        call = Call("GET", "/api/v1/memories/{memory_id}", {"memory_id": memory_id}, frozenset({"bare"}), frozenset({}))
        given = arguments({})
        return cast("Memory", await self._transport.json(call, given, options))

    async def update(
        self,
        memory_id: str,
        *,
        display_name: str | NotGiven = NOT_GIVEN,
        dlp_policy: Literal["off", "secrets", "pii"] | NotGiven = NOT_GIVEN,
        keep_originals: bool | NotGiven = NOT_GIVEN,
        status: Literal["active", "suspended"] | NotGiven = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> Memory:
        """Change, suspend or resume a memory. Changes only the fields that are given. `status: suspended` rejects every request about the memory and keeps its data; `active` resumes it. A new masking policy, and `keep_originals`, apply to what is added afterwards. Scope: `memories:write`."""
        call = Call("PATCH", "/api/v1/memories/{memory_id}", {"memory_id": memory_id}, frozenset({}), frozenset({}))
        given = arguments({"display_name": display_name, "dlp_policy": dlp_policy, "keep_originals": keep_originals, "status": status})
        return cast("Memory", await self._transport.json(call, given, options))

    async def delete(
        self,
        memory_id: str,
        *,
        options: Optional[RequestOptions] = None,
    ) -> Memory:
        """Delete a memory with everything in it. Removes the memory for every caller at once and revokes the keys bound to it; runs that read from it are erased, too. Erasure goes on in the background. A workspace's primary memory can only be deleted with the workspace. Scope: `memories:write`."""
        call = Call("DELETE", "/api/v1/memories/{memory_id}", {"memory_id": memory_id}, frozenset({"bare"}), frozenset({}))
        given = arguments({})
        return cast("Memory", await self._transport.json(call, given, options))

    async def health(
        self,
        *,
        memory_id: str | NotGiven = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> GetMemoryHealthResponse:
        """Read the health of a memory. Computes a score from 0 to 100 from freshness, coverage, contradictions, orphaned entities, failed documents and waiting reviews. Each part has its weight, the number of cases and a recommendation. Scope: `graph:read`."""
        call = Call("GET", "/api/v1/memory/health", {}, frozenset({"memory"}), frozenset({"memory_id"}))
        given = arguments({"memory_id": memory_id}, self._defaults)
        return cast("GetMemoryHealthResponse", await self._transport.json(call, given, options))

    def health_history(
        self,
        *,
        memory_id: str | NotGiven = NOT_GIVEN,
        from_: str | NotGiven = NOT_GIVEN,
        to: str | NotGiven = NOT_GIVEN,
        limit: int | NotGiven = NOT_GIVEN,
        cursor: str | NotGiven = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> AsyncPages[HealthAssessment, HealthHistory]:
        """List past assessments of the health of a memory. Lists what the health of a memory was, newest first: one row for each change, changes within ten minutes counting as one, and one a day without a change. Documents that came or went since the row before explain jumps. Rows are kept for 400 days and are erased with the memory; a key of one space gets 403. Scope: `graph:read`."""
        call = Call("GET", "/api/v1/memory/health/history", {}, frozenset({"memory"}), frozenset({"memory_id", "from", "to", "limit", "cursor"}))
        given = arguments({"memory_id": memory_id, "from": from_, "to": to, "limit": limit, "cursor": cursor}, self._defaults)
        return AsyncPages(self._transport, call, given, options, "history", False)

    async def search_log(
        self,
        memory_id: str,
        *,
        options: Optional[RequestOptions] = None,
    ) -> SearchLogSettings:
        """Read whether the searches of a memory are kept. Returns whether the searches of a memory are kept, and for how many days. They are not unless turned on. Scope: `memories:read`."""
        call = Call("GET", "/api/v1/memories/{memory_id}/search-log", {"memory_id": memory_id}, frozenset({"bare"}), frozenset({}))
        given = arguments({})
        return cast("SearchLogSettings", await self._transport.json(call, given, options))

    async def update_search_log(
        self,
        memory_id: str,
        *,
        enabled: bool | NotGiven = NOT_GIVEN,
        keep_days: int | NotGiven = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> SearchLogSettings:
        """Have the searches of a memory kept, or no longer. Changes only the fields that are given. Once on, each answered search is kept for `keep_days` days, its question masked like a document; other replicas begin within ten seconds. Turned off, no further search is kept at once, and what is there stays until its days are over. A key that is bound to a memory gets 403. Scope: `memories:write`."""
        call = Call("PATCH", "/api/v1/memories/{memory_id}/search-log", {"memory_id": memory_id}, frozenset({}), frozenset({}))
        given = arguments({"enabled": enabled, "keep_days": keep_days})
        return cast("SearchLogSettings", await self._transport.json(call, given, options))


class AsyncSpacesMembers:
    def __init__(self, transport: AsyncTransport, defaults: Dict[str, Any]) -> None:
        self._transport = transport
        self._defaults = defaults

    def list(
        self,
        space_id: str,
        *,
        limit: int | NotGiven = NOT_GIVEN,
        cursor: str | NotGiven = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> AsyncPages[SpaceMember, ListSpaceMembersResponse]:
        """List the members of a space. Lists the members with their roles. Members are identified by whatever you call your users. Scope: `spaces:read`."""
        call = Call("GET", "/api/v1/spaces/{space_id}/members", {"space_id": space_id}, frozenset({}), frozenset({"limit", "cursor"}))
        given = arguments({"limit": limit, "cursor": cursor})
        return AsyncPages(self._transport, call, given, options, "members", False)

    async def put(
        self,
        space_id: str,
        user: str,
        *,
        role: Literal["reader", "writer"],
        options: Optional[RequestOptions] = None,
    ) -> SpaceMember:
        """Add a member to a space or change the role. Adds the user or changes the role. Roles are informational: your application enforces them, because a key acts with its own scopes. Scope: `spaces:write`."""
        call = Call("PUT", "/api/v1/spaces/{space_id}/members/{user}", {"space_id": space_id, "user": user}, frozenset({}), frozenset({}))
        given = arguments({"role": role})
        return cast("SpaceMember", await self._transport.json(call, given, options))

    async def delete(
        self,
        space_id: str,
        user: str,
        *,
        options: Optional[RequestOptions] = None,
    ) -> DeleteSpaceMemberResponse:
        """Remove a member from a space. Removes the user from the space; nothing that the user added is deleted. Scope: `spaces:write`."""
        call = Call("DELETE", "/api/v1/spaces/{space_id}/members/{user}", {"space_id": space_id, "user": user}, frozenset({"bare"}), frozenset({}))
        given = arguments({})
        return cast("DeleteSpaceMemberResponse", await self._transport.json(call, given, options))


class AsyncSpaces:
    def __init__(self, transport: AsyncTransport, defaults: Dict[str, Any]) -> None:
        self._transport = transport
        self._defaults = defaults
        self.members = AsyncSpacesMembers(transport, defaults)

    async def create(
        self,
        *,
        name: str,
        memory_id: str | NotGiven = NOT_GIVEN,
        description: str | NotGiven = NOT_GIVEN,
        slug: str | NotGiven = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> Space:
        """Create a space in a memory. Creates a space with its vault. Its name and description help to route documents that are added without a space. A slug that you specify must be free within the memory. Scope: `spaces:write`."""
        call = Call("POST", "/api/v1/spaces", {}, frozenset({"repeat", "memory"}), frozenset({}))
        given = arguments({"name": name, "memory_id": memory_id, "description": description, "slug": slug}, self._defaults)
        return cast("Space", await self._transport.json(call, given, options))

    def list(
        self,
        *,
        memory_id: str | NotGiven = NOT_GIVEN,
        limit: int | NotGiven = NOT_GIVEN,
        cursor: str | NotGiven = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> AsyncPages[Space, ListSpacesResponse]:
        """List the spaces of the tenant or of one memory. Lists spaces, oldest first; a memory key sees those it reaches. Scope: `spaces:read`."""
        call = Call("GET", "/api/v1/spaces", {}, frozenset({"memory"}), frozenset({"memory_id", "limit", "cursor"}))
        given = arguments({"memory_id": memory_id, "limit": limit, "cursor": cursor}, self._defaults)
        return AsyncPages(self._transport, call, given, options, "spaces", False)

    async def get(
        self,
        space_id: str,
        *,
        options: Optional[RequestOptions] = None,
    ) -> Space:
        """Read one space. Returns one space with the id of its vault. Scope: `spaces:read`."""
        call = Call("GET", "/api/v1/spaces/{space_id}", {"space_id": space_id}, frozenset({"bare"}), frozenset({}))
        given = arguments({})
        return cast("Space", await self._transport.json(call, given, options))

    async def update(
        self,
        space_id: str,
        *,
        name: str | NotGiven = NOT_GIVEN,
        description: str | NotGiven = NOT_GIVEN,
        slug: str | NotGiven = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> Space:
        """Change the name, description or slug of a space. Changes only the fields that are given. A slug that is already taken in the memory is refused. Scope: `spaces:write`."""
        call = Call("PATCH", "/api/v1/spaces/{space_id}", {"space_id": space_id}, frozenset({}), frozenset({}))
        given = arguments({"name": name, "description": description, "slug": slug})
        return cast("Space", await self._transport.json(call, given, options))

    async def delete(
        self,
        space_id: str,
        *,
        options: Optional[RequestOptions] = None,
    ) -> DeleteSpaceResponse:
        """Delete a space with its documents and threads. Removes the space with its documents, threads and keys for every caller at once. Erasure goes on in the background and includes runs that read from the space. Scope: `spaces:write`."""
        call = Call("DELETE", "/api/v1/spaces/{space_id}", {"space_id": space_id}, frozenset({"bare"}), frozenset({}))
        given = arguments({})
        return cast("DeleteSpaceResponse", await self._transport.json(call, given, options))

    async def mcp(
        self,
        space_id: str,
        message: Dict[str, Any],
        *,
        options: Optional[RequestOptions] = None,
    ) -> Any:
        """Call the MCP endpoint of a space. Takes one message of the Model Context Protocol over Streamable HTTP, without sessions. It offers search, documents, threads and the graph of this space as tools, each under the scope of its operation. Scope: `spaces:read`."""
        call = Call("POST", "/api/v1/spaces/{space_id}/mcp", {"space_id": space_id}, frozenset({"mcp"}), frozenset({}))
        given = message
        return await self._transport.json(call, given, options)


class AsyncProviderKeys:
    def __init__(self, transport: AsyncTransport, defaults: Dict[str, Any]) -> None:
        self._transport = transport
        self._defaults = defaults

    async def put(
        self,
        provider: str,
        *,
        api_key: str,
        base_url: str | NotGiven = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> ProviderKey:
        """Store your own key of a model provider. Stores your own API key of a model provider, or replaces it. It is encrypted with a key that is kept outside the database, and never returned. Model calls on it are not charged. Scope: `providers:write`."""
        call = Call("PUT", "/api/v1/provider-keys/{provider}", {"provider": provider}, frozenset({}), frozenset({}))
        given = arguments({"api_key": api_key, "base_url": base_url})
        return cast("ProviderKey", await self._transport.json(call, given, options))

    async def list(
        self,
        *,
        options: Optional[RequestOptions] = None,
    ) -> ListProviderKeysResponse:
        """List the providers for which a key is stored. Lists the providers for which a key is stored, with the base URL and the time of change, never with the key. Scope: `providers:read`."""
        call = Call("GET", "/api/v1/provider-keys", {}, frozenset({"bare"}), frozenset({}))
        given = arguments({})
        return cast("ListProviderKeysResponse", await self._transport.json(call, given, options))

    async def get(
        self,
        provider: str,
        *,
        options: Optional[RequestOptions] = None,
    ) -> ProviderKey:
        """Read what is known of a stored provider key. Returns the provider, the base URL and when the key was stored and changed. Scope: `providers:read`."""
        call = Call("GET", "/api/v1/provider-keys/{provider}", {"provider": provider}, frozenset({"bare"}), frozenset({}))
        given = arguments({})
        return cast("ProviderKey", await self._transport.json(call, given, options))

    async def delete(
        self,
        provider: str,
        *,
        options: Optional[RequestOptions] = None,
    ) -> DeleteProviderKeyResponse:
        """Delete a stored provider key. Deletes the key. Later model calls use the operator's provider, if there is one. Scope: `providers:write`."""
        call = Call("DELETE", "/api/v1/provider-keys/{provider}", {"provider": provider}, frozenset({"bare"}), frozenset({}))
        given = arguments({})
        return cast("DeleteProviderKeyResponse", await self._transport.json(call, given, options))

    async def test(
        self,
        provider: str,
        *,
        options: Optional[RequestOptions] = None,
    ) -> ProviderKeyTest:
        """Ask the provider whether a stored key works. Asks the provider for its list of models with the stored key, which costs nothing, and waits ten seconds at most. `ok` says that the provider took the key, `failure` what went wrong otherwise, `models` which of the installation's models of this provider it lists. Neither the key nor the provider's words are part of the answer. Scope: `providers:write`."""
        call = Call("POST", "/api/v1/provider-keys/{provider}/test", {"provider": provider}, frozenset({"repeat"}), frozenset({}))
        given = arguments({})
        return cast("ProviderKeyTest", await self._transport.json(call, given, options))


class AsyncModels:
    def __init__(self, transport: AsyncTransport, defaults: Dict[str, Any]) -> None:
        self._transport = transport
        self._defaults = defaults

    async def list(
        self,
        *,
        options: Optional[RequestOptions] = None,
    ) -> ListModelsResponse:
        """List the models of the installation. The language models that `llm_model` takes, the default first, then the embedding and the reranking model. Each with today's prices and whose key a call of this tenant would use. Empty where the operator has configured none: searches and runs then work without a model. Scope: `providers:read`."""
        call = Call("GET", "/api/v1/models", {}, frozenset({"bare"}), frozenset({}))
        given = arguments({})
        return cast("ListModelsResponse", await self._transport.json(call, given, options))


class AsyncThreadsTurns:
    def __init__(self, transport: AsyncTransport, defaults: Dict[str, Any]) -> None:
        self._transport = transport
        self._defaults = defaults

    async def add(
        self,
        thread_id: str,
        *,
        role: Literal["user", "assistant"],
        content: str,
        options: Optional[RequestOptions] = None,
    ) -> Turn:
        """Add a turn to a conversation. Appends a turn, which is stored when the response arrives. What the memory's policy masks is masked before it is stored, and the response shows the masked text. Scope: `threads:write`."""
        call = Call("POST", "/api/v1/threads/{thread_id}/turns", {"thread_id": thread_id}, frozenset({"repeat"}), frozenset({}))
        given = arguments({"role": role, "content": content})
        return cast("Turn", await self._transport.json(call, given, options))

    def list(
        self,
        thread_id: str,
        *,
        limit: int | NotGiven = NOT_GIVEN,
        cursor: str | NotGiven = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> AsyncPages[Turn, ListTurnsResponse]:
        """List the turns of a conversation, oldest first. Returns the turns in the order in which they were added. Scope: `threads:read`."""
        call = Call("GET", "/api/v1/threads/{thread_id}/turns", {"thread_id": thread_id}, frozenset({}), frozenset({"limit", "cursor"}))
        given = arguments({"limit": limit, "cursor": cursor})
        return AsyncPages(self._transport, call, given, options, "turns", False)


class AsyncThreads:
    def __init__(self, transport: AsyncTransport, defaults: Dict[str, Any]) -> None:
        self._transport = transport
        self._defaults = defaults
        self.turns = AsyncThreadsTurns(transport, defaults)

    async def create(
        self,
        *,
        title: str | NotGiven = NOT_GIVEN,
        memory_id: str | NotGiven = NOT_GIVEN,
        space_id: str | NotGiven = NOT_GIVEN,
        user: str | NotGiven = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> Thread:
        """Start a conversation in a memory or in one of its spaces. Starts a conversation in a memory or in one of its spaces. Searches that name it understand follow-up questions and add their question and answer as turns. Scope: `threads:write`."""
        call = Call("POST", "/api/v1/threads", {}, frozenset({"repeat", "memory"}), frozenset({}))
        given = arguments({"title": title, "memory_id": memory_id, "space_id": space_id, "user": user}, self._defaults)
        return cast("Thread", await self._transport.json(call, given, options))

    def list(
        self,
        *,
        memory_id: str | NotGiven = NOT_GIVEN,
        space_id: str | NotGiven = NOT_GIVEN,
        limit: int | NotGiven = NOT_GIVEN,
        cursor: str | NotGiven = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> AsyncPages[Thread, ListThreadsResponse]:
        """List the conversations of the tenant, of one memory or of one space. Lists conversations without their turns, oldest first. Scope: `threads:read`."""
        call = Call("GET", "/api/v1/threads", {}, frozenset({"memory"}), frozenset({"memory_id", "space_id", "limit", "cursor"}))
        given = arguments({"memory_id": memory_id, "space_id": space_id, "limit": limit, "cursor": cursor}, self._defaults)
        return AsyncPages(self._transport, call, given, options, "threads", False)

    async def export(
        self,
        *,
        memory_id: str | NotGiven = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> httpx.Response:
        """Download all conversations of a memory. Streams every thread, oldest first, each followed by its turns. One JSON object a line, each with its `type`; the last line is `{"type":"end"}` with the number of lines before it, and without it the answer was cut off. What changes while it is written may be in it as it was or as it is. Scope: `threads:read`."""
        call = Call("GET", "/api/v1/threads/export", {}, frozenset({"memory", "file"}), frozenset({"memory_id"}))
        given = arguments({"memory_id": memory_id}, self._defaults)
        return await self._transport.response(call, given, options)

    async def get(
        self,
        thread_id: str,
        *,
        options: Optional[RequestOptions] = None,
    ) -> Thread:
        """Read one conversation, without its turns. Returns title, place, user and number of turns. Scope: `threads:read`."""
        call = Call("GET", "/api/v1/threads/{thread_id}", {"thread_id": thread_id}, frozenset({"bare"}), frozenset({}))
        given = arguments({})
        return cast("Thread", await self._transport.json(call, given, options))

    async def update(
        self,
        thread_id: str,
        *,
        title: str | NotGiven = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> Thread:
        """Change the title of a conversation. Changes the title of the conversation; its turns stay as they are. Scope: `threads:write`."""
        call = Call("PATCH", "/api/v1/threads/{thread_id}", {"thread_id": thread_id}, frozenset({}), frozenset({}))
        given = arguments({"title": title})
        return cast("Thread", await self._transport.json(call, given, options))

    async def delete(
        self,
        thread_id: str,
        *,
        options: Optional[RequestOptions] = None,
    ) -> DeleteThreadResponse:
        """Delete a conversation with its turns. Deletes the conversation with all its turns, permanently. Scope: `threads:write`."""
        call = Call("DELETE", "/api/v1/threads/{thread_id}", {"thread_id": thread_id}, frozenset({"bare"}), frozenset({}))
        given = arguments({})
        return cast("DeleteThreadResponse", await self._transport.json(call, given, options))


class AsyncDocuments:
    def __init__(self, transport: AsyncTransport, defaults: Dict[str, Any]) -> None:
        self._transport = transport
        self._defaults = defaults

    async def add(
        self,
        *,
        content: str | NotGiven = NOT_GIVEN,
        url: str | NotGiven = NOT_GIVEN,
        title: str | NotGiven = NOT_GIVEN,
        external_id: str | NotGiven = NOT_GIVEN,
        space_id: str | NotGiven = NOT_GIVEN,
        metadata: Dict[str, str | float | bool | None | List[str]] | NotGiven = NOT_GIVEN,
        occurred_at: str | NotGiven = NOT_GIVEN,
        documents: List[NewDocument] | NotGiven = NOT_GIVEN,
        memory_id: str | NotGiven = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> IngestDocumentsResponse:
        """Add one document or up to 100 to a memory. Accepts a text, the address of a page or file, a list of up to 100 of them, or a form with one file. All documents of a request are accepted together or not at all, and are stored durably when the response arrives. Each is searchable by the time its `status` is `completed`; `external_id` replaces an earlier version. Scope: `documents:write`."""
        call = Call("POST", "/api/v1/memory/documents", {}, frozenset({"repeat", "memory"}), frozenset({}))
        given = arguments({"content": content, "url": url, "title": title, "external_id": external_id, "space_id": space_id, "metadata": metadata, "occurred_at": occurred_at, "documents": documents, "memory_id": memory_id}, self._defaults)
        return cast("IngestDocumentsResponse", await self._transport.json(call, given, options))

    async def upload(
        self,
        file: FileInput,
        *,
        title: str | NotGiven = NOT_GIVEN,
        external_id: str | NotGiven = NOT_GIVEN,
        space_id: str | NotGiven = NOT_GIVEN,
        metadata: Dict[str, Any] | NotGiven = NOT_GIVEN,
        occurred_at: str | NotGiven = NOT_GIVEN,
        memory_id: str | NotGiven = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> IngestDocumentsResponse:
        """Add one document or up to 100 to a memory. Accepts a text, the address of a page or file, a list of up to 100 of them, or a form with one file. All documents of a request are accepted together or not at all, and are stored durably when the response arrives. Each is searchable by the time its `status` is `completed`; `external_id` replaces an earlier version. Scope: `documents:write`."""
        call = Call("POST", "/api/v1/memory/documents", {}, frozenset({"repeat", "memory"}), frozenset({}))
        given = arguments({"title": title, "external_id": external_id, "space_id": space_id, "metadata": metadata, "occurred_at": occurred_at, "memory_id": memory_id}, self._defaults)
        return cast("IngestDocumentsResponse", await self._transport.json(call, given, options, file))

    def list(
        self,
        *,
        memory_id: str | NotGiven = NOT_GIVEN,
        space_id: str | NotGiven = NOT_GIVEN,
        status: str | NotGiven = NOT_GIVEN,
        external_id: str | NotGiven = NOT_GIVEN,
        query: str | NotGiven = NOT_GIVEN,
        sort: Literal["oldest", "newest"] | NotGiven = NOT_GIVEN,
        needs_review: bool | NotGiven = NOT_GIVEN,
        limit: int | NotGiven = NOT_GIVEN,
        cursor: str | NotGiven = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> AsyncPages[Document, ListDocumentsResponse]:
        """List the documents of a memory. Lists documents with their status, by default the oldest first. Filters select by status, space, words of title or external id, and whether a person has to confirm where a document belongs. With `query` a page may have fewer documents than `limit`, or none, and still a `next_cursor`: each page looks at a bounded number of documents. Scope: `documents:read`."""
        call = Call("GET", "/api/v1/memory/documents", {}, frozenset({"memory"}), frozenset({"memory_id", "space_id", "status", "external_id", "query", "sort", "needs_review", "limit", "cursor"}))
        given = arguments({"memory_id": memory_id, "space_id": space_id, "status": status, "external_id": external_id, "query": query, "sort": sort, "needs_review": needs_review, "limit": limit, "cursor": cursor}, self._defaults)
        return AsyncPages(self._transport, call, given, options, "documents", False)

    async def stats(
        self,
        *,
        memory_id: str | NotGiven = NOT_GIVEN,
        space_id: str | NotGiven = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> DocumentStats:
        """Count the documents of a memory. Counts the documents of a memory, or of one of its spaces, by status, error, space and format, as of one moment. Also tells how long the oldest document has been waiting and how many were completed lately. Scope: `documents:read`."""
        call = Call("GET", "/api/v1/memory/documents/stats", {}, frozenset({"memory"}), frozenset({"memory_id", "space_id"}))
        given = arguments({"memory_id": memory_id, "space_id": space_id}, self._defaults)
        return cast("DocumentStats", await self._transport.json(call, given, options))

    async def export(
        self,
        *,
        memory_id: str | NotGiven = NOT_GIVEN,
        space_id: str | NotGiven = NOT_GIVEN,
        after: str | NotGiven = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> httpx.Response:
        """Download all documents of a memory with their text. Streams every document, oldest first, each followed by its passages in their order. One JSON object a line, each with its `type`; the last line is `{"type":"end"}` with the number of lines before it, and without it the answer was cut off. What changes while it is written may be in it as it was or as it is. `after` goes on behind a document that arrived whole. Scope: `documents:read`."""
        call = Call("GET", "/api/v1/memory/documents/export", {}, frozenset({"memory", "file"}), frozenset({"memory_id", "space_id", "after"}))
        given = arguments({"memory_id": memory_id, "space_id": space_id, "after": after}, self._defaults)
        return await self._transport.response(call, given, options)

    async def get(
        self,
        doc_id: str,
        *,
        memory_id: str | NotGiven = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> Document:
        """Read the status of one document. Returns the processing status of a document, its space and routing, what was masked and, if it failed, why. Scope: `documents:read`."""
        call = Call("GET", "/api/v1/memory/documents/{doc_id}", {"doc_id": doc_id}, frozenset({"memory"}), frozenset({"memory_id"}))
        given = arguments({"memory_id": memory_id}, self._defaults)
        return cast("Document", await self._transport.json(call, given, options))

    async def delete_many(
        self,
        *,
        doc_ids: List[str] | NotGiven = NOT_GIVEN,
        filter: DocumentFilter | NotGiven = NOT_GIVEN,
        dry_run: bool | NotGiven = NOT_GIVEN,
        memory_id: str | NotGiven = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> StartedDocumentJob:
        """Delete many documents, by their ids or by a filter. Starts a job that deletes up to 1,000 documents by their ids, or all that a filter matches, with everything made of them. It goes on by itself, through restarts too; read it by its `job_id`. A filter is matched when the job comes to a document, and never takes one that was added after the job. `dry_run` starts nothing and counts what would be deleted. Scope: `documents:write`."""
        call = Call("POST", "/api/v1/memory/documents/delete", {}, frozenset({"repeat", "memory"}), frozenset({}))
        given = arguments({"doc_ids": doc_ids, "filter": filter, "dry_run": dry_run, "memory_id": memory_id}, self._defaults)
        return cast("StartedDocumentJob", await self._transport.json(call, given, options))

    async def retry_many(
        self,
        *,
        doc_ids: List[str] | NotGiven = NOT_GIVEN,
        filter: FailedDocumentFilter | NotGiven = NOT_GIVEN,
        dry_run: bool | NotGiven = NOT_GIVEN,
        memory_id: str | NotGiven = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> StartedDocumentJob:
        """Try failed documents again, by their ids or by a filter. Starts a job that queues failed documents again: up to 1,000 by their ids, or all that a filter matches. An address is fetched again; a text or file is read again while what was sent is kept, encrypted: for seven days after the failure unless the operator sets another time. Documents with which nothing could be done are listed in the job with the reason. Scope: `documents:write`."""
        call = Call("POST", "/api/v1/memory/documents/retry", {}, frozenset({"repeat", "memory"}), frozenset({}))
        given = arguments({"doc_ids": doc_ids, "filter": filter, "dry_run": dry_run, "memory_id": memory_id}, self._defaults)
        return cast("StartedDocumentJob", await self._transport.json(call, given, options))

    def jobs(
        self,
        *,
        memory_id: str | NotGiven = NOT_GIVEN,
        kind: Literal["delete", "retry"] | NotGiven = NOT_GIVEN,
        status: Literal["running", "completed"] | NotGiven = NOT_GIVEN,
        limit: int | NotGiven = NOT_GIVEN,
        cursor: str | NotGiven = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> AsyncPages[DocumentJob, DocumentJobs]:
        """List the jobs over documents of a memory. Lists the jobs that delete documents or try them again, newest first: those that run, and those that ended in the last seven days. A key of one space sees the jobs of that space only. Scope: `documents:read`."""
        call = Call("GET", "/api/v1/memory/jobs", {}, frozenset({"memory"}), frozenset({"memory_id", "kind", "status", "limit", "cursor"}))
        given = arguments({"memory_id": memory_id, "kind": kind, "status": status, "limit": limit, "cursor": cursor}, self._defaults)
        return AsyncPages(self._transport, call, given, options, "jobs", False)

    async def job(
        self,
        job_id: str,
        *,
        memory_id: str | NotGiven = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> DocumentJobDetail:
        """Read how far a job over documents is. Returns how many documents a job has dealt with, and those with which nothing could be done, with the reason: the first 1,000 by id; `failed` counts all. A job is kept for seven days after its end. Scope: `documents:read`."""
        call = Call("GET", "/api/v1/memory/jobs/{job_id}", {"job_id": job_id}, frozenset({"memory"}), frozenset({"memory_id"}))
        given = arguments({"memory_id": memory_id}, self._defaults)
        return cast("DocumentJobDetail", await self._transport.json(call, given, options))

    def content(
        self,
        doc_id: str,
        *,
        memory_id: str | NotGiven = NOT_GIVEN,
        max_bytes: int | NotGiven = NOT_GIVEN,
        cursor: str | NotGiven = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> AsyncPages[DocumentChunk, DocumentContent]:
        """Read the text of a document. Returns the stored text of a document in its order, chunk by chunk, with headings, page numbers and the places of its facts. Values that screening masked are masked here too. A document that is replaced keeps its earlier text until the new one is indexed; `updated_at` tells whether it changed between two pages. Scope: `documents:read`."""
        call = Call("GET", "/api/v1/memory/documents/{doc_id}/content", {"doc_id": doc_id}, frozenset({"memory"}), frozenset({"memory_id", "max_bytes", "cursor"}))
        given = arguments({"memory_id": memory_id, "max_bytes": max_bytes, "cursor": cursor}, self._defaults)
        return AsyncPages(self._transport, call, given, options, "chunks", False)

    async def original(
        self,
        doc_id: str,
        *,
        memory_id: str | NotGiven = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> httpx.Response:
        """Download what was handed in as a document. Returns the text or file byte by byte as it was handed in, or as it was fetched from its address, as a download. It is there only for documents that were indexed while the memory had `keep_originals` on, and in which screening masked nothing; `original` of a document says so. A document that is replaced keeps the original of its earlier version until the new one is indexed. Scope: `documents:read`."""
        call = Call("GET", "/api/v1/memory/documents/{doc_id}/original", {"doc_id": doc_id}, frozenset({"memory", "file"}), frozenset({"memory_id"}))
        given = arguments({"memory_id": memory_id}, self._defaults)
        return await self._transport.response(call, given, options)

    async def update(
        self,
        doc_id: str,
        *,
        title: str | NotGiven = NOT_GIVEN,
        metadata: Dict[str, str | float | bool | None | List[str]] | NotGiven = NOT_GIVEN,
        occurred_at: str | None | NotGiven = NOT_GIVEN,
        memory_id: str | NotGiven = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> Document:
        """Change title, metadata or time of a document. Changes what is said about a completed document; its text stays as it is. Title and metadata are screened like those of a new document. Searches and the graph follow by the time the response arrives; a changed title or time gives the chunks new ids. 409 while the document is being processed, or when it failed. Scope: `documents:write`."""
        call = Call("PATCH", "/api/v1/memory/documents/{doc_id}", {"doc_id": doc_id}, frozenset({"memory"}), frozenset({}))
        given = arguments({"title": title, "metadata": metadata, "occurred_at": occurred_at, "memory_id": memory_id}, self._defaults)
        return cast("Document", await self._transport.json(call, given, options))

    async def delete(
        self,
        doc_id: str,
        *,
        memory_id: str | NotGiven = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> DeleteDocumentResponse:
        """Delete one document with everything made of it. Deletes the document with its chunks, vectors, names, links and facts. Searches do not find it any more when the response arrives. Scope: `documents:write`."""
        call = Call("DELETE", "/api/v1/memory/documents/{doc_id}", {"doc_id": doc_id}, frozenset({"memory"}), frozenset({"memory_id"}))
        given = arguments({"memory_id": memory_id}, self._defaults)
        return cast("DeleteDocumentResponse", await self._transport.json(call, given, options))

    async def route(
        self,
        doc_id: str,
        *,
        space_id: str | None,
        memory_id: str | NotGiven = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> Document:
        """Decide to which space a document belongs. Confirms or changes the space of a document and moves it with its chunks. Later documents are routed by such decisions. `null` moves it to the memory's root. Scope: `documents:write`."""
        call = Call("POST", "/api/v1/memory/documents/{doc_id}/route", {"doc_id": doc_id}, frozenset({"repeat", "memory"}), frozenset({}))
        given = arguments({"space_id": space_id, "memory_id": memory_id}, self._defaults)
        return cast("Document", await self._transport.json(call, given, options))


class AsyncChunks:
    def __init__(self, transport: AsyncTransport, defaults: Dict[str, Any]) -> None:
        self._transport = transport
        self._defaults = defaults

    async def get(
        self,
        chunk_id: str,
        *,
        memory_id: str | NotGiven = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> Chunk:
        """Read one chunk of a document. Returns the text that citations, results and facts refer to by `chunk_id`, with its place in the document and the chunks beside it. A new version of a document keeps the ids of chunks whose text did not change; the others are not found any more. Scope: `documents:read`."""
        call = Call("GET", "/api/v1/memory/chunks/{chunk_id}", {"chunk_id": chunk_id}, frozenset({"memory"}), frozenset({"memory_id"}))
        given = arguments({"memory_id": memory_id}, self._defaults)
        return cast("Chunk", await self._transport.json(call, given, options))


class AsyncGraphEntities:
    def __init__(self, transport: AsyncTransport, defaults: Dict[str, Any]) -> None:
        self._transport = transport
        self._defaults = defaults

    def list(
        self,
        *,
        memory_id: str | NotGiven = NOT_GIVEN,
        query: str | NotGiven = NOT_GIVEN,
        type: str | NotGiven = NOT_GIVEN,
        sort: Literal["relevance", "name", "mentions", "newest"] | NotGiven = NOT_GIVEN,
        limit: int | NotGiven = NOT_GIVEN,
        cursor: str | NotGiven = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> AsyncPages[Entity, EntityPage]:
        """List entities, or find them by name. Lists entities, all or those whose name or alias matches `query`, optionally of one type. With `type`, a page may hold fewer than `limit` although more follow: `next_cursor` says so. Scope: `graph:read`."""
        call = Call("GET", "/api/v1/memory/graph/entities", {}, frozenset({"memory"}), frozenset({"memory_id", "query", "type", "sort", "limit", "cursor"}))
        given = arguments({"memory_id": memory_id, "query": query, "type": type, "sort": sort, "limit": limit, "cursor": cursor}, self._defaults)
        return AsyncPages(self._transport, call, given, options, "entities", False)

    async def get(
        self,
        entity_id: str,
        *,
        memory_id: str | NotGiven = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> GetEntityResponse:
        """Read an entity with the facts stated about it. Returns an entity with its aliases and with the facts stated about it, each with the quote and the document that states it. Scope: `graph:read`."""
        call = Call("GET", "/api/v1/memory/graph/entities/{entity_id}", {"entity_id": entity_id}, frozenset({"memory"}), frozenset({"memory_id"}))
        given = arguments({"memory_id": memory_id}, self._defaults)
        return cast("GetEntityResponse", await self._transport.json(call, given, options))


class AsyncGraphLinks:
    def __init__(self, transport: AsyncTransport, defaults: Dict[str, Any]) -> None:
        self._transport = transport
        self._defaults = defaults

    async def get(
        self,
        source: str,
        target: str,
        *,
        memory_id: str | NotGiven = NOT_GIVEN,
        limit: int | NotGiven = NOT_GIVEN,
        cursor: str | NotGiven = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> EntityLinks:
        """Read how two entities are linked and which sentences say so. Returns every link between two entities, in both directions, and page by page the passages that state them, each with its sentences and their places. The links are complete on every page. Two entities without a link have an empty answer. Scope: `graph:read`."""
        call = Call("GET", "/api/v1/memory/graph/links/{source}/{target}", {"source": source, "target": target}, frozenset({"memory"}), frozenset({"memory_id", "limit", "cursor"}))
        given = arguments({"memory_id": memory_id, "limit": limit, "cursor": cursor}, self._defaults)
        return cast("EntityLinks", await self._transport.json(call, given, options))


class AsyncGraphContradictions:
    def __init__(self, transport: AsyncTransport, defaults: Dict[str, Any]) -> None:
        self._transport = transport
        self._defaults = defaults

    def list(
        self,
        *,
        memory_id: str | NotGiven = NOT_GIVEN,
        status: Literal["open", "resolved"] | NotGiven = NOT_GIVEN,
        entity_id: str | NotGiven = NOT_GIVEN,
        limit: int | NotGiven = NOT_GIVEN,
        cursor: str | NotGiven = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> AsyncPages[Contradiction, ListContradictionsResponse]:
        """List contradictions between documents. Lists statements of different documents about one relation of one entity that cannot all be true, each with its quote and document. Scope: `graph:read`."""
        call = Call("GET", "/api/v1/memory/contradictions", {}, frozenset({"memory"}), frozenset({"memory_id", "status", "entity_id", "limit", "cursor"}))
        given = arguments({"memory_id": memory_id, "status": status, "entity_id": entity_id, "limit": limit, "cursor": cursor}, self._defaults)
        return AsyncPages(self._transport, call, given, options, "contradictions", False)

    async def get(
        self,
        contradiction_id: str,
        *,
        memory_id: str | NotGiven = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> Contradiction:
        """Read a contradiction with its statements. Returns one contradiction with all its facts, quotes and documents, and with its resolution, if there is one. Scope: `graph:read`."""
        call = Call("GET", "/api/v1/memory/contradictions/{contradiction_id}", {"contradiction_id": contradiction_id}, frozenset({"memory"}), frozenset({"memory_id"}))
        given = arguments({"memory_id": memory_id}, self._defaults)
        return cast("Contradiction", await self._transport.json(call, given, options))

    async def resolve(
        self,
        contradiction_id: str,
        *,
        winner: str,
        memory_id: str | NotGiven = NOT_GIVEN,
        note: str | NotGiven = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> Contradiction:
        """Resolve a contradiction. Records which fact holds, or that both do. The other facts are marked as superseded. Repeating a resolution returns the response of the first; a different winner is refused until it is reopened. Scope: `graph:write`."""
        call = Call("POST", "/api/v1/memory/contradictions/{contradiction_id}/resolve", {"contradiction_id": contradiction_id}, frozenset({"repeat", "memory", "query"}), frozenset({"memory_id"}))
        given = arguments({"winner": winner, "memory_id": memory_id, "note": note}, self._defaults)
        return cast("Contradiction", await self._transport.json(call, given, options))

    async def reopen(
        self,
        contradiction_id: str,
        *,
        memory_id: str | NotGiven = NOT_GIVEN,
        note: str | NotGiven = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> Contradiction:
        """Reopen a resolved contradiction. Reverts a resolution: every fact stands again. Scope: `graph:write`."""
        call = Call("POST", "/api/v1/memory/contradictions/{contradiction_id}/reopen", {"contradiction_id": contradiction_id}, frozenset({"repeat", "memory", "query"}), frozenset({"memory_id"}))
        given = arguments({"memory_id": memory_id, "note": note}, self._defaults)
        return cast("Contradiction", await self._transport.json(call, given, options))


class AsyncGraphReviews:
    def __init__(self, transport: AsyncTransport, defaults: Dict[str, Any]) -> None:
        self._transport = transport
        self._defaults = defaults

    def list(
        self,
        *,
        memory_id: str | NotGiven = NOT_GIVEN,
        status: Literal["open", "decided"] | NotGiven = NOT_GIVEN,
        limit: int | NotGiven = NOT_GIVEN,
        cursor: str | NotGiven = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> AsyncPages[EntityReview, ListEntityReviewsResponse]:
        """List pairs of names that may mean the same entity. Lists pairs of names that are similar enough to be one entity and not similar enough to be merged without asking. Scope: `graph:read`."""
        call = Call("GET", "/api/v1/memory/graph/reviews", {}, frozenset({"memory"}), frozenset({"memory_id", "status", "limit", "cursor"}))
        given = arguments({"memory_id": memory_id, "status": status, "limit": limit, "cursor": cursor}, self._defaults)
        return AsyncPages(self._transport, call, given, options, "reviews", False)

    async def decide(
        self,
        review_id: str,
        *,
        decision: Literal["same", "different"],
        memory_id: str | NotGiven = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> EntityDecision:
        """Decide whether two names mean the same entity. Records whether both names mean the same entity. `same` merges the two; later documents follow the decision. Scope: `graph:write`."""
        call = Call("POST", "/api/v1/memory/graph/reviews/{review_id}/decide", {"review_id": review_id}, frozenset({"repeat", "memory", "query"}), frozenset({"memory_id"}))
        given = arguments({"decision": decision, "memory_id": memory_id}, self._defaults)
        return cast("EntityDecision", await self._transport.json(call, given, options))


class AsyncGraphDecisions:
    def __init__(self, transport: AsyncTransport, defaults: Dict[str, Any]) -> None:
        self._transport = transport
        self._defaults = defaults

    def list(
        self,
        *,
        memory_id: str | NotGiven = NOT_GIVEN,
        limit: int | NotGiven = NOT_GIVEN,
        cursor: str | NotGiven = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> AsyncPages[EntityDecision, ListEntityDecisionsResponse]:
        """List merges, splits and rejected merges. Lists what people decided about names: which entities were merged, split or kept apart, when, and with what effect. Scope: `graph:read`."""
        call = Call("GET", "/api/v1/memory/graph/decisions", {}, frozenset({"memory"}), frozenset({"memory_id", "limit", "cursor"}))
        given = arguments({"memory_id": memory_id, "limit": limit, "cursor": cursor}, self._defaults)
        return AsyncPages(self._transport, call, given, options, "decisions", False)

    async def undo(
        self,
        decision_id: str,
        *,
        memory_id: str | NotGiven = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> UndoEntityDecisionResponse:
        """Undo a merge or split. Reverts one decision; the graph is recomputed as if it had never been made. Scope: `graph:write`."""
        call = Call("DELETE", "/api/v1/memory/graph/decisions/{decision_id}", {"decision_id": decision_id}, frozenset({"memory"}), frozenset({"memory_id"}))
        given = arguments({"memory_id": memory_id}, self._defaults)
        return cast("UndoEntityDecisionResponse", await self._transport.json(call, given, options))


class AsyncGraph:
    def __init__(self, transport: AsyncTransport, defaults: Dict[str, Any]) -> None:
        self._transport = transport
        self._defaults = defaults
        self.entities = AsyncGraphEntities(transport, defaults)
        self.links = AsyncGraphLinks(transport, defaults)
        self.contradictions = AsyncGraphContradictions(transport, defaults)
        self.reviews = AsyncGraphReviews(transport, defaults)
        self.decisions = AsyncGraphDecisions(transport, defaults)

    async def explore(
        self,
        entity_id: str,
        *,
        memory_id: str | NotGiven = NOT_GIVEN,
        max_hops: int | NotGiven = NOT_GIVEN,
        relationship_types: List[str] | str | NotGiven = NOT_GIVEN,
        limit: int | NotGiven = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> ExploreGraphResponse:
        """Walk the knowledge graph from an entity, up to six hops. Returns the entities within `max_hops` links of an entity, in both directions, ordered by distance and centrality, with the links among them. `truncated` says whether `limit` cut off the end of that order. Scope: `graph:read`."""
        call = Call("GET", "/api/v1/memory/graph/explore/{entity_id}", {"entity_id": entity_id}, frozenset({"memory"}), frozenset({"memory_id", "max_hops", "relationship_types", "limit"}))
        given = arguments({"memory_id": memory_id, "max_hops": max_hops, "relationship_types": relationship_types, "limit": limit}, self._defaults)
        return cast("ExploreGraphResponse", await self._transport.json(call, given, options))

    async def path(
        self,
        source: str,
        target: str,
        *,
        memory_id: str | NotGiven = NOT_GIVEN,
        max_hops: int | NotGiven = NOT_GIVEN,
        relationship_types: List[str] | str | NotGiven = NOT_GIVEN,
        passages: int | NotGiven = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> EntityPath:
        """Find how two entities are connected, step by step. Returns a shortest path of links between two entities, followed in both directions, and for each step the links and the sentences that state them. Of several shortest paths it is one whose weakest step has the most weight. No path within `max_hops`, 6 unless it says less, is an empty answer. At most 10000 entities are looked at; `truncated` says that there were more, so that a path, or a shorter one, may have been missed. Scope: `graph:read`."""
        call = Call("GET", "/api/v1/memory/graph/paths/{source}/{target}", {"source": source, "target": target}, frozenset({"memory"}), frozenset({"memory_id", "max_hops", "relationship_types", "passages"}))
        given = arguments({"memory_id": memory_id, "max_hops": max_hops, "relationship_types": relationship_types, "passages": passages}, self._defaults)
        return cast("EntityPath", await self._transport.json(call, given, options))

    async def overview(
        self,
        *,
        memory_id: str | NotGiven = NOT_GIVEN,
        limit: int | NotGiven = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> GraphOverview:
        """Read a picture of the whole knowledge graph. Returns the most central entities with their places in a picture, the weightiest links among them, the communities that they belong to, and how many entities and communities there are in all. A key of one space gets the entities that its documents mention most, without places. Scope: `graph:read`."""
        call = Call("GET", "/api/v1/memory/graph/overview", {}, frozenset({"memory"}), frozenset({"memory_id", "limit"}))
        given = arguments({"memory_id": memory_id, "limit": limit}, self._defaults)
        return cast("GraphOverview", await self._transport.json(call, given, options))

    async def export(
        self,
        *,
        memory_id: str | NotGiven = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> httpx.Response:
        """Download all entities and facts of a memory. Streams every entity with its aliases, then every fact with its quote and document. One JSON object a line, each with its `type`; the last line is `{"type":"end"}` with the number of lines before it, and without it the answer was cut off. What changes while it is written may be in it as it was or as it is. Scope: `graph:read`."""
        call = Call("GET", "/api/v1/memory/graph/export", {}, frozenset({"memory", "file"}), frozenset({"memory_id"}))
        given = arguments({"memory_id": memory_id}, self._defaults)
        return await self._transport.response(call, given, options)

    async def merge(
        self,
        *,
        entity_ids: List[str],
        memory_id: str | NotGiven = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> MergeEntitiesResponse:
        """Merge entities. Makes several entities one, with all their names, links and facts. The merge is a decision that outlives new versions of documents and can be undone. Scope: `graph:write`."""
        call = Call("POST", "/api/v1/memory/graph/merges", {}, frozenset({"repeat", "memory", "query"}), frozenset({"memory_id"}))
        given = arguments({"entity_ids": entity_ids, "memory_id": memory_id}, self._defaults)
        return cast("MergeEntitiesResponse", await self._transport.json(call, given, options))

    async def split(
        self,
        *,
        entity_id: str,
        memory_id: str | NotGiven = NOT_GIVEN,
        names: List[str] | NotGiven = NOT_GIVEN,
        doc_ids: List[str] | NotGiven = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> SplitEntityResponse:
        """Split an entity. Separates some names of an entity, or what some documents mean by it, into an entity of its own. The split is a decision that can be undone. Scope: `graph:write`."""
        call = Call("POST", "/api/v1/memory/graph/splits", {}, frozenset({"repeat", "memory", "query"}), frozenset({"memory_id"}))
        given = arguments({"entity_id": entity_id, "memory_id": memory_id, "names": names, "doc_ids": doc_ids}, self._defaults)
        return cast("SplitEntityResponse", await self._transport.json(call, given, options))


class AsyncSearch:
    def __init__(self, transport: AsyncTransport, defaults: Dict[str, Any]) -> None:
        self._transport = transport
        self._defaults = defaults

    async def query(
        self,
        *,
        query: str,
        memory_id: str | NotGiven = NOT_GIVEN,
        space_id: str | NotGiven = NOT_GIVEN,
        top_k: int | NotGiven = NOT_GIVEN,
        filters: SearchFilter | NotGiven = NOT_GIVEN,
        thread_id: str | NotGiven = NOT_GIVEN,
        user: str | NotGiven = NOT_GIVEN,
        llm_model: str | NotGiven = NOT_GIVEN,
        as_of: str | NotGiven = NOT_GIVEN,
        explain: bool | NotGiven = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> SearchAnswer:
        """Search a memory and get a cited answer. Returns the best passages and an answer in which every sentence cites its source. Without a model the answer consists of verbatim sentences; with one it is written from the passages and checked against them. Open contradictions among the sources are returned with it. With `thread_id` the question and the answer are added as turns. Scope: `memory:search`."""
        call = Call("POST", "/api/v1/memory/search", {}, frozenset({"read", "memory"}), frozenset({}))
        given = arguments({"query": query, "memory_id": memory_id, "space_id": space_id, "top_k": top_k, "filters": filters, "thread_id": thread_id, "user": user, "llm_model": llm_model, "as_of": as_of, "explain": explain}, self._defaults)
        return cast("SearchAnswer", await self._transport.json(call, given, options))

    def stream(
        self,
        *,
        query: str,
        memory_id: str | NotGiven = NOT_GIVEN,
        space_id: str | NotGiven = NOT_GIVEN,
        top_k: int | NotGiven = NOT_GIVEN,
        filters: SearchFilter | NotGiven = NOT_GIVEN,
        thread_id: str | NotGiven = NOT_GIVEN,
        user: str | NotGiven = NOT_GIVEN,
        llm_model: str | NotGiven = NOT_GIVEN,
        as_of: str | NotGiven = NOT_GIVEN,
        explain: bool | NotGiven = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> AsyncEventStream:
        """Search a memory and stream the cited answer. Answers like `searchMemory`, as server-sent events: `sources`, then `token` several times, then `done`. The concatenated tokens are the answer; `done` has all that `searchMemory` returns, with results, entities and the places of what is cited. Closing the connection cancels the work, including the model call. Scope: `memory:search`."""
        call = Call("POST", "/api/v1/memory/search/stream", {}, frozenset({"read", "memory", "stream"}), frozenset({}))
        given = arguments({"query": query, "memory_id": memory_id, "space_id": space_id, "top_k": top_k, "filters": filters, "thread_id": thread_id, "user": user, "llm_model": llm_model, "as_of": as_of, "explain": explain}, self._defaults)
        return AsyncEventStream(self._transport, call, given, options)


class AsyncSearches:
    def __init__(self, transport: AsyncTransport, defaults: Dict[str, Any]) -> None:
        self._transport = transport
        self._defaults = defaults

    def list(
        self,
        *,
        memory_id: str | NotGiven = NOT_GIVEN,
        space_id: str | NotGiven = NOT_GIVEN,
        unanswered: bool | NotGiven = NOT_GIVEN,
        thumbs: Literal["up", "down", "none"] | NotGiven = NOT_GIVEN,
        since: str | NotGiven = NOT_GIVEN,
        until: str | NotGiven = NOT_GIVEN,
        limit: int | NotGiven = NOT_GIVEN,
        cursor: str | NotGiven = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> AsyncPages[LoggedSearch, LoggedSearches]:
        """List what was asked of a memory. Lists the searches of a memory that were kept, newest first. Nothing is kept unless `updateSearchLog` has turned it on. A key of one space sees the searches of that space only. Scope: `threads:read`."""
        call = Call("GET", "/api/v1/memory/searches", {}, frozenset({"memory"}), frozenset({"memory_id", "space_id", "unanswered", "thumbs", "since", "until", "limit", "cursor"}))
        given = arguments({"memory_id": memory_id, "space_id": space_id, "unanswered": unanswered, "thumbs": thumbs, "since": since, "until": until, "limit": limit, "cursor": cursor}, self._defaults)
        return AsyncPages(self._transport, call, given, options, "searches", False)

    async def get(
        self,
        search_id: str,
        *,
        memory_id: str | NotGiven = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> LoggedSearch:
        """Read a search that was kept. Returns a kept search by the `search_id` of its answer. A search is kept just after its answer was made, and one whose process dies at that moment may be missing. Scope: `threads:read`."""
        call = Call("GET", "/api/v1/memory/searches/{search_id}", {"search_id": search_id}, frozenset({"memory"}), frozenset({"memory_id"}))
        given = arguments({"memory_id": memory_id}, self._defaults)
        return cast("LoggedSearch", await self._transport.json(call, given, options))

    async def rate(
        self,
        search_id: str,
        *,
        helpful: bool,
        comment: str | NotGiven = NOT_GIVEN,
        memory_id: str | NotGiven = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> LoggedSearch:
        """Say whether the answer of a search helped. Keeps whether the answer helped, with a comment if there is one, masked like the question. A repeat replaces what was said before; without `comment` the search has none afterwards. 404 for a search that was not kept. Scope: `memory:search`."""
        call = Call("POST", "/api/v1/memory/searches/{search_id}/feedback", {"search_id": search_id}, frozenset({"memory"}), frozenset({}))
        given = arguments({"helpful": helpful, "comment": comment, "memory_id": memory_id}, self._defaults)
        return cast("LoggedSearch", await self._transport.json(call, given, options))


class AsyncRuns:
    def __init__(self, transport: AsyncTransport, defaults: Dict[str, Any]) -> None:
        self._transport = transport
        self._defaults = defaults

    async def start_web(
        self,
        *,
        prompt: str,
        llm_model: str | NotGiven = NOT_GIVEN,
        live_url: bool | NotGiven = NOT_GIVEN,
        proxy: bool | NotGiven = NOT_GIVEN,
        start: Literal["on_connect", "now"] | NotGiven = NOT_GIVEN,
        memory_id: str | NotGiven = NOT_GIVEN,
        config: StartWebResearchConfig | NotGiven = NOT_GIVEN,
        user: str | NotGiven = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> WebSession:
        """Prepare a web and research run. Prepares a run that answers from the web and the tenant's memory, and collects what it finds in a list. It starts when a WebSocket connects to `websocket_url`, and expires after an hour if none does; with `now` as `start` it starts with this call. Scope: `search:run`."""
        call = Call("POST", "/api/v1/search/agent/web-and-research", {}, frozenset({"repeat", "run", "memory"}), frozenset({}))
        given = arguments({"prompt": prompt, "llm_model": llm_model, "live_url": live_url, "proxy": proxy, "start": start, "memory_id": memory_id, "config": config, "user": user}, self._defaults)
        return cast("WebSession", await self._transport.json(call, given, options))

    async def start_crawl(
        self,
        *,
        prompt: str,
        llm_model: str | NotGiven = NOT_GIVEN,
        proxy: bool | NotGiven = NOT_GIVEN,
        start: Literal["on_connect", "now"] | NotGiven = NOT_GIVEN,
        memory_id: str | NotGiven = NOT_GIVEN,
        config: StartCrawlerConfig | NotGiven = NOT_GIVEN,
        user: str | NotGiven = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> WebSession:
        """Prepare a crawl of the sites named in the prompt. Prepares a run that reads the sites named in the prompt and collects the entities asked for into a list, each cell with its quote. It starts when a WebSocket connects to `websocket_url`, and expires after an hour if none does; with `now` as `start` it starts with this call. Scope: `search:run`."""
        call = Call("POST", "/api/v1/search/agent/agentic-crawler", {}, frozenset({"repeat", "run", "memory"}), frozenset({}))
        given = arguments({"prompt": prompt, "llm_model": llm_model, "proxy": proxy, "start": start, "memory_id": memory_id, "config": config, "user": user}, self._defaults)
        return cast("WebSession", await self._transport.json(call, given, options))

    async def start_people(
        self,
        *,
        prompt: str,
        list_name: str | NotGiven = NOT_GIVEN,
        list_description: str | NotGiven = NOT_GIVEN,
        search_mode: Literal["fast", "standard", "deep"] | NotGiven = NOT_GIVEN,
        total_target: int | NotGiven = NOT_GIVEN,
        llm_model: str | NotGiven = NOT_GIVEN,
        memory_id: str | NotGiven = NOT_GIVEN,
        config: StartPeopleSearchConfig | NotGiven = NOT_GIVEN,
        user: str | NotGiven = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> StartPeopleSearchResponse:
        """Build a list of people who meet the criteria in the prompt. Starts at once to build a list of people who meet the criteria in the prompt, each criterion with its evidence. The price is reserved when the run starts and charged once when it ends. Scope: `search:run`."""
        call = Call("POST", "/api/v1/search/workflow/people/start", {}, frozenset({"repeat", "run", "memory"}), frozenset({}))
        given = arguments({"prompt": prompt, "list_name": list_name, "list_description": list_description, "search_mode": search_mode, "total_target": total_target, "llm_model": llm_model, "memory_id": memory_id, "config": config, "user": user}, self._defaults)
        return cast("StartPeopleSearchResponse", await self._transport.json(call, given, options))

    async def start_companies(
        self,
        *,
        prompt: str,
        list_name: str | NotGiven = NOT_GIVEN,
        list_description: str | NotGiven = NOT_GIVEN,
        search_mode: Literal["fast", "standard", "deep"] | NotGiven = NOT_GIVEN,
        total_target: int | NotGiven = NOT_GIVEN,
        llm_model: str | NotGiven = NOT_GIVEN,
        memory_id: str | NotGiven = NOT_GIVEN,
        config: StartCompanySearchConfig | NotGiven = NOT_GIVEN,
        user: str | NotGiven = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> StartCompanySearchResponse:
        """Build a list of companies that meet the criteria in the prompt. Starts at once to build a list of companies that meet the criteria in the prompt, each criterion with its evidence. The price is reserved when the run starts and charged once when it ends. Scope: `search:run`."""
        call = Call("POST", "/api/v1/search/workflow/company/start", {}, frozenset({"repeat", "run", "memory"}), frozenset({}))
        given = arguments({"prompt": prompt, "list_name": list_name, "list_description": list_description, "search_mode": search_mode, "total_target": total_target, "llm_model": llm_model, "memory_id": memory_id, "config": config, "user": user}, self._defaults)
        return cast("StartCompanySearchResponse", await self._transport.json(call, given, options))

    async def continue_(
        self,
        *,
        thread_id: str,
        total_target: int,
        options: Optional[RequestOptions] = None,
    ) -> ContinueListSearchResponse:
        """Continue a people or company search with a higher target. Raises the target of a list search and continues it: rows that it has stay, and nobody is listed twice. The target must be higher than the number of rows. Scope: `search:run`."""
        call = Call("POST", "/api/v1/search/workflow/continue", {}, frozenset({"repeat"}), frozenset({}))
        given = arguments({"thread_id": thread_id, "total_target": total_target})
        return cast("ContinueListSearchResponse", await self._transport.json(call, given, options))

    async def stop(
        self,
        thread_id: str,
        *,
        options: Optional[RequestOptions] = None,
    ) -> StopRunResponse:
        """Stop a run. Ends a run immediately and keeps what it found. Stopping a run that has ended returns the same answer. Scope: `search:run`."""
        call = Call("POST", "/api/v1/search/workflow/stop/{thread_id}", {"thread_id": thread_id}, frozenset({"repeat", "empty", "bare"}), frozenset({}))
        given = arguments({})
        return cast("StopRunResponse", await self._transport.json(call, given, options))

    def list(
        self,
        *,
        kind: Literal["web", "crawler", "people", "company", "research", "deep_search"] | NotGiven = NOT_GIVEN,
        status: List[Literal["awaiting_connection", "queued", "running", "awaiting_clarification", "completed", "failed", "cancelled", "expired"]] | Literal["awaiting_connection", "queued", "running", "awaiting_clarification", "completed", "failed", "cancelled", "expired"] | NotGiven = NOT_GIVEN,
        query: str | NotGiven = NOT_GIVEN,
        limit: int | NotGiven = NOT_GIVEN,
        cursor: str | NotGiven = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> AsyncPages[RunSummary, ListRunsResponse]:
        """List the runs of the tenant. Lists runs of every kind, newest first, 50 to a page unless `limit` says otherwise. Filters select by kind, status and words of the prompt; runs that wait for an answer have the status `awaiting_clarification`. Scope: `search:run`."""
        call = Call("GET", "/api/v1/search/runs", {}, frozenset({}), frozenset({"kind", "status", "query", "limit", "cursor"}))
        given = arguments({"kind": kind, "status": status, "query": query, "limit": limit, "cursor": cursor})
        return AsyncPages(self._transport, call, given, options, "runs", False)

    def log(
        self,
        thread_id: str,
        *,
        limit: int | NotGiven = NOT_GIVEN,
        cursor: str | NotGiven = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> AsyncPages[RunEvent, ListRunEventsResponse]:
        """List the events of a run. Returns the log of a run in order, the same events that its stream sends, 50 to a page unless `limit` says otherwise. The number of the last event that you have is the cursor of what follows it. Scope: `search:run`."""
        call = Call("GET", "/api/v1/search/runs/{thread_id}/events", {"thread_id": thread_id}, frozenset({}), frozenset({"limit", "cursor"}))
        given = arguments({"limit": limit, "cursor": cursor})
        return AsyncPages(self._transport, call, given, options, "events", False)

    def sources(
        self,
        thread_id: str,
        *,
        limit: int | NotGiven = NOT_GIVEN,
        cursor: str | NotGiven = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> AsyncPages[RunSource, ListRunSourcesResponse]:
        """List what a run has read. Lists the documents, pages and files that a run has read, in the order in which it read them, without their texts; 50 to a page by default. Scope: `search:run`."""
        call = Call("GET", "/api/v1/search/runs/{thread_id}/sources", {"thread_id": thread_id}, frozenset({}), frozenset({"limit", "cursor"}))
        given = arguments({"limit": limit, "cursor": cursor})
        return AsyncPages(self._transport, call, given, options, "sources", False)

    async def status(
        self,
        thread_id: str,
        *,
        options: Optional[RequestOptions] = None,
    ) -> RunStatus:
        """Read the status of a run. Returns stage, progress, results so far, the open question, if any, and a fresh ticket for the WebSocket. Scope: `search:run`."""
        call = Call("GET", "/api/v1/search/workflow/status/{thread_id}", {"thread_id": thread_id}, frozenset({"bare"}), frozenset({}))
        given = arguments({})
        return cast("RunStatus", await self._transport.json(call, given, options))

    async def report(
        self,
        thread_id: str,
        *,
        format: Literal["markdown", "html", "pdf", "json"] | NotGiven = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> httpx.Response:
        """Download the report of a run. Returns the report as Markdown, HTML, PDF or JSON. A run that has none yet is refused. Scope: `search:run`."""
        call = Call("GET", "/api/v1/search/workflow/report/{thread_id}", {"thread_id": thread_id}, frozenset({"file"}), frozenset({"format"}))
        given = arguments({"format": format})
        return await self._transport.response(call, given, options)

    async def start_research(
        self,
        *,
        query: str,
        allow_clarification: bool | NotGiven = NOT_GIVEN,
        service_id: str | NotGiven = NOT_GIVEN,
        llm_model: str | NotGiven = NOT_GIVEN,
        memory_id: str | NotGiven = NOT_GIVEN,
        config: StartResearchConfig | NotGiven = NOT_GIVEN,
        user: str | NotGiven = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> StartResearchResponse:
        """Start deep research. Starts deep research at once: questions, reading, gaps, and a report whose statements cite their quotes. The price is reserved now and charged once at the end. Follow it by its event stream. Scope: `search:run`."""
        call = Call("POST", "/api/v1/search/research/start", {}, frozenset({"repeat", "run", "memory"}), frozenset({}))
        given = arguments({"query": query, "allow_clarification": allow_clarification, "serviceId": service_id, "llm_model": llm_model, "memory_id": memory_id, "config": config, "user": user}, self._defaults)
        return cast("StartResearchResponse", await self._transport.json(call, given, options))

    async def answer(
        self,
        thread_id: str,
        *,
        response: str,
        options: Optional[RequestOptions] = None,
    ) -> RespondToResearchResponse:
        """Answer the question of a research run. Answers the question that the run asked and lets it go on. A run that has no open question refuses it. Scope: `search:run`."""
        call = Call("POST", "/api/v1/search/research/respond/{thread_id}", {"thread_id": thread_id}, frozenset({"repeat", "query", "empty"}), frozenset({"response"}))
        given = arguments({"response": response})
        return cast("RespondToResearchResponse", await self._transport.json(call, given, options))

    async def start_deep_search(
        self,
        *,
        prompt: str,
        llm_model: str | NotGiven = NOT_GIVEN,
        live_url: bool | NotGiven = NOT_GIVEN,
        proxy: bool | NotGiven = NOT_GIVEN,
        start: Literal["on_connect", "now"] | NotGiven = NOT_GIVEN,
        thread_id: str | NotGiven = NOT_GIVEN,
        list_id: str | NotGiven = NOT_GIVEN,
        memory_id: str | NotGiven = NOT_GIVEN,
        config: StartDeepSearchConfig | NotGiven = NOT_GIVEN,
        user: str | NotGiven = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> StartDeepSearchResponse:
        """Prepare a deep search or answer its question. Prepares a run that reads reference files, the memory and the web. It starts when a WebSocket connects to `websocket_url`, or with this call when `start` is `now`. With `thread_id` and `list_id` the prompt answers the question that the run has asked. Scope: `search:run`."""
        call = Call("POST", "/api/v1/search/service-deep-search/start", {}, frozenset({"repeat", "run", "memory"}), frozenset({}))
        given = arguments({"prompt": prompt, "llm_model": llm_model, "live_url": live_url, "proxy": proxy, "start": start, "thread_id": thread_id, "list_id": list_id, "memory_id": memory_id, "config": config, "user": user}, self._defaults)
        return cast("StartDeepSearchResponse", await self._transport.json(call, given, options))

    async def upload_reference(
        self,
        file: FileInput,
        *,
        thread_id: str,
        options: Optional[RequestOptions] = None,
    ) -> UploadReferenceResponse:
        """Upload a reference file for a deep search. Gives an active deep search one file that only this run reads. Its format is detected from its content. At most 20 files for each run. Scope: `search:run`."""
        call = Call("POST", "/api/v1/search/service-deep-search/upload", {}, frozenset({"repeat"}), frozenset({}))
        given = arguments({"thread_id": thread_id})
        return cast("UploadReferenceResponse", await self._transport.json(call, given, options, file))

    def stream_research(
        self,
        thread_id: str,
        *,
        last_event_id: int | NotGiven = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> AsyncEventStream:
        """Follow a run as server-sent events. Sends the events of a run, numbered from 1 without gaps, from the first or after `Last-Event-ID`. The last one is `run.completed`, `run.failed`, `run.cancelled` or `run.expired`. A stream ends after ten minutes; reconnect with the last id. Scope: `search:run`."""
        call = Call("GET", "/research/stream/{thread_id}", {"thread_id": thread_id}, frozenset({"stream"}), frozenset({"last_event_id"}))
        given = arguments({"last_event_id": last_event_id})
        return AsyncEventStream(self._transport, call, given, options)

    def stream_research_versioned(
        self,
        thread_id: str,
        *,
        last_event_id: int | NotGiven = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> AsyncEventStream:
        """Follow a run as server-sent events, below /api/v1. The same stream as `/research/stream/{thread_id}`, below `/api/v1`. Sends the events of a run, numbered from 1 without gaps, from the first or after `Last-Event-ID`. The last one is `run.completed`, `run.failed`, `run.cancelled` or `run.expired`. A stream ends after ten minutes; reconnect with the last id. Scope: `search:run`."""
        call = Call("GET", "/api/v1/research/stream/{thread_id}", {"thread_id": thread_id}, frozenset({"stream"}), frozenset({"last_event_id"}))
        given = arguments({"last_event_id": last_event_id})
        return AsyncEventStream(self._transport, call, given, options)

    def stream(
        self,
        thread_id: str,
        *,
        last_event_id: int | NotGiven = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> AsyncEventStream:
        """Follow a run as server-sent events, below /api/v1/search. The same stream as `/research/stream/{thread_id}`, beside the other operations of runs. Sends the events of a run, numbered from 1 without gaps, from the first or after `Last-Event-ID`. The last one is `run.completed`, `run.failed`, `run.cancelled` or `run.expired`. A stream ends after ten minutes; reconnect with the last id. Scope: `search:run`."""
        call = Call("GET", "/api/v1/search/research/stream/{thread_id}", {"thread_id": thread_id}, frozenset({"stream"}), frozenset({"last_event_id"}))
        given = arguments({"last_event_id": last_event_id})
        return AsyncEventStream(self._transport, call, given, options)

    def connect(
        self,
        thread_id: str,
        *,
        ticket: str | NotGiven = NOT_GIVEN,
        last_seq: int | NotGiven = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> str:
        """Connect to a run by WebSocket. Opens a WebSocket to a run; for runs that were only prepared, the first connection starts them. It sends the events of the run and accepts `clarification.answer`, `cancel` and `ping`. Losing the connection does not affect the run. Scope: `search:run`."""
        call = Call("GET", "/api/v1/search/socket/{thread_id}", {"thread_id": thread_id}, frozenset({"socket"}), frozenset({"ticket", "last_seq"}))
        given = arguments({"ticket": ticket, "last_seq": last_seq})
        return self._transport.socket_url(call, given)

    async def live_page(
        self,
        thread_id: str,
        *,
        ticket: str | NotGiven = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> httpx.Response:
        """Show the live page of a run. Returns a page that shows the run while it works. `live_url` contains a ticket for it, valid for a day, that opens this run only. Scope: `search:run`."""
        call = Call("GET", "/research/live/{thread_id}", {"thread_id": thread_id}, frozenset({"file"}), frozenset({"ticket"}))
        given = arguments({"ticket": ticket})
        return await self._transport.response(call, given, options)

    def stream_live_page(
        self,
        thread_id: str,
        *,
        ticket: str | NotGiven = NOT_GIVEN,
        last_event_id: int | NotGiven = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> AsyncEventStream:
        """Stream the events of the live page. Sends the events that the live page shows, under the page's own ticket. Scope: `search:run`."""
        call = Call("GET", "/research/live/{thread_id}/events", {"thread_id": thread_id}, frozenset({"stream"}), frozenset({"ticket", "last_event_id"}))
        given = arguments({"ticket": ticket, "last_event_id": last_event_id})
        return AsyncEventStream(self._transport, call, given, options)


class AsyncSources:
    def __init__(self, transport: AsyncTransport, defaults: Dict[str, Any]) -> None:
        self._transport = transport
        self._defaults = defaults

    async def get(
        self,
        source_id: str,
        *,
        start: int | NotGiven = NOT_GIVEN,
        length: int | NotGiven = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> SourceText:
        """Read the text that a quote is from. Returns one source of a run with a part of its text, as the run read it: `start` and `quote` of evidence are places in it. Texts are kept for a while after the run's end; `text` is null when it is over. Scope: `search:run`."""
        call = Call("GET", "/api/v1/search/sources/{source_id}", {"source_id": source_id}, frozenset({}), frozenset({"start", "length"}))
        given = arguments({"start": start, "length": length})
        return cast("SourceText", await self._transport.json(call, given, options))


class AsyncLists:
    def __init__(self, transport: AsyncTransport, defaults: Dict[str, Any]) -> None:
        self._transport = transport
        self._defaults = defaults

    def list(
        self,
        *,
        page: int | NotGiven = NOT_GIVEN,
        limit: int | NotGiven = NOT_GIVEN,
        search_term: str | NotGiven = NOT_GIVEN,
        list_type: Literal["company", "people", "web"] | NotGiven = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> AsyncPages[SavedList, ListSavedListsResponse]:
        """List the saved lists. Lists the saved lists of people and company searches, newest first; those of the web are included on request. Scope: `lists:read`."""
        call = Call("GET", "/api/v1/search/lists", {}, frozenset({}), frozenset({"page", "limit", "searchTerm", "listType"}))
        given = arguments({"page": page, "limit": limit, "searchTerm": search_term, "listType": list_type})
        return AsyncPages(self._transport, call, given, options, "data", True)

    async def get(
        self,
        list_id: str,
        *,
        options: Optional[RequestOptions] = None,
    ) -> SavedList:
        """Read one saved list. Returns one saved list with its criteria and columns. Scope: `lists:read`."""
        call = Call("GET", "/api/v1/search/lists/{list_id}", {"list_id": list_id}, frozenset({"bare"}), frozenset({}))
        given = arguments({})
        return cast("SavedList", await self._transport.json(call, given, options))

    def rows(
        self,
        list_id: str,
        *,
        page: int | NotGiven = NOT_GIVEN,
        limit: int | NotGiven = NOT_GIVEN,
        search_term: str | NotGiven = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> AsyncPages[ListRow, ListRowsResponse]:
        """Read the rows of a list with the evidence of every cell. Returns the rows of a list, each cell with its quote, source and confidence. Scope: `lists:read`."""
        call = Call("GET", "/api/v1/search/lists/{list_id}/rows", {"list_id": list_id}, frozenset({}), frozenset({"page", "limit", "searchTerm"}))
        given = arguments({"page": page, "limit": limit, "searchTerm": search_term})
        return AsyncPages(self._transport, call, given, options, "data", True)

    async def export(
        self,
        list_id: str,
        *,
        format: Literal["csv", "json"] | NotGiven = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> httpx.Response:
        """Download a list with all its rows. Returns all rows as CSV or JSON. Values that a spreadsheet would take for a formula are escaped in CSV. Scope: `lists:read`."""
        call = Call("GET", "/api/v1/search/lists/{list_id}/export", {"list_id": list_id}, frozenset({"file"}), frozenset({"format"}))
        given = arguments({"format": format})
        return await self._transport.response(call, given, options)


class AsyncEvents:
    def __init__(self, transport: AsyncTransport, defaults: Dict[str, Any]) -> None:
        self._transport = transport
        self._defaults = defaults

    def stream(
        self,
        *,
        types: str | NotGiven = NOT_GIVEN,
        memory_id: str | NotGiven = NOT_GIVEN,
        last_event_id: int | NotGiven = NOT_GIVEN,
        follow: bool | NotGiven = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> AsyncEventStream:
        """Follow what happens as server-sent events. Sends what happens, each event once and in order: from now on, or after `Last-Event-ID`. The events that webhooks receive come with the same bodies; besides, it tells of documents that were queued, failed or deleted, of the status of runs, and of credentials. An event needs the scope of the operations that show the same: `documents:read` for documents, `graph:read` for entities, contradictions and health, `search:run` for runs, `keys:read` for credentials; a credential of one memory sees that memory, one of one space is refused. Events are kept for three days, and 409 says that some after the given one may be gone. A stream ends after ten minutes; reconnect with the last id, which `stream.position` renews while nothing else happens."""
        call = Call("GET", "/api/v1/events/stream", {}, frozenset({"memory", "stream"}), frozenset({"types", "memory_id", "last_event_id", "follow"}))
        given = arguments({"types": types, "memory_id": memory_id, "last_event_id": last_event_id, "follow": follow}, self._defaults)
        return AsyncEventStream(self._transport, call, given, options)


class AsyncWebhooksDeliveries:
    def __init__(self, transport: AsyncTransport, defaults: Dict[str, Any]) -> None:
        self._transport = transport
        self._defaults = defaults

    def list(
        self,
        webhook_id: str,
        *,
        limit: int | NotGiven = NOT_GIVEN,
        cursor: str | NotGiven = NOT_GIVEN,
        state: Literal["pending", "delivering", "delivered", "dead_lettered", "test_failed"] | NotGiven = NOT_GIVEN,
        event: Literal["memory.ingest.completed", "memory.ingest.dlp_flagged", "memory.ingest.auto_routed", "memory.entity.created", "memory.entity.contradiction_detected", "memory.entity.contradiction_resolved", "memory.health.assessed", "webhook.test"] | NotGiven = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> AsyncPages[Delivery, ListDeliveriesResponse]:
        """List the deliveries of a webhook. Lists deliveries with their attempts, newest first, 50 to a page unless `limit` says otherwise. Scope: `webhooks:read`."""
        call = Call("GET", "/api/v1/webhooks/{webhook_id}/deliveries", {"webhook_id": webhook_id}, frozenset({}), frozenset({"limit", "cursor", "state", "event"}))
        given = arguments({"limit": limit, "cursor": cursor, "state": state, "event": event})
        return AsyncPages(self._transport, call, given, options, "deliveries", False)

    async def get(
        self,
        webhook_id: str,
        delivery_id: str,
        *,
        options: Optional[RequestOptions] = None,
    ) -> DeliveryWithRequest:
        """Read one delivery with its attempts. Returns one delivery with what is sent and every attempt: time, status, latency and the beginning of the response. Scope: `webhooks:read`."""
        call = Call("GET", "/api/v1/webhooks/{webhook_id}/deliveries/{delivery_id}", {"webhook_id": webhook_id, "delivery_id": delivery_id}, frozenset({"bare"}), frozenset({}))
        given = arguments({})
        return cast("DeliveryWithRequest", await self._transport.json(call, given, options))

    async def replay(
        self,
        webhook_id: str,
        delivery_id: str,
        *,
        options: Optional[RequestOptions] = None,
    ) -> Delivery:
        """Redeliver one event. Delivers again at once: a delivery that was given up, one that succeeded, or one that waits for its next attempt. Scope: `webhooks:write`."""
        call = Call("POST", "/api/v1/webhooks/{webhook_id}/deliveries/{delivery_id}/replay", {"webhook_id": webhook_id, "delivery_id": delivery_id}, frozenset({"repeat"}), frozenset({}))
        given = arguments({})
        return cast("Delivery", await self._transport.json(call, given, options))


class AsyncWebhooks:
    def __init__(self, transport: AsyncTransport, defaults: Dict[str, Any]) -> None:
        self._transport = transport
        self._defaults = defaults
        self.deliveries = AsyncWebhooksDeliveries(transport, defaults)

    async def create(
        self,
        *,
        url: str,
        events: List[Literal["memory.ingest.completed", "memory.ingest.dlp_flagged", "memory.ingest.auto_routed", "memory.entity.created", "memory.entity.contradiction_detected", "memory.entity.contradiction_resolved", "memory.health.assessed"]],
        description: str | NotGiven = NOT_GIVEN,
        active: bool | NotGiven = NOT_GIVEN,
        auto_replay: bool | NotGiven = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> WebhookWithSecret:
        """Create a webhook. Registers an HTTPS endpoint for event types. The signing secret is returned once. A tenant has at most 100 webhooks. Scope: `webhooks:write`."""
        call = Call("POST", "/api/v1/webhooks", {}, frozenset({"repeat"}), frozenset({}))
        given = arguments({"url": url, "events": events, "description": description, "active": active, "auto_replay": auto_replay})
        return cast("WebhookWithSecret", await self._transport.json(call, given, options))

    def list(
        self,
        *,
        limit: int | NotGiven = NOT_GIVEN,
        cursor: str | NotGiven = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> AsyncPages[Webhook, ListWebhooksResponse]:
        """List the webhooks of the tenant. Lists the webhooks with the health of their endpoints, without their secrets. Scope: `webhooks:read`."""
        call = Call("GET", "/api/v1/webhooks", {}, frozenset({}), frozenset({"limit", "cursor"}))
        given = arguments({"limit": limit, "cursor": cursor})
        return AsyncPages(self._transport, call, given, options, "webhooks", False)

    async def get(
        self,
        webhook_id: str,
        *,
        options: Optional[RequestOptions] = None,
    ) -> Webhook:
        """Read one webhook. Returns one webhook with the health of its endpoint. Scope: `webhooks:read`."""
        call = Call("GET", "/api/v1/webhooks/{webhook_id}", {"webhook_id": webhook_id}, frozenset({"bare"}), frozenset({}))
        given = arguments({})
        return cast("Webhook", await self._transport.json(call, given, options))

    async def update(
        self,
        webhook_id: str,
        *,
        url: str | NotGiven = NOT_GIVEN,
        events: List[Literal["memory.ingest.completed", "memory.ingest.dlp_flagged", "memory.ingest.auto_routed", "memory.entity.created", "memory.entity.contradiction_detected", "memory.entity.contradiction_resolved", "memory.health.assessed"]] | NotGiven = NOT_GIVEN,
        description: str | NotGiven = NOT_GIVEN,
        active: bool | NotGiven = NOT_GIVEN,
        auto_replay: bool | NotGiven = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> Webhook:
        """Change, pause or resume a webhook. Changes only the fields that are given. While a webhook is not active no event is recorded for it, and deliveries that wait go on waiting. Scope: `webhooks:write`."""
        call = Call("PATCH", "/api/v1/webhooks/{webhook_id}", {"webhook_id": webhook_id}, frozenset({}), frozenset({}))
        given = arguments({"url": url, "events": events, "description": description, "active": active, "auto_replay": auto_replay})
        return cast("Webhook", await self._transport.json(call, given, options))

    async def delete(
        self,
        webhook_id: str,
        *,
        options: Optional[RequestOptions] = None,
    ) -> DeleteWebhookResponse:
        """Delete a webhook with its deliveries. Deletes a webhook; a request that is under way may still arrive, and none after it. Its deliveries are erased in the background. Scope: `webhooks:write`."""
        call = Call("DELETE", "/api/v1/webhooks/{webhook_id}", {"webhook_id": webhook_id}, frozenset({"bare"}), frozenset({}))
        given = arguments({})
        return cast("DeleteWebhookResponse", await self._transport.json(call, given, options))

    async def rotate_secret(
        self,
        webhook_id: str,
        *,
        overlap_seconds: int | NotGiven = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> WebhookWithSecret:
        """Rotate the signing secret of a webhook. Creates a new signing secret and returns it once. Until the overlap ends every request carries both signatures, so that receivers can change over. Scope: `webhooks:write`."""
        call = Call("POST", "/api/v1/webhooks/{webhook_id}/rotate-secret", {"webhook_id": webhook_id}, frozenset({"repeat"}), frozenset({}))
        given = arguments({"overlap_seconds": overlap_seconds})
        return cast("WebhookWithSecret", await self._transport.json(call, given, options))

    async def test(
        self,
        webhook_id: str,
        *,
        event: Literal["memory.ingest.completed", "memory.ingest.dlp_flagged", "memory.ingest.auto_routed", "memory.entity.created", "memory.entity.contradiction_detected", "memory.entity.contradiction_resolved", "memory.health.assessed"] | NotGiven = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> Delivery:
        """Send a test event. Sends one test event at once, without retries, and returns the endpoint's response: a ping, or with `event` that type's example, whose ids exist nowhere. Scope: `webhooks:write`."""
        call = Call("POST", "/api/v1/webhooks/{webhook_id}/test", {"webhook_id": webhook_id}, frozenset({"repeat"}), frozenset({}))
        given = arguments({"event": event})
        return cast("Delivery", await self._transport.json(call, given, options))

    def all_deliveries(
        self,
        *,
        limit: int | NotGiven = NOT_GIVEN,
        cursor: str | NotGiven = NOT_GIVEN,
        webhook_id: str | NotGiven = NOT_GIVEN,
        state: Literal["pending", "delivering", "delivered", "dead_lettered", "test_failed"] | NotGiven = NOT_GIVEN,
        event: Literal["memory.ingest.completed", "memory.ingest.dlp_flagged", "memory.ingest.auto_routed", "memory.entity.created", "memory.entity.contradiction_detected", "memory.entity.contradiction_resolved", "memory.health.assessed", "webhook.test"] | NotGiven = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> AsyncPages[Delivery, ListAllDeliveriesResponse]:
        """List the deliveries of all webhooks. Lists deliveries of every webhook with their attempts, newest first, 50 to a page by default. Scope: `webhooks:read`."""
        call = Call("GET", "/api/v1/webhooks/deliveries", {}, frozenset({}), frozenset({"limit", "cursor", "webhook_id", "state", "event"}))
        given = arguments({"limit": limit, "cursor": cursor, "webhook_id": webhook_id, "state": state, "event": event})
        return AsyncPages(self._transport, call, given, options, "deliveries", False)

    async def stats(
        self,
        *,
        hours: int | NotGiven = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> GetWebhookStatsResponse:
        """Read how well the endpoints answer. Returns for each webhook what became of the deliveries of the last hours, how many attempts were accepted, and how long the endpoint took. At most the latest 10,000 deliveries of each webhook are looked at. Scope: `webhooks:read`."""
        call = Call("GET", "/api/v1/webhooks/stats", {}, frozenset({}), frozenset({"hours"}))
        given = arguments({"hours": hours})
        return cast("GetWebhookStatsResponse", await self._transport.json(call, given, options))

    async def event_types(
        self,
        *,
        options: Optional[RequestOptions] = None,
    ) -> ListWebhookEventTypesResponse:
        """List the events that a webhook can receive. Returns each type of event with a description, the JSON Schema of what is delivered, and an example. Scope: `webhooks:read`."""
        call = Call("GET", "/api/v1/webhooks/event-types", {}, frozenset({"bare"}), frozenset({}))
        given = arguments({})
        return cast("ListWebhookEventTypesResponse", await self._transport.json(call, given, options))

    async def replay(
        self,
        webhook_id: str,
        *,
        delivery_ids: List[str] | NotGiven = NOT_GIVEN,
        event: Literal["memory.ingest.completed", "memory.ingest.dlp_flagged", "memory.ingest.auto_routed", "memory.entity.created", "memory.entity.contradiction_detected", "memory.entity.contradiction_resolved", "memory.health.assessed"] | NotGiven = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> ReplayDeadLettersResponse:
        """Redeliver dead letters. Delivers again what was given up: everything of the webhook, or the deliveries that are named. Scope: `webhooks:write`."""
        call = Call("POST", "/api/v1/webhooks/{webhook_id}/replay", {"webhook_id": webhook_id}, frozenset({"repeat"}), frozenset({}))
        given = arguments({"delivery_ids": delivery_ids, "event": event})
        return cast("ReplayDeadLettersResponse", await self._transport.json(call, given, options))


class AsyncUsage:
    def __init__(self, transport: AsyncTransport, defaults: Dict[str, Any]) -> None:
        self._transport = transport
        self._defaults = defaults

    async def llm(
        self,
        *,
        dimension: Literal["tenant", "workspace", "memory", "space", "conversation", "user", "api_key", "model"] | NotGiven = NOT_GIVEN,
        id: str | NotGiven = NOT_GIVEN,
        from_: str | NotGiven = NOT_GIVEN,
        to: str | NotGiven = NOT_GIVEN,
        group_by: Literal["day", "model", "day_and_model"] | NotGiven = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> ReadLlmUsageResponse:
        """Read the usage of models. Returns tokens, calls, cost and credits by UTC day, by model, or by both. A call appears within seconds. `cost_usd` is null when no call of the row has a known price. Scope: `usage:read`."""
        call = Call("GET", "/api/v1/usage/llm", {}, frozenset({}), frozenset({"dimension", "id", "from", "to", "group_by"}))
        given = arguments({"dimension": dimension, "id": id, "from": from_, "to": to, "group_by": group_by})
        return cast("ReadLlmUsageResponse", await self._transport.json(call, given, options))

    async def requests(
        self,
        *,
        group_by: Literal["hour", "day", "operation", "key"] | NotGiven = NOT_GIVEN,
        from_: str | NotGiven = NOT_GIVEN,
        to: str | NotGiven = NOT_GIVEN,
        key_id: str | NotGiven = NOT_GIVEN,
        operation: str | NotGiven = NOT_GIVEN,
        status_class: Literal["2xx", "3xx", "4xx", "5xx"] | NotGiven = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> ReadRequestsResponse:
        """Read how many requests there were. Returns the requests that were permitted, those beyond their rate or quota included, by UTC hour or day, by operation, or by key or OAuth client, with their errors and how long they took at the gateway. A request appears within some seconds; streams are counted and not timed. Requests are kept for 90 days; what a gateway had not reported when it was killed is missing, ten seconds at most. Scope: `usage:read`."""
        call = Call("GET", "/api/v1/usage/requests", {}, frozenset({}), frozenset({"group_by", "from", "to", "key_id", "operation", "status_class"}))
        given = arguments({"group_by": group_by, "from": from_, "to": to, "key_id": key_id, "operation": operation, "status_class": status_class})
        return cast("ReadRequestsResponse", await self._transport.json(call, given, options))

    def credits(
        self,
        *,
        limit: int | NotGiven = NOT_GIVEN,
        cursor: str | NotGiven = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> AsyncPages[LedgerEntry, ReadCreditsResponse]:
        """Read the credits of the month. Returns the month's balance and the ledger that explains it, newest first. Scope: `usage:read`."""
        call = Call("GET", "/api/v1/usage/credits", {}, frozenset({}), frozenset({"limit", "cursor"}))
        given = arguments({"limit": limit, "cursor": cursor})
        return AsyncPages(self._transport, call, given, options, "ledger", False)

    async def limits(
        self,
        *,
        options: Optional[RequestOptions] = None,
    ) -> Limits:
        """Read what is used of each of the plan's limits. Each resource as the service counts it that enforces its limit: what is used, the limit, and when that starts at 0 again. `monthly_requests` includes what gateways hold in advance, some hundred requests at most for each. `rate` is what all credentials together may send; what a single one may is in `whoami`. Scope: `usage:read`."""
        call = Call("GET", "/api/v1/usage/limits", {}, frozenset({"bare"}), frozenset({}))
        given = arguments({})
        return cast("Limits", await self._transport.json(call, given, options))


class AsyncResources:
    def __init__(self, transport: AsyncTransport, defaults: Dict[str, Any]) -> None:
        self._transport = transport
        self._defaults = defaults
        self.account = AsyncAccount(transport, defaults)
        self.audit = AsyncAudit(transport, defaults)
        self.keys = AsyncKeys(transport, defaults)
        self.oauth_clients = AsyncOauthClients(transport, defaults)
        self.oauth = AsyncOauth(transport, defaults)
        self.apps = AsyncApps(transport, defaults)
        self.sessions = AsyncSessions(transport, defaults)
        self.members = AsyncMembers(transport, defaults)
        self.invitations = AsyncInvitations(transport, defaults)
        self.workspaces = AsyncWorkspaces(transport, defaults)
        self.memories = AsyncMemories(transport, defaults)
        self.spaces = AsyncSpaces(transport, defaults)
        self.provider_keys = AsyncProviderKeys(transport, defaults)
        self.models = AsyncModels(transport, defaults)
        self.threads = AsyncThreads(transport, defaults)
        self.documents = AsyncDocuments(transport, defaults)
        self.chunks = AsyncChunks(transport, defaults)
        self.graph = AsyncGraph(transport, defaults)
        self.search = AsyncSearch(transport, defaults)
        self.searches = AsyncSearches(transport, defaults)
        self.runs = AsyncRuns(transport, defaults)
        self.sources = AsyncSources(transport, defaults)
        self.lists = AsyncLists(transport, defaults)
        self.events = AsyncEvents(transport, defaults)
        self.webhooks = AsyncWebhooks(transport, defaults)
        self.usage = AsyncUsage(transport, defaults)


