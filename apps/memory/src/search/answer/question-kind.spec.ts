import { describe, expect, it } from '@jest/globals';
import { asksForDefault, hasNewIdentifier, questionKindOf } from './question-kind.ts';

describe('questionKindOf', () => {
  it.each([
    ['What is a savepoint?', 'definition'],
    ['What does TRUNCATE do?', 'effect'],
    ['Which file controls client authentication?', 'identifier'],
    ['In which directory are packages kept?', 'identifier'],
    ['What is the name of the variable that sets the limit?', 'identifier'],
    ['How do I create an index?', 'steps'],
    ['Why is the cache cold?', 'reason'],
    ['Is SQLite thread-safe?', 'yesNo'],
    ['Who paid for the lighthouse?', 'other'],
    ['Who is Ada Lovelace?', 'definition'],
    ['Who is on call?', 'other'],
  ])('reads “%s” as %s', (question, kind) => {
    expect(questionKindOf(question)).toBe(kind);
  });
});

describe('asksForDefault', () => {
  it('is true of what holds when nothing is said', () => {
    expect(asksForDefault('How many digits does it use unless told otherwise?')).toBe(true);
    expect(asksForDefault('How many digits does it use?')).toBe(false);
  });
});

describe('hasNewIdentifier', () => {
  it.each([
    'Use --amend for it.',
    'Call os.path.join for it.',
    'It is in /etc/fstab.',
    'Set HISTSIZE.',
    'Use the TextField.',
  ])('finds the name in “%s”', (text) => expect(hasNewIdentifier(text, 'How do I do it?')).toBe(true));

  it('finds none in plain words, nor in a name that the question has', () => {
    expect(hasNewIdentifier('Plain words only. Nothing else.', 'What?')).toBe(false);
    expect(hasNewIdentifier('It uses HISTSIZE.', 'What does HISTSIZE do?')).toBe(false);
  });
});
