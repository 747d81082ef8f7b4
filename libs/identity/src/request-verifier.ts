import type { KeyObject } from 'node:crypto';
import { createBindingVerifier } from './request-binding.ts';
import type { TokenVerifier, VerifiedCaller } from './token.ts';

/** What authenticates a request, as it arrived. */
interface ArrivedRequest {
  method: string;
  /** Path and query, unchanged. */
  target: string;
  token: string | undefined;
  binding: string | undefined;
}

export type RequestCheck = { ok: true; caller: VerifiedCaller } | { ok: false; denial: 'invalid' | 'expired' | 'busy' };

/** Accepts requests that a gateway forwarded to this service: unchanged, recent, and each only once. */
export interface RequestVerifier {
  verify(request: ArrivedRequest): Promise<RequestCheck>;
}

interface RequestVerifierOptions {
  /** The service that verifies; tokens for another one are not accepted. */
  service: string;
  /** Shared with the gateways; several while they are being changed. */
  keys: readonly KeyObject[];
  tokens: TokenVerifier;
  nowMs?: () => number;
}

export function createRequestVerifier({ service, keys, tokens, nowMs }: RequestVerifierOptions): RequestVerifier {
  const bindings = createBindingVerifier(keys, nowMs);
  return {
    async verify({ method, target, token, binding }) {
      if (token === undefined) return { ok: false, denial: 'invalid' };
      // First, because it costs a fiftieth of what it costs to find that a signature is forged.
      const bound = bindings.check(binding, { method, target, token });
      if (bound !== 'ok') return { ok: false, denial: bound };
      return tokens.verify(token, service);
    },
  };
}
