import { describe, expect, it } from '@jest/globals';
import { askedFor, tells } from './asked-for.ts';

describe('what a question asks for', () => {
  it.each([
    ['How many cars does the ferry carry?', 'number'],
    ['Wie lange dauert die Fahrt?', 'number'],
    ['Since when has the harbour been open?', 'time'],
    ['¿Cuándo abre el puerto?', 'time'],
    ['Qui dirige le port ?', 'name'],
    ['Why is the harbour closed?', null],
  ] as const)('is told by its words: %s', (question, kind) => {
    expect(askedFor(question)).toBe(kind);
  });

  it('is told by a sentence that has such a thing which the question does not say itself', () => {
    expect(tells('number', 'The ferry carries 40 cars.', 'How many cars does it carry?')).toBe(true);
    expect(tells('number', 'INC-2047 was about ferries.', 'How many ferries had INC-2047?')).toBe(false);
    expect(tells('time', 'It was opened in March 1931.', 'When was it opened?')).toBe(true);
    expect(tells('name', 'The keeper is Maria Okafor.', 'Who is the keeper?')).toBe(true);
    expect(tells('name', 'The Aurora sails at noon.', 'Who sails the Aurora?')).toBe(false);
  });
});
