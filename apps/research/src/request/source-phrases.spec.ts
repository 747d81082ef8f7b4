import { describe, expect, it } from '@jest/globals';
import { sourceScopeOf } from './source-phrases.ts';

describe('the scope of a request', () => {
  it.each([
    'How do I search in my files on Windows 11?',
    'How can I find duplicates in my documents on a Mac?',
    'Why do some people not use the internet?',
    'Best tools to search in internal documents',
    'Is it legal to use uploaded documents for training?',
    'Which banks are only online?',
    'What share of shopping is done only online?',
    'Find people who only work online',
    'Which games can I play without internet?',
    'Vendors that work without internet',
  ])('is anywhere where a source is a topic: %s', (prompt) => {
    expect(sourceScopeOf(prompt)).toBe('any');
  });

  it.each([
    'Find all people who work at the X Institute. Use my documents only.',
    'People named in my documents',
    'List ferries without using the web',
    'Who works at Acme according to our files?',
    'What does the travel policy in my documents say about trains?',
  ])('is the caller’s own documents where the request says so: %s', (prompt) => {
    expect(sourceScopeOf(prompt)).toBe('own');
  });

  it.each(['Only use the web. Find bakers.', 'Find bakers, and don’t use my documents'])(
    'is the web where the request says so: %s',
    (prompt) => {
      expect(sourceScopeOf(prompt)).toBe('web');
    },
  );
});
