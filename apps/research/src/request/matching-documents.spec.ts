import { describe, expect, it } from '@jest/globals';
import { choicesTaken, matchingDocuments } from './matching-documents.ts';

const TITLES = ['Lantern releases', 'Lantern prices', 'Canteen'];

describe('a prompt is unclear', () => {
  it('when it names a topic of which several documents are about something else each', () => {
    expect(matchingDocuments('Lantern', TITLES)).toEqual({ choices: ['Lantern releases', 'Lantern prices'] });
  });

  it.each([
    ['a question, however short', 'How many incidents did Lantern have?'],
    ['a topic that one document is about', 'Canteen'],
    ['a topic that no title has', 'Pizza Hut'],
    ['a topic in more words', 'Lantern prices for small gateways'],
  ])('and %s is not', (_what, prompt) => {
    expect(matchingDocuments(prompt, TITLES)).toBeNull();
  });

  it('and documents that differ by their date, or of which one is about the topic as a whole, are no choice', () => {
    expect(matchingDocuments('ferry fares', ['Ferry fares 2023', 'Ferry fares May 2024'])).toBeNull();
    expect(matchingDocuments('Publix', ['Publix', 'Publix warehouse', 'Publix history'])).toBeNull();
  });
});

describe('an answer', () => {
  const choices = ['Lantern releases', 'Lantern prices', 'Lantern support'];

  it.each([
    ['Lantern prices', ['Lantern prices']],
    ['the second one', ['Lantern prices']],
    ['3', ['Lantern support']],
    ['What do the releases bring?', ['Lantern releases']],
    ['prices and support, please', ['Lantern prices', 'Lantern support']],
    ['all of them', choices],
    ['something about alarms', choices],
    ['all of them except Lantern prices', ['Lantern releases', 'Lantern support']],
    ['not the first one', ['Lantern prices', 'Lantern support']],
    ['not the first one, the second', ['Lantern prices']],
    ['anything but Lantern support', ['Lantern releases', 'Lantern prices']],
    ['not the prices but the releases', ['Lantern releases']],
    ['everything except releases, support', ['Lantern prices']],
    ['prices without support', ['Lantern prices']],
    ['prices, but not historic ones', ['Lantern prices']],
    ['What does it not support?', ['Lantern support']],
  ])('%s takes its choices', (answer, taken) => {
    expect(choicesTaken(answer, choices)).toEqual(taken);
  });
});
