import { describe, expect, it } from '@jest/globals';
import type { SearchAnswer } from '@cairn/sdk';
import { answerLines, headingOf } from './ask.ts';

const ANSWER: SearchAnswer = {
  search_id: 'search_1',
  answer: 'The desk is in Hall 4 [1].',
  generated: false,
  citations: [
    {
      citation_id: '1',
      doc_id: 'doc_1',
      chunk_id: 'chunk_1',
      title: 'Moving',
      snippet: 'The desk\nis in Hall 4.',
      span: null,
      source_uri: null,
      occurred_at: null,
      score: 1,
    },
  ],
  results: [
    {
      chunk_id: 'chunk_1',
      doc_id: 'doc_1',
      title: 'Moving',
      text: 'The desk is in Hall 4.',
      score: 1,
      vault_id: 'vault_1',
      source_uri: null,
      occurred_at: null,
      location: { heading: 'Where' },
    },
  ],
  entities: [],
  contradictions: [
    {
      contradiction_id: 'contradiction_1',
      entity: { entity_id: 'entity_1', name: 'desk', type: 'thing' },
      relation: 'located_in',
      facts: [
        { fact_id: 'f1', value: 'Hall 4', doc_id: 'doc_1', chunk_id: 'chunk_1', quote: 'in Hall 4' },
        { fact_id: 'f2', value: 'Hall 5', doc_id: 'doc_2', chunk_id: 'chunk_2', quote: 'in Hall 5' },
      ],
      citation_ids: ['1'],
    },
    {
      contradiction_id: 'con_2',
      entity: { entity_id: 'entity_2', name: 'lamp', type: 'thing' },
      relation: 'located_in',
      facts: [],
      citation_ids: [],
    },
  ],
  suggested_followups: ['Who moved it?'],
  confidence: 0.5,
  fallback: null,
  thread_id: null,
  timing_ms: {},
};

describe('an answer on the terminal', () => {
  it('has of each source the path, the heading and the quote, then what contradicts it, how sure it is and who wrote it', () => {
    expect(answerLines(ANSWER, { paths: new Map([['doc_1', 'desk/moving.md']]) }, { color: false })).toEqual([
      'The desk is in Hall 4 [1].',
      '',
      '  [1] Moving › Where  (desk/moving.md)',
      '      “The desk is in Hall 4.”',
      '',
      '  ! The sources disagree on desk: located in [1]',
      '      Hall 4: “in Hall 4”',
      '      Hall 5: “in Hall 5”',
      '',
      'Confidence 0.50; sentences of the sources, not written by a model.',
      '',
      '  → Who moved it?',
    ]);
  });

  it('does not say the title twice, and says the page or sheet where there is no heading', () => {
    expect(headingOf({ heading: 'Moving' }, 'Moving')).toBe('');
    expect(headingOf({ page: 3 }, 'Moving')).toBe('page 3');
    expect(headingOf({ sheet: 'Prices' }, 'Moving')).toBe('Prices');
  });
});
