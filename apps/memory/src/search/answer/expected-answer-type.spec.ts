import { describe, expect, it } from '@jest/globals';
import { expectedAnswerType, matchesAnswerType } from './expected-answer-type.ts';

describe('what a question asks for', () => {
  it.each([
    ['How many cars does the ferry carry?', 'number'],
    ['Wie lange dauert die Fahrt?', 'number'],
    ['Since when has the harbour been open?', 'time'],
    ['¿Cuándo abre el puerto?', 'time'],
    ['Qui dirige le port ?', 'name'],
    ['Why is the harbour closed?', null],
    ['Which light is shown when the harbour is closed?', null],
  ] as const)('is told by its words: %s', (question, kind) => {
    expect(expectedAnswerType(question)).toBe(kind);
  });

  it('is told by a sentence that has such a thing which the question does not say itself', () => {
    expect(matchesAnswerType('number', 'The ferry carries 40 cars.', 'How many cars does it carry?')).toBe(true);
    expect(matchesAnswerType('number', 'INC-2047 was about ferries.', 'How many ferries had INC-2047?')).toBe(false);
    expect(matchesAnswerType('time', 'It was opened in March 1931.', 'When was it opened?')).toBe(true);
    expect(matchesAnswerType('name', 'The keeper is Maria Okafor.', 'Who is the keeper?')).toBe(true);
    expect(matchesAnswerType('name', 'The Aurora sails at noon.', 'Who sails the Aurora?')).toBe(false);
    expect(matchesAnswerType('name', 'Two engineers watch the pumps.', 'Who watches the pumps?')).toBe(true);
    expect(matchesAnswerType('name', 'Nobody but engineers may enter.', 'Who may enter?')).toBe(false);
  });
});
