import { describe, expect, it } from '@jest/globals';
import type { ChunkText } from './window-text.ts';
import { readWindows } from './window-reader.ts';

const extractByRules = (chunk: ChunkText) => readWindows([[{ ...chunk, said: [] }]])[0]![0]!;

const namesOf = (body: string, titlePath = '') => extractByRules({ titlePath, body }).names.map((name) => name.norm);

describe('reading a chunk', () => {
  it('finds no name and no fact in what screening masked, so that masks never join documents', () => {
    expect(namesOf('Ada Krull pays with [[CREDIT_CARD_1]].', 'About [[EMAIL_1]] › Cards')).toEqual(['ada krull']);
    const listed = extractByRules({
      titlePath: '',
      body: '| Name | E-mail |\n| --- | --- |\n| Ada Krull | [[EMAIL_1]] |\n| Bruno Linde | [[EMAIL_2]] |',
    });
    expect(JSON.stringify(listed)).not.toMatch(/email_\d/i);
    expect(listed.names.map((name) => name.norm)).toEqual(expect.arrayContaining(['ada krull', 'bruno linde']));
  });

  it('quotes every fact by its place in the text as it was given', () => {
    const body =
      'Pay [[IBAN_1]]. The **list price** of the [Bolt Reader B7](https://example.org/b7) is €12. It sold well.';
    const { facts } = extractByRules({ titlePath: '', body });
    expect(facts.map((fact) => [fact.relation, body.slice(fact.start, fact.end).trim()])).toEqual([
      ['list_price', 'The **list price** of the [Bolt Reader B7](https://example.org/b7) is €12.'],
    ]);
  });

  it('states nothing of what only points at something: every document has another film', () => {
    const subjectsOf = (body: string) => {
      const { names, facts } = extractByRules({ titlePath: '', body });
      return facts.map((fact) => `${names[fact.subjectName]!.norm} ${fact.relation}`);
    };
    expect(subjectsOf('The film was released on 19 August 2016. This contract ends on 3 May 2026.')).toEqual([]);
    expect(subjectsOf('Its backups are kept for 90 days.')).toEqual([]);
    expect(subjectsOf('Backups are kept for 90 days.')).toEqual(['backups retention_period']);
    expect(subjectsOf('The Bolt Reader B7 was released on 19 August 2016.')).toEqual(['bolt reader b7 launch_date']);
    expect(subjectsOf('The Konstanz office moves on 1 September 2025.')).toEqual(['konstanz office move_date']);
  });

  it.each(['constructor', '__proto__', 'hasOwnProperty', 'toString', 'valueOf'])(
    'reads %s as a word like any other',
    (word) => {
      const body = `## Bolt Reader\n\nconstructor: ${word} of things\n\n${word}: 5 kg\n\n| Name | ${word} |\n| --- | --- |\n| Ada Krull | 5 kg |\n\nThe ${word} of 3 May 2026 was ${word} by Ada Krull.`;
      expect(() => extractByRules({ titlePath: word, body })).not.toThrow();
    },
  );

  it('takes no noun for a name because it begins a sentence', () => {
    expect(namesOf('Parcel number885 lies on shelf shelf5. It is kept dry.')).toEqual([]);
    expect(namesOf('Krull lives in Graz. She is tall.')).toEqual(['krull', 'graz']);
  });

  it('takes no single German noun for a name, since all of them have capitals', () => {
    const german =
      'Die Ursache der Störung war ein Fehler im Protokoll. Bitte melden Sie die Temperaturen der Kühlräume an Ada Krull bei der Norden GmbH in Hamburg.';
    expect(namesOf(german).sort()).toEqual(['ada krull', 'hamburg', 'norden']);
    expect(namesOf('The team uses Grafana and Kafka.')).toEqual(['grafana', 'kafka']);
  });

  it('reads the same from the same text, whatever was read before', () => {
    const body = 'Norden Maschinenbau GmbH is based in Oslo. Émile Kranz leads the Finance team.';
    const first = extractByRules({ titlePath: 'Norden', body });
    extractByRules({ titlePath: 'Oslo', body: 'Emile Kranz met Norden in Bergen.' });
    expect(extractByRules({ titlePath: 'Norden', body })).toEqual(first);
  });

  it("gives a model's statements the same shape, drops what their types exclude, and says nothing twice", () => {
    const body = 'Orvik Instruments, based in Austin, was led by Ola Nordmann.';
    const said = {
      subject: 'Orvik Instruments',
      subjectClass: 'organisation',
      negated: false,
      confidence: 0.75,
      start: 0,
      end: body.length,
      validFrom: null,
      validTo: null,
    } as const;
    const place = (text: string) => ({ kind: 'text', text: text.toLowerCase() }) as const;
    const [extraction] = readWindows([
      [
        {
          titlePath: '',
          body,
          said: [
            { ...said, relation: 'headquarters', text: 'Austin', value: place('Austin'), objectClass: 'place' },
            { ...said, relation: 'founded_in', text: 'Austin', value: place('Austin'), objectClass: 'place' },
            { ...said, relation: 'spouse', text: 'Ola Nordmann', value: place('ola nordmann'), objectClass: 'person' },
          ],
        },
      ],
    ])[0]!;
    const facts = extraction!.facts.map(({ relation, value }) => [relation, value]);
    const austin = { kind: 'place', text: 'Austin', extent: 'town', codes: ['US-IN', 'US-MN', 'US-TX'], within: [] };
    expect(facts).toEqual([
      ['headquarters', austin],
      ['led_by', { kind: 'text', text: 'ola nordmann', type: 'person' }],
      ['founded_in', austin],
    ]);
  });
});
