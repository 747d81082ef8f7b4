import { describe, expect, it } from '@jest/globals';
import { matchQuery } from './match-query.ts';
import type { PageRecord } from './record.ts';

const record = (occupation: string, more: Partial<PageRecord> = {}): PageRecord => ({
  name: 'Ida Holm',
  url: 'https://example.org/life/ida-holm',
  fields: [
    ...(occupation === '' ? [] : [{ label: 'Occupation', value: occupation, origin: 'label' as const }]),
    { label: 'Country', value: 'Norway', origin: 'label' },
  ],
  kinds: [],
  summary: '',
  isDetail: true,
  ...more,
});
const query = (kind: string) => ({ kinds: [kind], qualifiers: [], bounds: [], columns: ['country'] });

describe('a record', () => {
  it('is one of those asked for when it says so', () => {
    expect(matchQuery(record('glassblower'), query('glassblowers'))).toBe('strong');
  });

  it('is another when its own page says that it is something else', () => {
    expect(matchQuery(record('ski jumper'), query('glassblowers'))).toBe('other');
  });

  it('may be one when nothing says of which kind it is, or a noun wider than what it says is asked for', () => {
    expect(matchQuery(record(''), query('glassblowers'))).toBe('weak');
    expect(matchQuery(record('ski jumper'), query('artists'))).toBe('weak');
    expect(matchQuery(record('ski jumper'), query('entries'))).toBe('strong');
  });
});
