import { decodeEvent, type EncodedEvent, type LlmUsage } from '@cairn/contracts';
import type { NewEvent } from '../ledger/run.ts';
import type { RunContext } from '../ledger/run-context.ts';
import { type Attribution, type LanguageModelPort, ModelFailure, type Models } from '@cairn/llm';
import { appendToOutbox, type Tx } from '@cairn/postgres';
import type { z } from 'zod';
import type { Charges } from '../charges/charges.ts';
import { findRecord, type RunRecord } from '../runs/run-record.ts';
import { inputOf } from '../runs/run-input.ts';
import type { WorkDeps } from './work-deps.ts';

interface ModelRequest<T> {
  /** The purpose, as usage reports name it. */
  purpose: string;
  system: string;
  /** The date is put before it. */
  prompt: string;
  schema: z.ZodType<T>;
}

/**
 * The result of a model call, and what must be committed with it: the call was paid for, whatever becomes of its
 * output.
 */
export interface ModelResult<T> {
  /** Null when the run has no model, its token budget is used up, or the model returned nothing usable. */
  value: T | null;
  events: NewEvent[];
  commit: (tx: Tx) => Promise<void>;
  /** Records the usage in a transaction of its own, when the step that made the call is discarded. */
  onDiscarded: (tx: Tx) => Promise<void>;
}

export interface ModelDeps extends WorkDeps {
  models: Models;
  charges: Pick<Charges, 'costOf'>;
  modelCallTimeoutMs: number;
}

const NANO = 1e9;
const noop = () => Promise.resolve();
const NO_RESULT: ModelResult<never> = { value: null, events: [], commit: noop, onDiscarded: noop };

/** Asks the run's model for a value of a schema. It never fails a run: everything has a fallback without a model. */
export async function askModel<T>(
  deps: ModelDeps,
  context: RunContext,
  request: ModelRequest<T>,
  signal: AbortSignal,
): Promise<ModelResult<T>> {
  const { model: name } = inputOf(context);
  const record = await deps.database.withTenant(context.tenantId, (tx) => findRecord(tx, context.runId));
  if (record === null || isUsedUp(context, record)) return NO_RESULT;
  const attribution = attributionOf(context, record);
  const model: LanguageModelPort | null = await deps.models.language(attribution, name ?? undefined);
  if (model === null) return NO_RESULT;
  const metered: EncodedEvent[] = [];
  const onDiscarded = async (tx: Tx) => {
    for (const event of metered) await appendToOutbox(tx, event);
  };
  const call = {
    attribution,
    purpose: request.purpose,
    system: request.system,
    messages: [{ role: 'user' as const, content: `${today()}\n\n${request.prompt}` }],
    signal,
    callTimeoutMs: deps.modelCallTimeoutMs,
    record: (event: EncodedEvent) => void metered.push(event),
  };
  let value: T | null = null;
  let reason: string | null = null;
  try {
    value = (await model.generateObject(call, request.schema)).object;
  } catch (error) {
    // The run was ended or lost meanwhile. The usage is recorded all the same.
    if (signal.aborted) await deps.database.withTenant(context.tenantId, onDiscarded);
    signal.throwIfAborted();
    if (!(error instanceof ModelFailure)) throw error;
    reason = error.reason;
  }
  const used = await usedBy(deps, context, metered);
  const commit = async (tx: Tx) => {
    await onDiscarded(tx);
    await tx.execute(
      `UPDATE research_runs SET input_tokens = input_tokens + $2, output_tokens = output_tokens + $3,
              cost_nano_usd = cost_nano_usd + $4 WHERE run_id = $1`,
      [context.runId, used.input, used.output, used.nanoUsd],
    );
  };
  const note = `the model returned nothing usable: ${reason}`;
  const data = { stage: request.purpose, percent: record.percent, note };
  return { value, events: reason === null ? [] : [{ type: 'run.progress', data }], commit, onDiscarded };
}

/** Models know no date, and requests say “this year”. */
function today(): string {
  return `Today is ${new Date().toISOString().slice(0, 10)}.`;
}

function isUsedUp(context: RunContext, record: RunRecord): boolean {
  const { max_tokens: tokensMax, max_cost_usd: costMax } = inputOf(context);
  return (
    (tokensMax !== null && record.input_tokens + record.output_tokens >= tokensMax) ||
    (costMax !== null && record.cost_nano_usd >= costMax * NANO)
  );
}

function attributionOf(context: RunContext, record: RunRecord): Attribution {
  const { workspaceId, memoryId } = inputOf(context).target;
  return {
    tenantId: context.tenantId,
    livemode: record.livemode,
    workspaceId,
    memoryId,
    apiKeyId: record.key_id,
    user: record.user_name,
    // Only a charge covers the model calls of its run.
    ...(record.charge === '' ? {} : { runId: context.runId }),
  };
}

async function usedBy(deps: ModelDeps, context: RunContext, metered: readonly EncodedEvent[]) {
  const { max_cost_usd: costMax } = inputOf(context);
  const used = { input: 0, output: 0, nanoUsd: 0 };
  for (const event of metered) {
    const { payload } = decodeEvent(event.payload);
    if (payload.case !== 'llmUsage') continue;
    used.input += Number(payload.value.inputTokens);
    used.output += Number(payload.value.outputTokens);
    if (costMax !== null) used.nanoUsd += await costOf(deps, payload.value, costMax);
  }
  return used;
}

/** An unpriced call may have cost the whole budget, so it counts as that and no other call is made. */
async function costOf(deps: ModelDeps, call: LlmUsage, costMaxUsd: number): Promise<number> {
  const nanoUsd = await deps.charges.costOf(call).catch(() => null);
  return nanoUsd ?? Math.ceil(costMaxUsd * NANO);
}
