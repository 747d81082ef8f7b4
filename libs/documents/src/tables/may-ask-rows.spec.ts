import { expect, it } from '@jest/globals';
import { mayAskRows } from './may-ask-rows.ts';

const ROWS = [
  'order_id: SO-1; region: East; unit_price: 5; placed_by: Ada Voss',
  'order_id: SO-2; region: West; unit_price: 6',
];

it.each([
  'How many purchases were there?',
  'Which region has the highest price?',
  'What did Ada Voss pay?',
  'Who placed order SO-2?',
  'What does it cost?',
])('lets a question through that computes, or says a name or a cell of the table: %s', (question) => {
  expect(mayAskRows(question, ROWS)).toBe(true);
});

it.each([
  'What does the canteen serve on Thursdays?',
  'Is the harbour open to visitors?',
  'When does the ferry leave?',
])('keeps a table from being read for a question about something else: %s', (question) => {
  expect(mayAskRows(question, ROWS)).toBe(false);
});

it('asks no table without rows, and reads no question of more than 500 characters', () => {
  expect(mayAskRows('How many rows are there?', [])).toBe(false);
  expect(mayAskRows(`How many orders ${'a'.repeat(500)}?`, ROWS)).toBe(false);
});
