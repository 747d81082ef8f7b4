import type * as operations from '@cairn/contracts';
import type { ProviderKeyService, ProviderTestFailure } from '@cairn/contracts';
import { type ModelsConfig, testProviderKey as askProvider } from '@cairn/llm';
import type { OutboundClients } from '@cairn/outbound';
import { type Database, idempotent } from '@cairn/postgres';
import type { JsonResponse, RequestContext, RpcClient } from '@cairn/service-kit';

export interface TestProviderKeyDeps {
  database: Database;
  modelsConfig: ModelsConfig;
  providerKeys: Pick<RpcClient<typeof ProviderKeyService>, 'revealProviderKey'>;
  outbound: Pick<OutboundClients, 'trusted' | 'untrusted'>;
}

type TestResponse = JsonResponse<typeof operations.testProviderKey>;

const DETAILS: Readonly<Record<ProviderTestFailure, string>> = {
  provider_not_configured: 'The installation has no provider of this name, so the key is not used.',
  address_refused: 'Requests may not go to the address of the provider.',
  unreachable: 'The provider could not be reached.',
  timed_out: 'The provider did not answer in time.',
  key_refused: 'The provider did not accept the key.',
  rate_limited: 'The provider accepts no more requests at the moment.',
  provider_error: 'The provider failed.',
  unexpected_answer: 'What answered does not speak the protocol of the provider.',
};

/** Asks the provider with the stored key; throws `not_found` when there is none. */
export async function testProviderKey(
  deps: TestProviderKeyDeps,
  context: RequestContext<typeof operations.testProviderKey>,
): Promise<TestResponse> {
  const { tenantId } = context.identity;
  const { provider } = context.params;
  // Read each time: a key that was just replaced is tested as it is now.
  const { apiKey, baseUrl } = await deps.providerKeys.revealProviderKey({ tenantId, provider });
  const key = { apiKey, baseUrl: baseUrl === '' ? undefined : baseUrl };
  const startedMs = performance.now();
  // Before the transaction, which would otherwise wait for the provider. A repeat asks again and gets the first answer.
  const test = await askProvider({ config: deps.modelsConfig, outbound: deps.outbound }, provider, key, context.signal);
  const body: TestResponse['body'] = {
    provider,
    ok: test.failure === null,
    failure: test.failure,
    detail: test.failure === null ? 'The provider accepted the key.' : DETAILS[test.failure],
    status: test.status,
    models: test.models,
    took_ms: Math.round(performance.now() - startedMs),
  };
  const stored = await deps.database.withTenant(tenantId, (tx) =>
    idempotent(
      tx,
      {
        caller: context.identity,
        operation: 'testProviderKey',
        key: context.idempotencyKey,
        request: context.params,
      },
      async () => ({ status: 200, body }),
    ),
  );
  return { body: stored.body as TestResponse['body'], replayed: stored.replayed };
}
