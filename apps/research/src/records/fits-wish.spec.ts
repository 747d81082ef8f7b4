import { describe, expect, it } from '@jest/globals';
import { fitOf } from './fits-wish.ts';
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
const wish = (kind: string) => ({ kinds: [kind], qualifiers: [], bounds: [], columns: ['country'] });

describe('a record', () => {
  it('is one of those asked for when it says so', () => {
    expect(fitOf(record('glassblower'), wish('glassblowers'))).toBe('strong');
  });

  it('is another when its own page says that it is something else', () => {
    expect(fitOf(record('ski jumper'), wish('glassblowers'))).toBe('other');
  });

  it('may be one when nothing says of which kind it is, or a noun wider than what it says is asked for', () => {
    expect(fitOf(record(''), wish('glassblowers'))).toBe('weak');
    expect(fitOf(record('ski jumper'), wish('artists'))).toBe('weak');
    expect(fitOf(record('ski jumper'), wish('entries'))).toBe('strong');
  });
});
