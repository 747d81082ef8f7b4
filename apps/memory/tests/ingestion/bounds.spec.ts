import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { bootMemory, type BootedMemory } from '../memory-harness.ts';
import { DOCUMENTS, ended, takenIn } from './take-in.ts';

let memory: BootedMemory;
beforeAll(async () => {
  memory = await bootMemory();
}, 60_000);
afterAll(() => memory.close());

describe('the plan', () => {
  it('refuses the document that is one too many with 402, under concurrency too, and takes one again after a deletion', async () => {
    const caller = memory.newCaller();
    caller.limits = { documents: 5n, storedBytes: 1_000_000n };
    const answers = await Promise.all(
      Array.from({ length: 12 }, (_, number) => memory.call(caller, 'POST', DOCUMENTS, { content: `Page ${number}` })),
    );
    expect(answers.filter(({ status }) => status === 202)).toHaveLength(5);
    const refused = answers.find(({ status }) => status !== 202)!;
    expect(refused).toMatchObject({
      status: 402,
      body: {
        code: 'plan_limit_reached',
        upgrade: {
          resource: 'documents',
          limit: 5,
          current: 5,
          plan: 'test',
          suggested_plan: 'larger',
          upgrade_url: null,
        },
      },
    });
    const docId = answers.find(({ status }) => status === 202)!.body.documents[0].doc_id;
    await memory.call(caller, 'DELETE', `${DOCUMENTS}/${docId}`);
    expect((await memory.call(caller, 'POST', DOCUMENTS, { content: 'In its place' })).status).toBe(202);
  });

  it('counts bytes, and a new version by its difference', async () => {
    const caller = memory.newCaller();
    caller.limits = { documents: 100n, storedBytes: 1_000n };
    const send = (content: string) => memory.call(caller, 'POST', DOCUMENTS, { content, external_id: 'page' });
    expect((await send('x'.repeat(900))).status).toBe(202);
    expect((await send('y'.repeat(1_000))).status).toBe(202);
    const refused = await send('z'.repeat(1_001));
    expect([refused.status, refused.body.upgrade]).toMatchObject([
      402,
      { resource: 'stored_bytes', limit: 1_000, current: 1_000 },
    ]);
    expect((await send('less')).status).toBe(202);
  });
});

describe('the queue', () => {
  it('lets a tenant with one document past another with twenty thousand', async () => {
    const [busy, quick] = [memory.newCaller(), memory.newCaller()];
    // All at once, so that none of them is done before the other tenant comes.
    await memory.database.worker.transaction(async (tx) => {
      const values = [busy.identity.tenantId, busy.memoryId, busy.vaultId, 20_000];
      await tx.execute(
        `INSERT INTO documents (tenant_id, memory_id, doc_id, workspace_id, livemode, vault_id, title, media_type, content_sha256, content_bytes, status)
         SELECT $1, $2, 'doc_busy' || number, 'ws_busy', true, $3, '', 'text/plain', sha256(number::text::bytea), 20, 'queued'
           FROM generate_series(1, $4::int) AS number`,
        values,
      );
      await tx.execute(
        `INSERT INTO ingest_queue (tenant_id, memory_id, doc_id, content)
         SELECT $1, $2, 'doc_busy' || number, 'Busy number ' || number FROM generate_series(1, $3::int) AS number`,
        [values[0], values[1], values[3]],
      );
    });
    const [document] = await takenIn(memory, quick, [{ content: 'The one.' }]);
    expect(document.status).toBe('completed');
    const waiting = await memory.database.worker.transaction((tx) =>
      tx.query<{ n: number }>('SELECT count(*) AS n FROM ingest_queue WHERE tenant_id = $1', [busy.identity.tenantId]),
    );
    expect(waiting[0]!.n).toBeGreaterThan(0);
  });

  it('is full by bytes too, and says when to come again', async () => {
    const small = await bootMemory({ CAIRN_INGEST_QUEUE_MAX_BYTES: String(1_048_576) });
    try {
      const caller = small.newCaller();
      const batch = (letter: string) => ({
        documents: Array.from({ length: 3 }, (_, number) => ({ content: `${number}${letter.repeat(400_000)}` })),
      });
      const answers = [];
      for (const letter of 'abcd') answers.push(await small.call(caller, 'POST', DOCUMENTS, batch(letter)));
      const refused = answers.find(({ status }) => status !== 202)!;
      expect([refused.status, refused.body.code]).toEqual([429, 'queue_full']);
      expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
      for (const { status, body } of answers)
        if (status === 202) for (const { doc_id } of body.documents) await ended(small, caller, doc_id);
    } finally {
      await small.close();
    }
  });
});
