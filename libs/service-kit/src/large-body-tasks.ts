import { type Operation, OPERATIONS } from '@cairn/contracts';
import { CairnError, type FieldError } from '@cairn/errors';
import { parseAndValidate } from './parse-request.ts';
import type { ValidRequest } from './validate.ts';

// Runs in worker processes; see `large-bodies.ts`.

export interface LargeBodyTask {
  operationId: string;
  params: unknown;
  query: unknown;
  json: Uint8Array;
}

/** A refusal as it crosses to the service. An accepted request crosses whole, a refused one never does. */
export type LargeBodyOutcome =
  | { ok: true; request: ValidRequest }
  | { ok: false; code: 'malformed_json' | 'validation_failed'; message: string; errors: FieldError[] | undefined };

const BY_ID: ReadonlyMap<string, Operation> = new Map(OPERATIONS.map((operation) => [operation.id, operation]));

export function parse({ operationId, params, query, json }: LargeBodyTask): LargeBodyOutcome {
  const operation = BY_ID.get(operationId);
  if (operation === undefined) throw new Error(`there is no operation ${operationId}`);
  const text = Buffer.from(json.buffer, json.byteOffset, json.byteLength);
  try {
    return { ok: true, request: parseAndValidate(operation, { params, query, json: text }) };
  } catch (error) {
    if (!(error instanceof CairnError)) throw error;
    const { code, message, errors } = error;
    if (code !== 'malformed_json' && code !== 'validation_failed') throw error;
    return { ok: false, code, message, errors };
  }
}
