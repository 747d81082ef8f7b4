import { type Operation, OPERATIONS } from '@cairn/contracts';
import { CairnError, type ErrorCode, type FieldError } from '@cairn/errors';
import { serveTasks } from '@cairn/workers';
import type { BodyEncoding } from './inflate.ts';
import { parseMeasured } from './parse-request.ts';
import type { ValidRequest } from './validate.ts';

// Runs in threads; see `large-bodies.ts`.

export interface LargeBodyTask {
  operationId: string;
  params: unknown;
  query: unknown;
  json: Uint8Array<ArrayBuffer>;
  encoding: BodyEncoding | undefined;
}

interface BodyWork {
  bytes: number;
  cpuMs: number;
}

/** A refusal as it crosses to the service. An accepted request crosses whole, a refused one never does. */
export type LargeBodyOutcome = { work: BodyWork } & (
  | { ok: true; request: ValidRequest }
  | { ok: false; code: ErrorCode; message: string; errors: FieldError[] | undefined }
);

const BY_ID: ReadonlyMap<string, Operation> = new Map(OPERATIONS.map((operation) => [operation.id, operation]));

serveTasks(parse);

function parse({ operationId, params, query, json, encoding }: LargeBodyTask): LargeBodyOutcome {
  const operation = BY_ID.get(operationId);
  if (operation === undefined) throw new Error(`there is no operation ${operationId}`);
  let work: BodyWork = { bytes: json.byteLength, cpuMs: 0 };
  const text = Buffer.from(json.buffer, json.byteOffset, json.byteLength);
  try {
    const request = parseMeasured(operation, { params, query, json: text, encoding }, (taken) => {
      work = taken;
    });
    return { ok: true, request: request!, work };
  } catch (error) {
    if (!(error instanceof CairnError)) throw error;
    const { code, message, errors } = error;
    return { ok: false, code, message, errors, work };
  }
}
