import type { Client } from './client.ts';

interface Answer {
  answer: string;
  citations: { citation_id: string; title: string; snippet: string }[];
  followups: string[];
}

/** Asks and hands the answer's words on as they come. */
export async function ask(
  client: Client,
  question: string,
  options: { memoryId?: string | undefined; onToken?: (text: string) => void },
): Promise<Answer> {
  const result: Answer = { answer: '', citations: [], followups: [] };
  const body = { query: question, ...(options.memoryId === undefined ? {} : { memory_id: options.memoryId }) };
  for await (const { event, data } of client.stream('/api/v1/memory/search/stream', body)) {
    if (event === 'sources') result.citations = (data as { citations: Answer['citations'] }).citations;
    else if (event === 'token') options.onToken?.((data as { text: string }).text);
    else if (event === 'done') {
      const done = data as { answer: string; suggested_followups: string[] };
      result.answer = done.answer;
      result.followups = done.suggested_followups;
    } else if (event === 'error') throw new Error((data as { detail: string }).detail);
  }
  return result;
}

/** The cited sources, one a line. */
export function sourceLines(citations: Answer['citations']): string[] {
  return citations.map(({ citation_id, title }) => `  [${citation_id}] ${title}`);
}
