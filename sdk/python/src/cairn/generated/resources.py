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
    Document,
    EntityDecision,
    EntityReview,
    ExploreGraphResponse,
    GetEntityResponse,
    GetMemoryHealthResponse,
    GetWorkspaceResponse,
    IngestDocumentsResponse,
    IssueOAuthTokenResponse,
    LedgerEntry,
    ListApiKeysResponse,
    ListContradictionsResponse,
    ListDeliveriesResponse,
    ListDocumentsResponse,
    ListEntitiesResponse,
    ListEntityDecisionsResponse,
    ListEntityReviewsResponse,
    ListMemoriesResponse,
    ListOAuthClientsResponse,
    ListProviderKeysResponse,
    ListRow,
    ListRowsResponse,
    ListSavedListsResponse,
    ListSpaceMembersResponse,
    ListSpacesResponse,
    ListThreadsResponse,
    ListTurnsResponse,
    ListWebhooksResponse,
    ListWorkspacesResponse,
    Memory,
    MergeEntitiesResponse,
    NewDocument,
    OAuthClient,
    OAuthClientWithSecret,
    OauthMetadataResponse,
    ProviderKey,
    ReadCreditsResponse,
    ReadLlmUsageResponse,
    ReplayDeadLettersResponse,
    RespondToResearchResponse,
    RevokeApiKeyResponse,
    RevokeOAuthClientResponse,
    RevokeOAuthTokenResponse,
    RotatedApiKey,
    RunStatus,
    SavedList,
    SearchAnswer,
    SearchFilter,
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
    Workspace,
)


class Keys:
    def __init__(self, transport: Transport, defaults: Dict[str, Any]) -> None:
        self._transport = transport
        self._defaults = defaults

    def create(
        self,
        *,
        name: str,
        type: Literal["live", "test", "ephemeral", "memory"] | NotGiven = NOT_GIVEN,
        scopes: List[Literal["keys:read", "keys:write", "oauth:read", "oauth:write", "workspaces:read", "workspaces:write", "memories:read", "memories:write", "spaces:read", "spaces:write", "threads:read", "threads:write", "documents:read", "documents:write", "graph:read", "graph:write", "webhooks:read", "webhooks:write", "providers:read", "providers:write", "memory:search", "usage:read", "search:run", "lists:read"]] | NotGiven = NOT_GIVEN,
        app_permissions: Dict[str, List[Literal["read", "write"]]] | NotGiven = NOT_GIVEN,
        ip_allowlist: List[str] | NotGiven = NOT_GIVEN,
        expires_at: str | NotGiven = NOT_GIVEN,
        memory_id: str | NotGiven = NOT_GIVEN,
        space_id: str | NotGiven = NOT_GIVEN,
        rate_limit: CreateApiKeyRateLimit | NotGiven = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> ApiKeyWithPlaintext:
        """Create a key; its plaintext is in this answer only. Scope: `keys:write`."""
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
        """List the keys of the tenant. Scope: `keys:read`."""
        call = Call("GET", "/api/v1/api-keys", {}, frozenset({}), frozenset({"limit", "cursor", "type", "memory_id", "space_id", "parent_key_id", "revoked"}))
        given = arguments({"limit": limit, "cursor": cursor, "type": type, "memory_id": memory_id, "space_id": space_id, "parent_key_id": parent_key_id, "revoked": revoked})
        return Pages(self._transport, call, given, options, "api_keys", False)

    def get(
        self,
        key_id: str,
        *,
        options: Optional[RequestOptions] = None,
    ) -> ApiKey:
        """Read one key. Scope: `keys:read`."""
        call = Call("GET", "/api/v1/api-keys/{key_id}", {"key_id": key_id}, frozenset({"bare"}), frozenset({}))
        given = arguments({})
        return cast("ApiKey", self._transport.json(call, given, options))

    def update(
        self,
        key_id: str,
        *,
        name: str | NotGiven = NOT_GIVEN,
        scopes: List[Literal["keys:read", "keys:write", "oauth:read", "oauth:write", "workspaces:read", "workspaces:write", "memories:read", "memories:write", "spaces:read", "spaces:write", "threads:read", "threads:write", "documents:read", "documents:write", "graph:read", "graph:write", "webhooks:read", "webhooks:write", "providers:read", "providers:write", "memory:search", "usage:read", "search:run", "lists:read"]] | NotGiven = NOT_GIVEN,
        app_permissions: Dict[str, List[Literal["read", "write"]]] | NotGiven = NOT_GIVEN,
        ip_allowlist: List[str] | NotGiven = NOT_GIVEN,
        expires_at: str | None | NotGiven = NOT_GIVEN,
        rate_limit: UpdateApiKeyRateLimit | None | NotGiven = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> ApiKey:
        """Change the name or the restrictions of a key; the resulting key must be within the calling key, or within what it was. Scope: `keys:write`."""
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
        """Replace a key by a new one that may do the same; the old one is revoked when the overlap ends. Scope: `keys:write`."""
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
        """Revoke a key for good, alone or with its descendants; a repeat has the same answer. Scope: `keys:write`."""
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
        scopes: List[Literal["keys:read", "keys:write", "oauth:read", "oauth:write", "workspaces:read", "workspaces:write", "memories:read", "memories:write", "spaces:read", "spaces:write", "threads:read", "threads:write", "documents:read", "documents:write", "graph:read", "graph:write", "webhooks:read", "webhooks:write", "providers:read", "providers:write", "memory:search", "usage:read", "search:run", "lists:read"]],
        options: Optional[RequestOptions] = None,
    ) -> OAuthClientWithSecret:
        """Create an OAuth client; its secret is in this answer only. Scope: `oauth:write`."""
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
        """List the OAuth clients of the tenant. Scope: `oauth:read`."""
        call = Call("GET", "/api/v1/oauth-clients", {}, frozenset({}), frozenset({"limit", "cursor"}))
        given = arguments({"limit": limit, "cursor": cursor})
        return Pages(self._transport, call, given, options, "oauth_clients", False)

    def get(
        self,
        client_id: str,
        *,
        options: Optional[RequestOptions] = None,
    ) -> OAuthClient:
        """Read one OAuth client. Scope: `oauth:read`."""
        call = Call("GET", "/api/v1/oauth-clients/{client_id}", {"client_id": client_id}, frozenset({"bare"}), frozenset({}))
        given = arguments({})
        return cast("OAuthClient", self._transport.json(call, given, options))

    def revoke(
        self,
        client_id: str,
        *,
        options: Optional[RequestOptions] = None,
    ) -> RevokeOAuthClientResponse:
        """Revoke an OAuth client and all its tokens for good; again, it gives the same answer. Scope: `oauth:write`."""
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
        scope: str | NotGiven = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> IssueOAuthTokenResponse:
        """Get an access token for client credentials (RFC 6749, 4.4)."""
        call = Call("POST", "/oauth/token", {}, frozenset({"oauth"}), frozenset({}))
        given = arguments({"client_id": client_id, "client_secret": client_secret, "grant_type": grant_type, "scope": scope})
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
        """Revoke an access token (RFC 7009)."""
        call = Call("POST", "/oauth/revoke", {}, frozenset({"oauth"}), frozenset({}))
        given = arguments({"client_id": client_id, "client_secret": client_secret, "token": token, "token_type_hint": token_type_hint})
        return cast("RevokeOAuthTokenResponse", self._transport.json(call, given, options))

    def metadata(
        self,
        *,
        options: Optional[RequestOptions] = None,
    ) -> OauthMetadataResponse:
        """Where and how to get access tokens (RFC 8414)."""
        call = Call("GET", "/.well-known/oauth-authorization-server", {}, frozenset({"bare"}), frozenset({}))
        given = arguments({})
        return cast("OauthMetadataResponse", self._transport.json(call, given, options))


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
        """Create a workspace with its primary shared memory. Scope: `workspaces:write`."""
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
        """List the workspaces of the tenant. Scope: `workspaces:read`."""
        call = Call("GET", "/api/v1/workspaces", {}, frozenset({}), frozenset({"limit", "cursor"}))
        given = arguments({"limit": limit, "cursor": cursor})
        return Pages(self._transport, call, given, options, "workspaces", False)

    def get(
        self,
        workspace_id: str,
        *,
        options: Optional[RequestOptions] = None,
    ) -> GetWorkspaceResponse:
        """Read one workspace. Scope: `workspaces:read`."""
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
        """Change the name, description or slug of a workspace. Scope: `workspaces:write`."""
        call = Call("PATCH", "/api/v1/workspaces/{workspace_id}", {"workspace_id": workspace_id}, frozenset({}), frozenset({}))
        given = arguments({"name": name, "description": description, "slug": slug})
        return cast("UpdateWorkspaceResponse", self._transport.json(call, given, options))

    def delete(
        self,
        workspace_id: str,
        *,
        options: Optional[RequestOptions] = None,
    ) -> DeleteWorkspaceResponse:
        """Delete a workspace with all its memories; the erasing goes on in the background. Scope: `workspaces:write`."""
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
        options: Optional[RequestOptions] = None,
    ) -> Memory:
        """Create a memory. Scope: `memories:write`."""
        call = Call("POST", "/api/v1/memories", {}, frozenset({"repeat"}), frozenset({}))
        given = arguments({"display_name": display_name, "type": type, "workspace_id": workspace_id, "dlp_policy": dlp_policy})
        return cast("Memory", self._transport.json(call, given, options))

    def list(
        self,
        *,
        workspace_id: str | NotGiven = NOT_GIVEN,
        limit: int | NotGiven = NOT_GIVEN,
        cursor: str | NotGiven = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> Pages[Memory, ListMemoriesResponse]:
        """List every memory of the tenant, or of one workspace. Scope: `memories:read`."""
        call = Call("GET", "/api/v1/memories", {}, frozenset({}), frozenset({"workspace_id", "limit", "cursor"}))
        given = arguments({"workspace_id": workspace_id, "limit": limit, "cursor": cursor})
        return Pages(self._transport, call, given, options, "memories", False)

    def get(
        self,
        memory_id: str,
        *,
        options: Optional[RequestOptions] = None,
    ) -> Memory:
        """Read one memory. Scope: `memories:read`."""
        call = Call("GET", "/api/v1/memories/{memory_id}", {"memory_id": memory_id}, frozenset({"bare"}), frozenset({}))
        given = arguments({})
        return cast("Memory", self._transport.json(call, given, options))

    def update(
        self,
        memory_id: str,
        *,
        display_name: str | NotGiven = NOT_GIVEN,
        dlp_policy: Literal["off", "secrets", "pii"] | NotGiven = NOT_GIVEN,
        status: Literal["active", "suspended"] | NotGiven = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> Memory:
        """Change a memory, suspend it or take it up again. Scope: `memories:write`."""
        call = Call("PATCH", "/api/v1/memories/{memory_id}", {"memory_id": memory_id}, frozenset({}), frozenset({}))
        given = arguments({"display_name": display_name, "dlp_policy": dlp_policy, "status": status})
        return cast("Memory", self._transport.json(call, given, options))

    def delete(
        self,
        memory_id: str,
        *,
        options: Optional[RequestOptions] = None,
    ) -> Memory:
        """Delete a memory with everything in it; the erasing goes on in the background. Scope: `memories:write`."""
        call = Call("DELETE", "/api/v1/memories/{memory_id}", {"memory_id": memory_id}, frozenset({"bare"}), frozenset({}))
        given = arguments({})
        return cast("Memory", self._transport.json(call, given, options))

    def health(
        self,
        *,
        memory_id: str | NotGiven = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> GetMemoryHealthResponse:
        """Read the health of a memory: a score, its parts, and what to do about each. Scope: `graph:read`."""
        call = Call("GET", "/api/v1/memory/health", {}, frozenset({"memory"}), frozenset({"memory_id"}))
        given = arguments({"memory_id": memory_id}, self._defaults)
        return cast("GetMemoryHealthResponse", self._transport.json(call, given, options))


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
        """List the members of a space. Scope: `spaces:read`."""
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
        """Add a member to a space, or change the role. Scope: `spaces:write`."""
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
        """Take a member out of a space. Scope: `spaces:write`."""
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
        """Create a space inside a memory. Scope: `spaces:write`."""
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
        """List the spaces of the tenant, or of one memory. Scope: `spaces:read`."""
        call = Call("GET", "/api/v1/spaces", {}, frozenset({"memory"}), frozenset({"memory_id", "limit", "cursor"}))
        given = arguments({"memory_id": memory_id, "limit": limit, "cursor": cursor}, self._defaults)
        return Pages(self._transport, call, given, options, "spaces", False)

    def get(
        self,
        space_id: str,
        *,
        options: Optional[RequestOptions] = None,
    ) -> Space:
        """Read one space. Scope: `spaces:read`."""
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
        """Change the name, description or slug of a space. Scope: `spaces:write`."""
        call = Call("PATCH", "/api/v1/spaces/{space_id}", {"space_id": space_id}, frozenset({}), frozenset({}))
        given = arguments({"name": name, "description": description, "slug": slug})
        return cast("Space", self._transport.json(call, given, options))

    def delete(
        self,
        space_id: str,
        *,
        options: Optional[RequestOptions] = None,
    ) -> DeleteSpaceResponse:
        """Delete a space with its documents and threads; the erasing goes on in the background. Scope: `spaces:write`."""
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
        """The MCP endpoint of a space: Model Context Protocol over Streamable HTTP, without sessions. Scope: `spaces:read`."""
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
        """Store your own key of a model provider; it is encrypted and never shown again. Scope: `providers:write`."""
        call = Call("PUT", "/api/v1/provider-keys/{provider}", {"provider": provider}, frozenset({}), frozenset({}))
        given = arguments({"api_key": api_key, "base_url": base_url})
        return cast("ProviderKey", self._transport.json(call, given, options))

    def list(
        self,
        *,
        options: Optional[RequestOptions] = None,
    ) -> ListProviderKeysResponse:
        """List the providers a key is stored for. Scope: `providers:read`."""
        call = Call("GET", "/api/v1/provider-keys", {}, frozenset({"bare"}), frozenset({}))
        given = arguments({})
        return cast("ListProviderKeysResponse", self._transport.json(call, given, options))

    def get(
        self,
        provider: str,
        *,
        options: Optional[RequestOptions] = None,
    ) -> ProviderKey:
        """Read what is known of a stored key, never the key itself. Scope: `providers:read`."""
        call = Call("GET", "/api/v1/provider-keys/{provider}", {"provider": provider}, frozenset({"bare"}), frozenset({}))
        given = arguments({})
        return cast("ProviderKey", self._transport.json(call, given, options))

    def delete(
        self,
        provider: str,
        *,
        options: Optional[RequestOptions] = None,
    ) -> DeleteProviderKeyResponse:
        """Delete a stored key. Scope: `providers:write`."""
        call = Call("DELETE", "/api/v1/provider-keys/{provider}", {"provider": provider}, frozenset({"bare"}), frozenset({}))
        given = arguments({})
        return cast("DeleteProviderKeyResponse", self._transport.json(call, given, options))


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
        """Add a turn to a conversation. Scope: `threads:write`."""
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
        """List the turns of a conversation, oldest first. Scope: `threads:read`."""
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
        """Begin a conversation in a memory or in one of its spaces. Scope: `threads:write`."""
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
        """List the conversations of the tenant, or of one memory or space. Scope: `threads:read`."""
        call = Call("GET", "/api/v1/threads", {}, frozenset({"memory"}), frozenset({"memory_id", "space_id", "limit", "cursor"}))
        given = arguments({"memory_id": memory_id, "space_id": space_id, "limit": limit, "cursor": cursor}, self._defaults)
        return Pages(self._transport, call, given, options, "threads", False)

    def get(
        self,
        thread_id: str,
        *,
        options: Optional[RequestOptions] = None,
    ) -> Thread:
        """Read one conversation, without its turns. Scope: `threads:read`."""
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
        """Change the title of a conversation. Scope: `threads:write`."""
        call = Call("PATCH", "/api/v1/threads/{thread_id}", {"thread_id": thread_id}, frozenset({}), frozenset({}))
        given = arguments({"title": title})
        return cast("Thread", self._transport.json(call, given, options))

    def delete(
        self,
        thread_id: str,
        *,
        options: Optional[RequestOptions] = None,
    ) -> DeleteThreadResponse:
        """Delete a conversation with its turns. Scope: `threads:write`."""
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
        """Put one document or up to 100 into a memory. Scope: `documents:write`."""
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
        """Put one document or up to 100 into a memory. Scope: `documents:write`."""
        call = Call("POST", "/api/v1/memory/documents", {}, frozenset({"repeat", "memory"}), frozenset({}))
        given = arguments({"title": title, "external_id": external_id, "space_id": space_id, "metadata": metadata, "occurred_at": occurred_at, "memory_id": memory_id}, self._defaults)
        return cast("IngestDocumentsResponse", self._transport.json(call, given, options, file))

    def list(
        self,
        *,
        memory_id: str | NotGiven = NOT_GIVEN,
        space_id: str | NotGiven = NOT_GIVEN,
        status: Literal["queued", "parsing", "screening", "routing", "indexing", "linking", "completed", "failed"] | NotGiven = NOT_GIVEN,
        external_id: str | NotGiven = NOT_GIVEN,
        needs_review: bool | NotGiven = NOT_GIVEN,
        limit: int | NotGiven = NOT_GIVEN,
        cursor: str | NotGiven = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> Pages[Document, ListDocumentsResponse]:
        """List the documents of a memory. Scope: `documents:read`."""
        call = Call("GET", "/api/v1/memory/documents", {}, frozenset({"memory"}), frozenset({"memory_id", "space_id", "status", "external_id", "needs_review", "limit", "cursor"}))
        given = arguments({"memory_id": memory_id, "space_id": space_id, "status": status, "external_id": external_id, "needs_review": needs_review, "limit": limit, "cursor": cursor}, self._defaults)
        return Pages(self._transport, call, given, options, "documents", False)

    def get(
        self,
        doc_id: str,
        *,
        memory_id: str | NotGiven = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> Document:
        """Read the state of one document. Scope: `documents:read`."""
        call = Call("GET", "/api/v1/memory/documents/{doc_id}", {"doc_id": doc_id}, frozenset({"memory"}), frozenset({"memory_id"}))
        given = arguments({"memory_id": memory_id}, self._defaults)
        return cast("Document", self._transport.json(call, given, options))

    def delete(
        self,
        doc_id: str,
        *,
        memory_id: str | NotGiven = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> DeleteDocumentResponse:
        """Delete one document with everything made of it. Scope: `documents:write`."""
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
        """Settle the space of a document; later documents are routed by it. Scope: `documents:write`."""
        call = Call("POST", "/api/v1/memory/documents/{doc_id}/route", {"doc_id": doc_id}, frozenset({"repeat", "memory"}), frozenset({}))
        given = arguments({"space_id": space_id, "memory_id": memory_id}, self._defaults)
        return cast("Document", self._transport.json(call, given, options))


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
        limit: int | NotGiven = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> ListEntitiesResponse:
        """Find entities by name. Scope: `graph:read`."""
        call = Call("GET", "/api/v1/memory/graph/entities", {}, frozenset({"memory"}), frozenset({"memory_id", "query", "type", "limit"}))
        given = arguments({"memory_id": memory_id, "query": query, "type": type, "limit": limit}, self._defaults)
        return cast("ListEntitiesResponse", self._transport.json(call, given, options))

    def get(
        self,
        entity_id: str,
        *,
        memory_id: str | NotGiven = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> GetEntityResponse:
        """Read an entity with the facts that are stated of it. Scope: `graph:read`."""
        call = Call("GET", "/api/v1/memory/graph/entities/{entity_id}", {"entity_id": entity_id}, frozenset({"memory"}), frozenset({"memory_id"}))
        given = arguments({"memory_id": memory_id}, self._defaults)
        return cast("GetEntityResponse", self._transport.json(call, given, options))


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
        """List what documents disagree about. Scope: `graph:read`."""
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
        """Read a contradiction with its statements. Scope: `graph:read`."""
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
        """Say which statement holds, or that both do. Scope: `graph:write`."""
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
        """Take a resolution back. Scope: `graph:write`."""
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
        """List names that may mean the same entity and wait for a person. Scope: `graph:read`."""
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
        """Say whether two names mean the same entity. Scope: `graph:write`."""
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
        """List merges, splits and refused merges. Scope: `graph:read`."""
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
        """Take a merge or split back. Scope: `graph:write`."""
        call = Call("DELETE", "/api/v1/memory/graph/decisions/{decision_id}", {"decision_id": decision_id}, frozenset({"memory"}), frozenset({"memory_id"}))
        given = arguments({"memory_id": memory_id}, self._defaults)
        return cast("UndoEntityDecisionResponse", self._transport.json(call, given, options))


class Graph:
    def __init__(self, transport: Transport, defaults: Dict[str, Any]) -> None:
        self._transport = transport
        self._defaults = defaults
        self.entities = GraphEntities(transport, defaults)
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
        """Walk the knowledge graph from an entity, up to six hops. Scope: `graph:read`."""
        call = Call("GET", "/api/v1/memory/graph/explore/{entity_id}", {"entity_id": entity_id}, frozenset({"memory"}), frozenset({"memory_id", "max_hops", "relationship_types", "limit"}))
        given = arguments({"memory_id": memory_id, "max_hops": max_hops, "relationship_types": relationship_types, "limit": limit}, self._defaults)
        return cast("ExploreGraphResponse", self._transport.json(call, given, options))

    def merge(
        self,
        *,
        entity_ids: List[str],
        memory_id: str | NotGiven = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> MergeEntitiesResponse:
        """Make entities one; reversible. Scope: `graph:write`."""
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
        """Make an entity of its own out of some names of one, or of what some documents mean by it; reversible. Scope: `graph:write`."""
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
        """Search a memory and get a cited answer. Scope: `memory:search`."""
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
        """The same search with its answer as server-sent events. Scope: `memory:search`."""
        call = Call("POST", "/api/v1/memory/search/stream", {}, frozenset({"read", "memory", "stream"}), frozenset({}))
        given = arguments({"query": query, "memory_id": memory_id, "space_id": space_id, "top_k": top_k, "filters": filters, "thread_id": thread_id, "user": user, "llm_model": llm_model, "as_of": as_of, "explain": explain}, self._defaults)
        return EventStream(self._transport, call, given, options)


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
        memory_id: str | NotGiven = NOT_GIVEN,
        config: StartWebResearchConfig | NotGiven = NOT_GIVEN,
        user: str | NotGiven = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> WebSession:
        """Prepare a web and research run; it starts when its WebSocket connects. Scope: `search:run`."""
        call = Call("POST", "/api/v1/search/agent/web-and-research", {}, frozenset({"repeat", "run", "memory"}), frozenset({}))
        given = arguments({"prompt": prompt, "llm_model": llm_model, "live_url": live_url, "proxy": proxy, "memory_id": memory_id, "config": config, "user": user}, self._defaults)
        return cast("WebSession", self._transport.json(call, given, options))

    def start_crawl(
        self,
        *,
        prompt: str,
        llm_model: str | NotGiven = NOT_GIVEN,
        proxy: bool | NotGiven = NOT_GIVEN,
        memory_id: str | NotGiven = NOT_GIVEN,
        config: StartCrawlerConfig | NotGiven = NOT_GIVEN,
        user: str | NotGiven = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> WebSession:
        """Prepare a crawl of the sites named in the prompt; it starts when its WebSocket connects. Scope: `search:run`."""
        call = Call("POST", "/api/v1/search/agent/agentic-crawler", {}, frozenset({"repeat", "run", "memory"}), frozenset({}))
        given = arguments({"prompt": prompt, "llm_model": llm_model, "proxy": proxy, "memory_id": memory_id, "config": config, "user": user}, self._defaults)
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
        """Build a list of people who meet the criteria in the prompt. Scope: `search:run`."""
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
        """Build a list of companies that meet the criteria in the prompt. Scope: `search:run`."""
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
        """Extend a people or company search to a higher target. Scope: `search:run`."""
        call = Call("POST", "/api/v1/search/workflow/continue", {}, frozenset({"repeat"}), frozenset({}))
        given = arguments({"thread_id": thread_id, "total_target": total_target})
        return cast("ContinueListSearchResponse", self._transport.json(call, given, options))

    def stop(
        self,
        thread_id: str,
        *,
        options: Optional[RequestOptions] = None,
    ) -> StopRunResponse:
        """Stop a run; what it found stays. Again, it gives the same answer. Scope: `search:run`."""
        call = Call("POST", "/api/v1/search/workflow/stop/{thread_id}", {"thread_id": thread_id}, frozenset({"repeat", "empty", "bare"}), frozenset({}))
        given = arguments({})
        return cast("StopRunResponse", self._transport.json(call, given, options))

    def status(
        self,
        thread_id: str,
        *,
        options: Optional[RequestOptions] = None,
    ) -> RunStatus:
        """Read how a run is doing, with a fresh ticket for its WebSocket. Scope: `search:run`."""
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
        """Download the report of a run. Scope: `search:run`."""
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
        """Start deep research; its progress is streamed. Scope: `search:run`."""
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
        """Answer the question that a research run waits for. Scope: `search:run`."""
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
        thread_id: str | NotGiven = NOT_GIVEN,
        list_id: str | NotGiven = NOT_GIVEN,
        memory_id: str | NotGiven = NOT_GIVEN,
        config: StartDeepSearchConfig | NotGiven = NOT_GIVEN,
        user: str | NotGiven = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> StartDeepSearchResponse:
        """Prepare a deep search, or answer its question by naming its thread and list. Scope: `search:run`."""
        call = Call("POST", "/api/v1/search/service-deep-search/start", {}, frozenset({"repeat", "run", "memory"}), frozenset({}))
        given = arguments({"prompt": prompt, "llm_model": llm_model, "live_url": live_url, "proxy": proxy, "thread_id": thread_id, "list_id": list_id, "memory_id": memory_id, "config": config, "user": user}, self._defaults)
        return cast("StartDeepSearchResponse", self._transport.json(call, given, options))

    def upload_reference(
        self,
        file: FileInput,
        *,
        thread_id: str,
        options: Optional[RequestOptions] = None,
    ) -> UploadReferenceResponse:
        """Give a deep search a reference file that only it reads. Scope: `search:run`."""
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
        """Follow a run as server-sent events, from its first one or after Last-Event-ID. Scope: `search:run`."""
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
        """Follow a run as server-sent events, from its first one or after Last-Event-ID. Scope: `search:run`."""
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
        """Follow a run as server-sent events, from its first one or after Last-Event-ID. Scope: `search:run`."""
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
        """Connect to a run by WebSocket; the first connection starts it. Scope: `search:run`."""
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
        """A page where a person watches the run. Scope: `search:run`."""
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
        """The events that the live page shows. Scope: `search:run`."""
        call = Call("GET", "/research/live/{thread_id}/events", {"thread_id": thread_id}, frozenset({"stream"}), frozenset({"ticket", "last_event_id"}))
        given = arguments({"ticket": ticket, "last_event_id": last_event_id})
        return EventStream(self._transport, call, given, options)


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
        """List the saved company and people lists; those of the web when asked for. Scope: `lists:read`."""
        call = Call("GET", "/api/v1/search/lists", {}, frozenset({}), frozenset({"page", "limit", "searchTerm", "listType"}))
        given = arguments({"page": page, "limit": limit, "searchTerm": search_term, "listType": list_type})
        return Pages(self._transport, call, given, options, "data", True)

    def get(
        self,
        list_id: str,
        *,
        options: Optional[RequestOptions] = None,
    ) -> SavedList:
        """Read one saved list. Scope: `lists:read`."""
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
        """Read the rows of a list with the evidence of every cell. Scope: `lists:read`."""
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
        """Download a list with all its rows. Scope: `lists:read`."""
        call = Call("GET", "/api/v1/search/lists/{list_id}/export", {"list_id": list_id}, frozenset({"file"}), frozenset({"format"}))
        given = arguments({"format": format})
        return self._transport.response(call, given, options)


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
        """List deliveries of a webhook with their attempts, newest first; 50 a page unless `limit` says otherwise. Scope: `webhooks:read`."""
        call = Call("GET", "/api/v1/webhooks/{webhook_id}/deliveries", {"webhook_id": webhook_id}, frozenset({}), frozenset({"limit", "cursor", "state", "event"}))
        given = arguments({"limit": limit, "cursor": cursor, "state": state, "event": event})
        return Pages(self._transport, call, given, options, "deliveries", False)

    def get(
        self,
        webhook_id: str,
        delivery_id: str,
        *,
        options: Optional[RequestOptions] = None,
    ) -> Delivery:
        """Read one delivery with its attempts. Scope: `webhooks:read`."""
        call = Call("GET", "/api/v1/webhooks/{webhook_id}/deliveries/{delivery_id}", {"webhook_id": webhook_id, "delivery_id": delivery_id}, frozenset({"bare"}), frozenset({}))
        given = arguments({})
        return cast("Delivery", self._transport.json(call, given, options))

    def replay(
        self,
        webhook_id: str,
        delivery_id: str,
        *,
        options: Optional[RequestOptions] = None,
    ) -> Delivery:
        """Redeliver now: a dead letter or a delivered event once more, a waiting retry at once. Scope: `webhooks:write`."""
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
        """Register an endpoint; its signing secret is in this answer only. Scope: `webhooks:write`."""
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
        """List the webhooks of the tenant, without their secrets. Scope: `webhooks:read`."""
        call = Call("GET", "/api/v1/webhooks", {}, frozenset({}), frozenset({"limit", "cursor"}))
        given = arguments({"limit": limit, "cursor": cursor})
        return Pages(self._transport, call, given, options, "webhooks", False)

    def get(
        self,
        webhook_id: str,
        *,
        options: Optional[RequestOptions] = None,
    ) -> Webhook:
        """Read one webhook. Scope: `webhooks:read`."""
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
        """Change a webhook; while it is not active nothing is taken in for it and what waits goes on waiting. Scope: `webhooks:write`."""
        call = Call("PATCH", "/api/v1/webhooks/{webhook_id}", {"webhook_id": webhook_id}, frozenset({}), frozenset({}))
        given = arguments({"url": url, "events": events, "description": description, "active": active, "auto_replay": auto_replay})
        return cast("Webhook", self._transport.json(call, given, options))

    def delete(
        self,
        webhook_id: str,
        *,
        options: Optional[RequestOptions] = None,
    ) -> DeleteWebhookResponse:
        """Delete a webhook with its deliveries; what is on its way arrives, nothing after it. Scope: `webhooks:write`."""
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
        """Make a new signing secret; until the overlap ends both sign. Scope: `webhooks:write`."""
        call = Call("POST", "/api/v1/webhooks/{webhook_id}/rotate-secret", {"webhook_id": webhook_id}, frozenset({"repeat"}), frozenset({}))
        given = arguments({"overlap_seconds": overlap_seconds})
        return cast("WebhookWithSecret", self._transport.json(call, given, options))

    def test(
        self,
        webhook_id: str,
        *,
        options: Optional[RequestOptions] = None,
    ) -> Delivery:
        """Send a test event now, once, and show how it was answered. Scope: `webhooks:write`."""
        call = Call("POST", "/api/v1/webhooks/{webhook_id}/test", {"webhook_id": webhook_id}, frozenset({"repeat"}), frozenset({}))
        given = arguments({})
        return cast("Delivery", self._transport.json(call, given, options))

    def replay(
        self,
        webhook_id: str,
        *,
        delivery_ids: List[str] | NotGiven = NOT_GIVEN,
        event: Literal["memory.ingest.completed", "memory.ingest.dlp_flagged", "memory.ingest.auto_routed", "memory.entity.created", "memory.entity.contradiction_detected", "memory.entity.contradiction_resolved", "memory.health.assessed"] | NotGiven = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> ReplayDeadLettersResponse:
        """Deliver dead letters again: all of the webhook, or those that are named. Scope: `webhooks:write`."""
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
        group_by: Literal["day", "model"] | NotGiven = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> ReadLlmUsageResponse:
        """Tokens, calls, cost and credits of the models the tenant called. Scope: `usage:read`."""
        call = Call("GET", "/api/v1/usage/llm", {}, frozenset({}), frozenset({"dimension", "id", "from", "to", "group_by"}))
        given = arguments({"dimension": dimension, "id": id, "from": from_, "to": to, "group_by": group_by})
        return cast("ReadLlmUsageResponse", self._transport.json(call, given, options))

    def credits(
        self,
        *,
        limit: int | NotGiven = NOT_GIVEN,
        cursor: str | NotGiven = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> Pages[LedgerEntry, ReadCreditsResponse]:
        """The month's balance of credits and what explains it, newest first. Scope: `usage:read`."""
        call = Call("GET", "/api/v1/usage/credits", {}, frozenset({}), frozenset({"limit", "cursor"}))
        given = arguments({"limit": limit, "cursor": cursor})
        return Pages(self._transport, call, given, options, "ledger", False)


class Resources:
    def __init__(self, transport: Transport, defaults: Dict[str, Any]) -> None:
        self._transport = transport
        self._defaults = defaults
        self.keys = Keys(transport, defaults)
        self.oauth_clients = OauthClients(transport, defaults)
        self.oauth = Oauth(transport, defaults)
        self.workspaces = Workspaces(transport, defaults)
        self.memories = Memories(transport, defaults)
        self.spaces = Spaces(transport, defaults)
        self.provider_keys = ProviderKeys(transport, defaults)
        self.threads = Threads(transport, defaults)
        self.documents = Documents(transport, defaults)
        self.graph = Graph(transport, defaults)
        self.search = Search(transport, defaults)
        self.runs = Runs(transport, defaults)
        self.lists = Lists(transport, defaults)
        self.webhooks = Webhooks(transport, defaults)
        self.usage = Usage(transport, defaults)




class AsyncKeys:
    def __init__(self, transport: AsyncTransport, defaults: Dict[str, Any]) -> None:
        self._transport = transport
        self._defaults = defaults

    async def create(
        self,
        *,
        name: str,
        type: Literal["live", "test", "ephemeral", "memory"] | NotGiven = NOT_GIVEN,
        scopes: List[Literal["keys:read", "keys:write", "oauth:read", "oauth:write", "workspaces:read", "workspaces:write", "memories:read", "memories:write", "spaces:read", "spaces:write", "threads:read", "threads:write", "documents:read", "documents:write", "graph:read", "graph:write", "webhooks:read", "webhooks:write", "providers:read", "providers:write", "memory:search", "usage:read", "search:run", "lists:read"]] | NotGiven = NOT_GIVEN,
        app_permissions: Dict[str, List[Literal["read", "write"]]] | NotGiven = NOT_GIVEN,
        ip_allowlist: List[str] | NotGiven = NOT_GIVEN,
        expires_at: str | NotGiven = NOT_GIVEN,
        memory_id: str | NotGiven = NOT_GIVEN,
        space_id: str | NotGiven = NOT_GIVEN,
        rate_limit: CreateApiKeyRateLimit | NotGiven = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> ApiKeyWithPlaintext:
        """Create a key; its plaintext is in this answer only. Scope: `keys:write`."""
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
        """List the keys of the tenant. Scope: `keys:read`."""
        call = Call("GET", "/api/v1/api-keys", {}, frozenset({}), frozenset({"limit", "cursor", "type", "memory_id", "space_id", "parent_key_id", "revoked"}))
        given = arguments({"limit": limit, "cursor": cursor, "type": type, "memory_id": memory_id, "space_id": space_id, "parent_key_id": parent_key_id, "revoked": revoked})
        return AsyncPages(self._transport, call, given, options, "api_keys", False)

    async def get(
        self,
        key_id: str,
        *,
        options: Optional[RequestOptions] = None,
    ) -> ApiKey:
        """Read one key. Scope: `keys:read`."""
        call = Call("GET", "/api/v1/api-keys/{key_id}", {"key_id": key_id}, frozenset({"bare"}), frozenset({}))
        given = arguments({})
        return cast("ApiKey", await self._transport.json(call, given, options))

    async def update(
        self,
        key_id: str,
        *,
        name: str | NotGiven = NOT_GIVEN,
        scopes: List[Literal["keys:read", "keys:write", "oauth:read", "oauth:write", "workspaces:read", "workspaces:write", "memories:read", "memories:write", "spaces:read", "spaces:write", "threads:read", "threads:write", "documents:read", "documents:write", "graph:read", "graph:write", "webhooks:read", "webhooks:write", "providers:read", "providers:write", "memory:search", "usage:read", "search:run", "lists:read"]] | NotGiven = NOT_GIVEN,
        app_permissions: Dict[str, List[Literal["read", "write"]]] | NotGiven = NOT_GIVEN,
        ip_allowlist: List[str] | NotGiven = NOT_GIVEN,
        expires_at: str | None | NotGiven = NOT_GIVEN,
        rate_limit: UpdateApiKeyRateLimit | None | NotGiven = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> ApiKey:
        """Change the name or the restrictions of a key; the resulting key must be within the calling key, or within what it was. Scope: `keys:write`."""
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
        """Replace a key by a new one that may do the same; the old one is revoked when the overlap ends. Scope: `keys:write`."""
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
        """Revoke a key for good, alone or with its descendants; a repeat has the same answer. Scope: `keys:write`."""
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
        scopes: List[Literal["keys:read", "keys:write", "oauth:read", "oauth:write", "workspaces:read", "workspaces:write", "memories:read", "memories:write", "spaces:read", "spaces:write", "threads:read", "threads:write", "documents:read", "documents:write", "graph:read", "graph:write", "webhooks:read", "webhooks:write", "providers:read", "providers:write", "memory:search", "usage:read", "search:run", "lists:read"]],
        options: Optional[RequestOptions] = None,
    ) -> OAuthClientWithSecret:
        """Create an OAuth client; its secret is in this answer only. Scope: `oauth:write`."""
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
        """List the OAuth clients of the tenant. Scope: `oauth:read`."""
        call = Call("GET", "/api/v1/oauth-clients", {}, frozenset({}), frozenset({"limit", "cursor"}))
        given = arguments({"limit": limit, "cursor": cursor})
        return AsyncPages(self._transport, call, given, options, "oauth_clients", False)

    async def get(
        self,
        client_id: str,
        *,
        options: Optional[RequestOptions] = None,
    ) -> OAuthClient:
        """Read one OAuth client. Scope: `oauth:read`."""
        call = Call("GET", "/api/v1/oauth-clients/{client_id}", {"client_id": client_id}, frozenset({"bare"}), frozenset({}))
        given = arguments({})
        return cast("OAuthClient", await self._transport.json(call, given, options))

    async def revoke(
        self,
        client_id: str,
        *,
        options: Optional[RequestOptions] = None,
    ) -> RevokeOAuthClientResponse:
        """Revoke an OAuth client and all its tokens for good; again, it gives the same answer. Scope: `oauth:write`."""
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
        scope: str | NotGiven = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> IssueOAuthTokenResponse:
        """Get an access token for client credentials (RFC 6749, 4.4)."""
        call = Call("POST", "/oauth/token", {}, frozenset({"oauth"}), frozenset({}))
        given = arguments({"client_id": client_id, "client_secret": client_secret, "grant_type": grant_type, "scope": scope})
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
        """Revoke an access token (RFC 7009)."""
        call = Call("POST", "/oauth/revoke", {}, frozenset({"oauth"}), frozenset({}))
        given = arguments({"client_id": client_id, "client_secret": client_secret, "token": token, "token_type_hint": token_type_hint})
        return cast("RevokeOAuthTokenResponse", await self._transport.json(call, given, options))

    async def metadata(
        self,
        *,
        options: Optional[RequestOptions] = None,
    ) -> OauthMetadataResponse:
        """Where and how to get access tokens (RFC 8414)."""
        call = Call("GET", "/.well-known/oauth-authorization-server", {}, frozenset({"bare"}), frozenset({}))
        given = arguments({})
        return cast("OauthMetadataResponse", await self._transport.json(call, given, options))


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
        """Create a workspace with its primary shared memory. Scope: `workspaces:write`."""
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
        """List the workspaces of the tenant. Scope: `workspaces:read`."""
        call = Call("GET", "/api/v1/workspaces", {}, frozenset({}), frozenset({"limit", "cursor"}))
        given = arguments({"limit": limit, "cursor": cursor})
        return AsyncPages(self._transport, call, given, options, "workspaces", False)

    async def get(
        self,
        workspace_id: str,
        *,
        options: Optional[RequestOptions] = None,
    ) -> GetWorkspaceResponse:
        """Read one workspace. Scope: `workspaces:read`."""
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
        """Change the name, description or slug of a workspace. Scope: `workspaces:write`."""
        call = Call("PATCH", "/api/v1/workspaces/{workspace_id}", {"workspace_id": workspace_id}, frozenset({}), frozenset({}))
        given = arguments({"name": name, "description": description, "slug": slug})
        return cast("UpdateWorkspaceResponse", await self._transport.json(call, given, options))

    async def delete(
        self,
        workspace_id: str,
        *,
        options: Optional[RequestOptions] = None,
    ) -> DeleteWorkspaceResponse:
        """Delete a workspace with all its memories; the erasing goes on in the background. Scope: `workspaces:write`."""
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
        options: Optional[RequestOptions] = None,
    ) -> Memory:
        """Create a memory. Scope: `memories:write`."""
        call = Call("POST", "/api/v1/memories", {}, frozenset({"repeat"}), frozenset({}))
        given = arguments({"display_name": display_name, "type": type, "workspace_id": workspace_id, "dlp_policy": dlp_policy})
        return cast("Memory", await self._transport.json(call, given, options))

    def list(
        self,
        *,
        workspace_id: str | NotGiven = NOT_GIVEN,
        limit: int | NotGiven = NOT_GIVEN,
        cursor: str | NotGiven = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> AsyncPages[Memory, ListMemoriesResponse]:
        """List every memory of the tenant, or of one workspace. Scope: `memories:read`."""
        call = Call("GET", "/api/v1/memories", {}, frozenset({}), frozenset({"workspace_id", "limit", "cursor"}))
        given = arguments({"workspace_id": workspace_id, "limit": limit, "cursor": cursor})
        return AsyncPages(self._transport, call, given, options, "memories", False)

    async def get(
        self,
        memory_id: str,
        *,
        options: Optional[RequestOptions] = None,
    ) -> Memory:
        """Read one memory. Scope: `memories:read`."""
        call = Call("GET", "/api/v1/memories/{memory_id}", {"memory_id": memory_id}, frozenset({"bare"}), frozenset({}))
        given = arguments({})
        return cast("Memory", await self._transport.json(call, given, options))

    async def update(
        self,
        memory_id: str,
        *,
        display_name: str | NotGiven = NOT_GIVEN,
        dlp_policy: Literal["off", "secrets", "pii"] | NotGiven = NOT_GIVEN,
        status: Literal["active", "suspended"] | NotGiven = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> Memory:
        """Change a memory, suspend it or take it up again. Scope: `memories:write`."""
        call = Call("PATCH", "/api/v1/memories/{memory_id}", {"memory_id": memory_id}, frozenset({}), frozenset({}))
        given = arguments({"display_name": display_name, "dlp_policy": dlp_policy, "status": status})
        return cast("Memory", await self._transport.json(call, given, options))

    async def delete(
        self,
        memory_id: str,
        *,
        options: Optional[RequestOptions] = None,
    ) -> Memory:
        """Delete a memory with everything in it; the erasing goes on in the background. Scope: `memories:write`."""
        call = Call("DELETE", "/api/v1/memories/{memory_id}", {"memory_id": memory_id}, frozenset({"bare"}), frozenset({}))
        given = arguments({})
        return cast("Memory", await self._transport.json(call, given, options))

    async def health(
        self,
        *,
        memory_id: str | NotGiven = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> GetMemoryHealthResponse:
        """Read the health of a memory: a score, its parts, and what to do about each. Scope: `graph:read`."""
        call = Call("GET", "/api/v1/memory/health", {}, frozenset({"memory"}), frozenset({"memory_id"}))
        given = arguments({"memory_id": memory_id}, self._defaults)
        return cast("GetMemoryHealthResponse", await self._transport.json(call, given, options))


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
        """List the members of a space. Scope: `spaces:read`."""
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
        """Add a member to a space, or change the role. Scope: `spaces:write`."""
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
        """Take a member out of a space. Scope: `spaces:write`."""
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
        """Create a space inside a memory. Scope: `spaces:write`."""
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
        """List the spaces of the tenant, or of one memory. Scope: `spaces:read`."""
        call = Call("GET", "/api/v1/spaces", {}, frozenset({"memory"}), frozenset({"memory_id", "limit", "cursor"}))
        given = arguments({"memory_id": memory_id, "limit": limit, "cursor": cursor}, self._defaults)
        return AsyncPages(self._transport, call, given, options, "spaces", False)

    async def get(
        self,
        space_id: str,
        *,
        options: Optional[RequestOptions] = None,
    ) -> Space:
        """Read one space. Scope: `spaces:read`."""
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
        """Change the name, description or slug of a space. Scope: `spaces:write`."""
        call = Call("PATCH", "/api/v1/spaces/{space_id}", {"space_id": space_id}, frozenset({}), frozenset({}))
        given = arguments({"name": name, "description": description, "slug": slug})
        return cast("Space", await self._transport.json(call, given, options))

    async def delete(
        self,
        space_id: str,
        *,
        options: Optional[RequestOptions] = None,
    ) -> DeleteSpaceResponse:
        """Delete a space with its documents and threads; the erasing goes on in the background. Scope: `spaces:write`."""
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
        """The MCP endpoint of a space: Model Context Protocol over Streamable HTTP, without sessions. Scope: `spaces:read`."""
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
        """Store your own key of a model provider; it is encrypted and never shown again. Scope: `providers:write`."""
        call = Call("PUT", "/api/v1/provider-keys/{provider}", {"provider": provider}, frozenset({}), frozenset({}))
        given = arguments({"api_key": api_key, "base_url": base_url})
        return cast("ProviderKey", await self._transport.json(call, given, options))

    async def list(
        self,
        *,
        options: Optional[RequestOptions] = None,
    ) -> ListProviderKeysResponse:
        """List the providers a key is stored for. Scope: `providers:read`."""
        call = Call("GET", "/api/v1/provider-keys", {}, frozenset({"bare"}), frozenset({}))
        given = arguments({})
        return cast("ListProviderKeysResponse", await self._transport.json(call, given, options))

    async def get(
        self,
        provider: str,
        *,
        options: Optional[RequestOptions] = None,
    ) -> ProviderKey:
        """Read what is known of a stored key, never the key itself. Scope: `providers:read`."""
        call = Call("GET", "/api/v1/provider-keys/{provider}", {"provider": provider}, frozenset({"bare"}), frozenset({}))
        given = arguments({})
        return cast("ProviderKey", await self._transport.json(call, given, options))

    async def delete(
        self,
        provider: str,
        *,
        options: Optional[RequestOptions] = None,
    ) -> DeleteProviderKeyResponse:
        """Delete a stored key. Scope: `providers:write`."""
        call = Call("DELETE", "/api/v1/provider-keys/{provider}", {"provider": provider}, frozenset({"bare"}), frozenset({}))
        given = arguments({})
        return cast("DeleteProviderKeyResponse", await self._transport.json(call, given, options))


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
        """Add a turn to a conversation. Scope: `threads:write`."""
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
        """List the turns of a conversation, oldest first. Scope: `threads:read`."""
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
        """Begin a conversation in a memory or in one of its spaces. Scope: `threads:write`."""
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
        """List the conversations of the tenant, or of one memory or space. Scope: `threads:read`."""
        call = Call("GET", "/api/v1/threads", {}, frozenset({"memory"}), frozenset({"memory_id", "space_id", "limit", "cursor"}))
        given = arguments({"memory_id": memory_id, "space_id": space_id, "limit": limit, "cursor": cursor}, self._defaults)
        return AsyncPages(self._transport, call, given, options, "threads", False)

    async def get(
        self,
        thread_id: str,
        *,
        options: Optional[RequestOptions] = None,
    ) -> Thread:
        """Read one conversation, without its turns. Scope: `threads:read`."""
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
        """Change the title of a conversation. Scope: `threads:write`."""
        call = Call("PATCH", "/api/v1/threads/{thread_id}", {"thread_id": thread_id}, frozenset({}), frozenset({}))
        given = arguments({"title": title})
        return cast("Thread", await self._transport.json(call, given, options))

    async def delete(
        self,
        thread_id: str,
        *,
        options: Optional[RequestOptions] = None,
    ) -> DeleteThreadResponse:
        """Delete a conversation with its turns. Scope: `threads:write`."""
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
        """Put one document or up to 100 into a memory. Scope: `documents:write`."""
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
        """Put one document or up to 100 into a memory. Scope: `documents:write`."""
        call = Call("POST", "/api/v1/memory/documents", {}, frozenset({"repeat", "memory"}), frozenset({}))
        given = arguments({"title": title, "external_id": external_id, "space_id": space_id, "metadata": metadata, "occurred_at": occurred_at, "memory_id": memory_id}, self._defaults)
        return cast("IngestDocumentsResponse", await self._transport.json(call, given, options, file))

    def list(
        self,
        *,
        memory_id: str | NotGiven = NOT_GIVEN,
        space_id: str | NotGiven = NOT_GIVEN,
        status: Literal["queued", "parsing", "screening", "routing", "indexing", "linking", "completed", "failed"] | NotGiven = NOT_GIVEN,
        external_id: str | NotGiven = NOT_GIVEN,
        needs_review: bool | NotGiven = NOT_GIVEN,
        limit: int | NotGiven = NOT_GIVEN,
        cursor: str | NotGiven = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> AsyncPages[Document, ListDocumentsResponse]:
        """List the documents of a memory. Scope: `documents:read`."""
        call = Call("GET", "/api/v1/memory/documents", {}, frozenset({"memory"}), frozenset({"memory_id", "space_id", "status", "external_id", "needs_review", "limit", "cursor"}))
        given = arguments({"memory_id": memory_id, "space_id": space_id, "status": status, "external_id": external_id, "needs_review": needs_review, "limit": limit, "cursor": cursor}, self._defaults)
        return AsyncPages(self._transport, call, given, options, "documents", False)

    async def get(
        self,
        doc_id: str,
        *,
        memory_id: str | NotGiven = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> Document:
        """Read the state of one document. Scope: `documents:read`."""
        call = Call("GET", "/api/v1/memory/documents/{doc_id}", {"doc_id": doc_id}, frozenset({"memory"}), frozenset({"memory_id"}))
        given = arguments({"memory_id": memory_id}, self._defaults)
        return cast("Document", await self._transport.json(call, given, options))

    async def delete(
        self,
        doc_id: str,
        *,
        memory_id: str | NotGiven = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> DeleteDocumentResponse:
        """Delete one document with everything made of it. Scope: `documents:write`."""
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
        """Settle the space of a document; later documents are routed by it. Scope: `documents:write`."""
        call = Call("POST", "/api/v1/memory/documents/{doc_id}/route", {"doc_id": doc_id}, frozenset({"repeat", "memory"}), frozenset({}))
        given = arguments({"space_id": space_id, "memory_id": memory_id}, self._defaults)
        return cast("Document", await self._transport.json(call, given, options))


class AsyncGraphEntities:
    def __init__(self, transport: AsyncTransport, defaults: Dict[str, Any]) -> None:
        self._transport = transport
        self._defaults = defaults

    async def list(
        self,
        *,
        memory_id: str | NotGiven = NOT_GIVEN,
        query: str | NotGiven = NOT_GIVEN,
        type: str | NotGiven = NOT_GIVEN,
        limit: int | NotGiven = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> ListEntitiesResponse:
        """Find entities by name. Scope: `graph:read`."""
        call = Call("GET", "/api/v1/memory/graph/entities", {}, frozenset({"memory"}), frozenset({"memory_id", "query", "type", "limit"}))
        given = arguments({"memory_id": memory_id, "query": query, "type": type, "limit": limit}, self._defaults)
        return cast("ListEntitiesResponse", await self._transport.json(call, given, options))

    async def get(
        self,
        entity_id: str,
        *,
        memory_id: str | NotGiven = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> GetEntityResponse:
        """Read an entity with the facts that are stated of it. Scope: `graph:read`."""
        call = Call("GET", "/api/v1/memory/graph/entities/{entity_id}", {"entity_id": entity_id}, frozenset({"memory"}), frozenset({"memory_id"}))
        given = arguments({"memory_id": memory_id}, self._defaults)
        return cast("GetEntityResponse", await self._transport.json(call, given, options))


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
        """List what documents disagree about. Scope: `graph:read`."""
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
        """Read a contradiction with its statements. Scope: `graph:read`."""
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
        """Say which statement holds, or that both do. Scope: `graph:write`."""
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
        """Take a resolution back. Scope: `graph:write`."""
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
        """List names that may mean the same entity and wait for a person. Scope: `graph:read`."""
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
        """Say whether two names mean the same entity. Scope: `graph:write`."""
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
        """List merges, splits and refused merges. Scope: `graph:read`."""
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
        """Take a merge or split back. Scope: `graph:write`."""
        call = Call("DELETE", "/api/v1/memory/graph/decisions/{decision_id}", {"decision_id": decision_id}, frozenset({"memory"}), frozenset({"memory_id"}))
        given = arguments({"memory_id": memory_id}, self._defaults)
        return cast("UndoEntityDecisionResponse", await self._transport.json(call, given, options))


class AsyncGraph:
    def __init__(self, transport: AsyncTransport, defaults: Dict[str, Any]) -> None:
        self._transport = transport
        self._defaults = defaults
        self.entities = AsyncGraphEntities(transport, defaults)
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
        """Walk the knowledge graph from an entity, up to six hops. Scope: `graph:read`."""
        call = Call("GET", "/api/v1/memory/graph/explore/{entity_id}", {"entity_id": entity_id}, frozenset({"memory"}), frozenset({"memory_id", "max_hops", "relationship_types", "limit"}))
        given = arguments({"memory_id": memory_id, "max_hops": max_hops, "relationship_types": relationship_types, "limit": limit}, self._defaults)
        return cast("ExploreGraphResponse", await self._transport.json(call, given, options))

    async def merge(
        self,
        *,
        entity_ids: List[str],
        memory_id: str | NotGiven = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> MergeEntitiesResponse:
        """Make entities one; reversible. Scope: `graph:write`."""
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
        """Make an entity of its own out of some names of one, or of what some documents mean by it; reversible. Scope: `graph:write`."""
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
        """Search a memory and get a cited answer. Scope: `memory:search`."""
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
        """The same search with its answer as server-sent events. Scope: `memory:search`."""
        call = Call("POST", "/api/v1/memory/search/stream", {}, frozenset({"read", "memory", "stream"}), frozenset({}))
        given = arguments({"query": query, "memory_id": memory_id, "space_id": space_id, "top_k": top_k, "filters": filters, "thread_id": thread_id, "user": user, "llm_model": llm_model, "as_of": as_of, "explain": explain}, self._defaults)
        return AsyncEventStream(self._transport, call, given, options)


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
        memory_id: str | NotGiven = NOT_GIVEN,
        config: StartWebResearchConfig | NotGiven = NOT_GIVEN,
        user: str | NotGiven = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> WebSession:
        """Prepare a web and research run; it starts when its WebSocket connects. Scope: `search:run`."""
        call = Call("POST", "/api/v1/search/agent/web-and-research", {}, frozenset({"repeat", "run", "memory"}), frozenset({}))
        given = arguments({"prompt": prompt, "llm_model": llm_model, "live_url": live_url, "proxy": proxy, "memory_id": memory_id, "config": config, "user": user}, self._defaults)
        return cast("WebSession", await self._transport.json(call, given, options))

    async def start_crawl(
        self,
        *,
        prompt: str,
        llm_model: str | NotGiven = NOT_GIVEN,
        proxy: bool | NotGiven = NOT_GIVEN,
        memory_id: str | NotGiven = NOT_GIVEN,
        config: StartCrawlerConfig | NotGiven = NOT_GIVEN,
        user: str | NotGiven = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> WebSession:
        """Prepare a crawl of the sites named in the prompt; it starts when its WebSocket connects. Scope: `search:run`."""
        call = Call("POST", "/api/v1/search/agent/agentic-crawler", {}, frozenset({"repeat", "run", "memory"}), frozenset({}))
        given = arguments({"prompt": prompt, "llm_model": llm_model, "proxy": proxy, "memory_id": memory_id, "config": config, "user": user}, self._defaults)
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
        """Build a list of people who meet the criteria in the prompt. Scope: `search:run`."""
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
        """Build a list of companies that meet the criteria in the prompt. Scope: `search:run`."""
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
        """Extend a people or company search to a higher target. Scope: `search:run`."""
        call = Call("POST", "/api/v1/search/workflow/continue", {}, frozenset({"repeat"}), frozenset({}))
        given = arguments({"thread_id": thread_id, "total_target": total_target})
        return cast("ContinueListSearchResponse", await self._transport.json(call, given, options))

    async def stop(
        self,
        thread_id: str,
        *,
        options: Optional[RequestOptions] = None,
    ) -> StopRunResponse:
        """Stop a run; what it found stays. Again, it gives the same answer. Scope: `search:run`."""
        call = Call("POST", "/api/v1/search/workflow/stop/{thread_id}", {"thread_id": thread_id}, frozenset({"repeat", "empty", "bare"}), frozenset({}))
        given = arguments({})
        return cast("StopRunResponse", await self._transport.json(call, given, options))

    async def status(
        self,
        thread_id: str,
        *,
        options: Optional[RequestOptions] = None,
    ) -> RunStatus:
        """Read how a run is doing, with a fresh ticket for its WebSocket. Scope: `search:run`."""
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
        """Download the report of a run. Scope: `search:run`."""
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
        """Start deep research; its progress is streamed. Scope: `search:run`."""
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
        """Answer the question that a research run waits for. Scope: `search:run`."""
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
        thread_id: str | NotGiven = NOT_GIVEN,
        list_id: str | NotGiven = NOT_GIVEN,
        memory_id: str | NotGiven = NOT_GIVEN,
        config: StartDeepSearchConfig | NotGiven = NOT_GIVEN,
        user: str | NotGiven = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> StartDeepSearchResponse:
        """Prepare a deep search, or answer its question by naming its thread and list. Scope: `search:run`."""
        call = Call("POST", "/api/v1/search/service-deep-search/start", {}, frozenset({"repeat", "run", "memory"}), frozenset({}))
        given = arguments({"prompt": prompt, "llm_model": llm_model, "live_url": live_url, "proxy": proxy, "thread_id": thread_id, "list_id": list_id, "memory_id": memory_id, "config": config, "user": user}, self._defaults)
        return cast("StartDeepSearchResponse", await self._transport.json(call, given, options))

    async def upload_reference(
        self,
        file: FileInput,
        *,
        thread_id: str,
        options: Optional[RequestOptions] = None,
    ) -> UploadReferenceResponse:
        """Give a deep search a reference file that only it reads. Scope: `search:run`."""
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
        """Follow a run as server-sent events, from its first one or after Last-Event-ID. Scope: `search:run`."""
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
        """Follow a run as server-sent events, from its first one or after Last-Event-ID. Scope: `search:run`."""
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
        """Follow a run as server-sent events, from its first one or after Last-Event-ID. Scope: `search:run`."""
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
        """Connect to a run by WebSocket; the first connection starts it. Scope: `search:run`."""
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
        """A page where a person watches the run. Scope: `search:run`."""
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
        """The events that the live page shows. Scope: `search:run`."""
        call = Call("GET", "/research/live/{thread_id}/events", {"thread_id": thread_id}, frozenset({"stream"}), frozenset({"ticket", "last_event_id"}))
        given = arguments({"ticket": ticket, "last_event_id": last_event_id})
        return AsyncEventStream(self._transport, call, given, options)


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
        """List the saved company and people lists; those of the web when asked for. Scope: `lists:read`."""
        call = Call("GET", "/api/v1/search/lists", {}, frozenset({}), frozenset({"page", "limit", "searchTerm", "listType"}))
        given = arguments({"page": page, "limit": limit, "searchTerm": search_term, "listType": list_type})
        return AsyncPages(self._transport, call, given, options, "data", True)

    async def get(
        self,
        list_id: str,
        *,
        options: Optional[RequestOptions] = None,
    ) -> SavedList:
        """Read one saved list. Scope: `lists:read`."""
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
        """Read the rows of a list with the evidence of every cell. Scope: `lists:read`."""
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
        """Download a list with all its rows. Scope: `lists:read`."""
        call = Call("GET", "/api/v1/search/lists/{list_id}/export", {"list_id": list_id}, frozenset({"file"}), frozenset({"format"}))
        given = arguments({"format": format})
        return await self._transport.response(call, given, options)


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
        """List deliveries of a webhook with their attempts, newest first; 50 a page unless `limit` says otherwise. Scope: `webhooks:read`."""
        call = Call("GET", "/api/v1/webhooks/{webhook_id}/deliveries", {"webhook_id": webhook_id}, frozenset({}), frozenset({"limit", "cursor", "state", "event"}))
        given = arguments({"limit": limit, "cursor": cursor, "state": state, "event": event})
        return AsyncPages(self._transport, call, given, options, "deliveries", False)

    async def get(
        self,
        webhook_id: str,
        delivery_id: str,
        *,
        options: Optional[RequestOptions] = None,
    ) -> Delivery:
        """Read one delivery with its attempts. Scope: `webhooks:read`."""
        call = Call("GET", "/api/v1/webhooks/{webhook_id}/deliveries/{delivery_id}", {"webhook_id": webhook_id, "delivery_id": delivery_id}, frozenset({"bare"}), frozenset({}))
        given = arguments({})
        return cast("Delivery", await self._transport.json(call, given, options))

    async def replay(
        self,
        webhook_id: str,
        delivery_id: str,
        *,
        options: Optional[RequestOptions] = None,
    ) -> Delivery:
        """Redeliver now: a dead letter or a delivered event once more, a waiting retry at once. Scope: `webhooks:write`."""
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
        """Register an endpoint; its signing secret is in this answer only. Scope: `webhooks:write`."""
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
        """List the webhooks of the tenant, without their secrets. Scope: `webhooks:read`."""
        call = Call("GET", "/api/v1/webhooks", {}, frozenset({}), frozenset({"limit", "cursor"}))
        given = arguments({"limit": limit, "cursor": cursor})
        return AsyncPages(self._transport, call, given, options, "webhooks", False)

    async def get(
        self,
        webhook_id: str,
        *,
        options: Optional[RequestOptions] = None,
    ) -> Webhook:
        """Read one webhook. Scope: `webhooks:read`."""
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
        """Change a webhook; while it is not active nothing is taken in for it and what waits goes on waiting. Scope: `webhooks:write`."""
        call = Call("PATCH", "/api/v1/webhooks/{webhook_id}", {"webhook_id": webhook_id}, frozenset({}), frozenset({}))
        given = arguments({"url": url, "events": events, "description": description, "active": active, "auto_replay": auto_replay})
        return cast("Webhook", await self._transport.json(call, given, options))

    async def delete(
        self,
        webhook_id: str,
        *,
        options: Optional[RequestOptions] = None,
    ) -> DeleteWebhookResponse:
        """Delete a webhook with its deliveries; what is on its way arrives, nothing after it. Scope: `webhooks:write`."""
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
        """Make a new signing secret; until the overlap ends both sign. Scope: `webhooks:write`."""
        call = Call("POST", "/api/v1/webhooks/{webhook_id}/rotate-secret", {"webhook_id": webhook_id}, frozenset({"repeat"}), frozenset({}))
        given = arguments({"overlap_seconds": overlap_seconds})
        return cast("WebhookWithSecret", await self._transport.json(call, given, options))

    async def test(
        self,
        webhook_id: str,
        *,
        options: Optional[RequestOptions] = None,
    ) -> Delivery:
        """Send a test event now, once, and show how it was answered. Scope: `webhooks:write`."""
        call = Call("POST", "/api/v1/webhooks/{webhook_id}/test", {"webhook_id": webhook_id}, frozenset({"repeat"}), frozenset({}))
        given = arguments({})
        return cast("Delivery", await self._transport.json(call, given, options))

    async def replay(
        self,
        webhook_id: str,
        *,
        delivery_ids: List[str] | NotGiven = NOT_GIVEN,
        event: Literal["memory.ingest.completed", "memory.ingest.dlp_flagged", "memory.ingest.auto_routed", "memory.entity.created", "memory.entity.contradiction_detected", "memory.entity.contradiction_resolved", "memory.health.assessed"] | NotGiven = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> ReplayDeadLettersResponse:
        """Deliver dead letters again: all of the webhook, or those that are named. Scope: `webhooks:write`."""
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
        group_by: Literal["day", "model"] | NotGiven = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> ReadLlmUsageResponse:
        """Tokens, calls, cost and credits of the models the tenant called. Scope: `usage:read`."""
        call = Call("GET", "/api/v1/usage/llm", {}, frozenset({}), frozenset({"dimension", "id", "from", "to", "group_by"}))
        given = arguments({"dimension": dimension, "id": id, "from": from_, "to": to, "group_by": group_by})
        return cast("ReadLlmUsageResponse", await self._transport.json(call, given, options))

    def credits(
        self,
        *,
        limit: int | NotGiven = NOT_GIVEN,
        cursor: str | NotGiven = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> AsyncPages[LedgerEntry, ReadCreditsResponse]:
        """The month's balance of credits and what explains it, newest first. Scope: `usage:read`."""
        call = Call("GET", "/api/v1/usage/credits", {}, frozenset({}), frozenset({"limit", "cursor"}))
        given = arguments({"limit": limit, "cursor": cursor})
        return AsyncPages(self._transport, call, given, options, "ledger", False)


class AsyncResources:
    def __init__(self, transport: AsyncTransport, defaults: Dict[str, Any]) -> None:
        self._transport = transport
        self._defaults = defaults
        self.keys = AsyncKeys(transport, defaults)
        self.oauth_clients = AsyncOauthClients(transport, defaults)
        self.oauth = AsyncOauth(transport, defaults)
        self.workspaces = AsyncWorkspaces(transport, defaults)
        self.memories = AsyncMemories(transport, defaults)
        self.spaces = AsyncSpaces(transport, defaults)
        self.provider_keys = AsyncProviderKeys(transport, defaults)
        self.threads = AsyncThreads(transport, defaults)
        self.documents = AsyncDocuments(transport, defaults)
        self.graph = AsyncGraph(transport, defaults)
        self.search = AsyncSearch(transport, defaults)
        self.runs = AsyncRuns(transport, defaults)
        self.lists = AsyncLists(transport, defaults)
        self.webhooks = AsyncWebhooks(transport, defaults)
        self.usage = AsyncUsage(transport, defaults)


