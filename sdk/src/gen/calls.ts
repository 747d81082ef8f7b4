// Written by `npm run generate:sdks` from the operations of the API. Changes here are lost.

/**
 * Every call: its name, method and path (from /api/v1, or from the root after `~`), and what is special about it.
 * `repeat`: takes an idempotency key. `read`: changes nothing although it is a POST. `oauth`: a form without the
 * credential. `query:a,b`: these fields go into the query. `page:x`: pages by cursor with rows in `x`; `numbered:x`
 * likewise by number. `run`: starts one. `memory`: takes a memory_id. `bare`: takes no fields; `empty`: has no
 * body. `stream`, `file`, `socket`, `mcp`: what is answered. `upload`: takes a file.
 */
export const CALLS = `account.whoami GET /whoami bare
audit.list GET /audit-events page:audit_events
keys.create POST /api-keys repeat
keys.list GET /api-keys page:api_keys
keys.get GET /api-keys/{key_id} bare
keys.update PATCH /api-keys/{key_id}
keys.rotate POST /api-keys/{key_id}/rotate repeat
keys.revoke DELETE /api-keys/{key_id}
oauthClients.create POST /oauth-clients repeat
oauthClients.list GET /oauth-clients page:oauth_clients
oauthClients.get GET /oauth-clients/{client_id} bare
oauthClients.revoke DELETE /oauth-clients/{client_id} bare
oauth.issueToken POST ~/oauth/token oauth
oauth.revokeToken POST ~/oauth/revoke oauth
oauth.metadata GET ~/.well-known/oauth-authorization-server bare
oauth.resourceMetadata GET ~/.well-known/oauth-protected-resource/api/v1/spaces/{space_id}/mcp bare
oauth.register POST ~/oauth/register
apps.preview GET /oauth/authorizations
apps.authorize POST /oauth/authorizations
apps.list GET /connected-apps page:connected_apps
apps.disconnect DELETE /connected-apps/{app_id} bare
sessions.open POST /console/sessions
sessions.signInOptions GET /console/sign-in bare
sessions.startSignIn POST /console/sign-in
sessions.startLink POST /console/sign-in/link empty bare
sessions.list GET /console/sessions page:sessions
sessions.signOut DELETE /console/sessions/current bare
sessions.end DELETE /console/sessions/{session_id} bare
sessions.createTicket POST /console/tickets empty bare
members.list GET /members page:members
members.get GET /members/{member_id} bare
members.update PATCH /members/{member_id}
members.remove DELETE /members/{member_id}
members.createTicket POST /members/{member_id}/tickets empty bare
invitations.create POST /invitations repeat
invitations.list GET /invitations page:invitations
invitations.revoke DELETE /invitations/{invitation_id} bare
workspaces.create POST /workspaces repeat
workspaces.list GET /workspaces page:workspaces
workspaces.get GET /workspaces/{workspace_id} bare
workspaces.update PATCH /workspaces/{workspace_id}
workspaces.delete DELETE /workspaces/{workspace_id} bare
memories.create POST /memories repeat
memories.list GET /memories page:memories
memories.get GET /memories/{memory_id} bare
memories.update PATCH /memories/{memory_id}
memories.delete DELETE /memories/{memory_id} bare
spaces.create POST /spaces repeat memory
spaces.list GET /spaces memory page:spaces
spaces.get GET /spaces/{space_id} bare
spaces.update PATCH /spaces/{space_id}
spaces.delete DELETE /spaces/{space_id} bare
spaces.members.list GET /spaces/{space_id}/members page:members
spaces.members.put PUT /spaces/{space_id}/members/{user}
spaces.members.delete DELETE /spaces/{space_id}/members/{user} bare
providerKeys.put PUT /provider-keys/{provider}
providerKeys.list GET /provider-keys bare
providerKeys.get GET /provider-keys/{provider} bare
providerKeys.delete DELETE /provider-keys/{provider} bare
providerKeys.test POST /provider-keys/{provider}/test repeat
models.list GET /models bare
threads.create POST /threads repeat memory
threads.list GET /threads memory page:threads
threads.export GET /threads/export memory file
threads.get GET /threads/{thread_id} bare
threads.update PATCH /threads/{thread_id}
threads.delete DELETE /threads/{thread_id} bare
threads.turns.add POST /threads/{thread_id}/turns repeat
threads.turns.list GET /threads/{thread_id}/turns page:turns
documents.add POST /memory/documents repeat memory
documents.upload POST /memory/documents repeat memory upload
documents.list GET /memory/documents memory page:documents
documents.stats GET /memory/documents/stats memory
documents.export GET /memory/documents/export memory file
documents.get GET /memory/documents/{doc_id} memory
documents.deleteMany POST /memory/documents/delete repeat memory
documents.retryMany POST /memory/documents/retry repeat memory
documents.jobs GET /memory/jobs memory page:jobs
documents.job GET /memory/jobs/{job_id} memory
documents.content GET /memory/documents/{doc_id}/content memory page:chunks
documents.original GET /memory/documents/{doc_id}/original memory file
chunks.get GET /memory/chunks/{chunk_id} memory
documents.update PATCH /memory/documents/{doc_id} memory
documents.delete DELETE /memory/documents/{doc_id} memory
graph.explore GET /memory/graph/explore/{entity_id} memory
graph.entities.list GET /memory/graph/entities memory page:entities
graph.entities.get GET /memory/graph/entities/{entity_id} memory
graph.links.get GET /memory/graph/links/{source}/{target} memory
graph.path GET /memory/graph/paths/{source}/{target} memory
graph.overview GET /memory/graph/overview memory
graph.export GET /memory/graph/export memory file
graph.contradictions.list GET /memory/contradictions memory page:contradictions
graph.contradictions.get GET /memory/contradictions/{contradiction_id} memory
graph.contradictions.resolve POST /memory/contradictions/{contradiction_id}/resolve repeat memory query:memory_id
graph.contradictions.reopen POST /memory/contradictions/{contradiction_id}/reopen repeat memory query:memory_id
graph.reviews.list GET /memory/graph/reviews memory page:reviews
graph.reviews.decide POST /memory/graph/reviews/{review_id}/decide repeat memory query:memory_id
graph.merge POST /memory/graph/merges repeat memory query:memory_id
graph.split POST /memory/graph/splits repeat memory query:memory_id
graph.decisions.list GET /memory/graph/decisions memory page:decisions
graph.decisions.undo DELETE /memory/graph/decisions/{decision_id} memory
memories.health GET /memory/health memory
memories.healthHistory GET /memory/health/history memory page:history
documents.route POST /memory/documents/{doc_id}/route repeat memory
search.query POST /memory/search read memory
search.stream POST /memory/search/stream read memory stream
memories.searchLog GET /memories/{memory_id}/search-log bare
memories.updateSearchLog PATCH /memories/{memory_id}/search-log
searches.list GET /memory/searches memory page:searches
searches.get GET /memory/searches/{search_id} memory
searches.rate POST /memory/searches/{search_id}/feedback memory
runs.startWeb POST /search/agent/web-and-research repeat run memory
runs.startCrawl POST /search/agent/agentic-crawler repeat run memory
runs.startPeople POST /search/workflow/people/start repeat run memory
runs.startCompanies POST /search/workflow/company/start repeat run memory
runs.continue POST /search/workflow/continue repeat
runs.stop POST /search/workflow/stop/{thread_id} repeat empty bare
runs.list GET /search/runs page:runs
runs.log GET /search/runs/{thread_id}/events page:events
runs.sources GET /search/runs/{thread_id}/sources page:sources
sources.get GET /search/sources/{source_id}
runs.status GET /search/workflow/status/{thread_id} bare
runs.report GET /search/workflow/report/{thread_id} file
runs.startResearch POST /search/research/start repeat run memory
runs.answer POST /search/research/respond/{thread_id} repeat query:response empty
runs.startDeepSearch POST /search/service-deep-search/start repeat run memory
runs.uploadReference POST /search/service-deep-search/upload repeat upload
lists.list GET /search/lists numbered:data
lists.get GET /search/lists/{list_id} bare
lists.rows GET /search/lists/{list_id}/rows numbered:data
lists.export GET /search/lists/{list_id}/export file
runs.streamResearch GET ~/research/stream/{thread_id} stream
runs.streamResearchVersioned GET /research/stream/{thread_id} stream
runs.stream GET /search/research/stream/{thread_id} stream
runs.connect GET /search/socket/{thread_id} socket
runs.livePage GET ~/research/live/{thread_id} file
runs.streamLivePage GET ~/research/live/{thread_id}/events stream
spaces.mcp POST /spaces/{space_id}/mcp mcp
events.stream GET /events/stream memory stream
webhooks.create POST /webhooks repeat
webhooks.list GET /webhooks page:webhooks
webhooks.get GET /webhooks/{webhook_id} bare
webhooks.update PATCH /webhooks/{webhook_id}
webhooks.delete DELETE /webhooks/{webhook_id} bare
webhooks.rotateSecret POST /webhooks/{webhook_id}/rotate-secret repeat
webhooks.test POST /webhooks/{webhook_id}/test repeat
webhooks.deliveries.list GET /webhooks/{webhook_id}/deliveries page:deliveries
webhooks.allDeliveries GET /webhooks/deliveries page:deliveries
webhooks.stats GET /webhooks/stats
webhooks.eventTypes GET /webhooks/event-types bare
webhooks.deliveries.get GET /webhooks/{webhook_id}/deliveries/{delivery_id} bare
webhooks.deliveries.replay POST /webhooks/{webhook_id}/deliveries/{delivery_id}/replay repeat
webhooks.replay POST /webhooks/{webhook_id}/replay repeat
usage.llm GET /usage/llm
usage.requests GET /usage/requests
usage.credits GET /usage/credits page:ledger
usage.limits GET /usage/limits bare`;
