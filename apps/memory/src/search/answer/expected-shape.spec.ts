import { describe, expect, it } from '@jest/globals';
import { expectedShape, hasShape } from './expected-shape.ts';

describe('what the thing that is asked for looks like', () => {
  it.each([
    ['Which file lists the tenants?', 'path'],
    ['In which directory are the keys kept?', 'path'],
    ['Which option of the ferry command prints the tides?', 'option'],
    ['Which harbour command rings the bell?', 'command'],
    ['Which file option prints the tides?', 'option'],
    ['What is the name of the variable that sets the limit?', 'code'],
    ['Which port does the lighthouse listen on?', 'number'],
    ['What user ID does the keeper have?', 'number'],
    ['In what city is the lighthouse?', 'name'],
    ['Where was the keeper born?', 'place'],
    ['What is a lighthouse?', null],
    ['Which light is shown when the harbour is closed?', null],
  ] as const)('is told by its words: %s', (question, shape) => {
    expect(expectedShape(question)).toBe(shape);
  });

  it.each([
    ['path', 'The keys are in /etc/keys.'],
    ['path', 'It reads "tides.conf" first.'],
    ['option', 'Pass --tides, please.'],
    ['command', 'Call ring-bell for that.'],
    ['command', 'Everybody uses the clang utility.'],
    ['code', 'Set TIDE_LIMIT.'],
    ['number', 'It listens on 9000.'],
    ['name', 'It stands in Brest.'],
    ['place', 'He was born in Brest.'],
  ] as const)('finds a %s in “%s”', (shape, text) => {
    expect(hasShape(shape, text, 'Which is it?')).toBe(true);
  });

  it.each([
    ['path', 'The keys are kept, e.g. in a box.'],
    ['option', 'A well-kept box.'],
    ['command', 'The bell rings.'],
    ['number', 'It listens.'],
    ['place', 'He was born in a boat.'],
  ] as const)('finds no %s in “%s”', (shape, text) => {
    expect(hasShape(shape, text, 'Which is it?')).toBe(false);
  });

  it('counts nothing that the question has', () => {
    expect(hasShape('path', 'It reads /etc/keys.', 'Which file includes /etc/keys?')).toBe(false);
    expect(hasShape('number', 'Port 80 is taken.', 'Which port is used instead of 80?')).toBe(false);
  });
});
