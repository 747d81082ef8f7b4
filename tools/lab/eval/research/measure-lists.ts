import type { Target } from '../through-http.ts';
import { rowsOf, runToEnd, START } from './research-client.ts';
import type { ListPrompt, ResearchData } from './research-data.ts';

/** More rows than any prompt has. */
const TARGET = 100;

export type ListFigures = ReturnType<ResearchData['scorers']['totalLists']> & { tokens: number; failed: string[] };

/** Lists of people and companies out of a memory of paragraphs. */
export async function measureLists(
  target: Target,
  { scorers, gold }: ResearchData,
  { memoryId, model }: { memoryId: string; model?: string },
): Promise<ListFigures> {
  const { prompts } = await gold<{ prompts: ListPrompt[] }>('lists.json');
  const scores = [];
  const failed: string[] = [];
  let tokens = 0;
  for (const prompt of prompts) {
    const run = await runToEnd(target, START[prompt.kind ?? 'people'], {
      prompt: prompt.prompt,
      memory_id: memoryId,
      total_target: TARGET,
      config: { sources: ['memory'] },
      ...(model === undefined ? {} : { llm_model: model }),
    });
    if (run.status !== 'completed') failed.push(`${prompt.id}: ${run.error?.code ?? run.status}`);
    tokens += run.cost.input_tokens + run.cost.output_tokens;
    const rows = run.list_id === null ? [] : await rowsOf(target, run.list_id);
    scores.push(scorers.scoreList(rows, prompt));
  }
  return { ...scorers.totalLists(scores), tokens, failed };
}
