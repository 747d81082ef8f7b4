import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { readObject } from './read-object.ts';

const Draft = z.object({
  title: z.string(),
  sentences: z.array(z.object({ text: z.string().min(1), findings: z.array(z.int()).min(1) })).min(1),
});
const GOOD = { title: 'Bridges', sentences: [{ text: 'It opened in 1932.', findings: [1] }] };
const JSON_TEXT = JSON.stringify(GOOD);

describe('reading an object in what a model wrote', () => {
  it.each([
    ['as asked', JSON_TEXT],
    ['in a code fence', `\`\`\`json\n${JSON_TEXT}\n\`\`\``],
    [
      'with prose around it',
      `Sure, here is the JSON you asked for:\n\n${JSON_TEXT}\n\nLet me know if {you} need more.`,
    ],
    [
      'with a trailing comma and single quotes',
      "{'title': 'Bridges', 'sentences': [{'text': 'It opened in 1932.', 'findings': [1],}],}",
    ],
    ['with what the schema does not know', JSON.stringify({ ...GOOD, thoughts: 'none' })],
  ])('finds it %s', (_, text) => {
    expect(readObject(text, Draft)).toEqual(GOOD);
  });

  it.each([40, 70, 80, 95, 110])('keeps the whole elements of one that was cut %i characters in', (cut) => {
    const long = JSON.stringify({
      ...GOOD,
      sentences: [...GOOD.sentences, { text: 'It is 1,149 metres long.', findings: [2] }],
    });
    const read = readObject(long.slice(0, cut), Draft);
    if (read !== null) expect(['It opened in 1932.']).toContain(read.sentences[0]!.text);
    expect(read === null).toBe(cut <= 70);
  });

  it('leaves out elements that do not fit', () => {
    const text = JSON.stringify({
      ...GOOD,
      sentences: [{ text: '', findings: [1] }, ...GOOD.sentences, { text: 'x', findings: [] }],
    });
    expect(readObject(text, Draft)).toEqual(GOOD);
  });

  it.each([
    ['a refusal', 'I cannot help with that.'],
    ['an object of another kind', '{"answer": 42}'],
    ['nothing that fits once the misfits are out', '{"title": "a", "sentences": [{"text": ""}]}'],
    ['nothing', ''],
  ])('is null for %s', (_, text) => {
    expect(readObject(text, Draft)).toBeNull();
  });
});
