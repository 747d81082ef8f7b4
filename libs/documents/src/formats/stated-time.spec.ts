import { expect, it } from '@jest/globals';
import { parseDocument } from '../parse-document.ts';

const page = (time: string) =>
  `<!doctype html><html><head><meta property="article:published_time" content="${time}"></head><body><p>Text.</p></body></html>`;
const mail = (time: string) => `From: a@example.org\nTo: b@example.org\nSubject: x\nDate: ${time}\n\nText.\n`;

it.each([
  ['a page', page('2026-03-03T10:00:00+01:00'), '2026-03-03T09:00:00.000Z'],
  ['a page of the year 1', page('0001-01-01T00:00:00Z'), '0001-01-01T00:00:00.000Z'],
  ['a page of the year 0', page('0001-01-01T00:00:00+01:00'), null],
  ['a page of the year 10000', page('9999-12-31T23:59:59-01:00'), null],
  ['a page without a time', page('2026-13-40'), null],
  ['a mail', mail('Tue, 3 Mar 2026 10:00:00 +0100'), '2026-03-03T09:00:00.000Z'],
  ['a mail of the year 0', mail('0001-01-01T00:00:00+01:00'), null],
  ['a mail of the year 10000', mail('9999-12-31T23:59:59-01:00'), null],
])('a document’s time is one that can be stored, or none: %s', async (_, text, occurredAt) => {
  expect((await parseDocument(text)).occurredAt).toBe(occurredAt);
});
