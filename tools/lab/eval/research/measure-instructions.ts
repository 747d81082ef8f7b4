import type { Target } from '../through-http.ts';
import { runToEnd, START } from './research-client.ts';
import type { InstructionsPrompt, ResearchData } from './research-data.ts';

const EQUAL_RUNS = 3;

export interface InstructionFigures {
  prompts: number;
  /** Those whose instructions became no section, and whose parts have one each. */
  ok: number;
  /** Those with three equal reports. */
  equal: number;
  faults: string[];
}

/** What becomes of instructions beside a question: each prompt three times, over the memory that it is about. */
export async function measureInstructions(
  target: Target,
  { scorers, gold }: ResearchData,
  memories: Partial<Record<InstructionsPrompt['memory'], string>>,
): Promise<InstructionFigures> {
  const { prompts } = await gold<{ prompts: InstructionsPrompt[] }>('instructions.json');
  const figures: InstructionFigures = { prompts: 0, ok: 0, equal: 0, faults: [] };
  for (const prompt of prompts) {
    const memoryId = memories[prompt.memory];
    if (memoryId === undefined) continue;
    const reports: string[] = [];
    for (let time = 0; time < EQUAL_RUNS; time += 1) {
      const { final_report: report } = await runToEnd(target, START.research, {
        query: prompt.prompt,
        memory_id: memoryId,
        config: { sources: ['memory'] },
      });
      reports.push(report);
    }
    const scores = reports.map((report) => scorers.scoreInstructions(report, prompt));
    const fault = scores.find(({ ok }) => !ok);
    const equal = new Set(reports.map(scorers.comparable)).size === 1;
    figures.prompts += 1;
    if (fault === undefined) figures.ok += 1;
    else figures.faults.push(`${prompt.id}: ${JSON.stringify(fault)}`);
    if (equal) figures.equal += 1;
    else figures.faults.push(`${prompt.id}: reports differ`);
  }
  return figures;
}
