import type { EncodedEvent } from '@cairn/contracts';
import type { NewEvent, RunContext } from '@cairn/ledger';
import { type LanguageModelPort, ModelFailure, type Models, type ModelUsage } from '@cairn/llm';
import { appendToOutbox, type Tx } from '@cairn/postgres';
import type { z } from 'zod';
import { findRecord } from '../runs/run-record.ts';
import { inputOf } from './run-input.ts';
import type { WorkParts } from './work-parts.ts';

const CALL_TIMEOUT_MS = 60_000;

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
}

export interface ModelParts extends WorkParts {
  models: Models;
}

const NOTHING: ModelWord<never> = { value: null, events: [], commit: () => Promise.resolve() };

/** Asks the run's model for a value of a schema. It never fails a run: every role has a form without a model. */
export async function askModel<T>(
  parts: ModelParts,
  context: RunContext,
  question: ModelQuestion<T>,
  signal: AbortSignal,
): Promise<ModelWord<T>> {
  const { model: name, target, max_tokens: tokensMax } = inputOf(context);
  const record = await parts.database.withTenant(context.tenantId, (tx) => findRecord(tx, context.runId));
  if (record === null || (tokensMax !== null && record.input_tokens + record.output_tokens >= tokensMax))
    return NOTHING;
  const attribution = {
    tenantId: context.tenantId,
    livemode: record.livemode,
    workspaceId: target.workspaceId,
    memoryId: target.memoryId,
    apiKeyId: record.key_id,
    user: record.user_name,
    // Only what is charged covers its models' calls.
    ...(record.charge === '' ? {} : { runId: context.runId }),
  };
  const model: LanguageModelPort | null = await parts.models.language(attribution, name ?? undefined);
  if (model === null) return NOTHING;
  const metered: EncodedEvent[] = [];
  const used = { input: 0, output: 0 };
  const commit = async (tx: Tx) => {
    for (const event of metered) await appendToOutbox(tx, event);
    await tx.execute(
      'UPDATE research_runs SET input_tokens = input_tokens + $2, output_tokens = output_tokens + $3 WHERE run_id = $1',
      [context.runId, used.input, used.output],
    );
  };
  try {
    const { object, usage } = await model.generateObject(
      {
        attribution,
        purpose: question.purpose,
        system: question.system,
        messages: [{ role: 'user', content: question.prompt }],
        signal,
        callTimeoutMs: CALL_TIMEOUT_MS,
        record: (event) => void metered.push(event),
      },
      question.schema,
    );
    add(used, usage);
    return { value: object, events: [], commit };
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof ModelFailure)) throw error;
    const data = {
      stage: question.purpose,
      percent: record.percent,
      note: `the model gave nothing usable: ${error.reason}`,
    };
    return { value: null, events: [{ type: 'run.progress', data }], commit };
  }
}

function add(used: { input: number; output: number }, usage: ModelUsage): void {
  used.input += usage.inputTokens;
  used.output += usage.outputTokens;
}
