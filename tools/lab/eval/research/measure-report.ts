import type { Target } from '../through-http.ts';
import { type FinishedRun, runToEnd, START } from './research-client.ts';
import type { ResearchData } from './research-data.ts';

const EQUAL_RUNS = 3;

export interface ReportFigures {
  coverage: number;
  stale: number;
  checkpoints: number;
  /** Whether the runs gave the same report. */
  equal: boolean;
  runs: FinishedRun[];
}

/** A due-diligence report over a folder of files in several vintages. */
export async function measureReport(
  target: Target,
  { scorers, gold }: ResearchData,
  { memoryId, model, times = EQUAL_RUNS }: { memoryId: string; model?: string; times?: number },
): Promise<ReportFigures> {
  const report = await gold<{ prompt: string }>('room/report.json');
  const runs: FinishedRun[] = [];
  for (let time = 0; time < times; time += 1)
    runs.push(
      await runToEnd(target, START.research, {
        query: report.prompt,
        memory_id: memoryId,
        config: { sources: ['memory'] },
        ...(model === undefined ? {} : { llm_model: model }),
      }),
    );
  const { coverage, stale, of: checkpoints } = scorers.scoreReport(runs[0]!.final_report, report);
  const equal = new Set(runs.map((run) => scorers.comparable(run.final_report))).size === 1;
  return { coverage, stale, checkpoints, equal, runs };
}
