import { describe, expect, it } from '@jest/globals';
import { answersOfTables } from './table-answers.ts';

const ROWS = [
  'boat: Alba; berth: 4; port: Lund; length_m: 12',
  'boat: Bris; berth: 7; port: Lund; length_m: 9',
  'boat: Cyan; berth: 9; port: Malmö; length_m: 31',
];
const source = (body: string, kind: 'upload' | 'memory' | 'web' = 'upload', title = 'boats.csv') => ({
  source_id: `src_${kind}_${title}`,
  title,
  body,
  kind,
});
const BOATS = source(ROWS.join('\n\n'));
const ask = (prompt: string, sources = [BOATS], questions = [prompt]) =>
  answersOfTables({ prompt, questions }, sources);
const quotesOf = ([answer]: ReturnType<typeof ask>) => answer?.rows.map(({ quote }) => quote);

describe('a table of a source', () => {
  it('is counted and looked up over all of its rows, with rows that show it and where they stand', () => {
    const [count] = ask('How many boats are in Lund?');
    expect(count?.text).toMatch(/^2\. /);
    expect(count?.rows).toEqual(ROWS.slice(0, 2).map((quote) => ({ quote, start_at: BOATS.body.indexOf(quote) })));
    expect(ask('In which port is Cyan?')[0]?.text).toContain('Malmö');
  });

  it('answers a question that leans on the one before it', () => {
    const [answer, ...more] = ask(
      'Which berth has Bris, and in which port is it? Use my files only.',
      [BOATS],
      ['Which berth has Bris', 'In which port is it?'],
    );
    expect(answer?.questions).toContain(0);
    expect(answer?.text).toContain('7');
    expect(more.length).toBeLessThanOrEqual(1);
  });

  it('answers two questions each for itself, also in one sentence', () => {
    const questions = ['How many boats are in Lund', 'What is the average length of boats in Malmö?'];
    const answers = ask(`${questions.join(', and ')}`, [BOATS], questions);
    expect(answers.map(({ questions: at }) => at)).toEqual([[0], [1]]);
    expect(answers.map(({ text }) => text.split(' ', 1)[0])).toEqual(['2.', '31.']);
    const one = 'How many boats are in Lund and what is the average length of boats in Malmö?';
    expect(ask(one)).toEqual([]);
  });

  it('of the files that were sent is asked before one of the memory', () => {
    const other = source(ROWS.slice(0, 1).concat(ROWS[2]!).join('\n'), 'memory', 'a-boats.csv');
    expect(ask('How many boats are in Lund?', [other, BOATS])[0]).toMatchObject({ title: 'boats.csv' });
  });

  it('that could be meant as well as another one is not guessed, and one of the memory does not take its place', () => {
    const other = source(ROWS.slice(1).join('\n'), 'upload', 'more-boats.csv');
    const stored = source(ROWS.join('\n'), 'memory', 'stored.csv');
    expect(ask('How many boats are in Lund?', [BOATS, other, stored])).toEqual([]);
  });

  it('stands between paragraphs, below its heading', () => {
    const body = `# Harbour\n\nThe harbour has three berths.\n\n# Boats\n\n${ROWS.join('\n')}\n\nThe list ends here.`;
    const answer = ask('How many boats are in Lund?', [source(body, 'upload', 'harbour.docx')]);
    expect(answer[0]?.text).toContain('“harbour.docx, Boats”');
    expect(quotesOf(answer)).toEqual(ROWS.slice(0, 2));
  });

  it('that another line interrupts is not computed over: a row of it may be missing', () => {
    const body = [ROWS[0], ROWS[1], 'an unreadable line', ROWS[2], ROWS[0]!.replace('Alba', 'Dorn')].join('\n');
    expect(ask('How many boats are in Lund?', [source(body)])).toEqual([]);
  });

  it('with a row of one filled cell outside of it is not computed over', () => {
    const body = ['boat: Dorn', ...ROWS].join('\n');
    expect(ask('How many boats are in Lund?', [source(body)])).toEqual([]);
  });

  it('among more tables than a source may have is not computed over', () => {
    const others = Array.from({ length: 250 }, (_, i) => `a${i}: 1; b${i}: 2\n\nText.`);
    expect(ask('How many boats are in Lund?', [source([...others, ...ROWS].join('\n'))])).toEqual([]);
  });

  it('of a text that may have been cut is not computed over', () => {
    const long = Array.from({ length: 45_000 }, (_, i) => ROWS[0]!.replace('Alba', `Alba ${i}`)).join('\n');
    expect(ask('How many boats are in Lund?', [source(long)])).toEqual([]);
  });

  it('says nothing to a question that it does not understand', () => {
    expect(ask('How many complaints about noise did the harbour get in spring?')).toEqual([]);
    expect(ask('What is the weather like?')).toEqual([]);
    expect(ask('How does Alba work?')).toEqual([]);
  });
});
