import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { environment, writeSection } from '../../measurement/page.ts';
import { growthPlot, growthSection } from './growth-report.ts';
import type { SizeResult } from './growth.ts';
import { debtPlot, debtSection, singlesPlot, singlesSection } from './ingest-report.ts';
import type { MergeDebtResult } from './merge-debt.ts';
import type { RareWords } from './corpus.ts';
import { pipelineSection } from './pipeline-report.ts';
import type { PipelineResult } from './pipeline.ts';
import { sessionsSection } from './sessions-report.ts';
import type { SessionsResult } from './sessions.ts';
import type { SingleIngestResult } from './single-ingests.ts';

/** What a run measured; parts that were not asked for are absent. */
export interface BenchResults {
  /** On what it was measured: date, machine, versions. */
  environment: string;
  /** How to run it again. */
  command: string;
  /** What a reader must know of this run. */
  note?: string;
  growth?: SizeResult[];
  pipeline?: Partial<Record<RareWords, PipelineResult>>;
  sessions?: SessionsResult;
  debt?: MergeDebtResult;
  singles?: SingleIngestResult;
}

export const MEASUREMENTS: string = join(import.meta.dirname, '..', '..', '..', '..', 'docs', 'measurements');
/** How many chunks the pipeline is measured with when nothing else is asked for. */
const PIPELINE_CHUNKS = 100_000;
const PLOTS = { growth: 'search-growth.svg', debt: 'search-merge-debt.svg', singles: 'search-single-ingests.svg' };

/** Writes the sections and pictures of what was measured; other sections stay. */
export async function writeReports(results: BenchResults, folder = MEASUREMENTS): Promise<void> {
  const head = `${results.environment}. Command: \`${results.command}\`. The machine is shared with other work: compare the peers of one run, not the milliseconds of two.${results.note === undefined ? '' : ` ${results.note}`}`;
  await mkdir(folder, { recursive: true });
  const write = async (name: keyof typeof PLOTS, section: string, plot: string) => {
    await writeFile(join(folder, PLOTS[name]), plot);
    await writeSection(join(folder, 'search.md'), 'Search', name, section);
  };
  const { growth, pipeline, sessions, debt, singles } = results;
  if (pipeline !== undefined)
    await writeSection(join(folder, 'search.md'), 'Search', pipelineName(pipeline), pipelineSection(pipeline, head));
  if (sessions !== undefined)
    await writeSection(join(folder, 'search.md'), 'Search', 'sessions', sessionsSection(sessions, head));
  if (growth !== undefined) await write('growth', growthSection(growth, head, PLOTS.growth), growthPlot(growth));
  if (debt !== undefined) await write('debt', debtSection(debt, head, PLOTS.debt), debtPlot(debt));
  if (singles !== undefined) await write('singles', singlesSection(singles, head, PLOTS.singles), singlesPlot(singles));
}

/** Every size but the usual one has a section of its own beside it. */
function pipelineName({ natural, long }: NonNullable<BenchResults['pipeline']>): string {
  const chunks = (natural ?? long)?.chunks ?? PIPELINE_CHUNKS;
  return chunks === PIPELINE_CHUNKS ? 'pipeline' : `pipeline-${chunks}`;
}

/** Said once a run, when it begins: the pages may be written again later, on another machine. */
export function environmentNow(postgresVersion: string): string {
  return environment().replace('PostgreSQL 17', `PostgreSQL ${postgresVersion}`);
}
