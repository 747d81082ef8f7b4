import { createServer, type Server } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually, listenOnLoopback } from '@cairn/testing';
import { bootMemory, type BootedMemory, type Caller } from '../memory-harness.ts';
import { makePdf } from './make-files.ts';
import { DOCUMENTS, takenIn, uploaded } from './take-in.ts';

let memory: BootedMemory;
let site: Server;
let address: string;
beforeAll(async () => {
  site = createServer((_request, response) => response.setHeader('content-type', 'text/plain').end('Fetched words.'));
  address = `http://127.0.0.1:${await listenOnLoopback(site)}/note.txt`;
  memory = await bootMemory({ CAIRN_ALLOW_PRIVATE_NETWORK: 'true' });
}, 60_000);
afterAll(async () => {
  site.close();
  await memory.close();
});

function keeping(): Caller {
  const caller = memory.newCaller();
  caller.settings.keep_originals = true;
  return caller;
}
const original = (who: Caller, docId: string) => memory.call(who, 'GET', `${DOCUMENTS}/${docId}/original`);
const rowsOf = async (who: Caller) =>
  (
    await memory.database.worker.transaction((tx) =>
      tx.query<{ doc_id: string; payload: Buffer }>(
        'SELECT doc_id, payload FROM document_originals WHERE memory_id = $1',
        [who.memoryId],
      ),
    )
  ).toSorted((a, b) => (a.doc_id < b.doc_id ? -1 : 1));
const storedBytes = async (who: Caller) => {
  const [row] = await memory.database.worker.transaction((tx) =>
    tx.query<{ bytes: number }>('SELECT sum(bytes)::float8 AS bytes FROM storage_changes WHERE tenant_id = $1', [
      who.identity.tenantId,
    ]),
  );
  return row!.bytes;
};

describe('the original of a document', () => {
  it('is not kept unless the memory wants it', async () => {
    const who = memory.newCaller();
    const [document] = await takenIn(memory, who, [{ content: 'Herons nest here.' }]);
    expect(document.original).toBeNull();
    expect((await original(who, document.doc_id)).status).toBe(404);
    expect(await rowsOf(who)).toEqual([]);
  });

  it('comes back byte by byte, as a download that no browser runs, and lies sealed in the database', async () => {
    const who = keeping();
    const pdf = makePdf(['Storks nest on the town hall.']);
    const file = await uploaded(memory, who, 'Größe 1.pdf', pdf);
    const [text, fetched] = await takenIn(memory, who, [{ content: 'Herons nest here. Ünïcode.' }, { url: address }]);
    expect([file.original, fetched.original]).toEqual([{ bytes: pdf.length }, { bytes: 'Fetched words.'.length }]);
    const answer = await original(who, file.doc_id);
    expect(answer.status).toBe(200);
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'content-type': 'application/octet-stream',
      'content-disposition': expect.stringMatching(/^attachment; filename=.*filename\*=UTF-8''Gr%C3%B6%C3%9Fe/),
      'content-security-policy': "default-src 'none'; sandbox",
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-store',
    });
    expect((await original(who, text.doc_id)).body).toBe('Herons nest here. Ünïcode.');
    expect((await original(who, fetched.doc_id)).body).toBe('Fetched words.');
    for (const { payload } of await rowsOf(who)) expect(payload.toString('latin1')).not.toMatch(/nest|Fetched/);
  });

  it('is not kept where screening masked something, and goes with a version that was masked', async () => {
    const who = keeping();
    const send = async (content: string) => (await takenIn(memory, who, [{ content, external_id: 'note' }]))[0];
    const clean = await send('Nothing secret here.');
    expect((await original(who, clean.doc_id)).body).toBe('Nothing secret here.');
    const secret = `gh${'p_'}pAvLQIO4G9J4wIiyFdYB9aiSXU7g7XEzFuRe`;
    const masked = await send(`The token is ${secret}.`);
    expect([masked.doc_id, masked.original]).toEqual([clean.doc_id, null]);
    expect((await original(who, clean.doc_id)).status).toBe(404);
    expect(await rowsOf(who)).toEqual([]);
    const again = await send('Clean again.');
    expect((await original(who, again.doc_id)).body).toBe('Clean again.');
  });

  it('counts as stored, once for the newest version, and no longer when the document is gone', async () => {
    const who = keeping();
    const send = async (content: string) => (await takenIn(memory, who, [{ content, external_id: 'note' }]))[0];
    await send('x'.repeat(100));
    expect(await storedBytes(who)).toBe(200);
    const { doc_id } = await send('y'.repeat(30));
    expect(await storedBytes(who)).toBe(60);
    await memory.call(who, 'DELETE', `${DOCUMENTS}/${doc_id}`);
    expect([await storedBytes(who), await rowsOf(who)]).toEqual([0, []]);
  });

  it('is seen by who sees the document, and erased with its space', async () => {
    const who = keeping();
    const [room, other] = [memory.newSpace(who), memory.newSpace(who)];
    const [inside, outside] = await takenIn(memory, who, [
      { content: 'In the room.', space_id: room.spaceId },
      { content: 'Elsewhere.', space_id: other.spaceId },
    ]);
    const bound: Caller = { ...who, identity: { ...who.identity, memoryId: who.memoryId, spaceId: room.spaceId } };
    expect((await original(bound, inside.doc_id)).status).toBe(200);
    expect((await original(bound, outside.doc_id)).status).toBe(404);
    expect((await original(memory.newCaller(), inside.doc_id)).status).toBe(404);
    const { tenantId } = who.identity;
    const scope = { tenantId, memoryId: who.memoryId, vaultId: room.vaultId };
    await memory.store.closeScope({ scope });
    await eventually(async () => (await memory.store.eraseScope({ scope }, { timeoutMs: 30_000 })).finished);
    expect(await rowsOf(who)).toHaveLength(1);
    expect((await rowsOf(who))[0]!.doc_id).toBe(outside.doc_id);
  });
});
