import { describe, expect, it } from '@jest/globals';
import { documentText } from './document-text.ts';
import { parseDocument } from './parse-document.ts';

const location = { char_start: 0, char_end: 0 };
const block = (text: string, ...headings: string[]) => ({ text, headings, location });

describe('the text of a document', () => {
  it('has a line for each heading, at its depth, once', () => {
    const blocks = [block('a', 'One'), block('b', 'One', 'Two'), block('c', 'One', 'Two'), block('d', 'Three')];
    expect(documentText(blocks)).toBe('# One\n\na\n\n## Two\n\nb\n\nc\n\n# Three\n\nd');
  });

  it('returns to an outer section by naming it again', () => {
    expect(documentText([block('a', 'One', 'Two'), block('b', 'One'), block('c')])).toBe(
      '# One\n\n## Two\n\na\n\n# One\n\nb\n\nc',
    );
  });

  it('begins with the title unless that is the outermost heading', () => {
    expect(documentText([block('a', 'One')], 'Guide')).toBe('# Guide\n\n## One\n\na');
    expect(documentText([block('a', 'Guide')], 'Guide')).toBe('# Guide\n\na');
  });

  it('keeps each row of a table, and each record of JSON on request, as a line that can be understood alone', async () => {
    const table = await parseDocument('valve,inspected,by\nOutlet,monthly,Ann\nBypass,yearly,Bob\nInlet,daily,Ann\n');
    expect(documentText(table.blocks)).toContain('valve: Bypass; inspected: yearly; by: Bob\n\n');
    const json = '{"valves":[{"valve":"Drain","inspected":"weekly"},{"valve":"Relief","by":["Ann","Bob"]}]}';
    const { blocks } = await parseDocument(json, { fileName: '', mediaType: '', recordsAsRows: true });
    expect(documentText(blocks)).toBe('# valves\n\nvalve: Drain; inspected: weekly\n\nvalve: Relief; by: Ann, Bob');
  });
});
