import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ModelServer, startModelServer } from '@cairn/testing';
import { type ResearchHarness, startResearchHarness } from './research-harness.ts';

let research: ResearchHarness;
let server: ModelServer;
let folder: string;

beforeAll(async () => {
  server = await startModelServer();
  folder = await mkdtemp(join(tmpdir(), 'cairn-models-'));
  const modelsFile = join(folder, 'models.json');
  const providers = [{ name: 'local', protocol: 'openai-compatible', base_url: server.baseUrl, api_key: 'a-key' }];
  await writeFile(
    modelsFile,
    JSON.stringify({ providers, language_models: [{ name: 'local-large', provider: 'local' }] }),
  );
  research = await startResearchHarness({ modelsFile });
  research.stubs.documents.push({
    docId: 'doc_leave',
    title: 'Leave policy',
    text: 'Everybody has 30 days of paid leave each year. Leave is asked for two weeks before it begins.',
  });
});
afterAll(async () => {
  await research.close();
  await server.close();
  await rm(folder, { recursive: true, force: true });
});

describe('a finding that the last round left out', () => {
  it('is not given to the model that writes the report, which says what replaced it', async () => {
    server.replyWith(() => ({ kind: 'text', pieces: ['{"sections": []}'] }));
    const { body } = await research.call('POST', '/api/v1/search/research/start', {
      query: 'How many days of paid leave does everybody have?',
      llm_model: 'local-large',
      config: { sources: ['memory'] },
    });
    const threadId = body.thread_id as string;
    await research.until(threadId, 'completed', 'failed');
    // What the first round noted of a value that a newer source supersedes, as the last round leaves it.
    await research.ask(
      `INSERT INTO findings (tenant_id, run_id, finding_id, source_id, start_at, quote, topic, score, answers)
       SELECT tenant_id, run_id, 'fnd_old', source_id, 900, 'Everybody has 26 days of paid leave.', topic, 1, '[]'
         FROM findings WHERE run_id = $1 LIMIT 1`,
      [threadId],
    );
    await research.ask(
      `INSERT INTO successions (tenant_id, run_id, newer_id, older_id)
       SELECT tenant_id, run_id, finding_id, 'fnd_old' FROM findings
        WHERE run_id = $1 AND quote LIKE '%30 days%' LIMIT 1`,
      [threadId],
    );
    await research.ask(`DELETE FROM run_steps WHERE run_id = $1 AND step_key = 'report'`, [threadId]);
    server.calls.length = 0;
    await research.ask(
      `UPDATE runs SET status = 'queued', result = NULL, finished_at = NULL, attempts = 0 WHERE run_id = $1`,
      [threadId],
    );
    await research.until(threadId, 'completed', 'failed');
    const said = JSON.stringify(server.calls.map((call) => call.body));
    expect(said).toContain('30 days');
    expect(said).not.toContain('26 days');
    const { body: status } = await research.call('GET', `/api/v1/search/workflow/status/${threadId}`);
    expect(status.final_report).toMatch(/## Replaced by newer sources[^#]*26 days[^#]*\[\d+\]/);
  }, 60_000);
});
