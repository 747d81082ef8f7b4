import { sanitizeProse } from '@cairn/prose';
import type { RunContext } from '../ledger/run-context.ts';
import type { ParsedRequest } from '../request/parse-request.ts';
import { analysePrompt } from './analyse.ts';
import type { ModelDeps } from './ask-model.ts';
import { fullPrompt, type ClarifiedPrompt } from './clarify.ts';
import { planQuestions } from './plan-with-model.ts';

/**
 * Takes the request apart, with what its asker said to a clarification. A model may plan further questions; what is
 * asked, and how it is to be answered, stays what the request says.
 */
export async function interpretRequest(
  deps: ModelDeps,
  context: RunContext,
  { prompt, answer }: Pick<ClarifiedPrompt, 'prompt' | 'answer'>,
): Promise<ParsedRequest> {
  const request = await context.step('request', async () => ({
    result: await analysePrompt(deps, context, 'parsePrompt', { prompt, answer }),
  }));
  const own =
    request.questions.length > 0 ? request.questions : [{ text: prompt.trim(), query: prompt.trim(), aspects: [] }];
  const planned = await planQuestions(deps, context, fullPrompt({ prompt, answer }));
  const whole = { ...request, questions: own };
  const { questions } =
    planned === null ? whole : await analysePrompt(deps, context, 'addPlan', { request: whole, planned });
  return { ...request, questions: questions.map((one) => ({ ...one, text: sanitizeProse(one.text) })) };
}
