import { createSegmentIndex } from '@cairn/search-index';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { FileResponse } from '@cairn/service-kit';
import { exportDocuments } from '../src/exports/export-documents.ts';
import { exportThreads } from '../src/exports/export-threads.ts';
import { whileReadable } from '../src/memories/closed-scopes.ts';
import type { Engines } from '../src/memories/engines.ts';
import type { TargetMemory } from '../src/memories/memory-scope.ts';
import type { ThreadDeps } from '../src/threads/locate-thread.ts';
import { bootMemory, type BootedMemory, type Caller } from './memory-harness.ts';
import { ANALYSER } from '../src/text/analyser.ts';

let memory: BootedMemory;
let caller: Caller;
let inside: Caller;
let docIds: string[];
const LONG = Array.from({ length: 120 }, (_, n) => `Paragraph ${n} says that the harbour has ${n} cranes.\n\n`).join(
  '',
);

beforeAll(async () => {
  memory = await bootMemory();
  caller = memory.newCaller();
  const space = memory.newSpace(caller);
  inside = { ...caller, identity: { ...caller.identity, memoryId: caller.memoryId, spaceId: space.spaceId } };
  docIds = [
    ...(await memory.ingest(caller, [{ title: 'Harbour', content: LONG }])),
    ...(await memory.ingest(caller, [{ content: 'Vera Zander works for Lantern Ltd.', space_id: space.spaceId }])),
    ...(await memory.ingest(caller, [{ content: 'Otto Quell works for Lantern Ltd.' }])),
  ];
  const { body } = await memory.call(caller, 'POST', '/api/v1/threads', { title: 'Cranes' });
  for (let turn = 0; turn < 60; turn += 1)
    await memory.call(caller, 'POST', `/api/v1/threads/${body.thread_id}/turns`, { role: 'user', content: `${turn}?` });
});
afterAll(() => memory.close());

// The lines are of several shapes.
// oxlint-disable-next-line typescript/no-explicit-any
type Exported = Record<string, any>;

async function exported(path: string, who = caller): Promise<Exported[]> {
  const answer = await memory.call(who, 'GET', path);
  expect(answer.status).toBe(200);
  expect(answer.headers.get('content-type')).toMatch(/^application\/x-ndjson/);
  const lines = String(answer.body)
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Exported);
  expect(lines.at(-1)).toEqual({ type: 'end', lines: lines.length - 1 });
  return lines.slice(0, -1);
}

const of = (lines: Exported[], type: string) => lines.filter((line) => line['type'] === type).map((line) => line[type]);

describe('an export', () => {
  it('has every document with all of its text, and goes on behind one that arrived', async () => {
    const lines = await exported('/api/v1/memory/documents/export');
    expect(of(lines, 'document').map(({ doc_id }) => doc_id)).toEqual(docIds.toSorted());
    const text = of(lines, 'chunk').filter(({ doc_id }) => doc_id === docIds[0]);
    expect(text.map(({ ordinal }) => ordinal)).toEqual(text.map((_, at) => at));
    for (let n = 0; n < 120; n += 1) expect(text.some((chunk) => chunk.text.includes(`has ${n} cranes`))).toBe(true);
    const rest = await exported(`/api/v1/memory/documents/export?after=${docIds[0]}`);
    expect(of(rest, 'document').map(({ doc_id }) => doc_id)).toEqual(docIds.slice(1).toSorted());
  });

  it('has every entity and fact', async () => {
    const lines = await exported('/api/v1/memory/graph/export');
    const names = of(lines, 'entity').map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(['Lantern Ltd.', 'Otto Quell', 'Vera Zander']));
    expect(new Set(names).size).toBe(names.length);
    const facts = of(lines, 'fact').filter(({ relation }) => relation === 'works_for');
    expect(facts.map(({ quote }) => quote).join(' ')).toMatch(/Otto Quell/);
    expect(facts.map(({ doc_id }) => doc_id).sort()).toEqual(docIds.slice(1).toSorted());
  });

  it('has every conversation with its turns in order', async () => {
    const lines = await exported('/api/v1/threads/export');
    expect(of(lines, 'thread')).toMatchObject([{ title: 'Cranes', turn_count: 60 }]);
    expect(of(lines, 'turn').map(({ content }) => content)).toEqual(Array.from({ length: 60 }, (_, n) => `${n}?`));
  });

  it('has for a key of one space what that space says alone, and nothing for a stranger', async () => {
    const documents = await exported('/api/v1/memory/documents/export', inside);
    expect(of(documents, 'document').map(({ doc_id }) => doc_id)).toEqual([docIds[1]]);
    const graph = JSON.stringify(await exported('/api/v1/memory/graph/export', inside));
    expect(graph).toContain('Vera Zander');
    expect(graph).not.toContain('Otto Quell');
    expect(await exported('/api/v1/threads/export', inside)).toEqual([]);
    expect(await exported('/api/v1/memory/documents/export', memory.newCaller())).toEqual([]);
    const foreign = `/api/v1/memory/documents/export?memory_id=${caller.memoryId}`;
    expect((await memory.call(memory.newCaller(), 'GET', foreign)).status).toBe(404);
    expect((await memory.call(caller, 'GET', '/api/v1/memory/documents/export?after=x')).status).toBe(422);
  });
});

describe('an export that is being read', () => {
  /** What exports use, without a server between that reads ahead. */
  function depsOf(who: Caller): ThreadDeps {
    const index = createSegmentIndex({ analyser: ANALYSER });
    const read: Engines['read'] = async (target, work) => {
      const done = await whileReadable(memory.database.app, target, async (tx, closedVaults) => ({
        answer: await work({ tx, index, closedVaults }),
      }));
      return done!.answer;
    };
    const refuse = () => Promise.reject(new Error('an export reads one memory'));
    const target: TargetMemory = {
      tenantId: who.identity.tenantId,
      memoryId: who.memoryId,
      workspaceId: 'ws_spec',
      rootVaultId: who.vaultId,
      engineId: 'default',
      spaceId: null,
      vaultId: who.vaultId,
    };
    return {
      engines: { read, write: refuse, readTenant: refuse },
      memories: { resolve: async () => target, listEngines: async () => ['default'] },
      threads: { locate: async () => target },
    };
  }

  const begun = async (response: Promise<FileResponse>) =>
    ((await response).body as AsyncIterable<string>)[Symbol.asyncIterator]();

  it('says no word of a space that was deleted since it began', async () => {
    const who = memory.newCaller();
    const { spaceId, vaultId } = memory.newSpace(who);
    for (const [word, place] of Object.entries({ first: {}, second: { space_id: spaceId } })) {
      await memory.ingest(who, [{ title: `The ${word} one`, content: `It says ${word}.`, ...place }]);
      const { body } = await memory.call(who, 'POST', '/api/v1/threads', { title: `The ${word} one`, ...place });
      const turn = { role: 'user', content: `Is it ${word}?` };
      await memory.call(who, 'POST', `/api/v1/threads/${body.thread_id}/turns`, turn);
    }
    const context = { identity: who.identity, query: {} };
    const deps = depsOf(who);
    const running = [
      await begun(exportThreads(deps, context as Parameters<typeof exportThreads>[1])),
      await begun(exportDocuments(deps, context as Parameters<typeof exportDocuments>[1])),
    ];
    for (const lines of running) expect((await lines.next()).value).toContain('The first one');
    await memory.store.closeScope({ scope: { tenantId: who.identity.tenantId, memoryId: who.memoryId, vaultId } });
    for (const lines of running) {
      let rest = '';
      for (let next = await lines.next(); next.done !== true; next = await lines.next()) rest += next.value;
      expect(rest).toContain('first');
      expect(rest).toContain('"type":"end"');
      expect(rest).not.toContain('second');
    }
  });
});
