import { describe, expect, it } from '@jest/globals';
import { createRequestReader } from '../request/parse-request.ts';
import { readingModel } from '../text/reading-model.ts';
import { noteFindings } from './note-findings.ts';

const { understand } = createRequestReader(readingModel());
const source = (title: string, body: string) => ({ source_id: `src_${title}`, title, body });

const FERRIES = [
  source('Traffic report 2024', 'From: Ida Holm\n\nThe ferry carried 81,000 passengers.\n\nDelays: 14 in the year.'),
  source('Traffic report 2025', 'From: Ida Holm\n\nThe ferry carried 97,000 passengers.\n\nDelays: 9 in the year.'),
  source('Fares (superseded)', 'A return ticket for adults costs 24 euros.'),
  source('Fares', 'As of May 2026\n\nA return ticket for adults costs 29 euros.'),
  source('Canteen', 'The canteen serves soup at noon on every day of the week.'),
];
const noted = (prompt: string, sources = FERRIES) => noteFindings(understand(prompt), sources);
/** What answers a question; the rest is only a side of a disagreement, or replaced. */
const quotes = (prompt: string, sources = FERRIES) =>
  noted(prompt, sources)
    .findings.filter(({ questions }) => questions.length > 0)
    .map(({ quote }) => quote);

describe('a request that names something which only some sources are about', () => {
  const OTHERS = [
    source('Winches', 'A winch can go wrong when its brake is wet. The winch is set up on deck.'),
    source('Anchors', 'An anchor is set up by two people. What can go wrong is the chain.'),
    source('Ropes', 'A rope goes wrong when it is set up with the wrong knot.'),
    source('Sails', 'A sail goes wrong when it is set up in the rain.\n\nOne rope was bought from Norvane once.'),
  ];
  const ABOUT = source(
    'Pumps',
    'Norvane makes pumps. A Norvane pump is set up below deck. Norvane has an office in Oslo. It goes wrong when the filter is full.',
  );
  const PROMPT = 'How is Norvane equipment set up and what can go wrong?';

  it('is answered by those, and by what names it elsewhere', () => {
    const titles = new Set(noted(PROMPT, [...OTHERS, ABOUT]).findings.map(({ title }) => title));
    expect([...titles]).toEqual(['Pumps']);
    expect(quotes('What was bought from Norvane?', [...OTHERS, ABOUT]).join()).toContain('bought from Norvane once');
  });

  it('is not answered by sources that mention it in passing', () => {
    expect(noted(PROMPT, OTHERS).findings).toEqual([]);
  });

  it('is answered by all when most of them name it, or none does', () => {
    const room = OTHERS.map(({ title, body }) => source(title, `${body} Norvane sells it.`));
    expect(noted(PROMPT, room).findings.length).toBeGreaterThan(1);
    const unnamed = OTHERS.slice(0, 2);
    expect(noted(PROMPT, unnamed).findings.length).toBeGreaterThan(0);
  });
});

describe('sources that disagree about a name, a date or a place', () => {
  const sides = (prompt: string, ...bodies: string[]) => {
    const sources = bodies.map((body, i) => source(`Note ${i}`, body));
    const { disagreements, findings, superseded } = noted(prompt, sources);
    return {
      disagree: disagreements.map(({ sides: pair }) => pair.map((at) => findings[at]!.quote)),
      replaced: superseded.map((pair) => pair.map((at) => findings[at]!.quote)),
      old: findings.filter(({ is_old }) => is_old).map(({ quote }) => quote),
    };
  };

  it('are shown side by side, worded alike or not', () => {
    const [a, b] = ['Norvane was founded in 1987 in Oslo.', 'Norvane, which makes pumps, was founded in 1992.'];
    expect(sides('Write about the history of Norvane', a, b)).toEqual({ disagree: [[a, b]], replaced: [], old: [] });
    const alike = 'Norvane was founded in 1992 in Oslo.';
    expect(sides('When was Norvane founded?', a, alike).disagree).toEqual([[a, alike]]);
  });

  it('follow each other in what changes with time, and disagree in what does not', () => {
    const office = (year: number, city: string) =>
      `As of May ${year}\n\nThe company Norvane is headquartered in ${city} in Norway.`;
    const followed = sides('Where is Norvane headquartered?', office(2021, 'Bergen'), office(2025, 'Oslo'));
    expect(followed.disagree).toEqual([]);
    expect(followed.replaced).toEqual([
      [
        'The company Norvane is headquartered in Oslo in Norway.',
        'The company Norvane is headquartered in Bergen in Norway.',
      ],
    ]);
    const born = (year: number, at: number) => `As of May ${at}\n\nIda Holm was born on 3 May ${year} in Bergen.`;
    expect(sides('When was Ida Holm born?', born(1970, 2021), born(1974, 2025)).disagree).toHaveLength(1);
  });

  it('agree when one is only less exact', () => {
    const exact = 'Ida Holm was born on 3 May 1970 in Bergen.';
    expect(sides('When was Ida Holm born?', exact, 'Ida Holm was born in 1970 in Norway.').disagree).toEqual([]);
  });
});

describe('findings', () => {
  it('come only from the newest document of a series', () => {
    expect(quotes('How many passengers did the ferry carry?')).toEqual(['The ferry carried 97,000 passengers.']);
    expect(quotes('What does a return ticket cost?')).toEqual(['A return ticket for adults costs 29 euros.']);
  });

  it('are of older ones, said to be old, where the request asks how things changed', () => {
    const { findings } = noted('How did the passengers of the ferry change over the years?');
    expect(findings.map(({ as_of, is_old }) => [as_of, is_old])).toEqual([
      ['2024', true],
      ['2025', false],
    ]);
  });

  it('answer a topic in other words than the request', () => {
    expect(quotes('Write about (1) operations and risks, (2) prices.')).toEqual([
      'A return ticket for adults costs 29 euros.',
      'Delays: 9 in the year.',
    ]);
  });

  it('answer several questions', () => {
    const { findings } = noted('1. What does a ticket cost? 2. What does a return ticket cost adults?');
    expect(findings[0]!.questions.map(({ at }) => at).sort()).toEqual([0, 1]);
  });

  it('are the same in whatever order the sources come', () => {
    const prompt = 'Write about passengers, tickets and delays of the ferry';
    expect(noted(prompt, FERRIES.toReversed())).toEqual(noted(prompt));
  });

  it('keep a sentence that leans on the one before it together with that', () => {
    const text = 'The pump failed on 3 May.\nIt ran again after two days.';
    expect(quotes('When did the pump fail?', [source('Log', text)])).toEqual([text]);
  });

  it('are no bylines, lines of contents, or questions', () => {
    const text = 'Prepared by the pump team\n\n1. The pump and its parts ........ 4\n\nWhat is the pump of the plant?';
    expect(quotes('What is the pump?', [source('Pump', text)])).toEqual([]);
    const links = '[pump]: https://example.org/pump\n[pump guide of the plant]: ./guide-of-the-pump.md';
    expect(quotes('What is the pump?', [source('Pump', links)])).toEqual([]);
  });
});

describe('disagreements', () => {
  const both = (a: string, b: string) =>
    noted('What does a return ticket for adults cost?', [source('North', a), source('South', b)]).disagreements.length;

  it('are values of one subject and one time', () => {
    expect(both('A return ticket for adults costs 24 euros.', 'A return ticket for adults costs 29 euros.')).toBe(1);
    expect(both('A return ticket for adults costs a fee.', 'A return ticket for adults never costs a fee.')).toBe(1);
  });

  it('are seen in a finding that goes on with a sentence which leans on the first', () => {
    const two = 'A return ticket for adults costs 24 euros. It is valid for a month.';
    const sources = [source('North', two), source('South', 'A return ticket for adults costs 29 euros.')];
    const { disagreements, findings } = noted('What does a return ticket for adults cost?', sources);
    expect(disagreements.map(({ subject }) => subject)).toEqual(['A return ticket for adults costs … euros.']);
    expect(findings.map(({ quote }) => quote)).toContain(two);
    expect(both(two, 'A return ticket for adults costs 24 euros. It is valid for 2 months.')).toBe(0);
    expect(both(`${two} It costs 5 euros more on board.`, 'The pass is yellow. It is valid for a year.')).toBe(0);
  });

  it('of a first sentence said again later leave what else was said with it', () => {
    const { findings } = noted('How long is a return ticket for adults valid?', [
      source('North 2023', 'A return ticket for adults costs 24 euros. It is valid for one month on all ferries.'),
      source('South 2024', 'A return ticket for adults costs 24 euros.'),
    ]);
    expect(findings.map(({ title }) => title)).toContain('North 2023');
  });

  it('are no values of different times, subjects, or the same value', () => {
    expect(
      both('In 2024 a return ticket for adults cost 24 euros.', 'In 2025 a return ticket for adults cost 29 euros.'),
    ).toBe(0);
    expect(both('A return ticket for adults costs 24 euros.', 'A return ticket for dogs costs 29 euros.')).toBe(0);
    expect(both('A return ticket for adults costs 24 euros.', 'A return ticket for adults costs 24 euros.')).toBe(0);
  });

  it.each([
    ['in another order and wording', 'Adults pay €29 for a return ticket.', 1],
    ['written differently', 'A return ticket for adults costs EUR 24.00.', 0],
    ['in words', 'A return ticket for adults costs twenty-four euros.', 0],
    ['of a month', 'In May a return ticket for adults costs 29 euros.', 0],
    ['in another unit', 'A return ticket for adults costs 24 points.', 0],
  ])('are found by what is measured: a value %s', (_how, other, count) => {
    expect(both('A return ticket for adults costs 24 euros.', other)).toBe(count);
  });

  it('are not made of numbers that say which one is meant', () => {
    expect(both('Ticket 41 for adults was returned.', 'Ticket 42 for adults was returned.')).toBe(0);
  });

  it('are not made of two towns, each of which has a population', () => {
    const town = (name: string, people: string) =>
      source(name, `${name} is a town.\n\nThe population was ${people} people in all.`);
    expect(noted('What was the population?', [town('Laie', '6,138'), town('Hilo', '44,186')]).disagreements).toEqual(
      [],
    );
  });

  it('of documents of different times are none: the newer one replaces the older', () => {
    const { disagreements, superseded, findings } = noted('What does a return ticket cost adults?', [
      source('Fares May 2024', 'A return ticket for adults costs 24 euros.'),
      source('Prices June 2026', 'Adults pay 29 euros for a return ticket.'),
    ]);
    expect(disagreements).toEqual([]);
    expect(superseded.map((pair) => pair.map((place) => findings[place]!.as_of))).toEqual([['June 2026', 'May 2024']]);
  });
});
