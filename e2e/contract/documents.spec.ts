import { afterAll, beforeAll, describe, expect } from '@jest/globals';
import { eventually, type SharedCairn } from '@cairn/testing';
import { ingest } from '../tests/api.ts';
import { type Call, contract, expectRefusal, proves } from './contract.ts';

interface Fact {
  relation: string;
  value: string;
  valid_from: string | null;
  valid_to: string | null;
  ended: boolean;
  superseded_by: string | null;
}

let cairn: SharedCairn;
let call: Call;
beforeAll(async () => {
  ({ cairn, call } = await contract());
}, 120_000);
afterAll(() => cairn.remove());

const SOON_MS = 60_000;
const newMemory = async (more: object = {}): Promise<string> =>
  (await call('POST', '/memories', { display_name: 'Documents', ...more })).body.memory_id;
const add = (memory_id: string, ...documents: Record<string, unknown>[]) =>
  ingest(cairn.baseUrl, cairn.apiKey, documents, { memory_id });
const search = (memory_id: string, query: string) => call('POST', '/memory/search', { query, memory_id });
/** The document once nothing more happens to it. */
const settled = async (memory_id: string, docId: string) =>
  (
    await eventually(
      () => call('GET', `/memory/documents/${docId}?memory_id=${memory_id}`),
      ({ body }) => body.status === 'completed' || body.status === 'failed',
      SOON_MS,
    )
  ).body;

async function upload(memory_id: string, name: string, bytes: string | Buffer, more: Record<string, string> = {}) {
  const form = new FormData();
  for (const [field, value] of Object.entries({ memory_id, ...more })) form.set(field, value);
  form.set('file', new Blob([typeof bytes === 'string' ? bytes : new Uint8Array(bytes)]), name);
  const headers = { 'x-api-key': cairn.apiKey };
  const answer = await fetch(`${cairn.baseUrl}/api/v1/memory/documents`, { method: 'POST', headers, body: form });
  return { status: answer.status, body: (await answer.json()) as { documents: { doc_id: string }[] } };
}

describe('POST /api/v1/memory/documents (+)', () => {
  proves(
    ['D4.request', 'D4.status', 'D0.statuses'],
    'takes content with its fields, or up to 100 documents, answers 202, and shows each until it is completed',
    async () => {
      const memory_id = await newMemory();
      const body = { content: 'The kiln is fired in May.', title: 'Kiln', external_id: 'k-1', metadata: { site: 'A' } };
      const accepted = await call('POST', '/memory/documents', {
        ...body,
        occurred_at: '2024-05-01T00:00:00Z',
        memory_id,
      });
      expect(accepted.status).toBe(202);
      expect(accepted.body).toEqual({
        documents: [
          { doc_id: expect.stringMatching(/^doc_/), status: 'queued', vault_id: expect.stringMatching(/^vlt_/) },
        ],
      });
      const { doc_id } = accepted.body.documents[0];
      const document = await settled(memory_id, doc_id);
      expect(document).toMatchObject({
        status: 'completed',
        error: null,
        title: 'Kiln',
        external_id: 'k-1',
        metadata: { site: 'A' },
        occurred_at: '2024-05-01T00:00:00.000Z',
      });
      expect((await search(memory_id, 'When is the kiln fired?')).body.results[0].doc_id).toBe(doc_id);
      const many = (count: number) => ({
        documents: Array.from({ length: count }, (_, n) => ({ content: `Note ${n}.` })),
      });
      expectRefusal(await call('POST', '/memory/documents', many(101)), 422, 'validation_failed', 'documents');
      expect((await call('POST', '/memory/documents', { ...many(3), memory_id })).body.documents).toHaveLength(3);
      expectRefusal(await call('POST', '/memory/documents', { memory_id }), 422, 'validation_failed');
      expect((await call('DELETE', `/memory/documents/${doc_id}?memory_id=${memory_id}`)).status).toBe(200);
      expectRefusal(await call('GET', `/memory/documents/${doc_id}?memory_id=${memory_id}`), 404, 'not_found');
      expect((await search(memory_id, 'kiln')).body.results).toEqual([]);
    },
  );

  proves(
    ['D4.external_id', 'D4.same content'],
    'external_id replaces the earlier version and keeps unchanged chunks; the same content twice is one document',
    async () => {
      const memory_id = await newMemory();
      const long = Array.from({ length: 60 }, (_, n) => `Paragraph ${n} of the manual speaks about valve ${n}.`);
      const text = (last: string) => [...long, last].join('\n\n');
      const external_id = 'manual';
      const [docId] = await add(memory_id, { content: text('It ends with the red lever.'), external_id });
      const chunksOf = async () =>
        (await call('GET', `/memory/documents/${docId}/content?memory_id=${memory_id}`)).body.chunks.map(
          ({ chunk_id }: { chunk_id: string }) => chunk_id,
        );
      const before = await chunksOf();
      const again = (
        await call('POST', '/memory/documents', {
          content: text('It ends with the blue lever.'),
          external_id,
          memory_id,
        })
      ).body;
      expect(again.documents[0].doc_id).toBe(docId);
      await eventually(
        () => search(memory_id, '"blue lever"'),
        ({ body }) => body.results.length > 0,
        SOON_MS,
      );
      expect((await search(memory_id, '"red lever"')).body.results).toEqual([]);
      const after = await chunksOf();
      expect(after.filter((id: string) => before.includes(id)).length).toBeGreaterThanOrEqual(before.length - 1);
      const [first] = await add(memory_id, { content: 'Said once and again.' });
      const [second] = await add(memory_id, { content: 'Said once and again.' });
      expect(second).toBe(first);
    },
  );

  proves(
    ['D4.types', 'D4.hostile files', 'D4.status'],
    'the format is told by the content and not by the name; broken files fail with a code and nothing else does',
    async () => {
      const memory_id = await newMemory();
      const mail =
        'From: a@b.example\nTo: c@d.example\nSubject: Fox\nDate: Mon, 1 Jan 2024 00:00:00 +0000\n\nThe fox came.\n';
      const files = [
        [
          'page.bin',
          '<!doctype html><html><body><h1>Bear</h1><p>The bear swam in the lake.</p></body></html>',
          'text/html',
        ],
        ['table.txt', 'name,age\nAda,3\nBob,4\nCleo,5\n', 'text/csv'],
        ['data.md', '{"animal": "wolf", "place": "forest"}', 'application/json'],
        ['letter.txt', mail, 'message/rfc822'],
        ['note', 'The heron stood in the reeds.', 'text/plain'],
        ['letter.csv', pdfOf('The ibex climbed the ridge at dawn.'), 'application/pdf'],
      ] as const;
      for (const [name, bytes, mediaType] of files) {
        const { status, body } = await upload(memory_id, name, bytes);
        expect([name, status]).toEqual([name, 202]);
        expect(await settled(memory_id, body.documents[0]!.doc_id)).toMatchObject({
          status: 'completed',
          media_type: mediaType,
        });
      }
      expect((await search(memory_id, 'Which animal climbed the ridge?')).body.answer).toContain('ibex');
      for (const [name, bytes, code] of [
        ['broken.txt', '%PDF-1.7 this is none', 'broken_file'],
        ['broken.docx', Buffer.from('504b0304aaaa', 'hex'), 'broken_file'],
        ['empty.txt', '  \n ', 'empty_document'],
      ] as const) {
        const { body } = await upload(memory_id, name, bytes);
        const failed = await settled(memory_id, body.documents[0]!.doc_id);
        expect(failed).toMatchObject({ status: 'failed', error: { code, message: expect.stringMatching(/\w/) } });
      }
      const tooLarge = await upload(memory_id, 'large.txt', Buffer.alloc(26 * 1_048_576, 'a'));
      expect(tooLarge.status).toBe(413);
    },
  );
});

describe('screening, routing', () => {
  proves(
    ['D4.dlp'],
    'off masks nothing, secrets what gives access, pii persons, too; equal values have one number',
    async () => {
      const content =
        'Write to ada@example.org, then to bob@example.org and again to ada@example.org. The card is 4111 1111 1111 1111.';
      const texts: Record<string, string> = {};
      for (const dlp_policy of ['off', 'secrets', 'pii']) {
        const memory_id = await newMemory({ dlp_policy });
        const [docId] = await add(memory_id, { content });
        const shown = await call('GET', `/memory/documents/${docId}/content?memory_id=${memory_id}`);
        texts[dlp_policy] = shown.body.chunks[0].text;
      }
      expect(texts['off']).toContain('4111 1111 1111 1111');
      expect(texts['secrets']).toContain('ada@example.org');
      expect(texts['secrets']).not.toContain('4111');
      expect(texts['pii']).toMatch(
        /^Write to \[\[EMAIL_1\]\], then to \[\[EMAIL_2\]\] and again to \[\[EMAIL_1\]\]\. The card is \[\[\w+_1\]\]\.$/,
      );
      expect((await call('GET', '/memories')).body.memories[0].dlp_policy).toBe('secrets');
    },
  );

  proves(['D4.routing'], 'content without a space goes to the space that it is about; route settles it', async () => {
    const memory_id = await newMemory();
    const space = async (name: string, description: string) =>
      (await call('POST', '/spaces', { name, description, memory_id })).body;
    const finance = await space('Finance', 'Invoices, budgets, prices and taxes');
    const garden = await space('Garden', 'Plants, beds, watering and seeds');
    const [docId] = await add(memory_id, {
      content: 'The invoice was paid; the budget and the taxes of March are settled.',
    });
    const document = () => call('GET', `/memory/documents/${docId}?memory_id=${memory_id}`);
    expect((await document()).body).toMatchObject({
      space_id: finance.space_id,
      vault_id: finance.vault_id,
      routing: { confidence: expect.any(Number), needs_review: expect.any(Boolean) },
    });
    const moved = await call('POST', `/memory/documents/${docId}/route`, { space_id: garden.space_id, memory_id });
    expect(moved.status).toBe(200);
    expect((await document()).body).toMatchObject({ vault_id: garden.vault_id, routing: { needs_review: false } });
    const listed = await call('GET', `/memory/documents?memory_id=${memory_id}&space_id=${garden.space_id}`);
    expect(listed.body.documents).toHaveLength(1);
  });
});

describe('what the documents say', () => {
  /** Every fact of the memory, whichever entity it is kept at. */
  async function factsOf(memory_id: string): Promise<Fact[]> {
    const { entities } = (await call('GET', `/memory/graph/entities?memory_id=${memory_id}&limit=200`)).body;
    const read = entities.map(({ entity_id }: { entity_id: string }) =>
      call('GET', `/memory/graph/entities/${entity_id}?memory_id=${memory_id}`),
    );
    return (await Promise.all(read)).flatMap(({ body }) => body.facts);
  }

  proves(['D4.contradictions'], 'two sources that disagree stand side by side until a person decides', async () => {
    const memory_id = await newMemory();
    await add(
      memory_id,
      { content: 'The list price of the Bolt Reader B7 is €12.00. It is sold in boxes.' },
      { content: 'Notes. The list price of the Bolt Reader B7 is €14.50 this year.' },
    );
    const list = (status: string) => call('GET', `/memory/contradictions?status=${status}&memory_id=${memory_id}`);
    const { body } = await eventually(
      () => list('open'),
      (answer) => answer.body.contradictions.length === 1,
      SOON_MS,
    );
    const [open] = body.contradictions;
    expect(open).toMatchObject({ contradiction_id: expect.stringMatching(/^con_/), status: 'open', winner: null });
    expect(open.facts.map(({ superseded_by }: Fact) => superseded_by)).toEqual([null, null]);
    const path = `/memory/contradictions/${open.contradiction_id}/resolve?memory_id=${memory_id}`;
    expectRefusal(
      await call('POST', path, { winner: 'rel_222222222222222222222' }),
      422,
      'validation_failed',
      'winner',
    );
    const winner = open.facts[1].fact_id;
    const resolved = await call('POST', path, { winner, note: 'Seen on the invoice' });
    expect(resolved.body).toMatchObject({ status: 'resolved', winner, note: 'Seen on the invoice' });
    expect((await list('open')).body.contradictions).toEqual([]);
    expect((await list('resolved')).body.contradictions).toHaveLength(1);
  });

  const ofCompany = (sentence: string) => ({ title: 'Acme Works', content: sentence });
  /** The facts with this value that the sentence alone makes. */
  const readOf = async (sentence: string, value: RegExp) => {
    const memory_id = await newMemory();
    await add(memory_id, ofCompany(sentence));
    return (await factsOf(memory_id)).filter((fact) => value.test(fact.value));
  };

  proves(['D4.validity times'], 'a fact that holds from one year to another keeps both years', async () => {
    const facts = await readOf('Ada Stone was the chief executive of Acme Works from 2015 to 2019.', /Ada Stone/);
    expect(facts.map(({ valid_from, valid_to }) => [valid_from?.slice(0, 4), lastYearOf(valid_to)])).toContainEqual([
      '2015',
      '2019',
    ]);
  });

  proves(
    ['D4.validity times'],
    'a fact that holds since a month begins with that month and has not ended',
    async () => {
      const facts = await readOf('Since March 2024, Acme Works has been led by Boris Vale.', /Boris Vale/);
      expect(facts.map(({ valid_from, valid_to, ended }) => [valid_from?.slice(0, 7), valid_to, ended])).toContainEqual(
        ['2024-03', null, false],
      );
    },
  );

  proves(['D4.validity times'], 'a fact that begins on a day begins with that day', async () => {
    const facts = await readOf('On 3 May 2021, Lena Brook became chief executive of Acme Works.', /Lena Brook/);
    expect(facts.map(({ valid_from }) => valid_from?.slice(0, 10))).toContainEqual('2021-05-03');
  });

  proves(
    ['D4.validity times'],
    'after a move the new place holds from then on and the old one has ended; both are kept',
    async () => {
      const memory_id = await newMemory();
      const content =
        'Acme Works moved its headquarters to Porto in June 2022. Until then, its headquarters were in Braga.';
      await add(memory_id, ofCompany(content));
      const headquarters = (await factsOf(memory_id)).filter(({ relation }) => relation === 'headquarters');
      const of = (place: string) => headquarters.find(({ value }) => value === place);
      expect(of('Porto')).toMatchObject({
        valid_from: expect.stringMatching(/^2022-06/),
        valid_to: null,
        ended: false,
      });
      expect(of('Braga')).toMatchObject({ ended: true, valid_to: expect.stringMatching(/^2022-0[56]/) });
      const asked = await search(memory_id, 'Where are the headquarters of Acme Works?');
      expect(asked.body.answer).toContain('Porto');
    },
  );

  proves(['D4.health'], 'health is a score of 0 to 100 with its six parts, computed after ingest settles', async () => {
    const memory_id = await newMemory();
    await add(memory_id, { content: 'Ines Carvalhal works for Northwind Bakery.' });
    const { body } = await eventually(
      () => call('GET', `/memory/health?memory_id=${memory_id}`),
      (answer) => answer.status === 200 && answer.body.assessed_at !== null,
      SOON_MS,
    );
    expect(Object.keys(body.parts).toSorted()).toEqual([
      'contradictions',
      'coverage',
      'failed_ingests',
      'freshness',
      'orphans',
      'review_backlog',
    ]);
    const parts = Object.values(body.parts) as { score: number; weight: number }[];
    for (const { score } of [body, ...parts]) expect([score >= 0, score <= 100]).toEqual([true, true]);
    expect(parts.reduce((sum, { weight }) => sum + weight, 0)).toBeCloseTo(1);
  });
});

/** The last year in which it holds: an end may be given as the first moment after it. */
function lastYearOf(time: string | null): string | null {
  return time === null ? null : new Date(Date.parse(time) - 1).toISOString().slice(0, 4);
}

/** A PDF of one page with the line. */
function pdfOf(line: string): Buffer {
  const content = `BT /F1 12 Tf 72 720 Td (${line}) Tj ET`;
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>',
    `<< /Length ${content.length} >>\nstream\n${content}\nendstream`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
  ];
  let text = '%PDF-1.4\n';
  const offsets = objects.map((object, n) => {
    const offset = text.length;
    text += `${n + 1} 0 obj\n${object}\nendobj\n`;
    return `${String(offset).padStart(10, '0')} 00000 n \n`;
  });
  const start = text.length;
  text += `xref\n0 6\n0000000000 65535 f \n${offsets.join('')}trailer\n<< /Size 6 /Root 1 0 R >>\nstartxref\n${start}\n%%EOF\n`;
  return Buffer.from(text, 'latin1');
}
