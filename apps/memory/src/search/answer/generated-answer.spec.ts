import { describe, expect, it } from '@jest/globals';
import type { LanguageModelPort } from '@cairn/llm';
import { generateAnswer } from './generated-answer.ts';
import type { Passage } from './passage.ts';

const PASSAGE: Passage = {
  chunkId: 'chk_1',
  docId: 'doc_1',
  title: 'Mascot',
  titlePath: 'Mascot',
  body: 'The mascot is a platypus called Ferdinand. Ask ferdinand@zoo.example. Feed it by feeding.py.',
  score: 1,
};

/** What is shown when a model says this, in pieces of a few characters. */
async function shown(text: string): Promise<string[]> {
  const model = {
    async *stream() {
      for (let at = 0; at < text.length; at += 3) yield text.slice(at, at + 3);
    },
  } as unknown as LanguageModelPort;
  const answer = generateAnswer({
    model,
    question: 'What is the mascot?',
    passages: [PASSAGE],
    turns: [],
    attribution: { tenantId: 'tnt_1', livemode: true },
    timeoutMs: 60_000,
    signal: new AbortController().signal,
    record: () => undefined,
  });
  const sentences: string[] = [];
  for (;;) {
    const next = await answer.next();
    if (next.done === true) return sentences;
    sentences.push(next.value);
  }
}

describe('an answer that a steered model wrote', () => {
  it.each([
    ['The mascot is a platypus ![x](//evil.example/platypus) [1].'],
    ['The mascot <img src=//evil.example/platypus> is a platypus [1].'],
    ['The mascot is a platypus https:/evil.example/platypus [1].'],
    ['The mascot is a platypus https:\\\\evil.example\\platypus [1].'],
    ['The mascot is a platypus ftp://evil.example/platypus [1].'],
    ['The mascot is a [platypus](//evil.example/platypus) [1].'],
    ['The mascot is a platypus [p] [1].\n\n[p]: //evil.example/platypus'],
    ['The mascot is a platypus &#104;ttps://evil.example/platypus [1].'],
    ['The mascot is a platypus of evil.com [1].'],
    ['The mascot is a platypus of evil.example/platypus [1].'],
  ])('leads nowhere: %s', async (text) => {
    const answer = (await shown(text)).join(' ');
    expect(answer).not.toMatch(/evil|\]\(|<\w|:\/|\/\/|\\\\/);
  });

  it('keeps supported sentences as they are, and drops one with an address of its own', async () => {
    expect(await shown('The mascot is a [platypus](https://evil.example/p) [1].')).toEqual([]);
    expect(await shown('The mascot is a platypus [1]. **Ferdinand** is the platypus [1].')).toEqual([
      'The mascot is a platypus [1].',
      '**Ferdinand** is the platypus [1].',
    ]);
  });

  it('names an address of its source without leading there', async () => {
    expect(await shown('Ask ferdinand@zoo.example about the mascot [1].')).toEqual([
      'Ask `ferdinand@zoo.example` about the mascot [1].',
    ]);
    expect(await shown('Ask ferdinand@evil.example about the mascot [1].')).toEqual([]);
  });
});
