import type { ModelServer } from '@cairn/testing';
import type { Target } from '../through-http.ts';
import type { Mode } from './model-modes.ts';
import { eventsOf, type FinishedRun, type ListRow, rowsOf, runToEnd, START } from './research-client.ts';
import type { ListPrompt, ResearchData } from './research-data.ts';
import type { UnsupportedCell } from './scripted-entries.ts';
import { type ScriptedReply, scriptedReply } from './scripted-model.ts';
import { unsupportedSentences } from './unsupported-sentences.ts';

/** What came of one run with a scripted model. */
export interface ModelRun {
  mode: Mode;
  kind: string;
  status: string;
  /** Whether a text of the model was used. */
  generated: boolean;
  /** Whether the run says what of the model's it did not use. */
  announced: boolean;
  calls: number;
  tokens: number;
  /** Sentences that the model sent, and those of them that were published. */
  sent: number;
  published: number;
  /** Seeded lies, and those of them that were published. */
  lies: number;
  liesPublished: string[];
  /** Published sentences that have a word or a number that nothing cited has. */
  unsupported: string[];
  coverage: number | null;
  rows: number;
  /** Rows of the list that the gold has, of how many, and rows that it has not; null for a report. */
  list: { found: number; gold: number; wrong: number } | null;
}

const ANNOUNCED = /the model returned nothing usable|sentences? of the model|entries of the model/;

/** The report of the data room, and a list, with a model of one mode. */
export async function measureMode(
  target: Target,
  server: ModelServer,
  data: ResearchData,
  { mode, room, paragraphs }: { mode: Mode; room: string; paragraphs: string },
): Promise<ModelRun[]> {
  const { prompt } = await data.gold<{ prompt: string }>('room/report.json');
  const memory = (memoryId: string) => ({ memory_id: memoryId, llm_model: MODEL, config: { sources: ['memory'] } });
  const report = await watched(target, server, mode, START.research, { query: prompt, ...memory(room) });
  report.run.coverage = data.scorers.scoreReport(report.finished.final_report, {
    prompt,
    ...(await goldOf(data)),
  }).coverage;
  const list = await watched(target, server, mode, START.people, {
    prompt: 'Australian politicians with their date of birth',
    total_target: 50,
    ...memory(paragraphs),
  });
  const { prompts } = await data.gold<{ prompts: ListPrompt[] }>('lists.json');
  // The same people; their dates are a column more.
  const politicians = prompts.find(({ prompt: asked }) => asked === LIST_GOLD)!;
  list.run.list = data.scorers.scoreList(list.rows, politicians);
  return [report.run, list.run];
}

export const MODEL = 'scripted';
const LIST_GOLD = 'Australian politicians';

async function goldOf(data: ResearchData): Promise<object> {
  return data.gold<object>('room/report.json');
}

async function watched(
  target: Target,
  server: ModelServer,
  mode: Mode,
  path: string,
  body: object,
): Promise<{ run: ModelRun; finished: FinishedRun; rows: ListRow[] }> {
  const said: ScriptedReply[] = [];
  server.calls.length = 0;
  server.replyWith((call) => {
    const one = scriptedReply(call, mode);
    said.push(one.said);
    return one.reply;
  });
  const finished = await runToEnd(target, path, body);
  const rows = finished.list_id === null ? [] : await rowsOf(target, finished.list_id);
  const events = await eventsOf(target, finished.thread_id);
  const published = plain(`${finished.final_report}\n${textOf(rows)}`);
  const everything = `${finished.final_report}\n${textOf(rows)}\n${events}`;
  const sent = said.flatMap(({ sentences }) => sentences);
  const lies = said.flatMap((one) => one.lies);
  const rowLies = said.flatMap((one) => one.rowLies);
  const run: ModelRun = {
    mode,
    kind: path === START.research ? 'research' : 'people',
    status: finished.status,
    generated: finished.generated,
    announced: ANNOUNCED.test(events),
    calls: server.calls.length,
    tokens: finished.cost.input_tokens + finished.cost.output_tokens,
    sent: sent.length,
    published: sent.filter((sentence) => published.includes(plain(sentence))).length,
    lies: lies.length + rowLies.length,
    liesPublished: [
      ...lies.filter((lie) => plain(everything).includes(plain(lie))),
      ...rowLies.flatMap((lie) => (isPublished(lie, rows) ? [`${lie.name}: ${lie.value}`] : [])),
    ],
    unsupported: unsupportedSentences(finished.final_report, finished.citations),
    coverage: null,
    rows: rows.length,
    list: null,
  };
  return { run, finished, rows };
}

function isPublished({ name, value }: UnsupportedCell, rows: readonly ListRow[]): boolean {
  const own = rows.filter((row) => plain(row.name) === plain(name));
  return own.some(({ cells }) => Object.values(cells).some((cell) => plain(cell.value) === plain(value)));
}

function textOf(rows: readonly ListRow[]): string {
  return rows.map(({ name, cells }) => [name, ...Object.values(cells).map(({ value }) => value)].join('\n')).join('\n');
}

/** Without marks, so that a sentence is found whatever stands around it. */
function plain(text: string): string {
  return text
    .replace(/ \(as of [^()]{1,40}\)/g, '')
    .replace(/[^\p{L}\p{N}%[\]]+/gu, ' ')
    .toLowerCase()
    .trim();
}
