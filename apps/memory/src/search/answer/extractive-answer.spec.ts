import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { beginExtractiveAnswer, composeExtractiveAnswer } from './extractive-answer.ts';
import { suggestFollowups } from './followups.ts';
import { NOTHING_FOUND } from './pieces.ts';
import type { Passage } from './passage.ts';

function passage(number: number, body: string, title = `Page ${number}`, titlePath = title): Passage {
  return { chunkId: `chk_${number}`, docId: `doc_${number}`, title, titlePath, body, score: 10 - number };
}

describe('the second step of a question', () => {
  const question = 'Which team did Dick Humbert play for, and in what state is it based?';
  const player = passage(
    1,
    'Dick Humbert was an end. He played for the team of the Philadelphia Eagles.',
    'Dick Humbert',
  );
  const eagles = passage(
    9,
    'It was founded in 1933. The club is based in the state of Pennsylvania.',
    'Philadelphia Eagles',
  );

  it('is open with the names that the first brings and the words of the question that it lacks', () => {
    const { open } = beginExtractiveAnswer(question, [player]);
    expect(open!.names).toEqual(['Philadelphia Eagles']);
    expect(open!.query).toBe('Philadelphia Eagles state based');
  });

  it('is taken in a passage that was found for it, which is cited', () => {
    const answer = beginExtractiveAnswer(question, [player]).finish([eagles]);
    expect(answer.text).toContain('He played for the team of the Philadelphia Eagles. [1]');
    expect(answer.text).toContain('The club is based in the state of Pennsylvania. [2]');
    expect(answer.cited[1]!.passage.chunkId).toBe('chk_9');
  });

  it('is not taken to a document that nothing names', () => {
    const other = { ...eagles, title: 'Chicago Bears' };
    expect(beginExtractiveAnswer(question, [player]).finish([other]).text).not.toContain('Pennsylvania');
  });

  it('is not open when the passage carries the question, when it names nothing new, and when nothing answers', () => {
    const asked = 'Who played for the Philadelphia Eagles?';
    expect(beginExtractiveAnswer(asked, [passage(1, 'Humbert played for the Philadelphia Eagles.')]).open).toBeNull();
    expect(beginExtractiveAnswer(question, [passage(1, 'dick humbert did play for a team.', '')]).open).toBeNull();
    expect(beginExtractiveAnswer(question, [passage(1, 'The canteen serves soup.')]).open).toBeNull();
  });

  it('makes no answer of further passages where the first ones give none', () => {
    const answer = beginExtractiveAnswer('Which volcano erupted?', [passage(1, 'The canteen serves soup.')]);
    expect(answer.finish([passage(2, 'The volcano Hekla erupted.')])).toMatchObject({ text: NOTHING_FOUND, cited: [] });
  });
});

describe('composeExtractiveAnswer', () => {
  it('leaves out a source’s own citation marks, which would be read as the answer’s, but not from the snippet', () => {
    const body = 'The harbour opened in 1931.[2][14] Its cranes came later.';
    const { text, cited } = composeExtractiveAnswer('When did the harbour open?', [passage(1, body)]);
    expect(text).toBe('The harbour opened in 1931. [1]');
    expect(cited[0]!.snippet).toBe('The harbour opened in 1931.[2][14]');
  });

  it('answers who with a sentence that names somebody, whatever denies it better', () => {
    const { text } = composeExtractiveAnswer('Who watches the pumps?', [
      passage(1, 'Nobody watches the pumps twice.'),
      passage(2, 'Two engineers, who take turns, watch the pumps at night.'),
    ]);
    expect(text).toMatch(/^Two engineers/);
  });

  it('answers with the sentence that carries the question, cited', () => {
    const answer = composeExtractiveAnswer('When was the bridge opened?', [
      passage(1, 'The bridge is made of steel. The bridge was opened in 1931. Ships pass below it.'),
    ]);
    expect(answer.text).toBe('The bridge was opened in 1931. [1]');
    expect(answer.cited).toEqual([
      {
        passage: expect.objectContaining({ chunkId: 'chk_1' }),
        snippet: 'The bridge was opened in 1931.',
        span: { start: 29, end: 59 },
      },
    ]);
  });

  it('joins sentences of several sources when the question has several parts', () => {
    const answer = composeExtractiveAnswer('Who leads the harbour project and what does the ferry cost?', [
      passage(1, 'Maria Okafor leads the harbour project.'),
      passage(2, 'The ferry costs four euros.'),
    ]);
    expect(answer.text).toBe('Maria Okafor leads the harbour project. [1] The ferry costs four euros. [2]');
  });

  it('says that nothing answers when the best sentence shares too little with the question', () => {
    const answer = composeExtractiveAnswer('Which volcano erupted in Iceland?', [
      passage(1, 'The canteen serves soup on Thursdays.'),
    ]);
    expect(answer).toMatchObject({ text: NOTHING_FOUND, cited: [] });
  });

  it('says that nothing answers a short question when each passage has only some of its words', () => {
    const answer = composeExtractiveAnswer('Which port does the Kestrel server use?', [
      passage(1, 'The port of Hel is open in summer. The server room is closed.'),
      passage(2, 'A kestrel nests in the tower. It is of no use to anybody.'),
    ]);
    expect(answer).toMatchObject({ text: NOTHING_FOUND, cited: [] });
  });

  it('gives the sentence that tells most first, and those of one source together', () => {
    const answer = composeExtractiveAnswer('When was the harbour bridge opened?', [
      passage(1, 'The harbour bridge is closed at night. Nobody fishes there.'),
      passage(2, 'The harbour bridge was opened on 3 March 1931 by Maria Okafor.'),
    ]);
    expect(answer.text).toMatch(/^The harbour bridge was opened on 3 March 1931 by Maria Okafor\. \[1\]/);
  });

  it('takes the next step of a question that takes two, to the document that the first sentence names', () => {
    const answer = composeExtractiveAnswer('Where was the captain of the ferry Aurora born?', [
      passage(1, 'The captain of the ferry Aurora is Maria Okafor.', 'Aurora'),
      passage(2, 'She was born in Gdansk in 1950.', 'Maria Okafor'),
      passage(3, 'He was born in Graz.', 'Otto Lehner'),
    ]);
    expect(answer.text).toBe(
      'The captain of the ferry Aurora is Maria Okafor. [1] She was born in Gdansk in 1950. [2]',
    );
  });

  it('begins with the value that the question asks for, not with the passage that has its words most often', () => {
    const answer = composeExtractiveAnswer('What is the default value of pump_wait?', [
      passage(
        1,
        'A larger pump_wait raises the value of waiting. Set pump_wait before pump_wait_max is set.',
        'Tuning',
      ),
      passage(2, 'pump_wait (integer): Sets how long the pump waits. The default value is five seconds.', 'Settings'),
    ]);
    expect(answer.text).toMatch(/^(?:pump_wait \(integer\): Sets|The default value is five seconds)/);
  });

  it('offers nothing when the words of the question are found, and what it is about is not', () => {
    const passages = Array.from({ length: 12 }, (_, index) =>
      passage(
        index + 1,
        'The port that servers typically listen on may be given. The listening server may also run elsewhere.',
        `Mail ${index}`,
      ),
    );
    expect(composeExtractiveAnswer('Which port does the Redis server listen on?', passages).cited).toEqual([]);
  });

  it('answers from the one note of a memory, whatever larger collections teach', () => {
    const answer = composeExtractiveAnswer('How do I reset the router?', [
      passage(1, 'To reset the router, hold the button for ten seconds.', 'House'),
    ]);
    expect(answer.text).toBe('To reset the router, hold the button for ten seconds. [1]');
  });

  it('does not take the label of a table for somebody who says it', () => {
    const answer = composeExtractiveAnswer('How long is the data of the Validated plan kept?', [
      passage(1, 'Data: Readings, Basic plan; Kept for: 13 months\nData: Readings, Validated plan; Kept for: 10 years'),
      passage(2, 'The plan is kept in a drawer.'),
    ]);
    expect(answer.text).toMatch(/^Data: Readings, Validated plan; Kept for: 10 years \[1\]/);
  });

  it('cuts a long sentence without spaces between two characters', () => {
    const long = `港口${'的'.repeat(600)}`;
    const { cited } = composeExtractiveAnswer('港口', [passage(1, long)]);
    expect(cited.map(({ snippet }) => long.startsWith(snippet) && snippet.length <= 420)).toEqual([true]);
  });

  it('reads a sentence over the ends of its lines, and quotes no code', () => {
    const answer = composeExtractiveAnswer('How many workers does the pool start by default?', [
      passage(
        1,
        'The pool starts as many\nworkers as there are\nprocessors by default.\n\n```\npool(workers=4, default=pool)\n```',
      ),
    ]);
    expect(answer.text).toBe('The pool starts as many workers as there are processors by default. [1]');
  });

  it('brings the sentence that a pronoun points back to', () => {
    const answer = composeExtractiveAnswer('Who paid for the lighthouse?', [
      passage(
        1,
        'Nobody lives there. The tower of Hel stands on a rock. It is the lighthouse that the guild paid for.',
      ),
    ]);
    expect(answer.text).toBe(
      'The tower of Hel stands on a rock. [1] It is the lighthouse that the guild paid for. [1]',
    );
  });

  it('answers from several passages what no sentence carries alone', () => {
    const answer = composeExtractiveAnswer(
      'In which country was the architect of the Zeppelin Museum extension born?',
      [
        passage(1, 'The Zeppelin Museum got its extension from Otto Kehl.', 'Zeppelin Museum'),
        passage(2, 'Otto Kehl is an architect. He was born in a village of a country far from the lake.', 'Otto Kehl'),
      ],
    );
    expect(answer.cited.map(({ passage: { chunkId } }) => chunkId)).toEqual(expect.arrayContaining(['chk_1', 'chk_2']));
  });

  it('does not say the same twice', () => {
    const answer = composeExtractiveAnswer('When is the boiler serviced?', [
      passage(1, 'The boiler is serviced every October.'),
      passage(2, 'The boiler is serviced every October.'),
    ]);
    expect(answer.text).toBe('The boiler is serviced every October. [1]');
  });

  it('suggests sections that were found and not cited', () => {
    const passages = [
      passage(1, 'The boiler is serviced every October.', 'Boiler', 'Boiler'),
      passage(2, 'Call the janitor about leaks.', 'Boiler', 'Boiler › Emergencies'),
    ];
    const question = 'When is the boiler serviced?';
    const { cited } = composeExtractiveAnswer(question, passages);
    expect(suggestFollowups(question, passages, cited)).toEqual(['What does “Boiler” say about “Emergencies”?']);
  });

  it('uses every citation, names no other, quotes only its passages, and its pieces join to its text', () => {
    const words = ['boiler', 'harbour', 'ferry', 'opened', 'costs', 'euros', 'Maria', 'leads', 'steel', '1931'];
    const sentence = fc
      .array(fc.constantFrom(...words), { minLength: 3, maxLength: 9 })
      .map((parts) => `${parts.join(' ')}.`);
    const body = fc.array(sentence, { minLength: 1, maxLength: 5 }).map((sentences) => sentences.join(' '));
    fc.assert(
      fc.property(
        fc.array(body, { maxLength: 8 }),
        fc.array(fc.constantFrom(...words), { minLength: 1, maxLength: 5 }),
        (bodies, asked) => {
          const answer = composeExtractiveAnswer(
            asked.join(' '),
            bodies.map((text, index) => passage(index + 1, text)),
          );
          expect(answer.pieces.join('')).toBe(answer.text);
          const named = new Set([...answer.text.matchAll(/\[(\d+)\]/g)].map((match) => Number(match[1])));
          expect([...named].sort((a, b) => a - b)).toEqual(answer.cited.map((_, index) => index + 1));
          for (const { passage: source, snippet } of answer.cited) {
            for (const part of snippet.split(/(?<=\.) /)) expect(source.body).toContain(part.trim());
          }
        },
      ),
      { numRuns: 200 },
    );
  });
});
