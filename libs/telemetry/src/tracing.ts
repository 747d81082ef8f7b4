import { setTracing } from './spans.ts';
import type { TracingOptions } from './tracing-sdk.ts';

/** Sends spans from now on, until it is closed. Without an endpoint nothing is traced, and the SDK is not even loaded. */
export async function startTracing({
  endpoint,
  ...options
}: Omit<TracingOptions, 'endpoint'> & { endpoint: string | undefined }): Promise<{ close(): Promise<void> }> {
  if (endpoint === undefined) return { close: async () => undefined };
  const { registerSdk } = await import('./tracing-sdk.ts');
  const sdk = registerSdk({ ...options, endpoint });
  setTracing(true);
  return {
    async close() {
      setTracing(false);
      await sdk.close();
    },
  };
}
