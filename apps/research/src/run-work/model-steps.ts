import { decodeEvent, type EncodedEvent, type LlmUsage } from '@cairn/contracts';
import type { NewEvent, RunContext } from '@cairn/ledger';
import { type Attribution, type LanguageModelPort, ModelFailure, type Models } from '@cairn/llm';
import { appendToOutbox, type Tx } from '@cairn/postgres';
import type { z } from 'zod';
import type { Charges } from '../charges/charges.ts';
import { findRecord, type RunRecord } from '../runs/run-record.ts';
import { inputOf } from './run-input.ts';
import type { WorkParts } from './work-parts.ts';

export interface ModelQuestion<T> {
  /** What it is for, as usage names it. */
  purpose: string;
  system: string;
  prompt: string;
  schema: z.ZodType<T>;
}

/** What a model said, with what has to be committed with it: the call was paid for, whatever becomes of its words. */
export interface ModelWord<T> {
  /** Null: there is no model for the run, its tokens are used up, or the model gave nothing usable. */
  value: T | null;
  events: NewEvent[];
  commit: (tx: Tx) => Promise<void>;
  /** Writes down what was used by itself, when the step that asked is not kept. */
  lost: (tx: Tx) => Promise<void>;
}

export interface ModelParts extends WorkParts {
  models: Models;
  charges: Pick<Charges, 'costOf'>;
  modelCallTimeoutMs: number;
}

const NANO = 1e9;
const nothing = () => Promise.resolve();
const NOTHING: ModelWord<never> = { value: null, events: [], commit: nothing, lost: nothing };

/** Asks the run's model for a value of a schema. It never fails a run: every role has a form without a model. */
export async function askModel<T>(
  parts: ModelParts,
  context: RunContext,
  question: ModelQuestion<T>,
  signal: AbortSignal,
): Promise<ModelWord<T>> {
  const { model: name } = inputOf(context);
  const record = await parts.database.withTenant(context.tenantId, (tx) => findRecord(tx, context.runId));
  if (record === null || isUsedUp(context, record)) return NOTHING;
  const attribution = attributionOf(context, record);
  const model: LanguageModelPort | null = await parts.models.language(attribution, name ?? undefined);
  if (model === null) return NOTHING;
  const metered: EncodedEvent[] = [];
  const lost = async (tx: Tx) => {
    for (const event of metered) await appendToOutbox(tx, event);
  };
  const asked = {
    attribution,
    purpose: question.purpose,
    system: question.system,
    messages: [{ role: 'user' as const, content: question.prompt }],
    signal,
    callTimeoutMs: parts.modelCallTimeoutMs,
    record: (event: EncodedEvent) => void metered.push(event),
  };
  let value: T | null = null;
  let reason: string | null = null;
  try {
    value = (await model.generateObject(asked, question.schema)).object;
  } catch (error) {
    // The run was ended or lost meanwhile: what was used is used all the same.
    if (signal.aborted) await parts.database.withTenant(context.tenantId, lost);
    signal.throwIfAborted();
    if (!(error instanceof ModelFailure)) throw error;
    reason = error.reason;
  }
  const used = await usedBy(parts, context, metered);
  const commit = async (tx: Tx) => {
    await lost(tx);
    await tx.execute(
      `UPDATE research_runs SET input_tokens = input_tokens + $2, output_tokens = output_tokens + $3,
              cost_nano_usd = cost_nano_usd + $4 WHERE run_id = $1`,
      [context.runId, used.input, used.output, used.nanoUsd],
    );
  };
  const note = `the model gave nothing usable: ${reason}`;
  const data = { stage: question.purpose, percent: record.percent, note };
  return { value, events: reason === null ? [] : [{ type: 'run.progress', data }], commit, lost };
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
    ...{ workspaceId, memoryId, apiKeyId: record.key_id, user: record.user_name },
    // Only what is charged covers its models' calls.
    ...(record.charge === '' ? {} : { runId: context.runId }),
  };
}

async function usedBy(parts: ModelParts, context: RunContext, metered: readonly EncodedEvent[]) {
  const { max_cost_usd: costMax } = inputOf(context);
  const used = { input: 0, output: 0, nanoUsd: 0 };
  for (const event of metered) {
    const { payload } = decodeEvent(event.payload);
    if (payload.case !== 'llmUsage') continue;
    used.input += Number(payload.value.inputTokens);
    used.output += Number(payload.value.outputTokens);
    if (costMax !== null) used.nanoUsd += await costOf(parts, payload.value, costMax);
  }
  return used;
}

/** A call that nobody can price may have cost whatever was allowed: no other is made. */
async function costOf(parts: ModelParts, call: LlmUsage, costMaxUsd: number): Promise<number> {
  const nanoUsd = await parts.charges.costOf(call).catch(() => null);
  return nanoUsd ?? Math.ceil(costMaxUsd * NANO);
}
