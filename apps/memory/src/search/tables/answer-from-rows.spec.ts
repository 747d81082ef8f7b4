import { expect, it } from '@jest/globals';
import { chunkBlocks, parseDocument } from '@cairn/documents';
import { answerFromRows, type RowsChunk } from './answer-from-rows.ts';

async function documentOf(title: string, csv: string): Promise<{ title: string; chunks: RowsChunk[] }> {
  const { blocks } = await parseDocument(csv, { fileName: title, mediaType: 'text/csv' });
  const chunks = chunkBlocks(blocks, { title, context: '' }).map(({ body, location }) => ({
    body,
    row: Number(location.row),
    rowEnd: Number(location.row_end),
    sheet: location.sheet ?? null,
  }));
  return { title, chunks };
}

const COLUMNS = 'order_id,region,amount,note';
const plain = (count: number, from = 0) =>
  Array.from({ length: count }, (_none, row) => `SO-${from + row},${row % 2 === 0 ? 'East' : 'West'},10,`);
const ask = (question: string, ...documents: { title: string; chunks: RowsChunk[] }[]) =>
  answerFromRows({ question, documents });

it('computes over a table with rows without a cell', async () => {
  const csv = [COLUMNS, ...plain(20), ',,,', ...plain(20, 20), ',,,'].join('\n');
  const found = ask('How many orders came from the East region?', await documentOf('orders.csv', csv));
  expect(found?.text).toMatch(/^20\. /);
});

it('computes over a table with rows that are cut into several chunks', async () => {
  const long = Array.from({ length: 400 }, (_none, word) => `Word${word} of a long note.`).join(' ');
  const rows = [
    ...plain(10),
    `SO-98,East,10,${long}`,
    ...plain(10, 10),
    `SO-99,East,10,${'x'.repeat(4_000)}`,
    ...plain(4, 20),
  ];
  const document = await documentOf('orders.csv', [COLUMNS, ...rows].join('\n'));
  expect(document.chunks.filter(({ row, rowEnd }) => row === 11 && rowEnd === 11).length).toBeGreaterThan(1);
  expect(ask('How many orders came from the East region?', document)?.text).toMatch(/^14\. /);
  expect(ask('What is the total amount of orders from East?', document)?.text).toMatch(/^140\. /);
  const cited = ask('Which region has order SO-19?', document);
  expect(document.chunks[cited!.chunks[0]!]!.body).toContain('order_id: SO-19;');
});

it('asks the tables of all documents, and answers where one alone can be meant', async () => {
  const old = await documentOf('orders 2023.csv', [COLUMNS, ...plain(4)].join('\n'));
  const young = await documentOf('orders 2024.csv', [COLUMNS, ...plain(8, 100)].join('\n'));
  expect(ask('How many orders came from the East region?', old, young)).toBeNull();
  const found = ask('Which region has order SO-101?', old, young);
  expect(found).toMatchObject({ document: 1, confidence: 0.95 });
  expect(found?.text).toMatch(/^West\. From “orders 2024/);
});
