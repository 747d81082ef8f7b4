import type { Target } from '../through-http.ts';
import { rowsOf, runToEnd, START } from './research-client.ts';
import type { ListPrompt, ResearchData } from './research-data.ts';

export type CrawlFigures = ReturnType<ResearchData['scorers']['totalLists']> & {
  /** Pages asked for, over all prompts. */
  pages: number;
  failed: string[];
};

/** Rows collected from record sites that the data folder's own code serves on loopback. */
export async function measureCrawls(
  target: Target,
  { folder, scorers, sites, gold }: ResearchData,
): Promise<CrawlFigures> {
  const { prompts } = await gold<{ prompts: ListPrompt[] }>('crawl.json');
  const served = sites.makeSites(sites.readCorpus(`${folder}/hotpotqa100/corpus.jsonl`));
  const scores = [];
  const failed: string[] = [];
  let pages = 0;
  for (const prompt of prompts) {
    const site = await sites.serve(served.find(({ name }) => name === prompt.site)!.pages);
    try {
      const run = await runToEnd(target, START.crawler, {
        prompt: `${prompt.prompt} ${site.url}`,
        config: { sources: ['web'] },
      });
      if (run.status !== 'completed') failed.push(`${prompt.id}: ${run.error?.code ?? run.status}`);
      const rows = run.list_id === null ? [] : await rowsOf(target, run.list_id);
      scores.push(scorers.scoreList(rows, prompt));
      pages += site.log.length;
    } finally {
      site.close();
    }
  }
  return { ...scorers.totalLists(scores), pages, failed };
}
