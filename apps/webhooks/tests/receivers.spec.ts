import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { findFreePort } from '@cairn/embedded';
import { eventually, temporaryFolder } from '@cairn/testing';
import { ingested, newTenant, type RunningWebhooks, runWebhooks, settled } from './webhooks-harness.ts';

const PAGE = join(import.meta.dirname, '..', '..', '..', 'docs', 'webhooks.md');
const HAS_PYTHON = spawnSync('python3', ['--version']).status === 0;

/** How each receiver of the page is run. */
const RECEIVERS = [
  { language: 'js', file: 'receiver.mjs', command: process.execPath },
  ...(HAS_PYTHON ? [{ language: 'python', file: 'receiver.py', command: 'python3' }] : []),
];

let webhooks: RunningWebhooks;
let folder: string;
const children: ChildProcess[] = [];
beforeAll(async () => {
  [webhooks, folder] = await Promise.all([runWebhooks(), temporaryFolder('cairn-receivers-')]);
});
afterAll(async () => {
  for (const child of children.filter(({ exitCode }) => exitCode === null)) {
    const gone = once(child, 'exit');
    child.kill('SIGKILL');
    await gone;
  }
  await webhooks.close();
  await rm(folder, { recursive: true, force: true });
});

async function codeOf(language: string): Promise<string> {
  const page = await readFile(PAGE, 'utf8');
  return new RegExp(`\`\`\`${language}\\n([\\s\\S]*?)\`\`\``).exec(page)![1]!;
}

describe.each(RECEIVERS)('the receiver of the documentation, $file', ({ language, file, command }) => {
  it('takes what is signed, once, and refuses what is not', async () => {
    await writeFile(join(folder, file), await codeOf(language));
    const port = await findFreePort();
    const url = `http://127.0.0.1:${port}/`;
    const tenant = newTenant();
    const { webhook_id: id, secret } = await webhooks.register(tenant, url);
    const child = spawn(command, [join(folder, file)], {
      env: { PATH: process.env['PATH'], PORT: String(port), WEBHOOK_SECRET: secret },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    children.push(child);
    let printed = '';
    child.stdout.on('data', (bytes: Buffer) => (printed += bytes.toString()));
    const post = (signature: string) =>
      fetch(url, { method: 'POST', body: '{"event_id":"evt_x"}', headers: { 'x-service-signature': signature } });
    await eventually(async () => (await post('')).status === 401);
    for (const signature of ['0'.repeat(64), 'é', 'x']) {
      const refused = await post(encodeURIComponent(signature));
      expect(refused.status).toBe(401);
    }
    const eventId = await webhooks.emit(tenant, 'ingestCompleted', { ...ingested(), title: 'Grüße 工' });
    const [delivered] = await settled(webhooks, tenant, id, 1);
    expect(delivered).toMatchObject({ state: 'delivered', attempts: [{ status: 204 }] });
    await webhooks.call(tenant, 'POST', `/api/v1/webhooks/${id}/deliveries/${delivered.delivery_id}/replay`, {});
    await eventually(
      () => webhooks.deliveries(tenant, id),
      ([one]) => one.attempts.length === 2 && one.state === 'delivered',
    );
    await eventually(() => printed.includes(eventId));
    expect(printed.trim()).toBe(`memory.ingest.completed ${eventId}`);
  }, 60_000);
});
