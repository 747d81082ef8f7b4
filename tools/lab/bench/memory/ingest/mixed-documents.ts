import { makeDocx, makePdf } from '../../../../../apps/memory/tests/ingestion/make-files.ts';

/** A document of a mixed lot: text in the request, or a file. */
type MixedDocument =
  | { externalId: string; content: string }
  | { externalId: string; fileName: string; bytes: Buffer; fails: boolean };

const FILE_EVERY = 10;

/** The same lot each time: prose, Markdown, tables, JSON, pages and mails; every tenth a PDF, DOCX or a broken file. */
export function mixedDocument(number: number): MixedDocument {
  const externalId = `mixed-${number}`;
  const words = `Entry number${number} about subject${number % 97} and place${number % 41}.`;
  if (number % FILE_EVERY === 0) {
    const kind = (number / FILE_EVERY) % 4;
    if (kind === 0)
      return { externalId, fileName: `${number}.pdf`, bytes: makePdf([words, 'A second page.']), fails: false };
    if (kind === 1)
      return { externalId, fileName: `${number}.docx`, bytes: makeDocx([`Heading1: ${number}`, words]), fails: false };
    if (kind === 2)
      return { externalId, fileName: `${number}.pdf`, bytes: Buffer.from(`%PDF-1.7 broken ${number}`), fails: true };
    return { externalId, fileName: `${number}.md`, bytes: Buffer.from(`# ${number}\n\n${words}`), fails: false };
  }
  const forms = [
    words.repeat(8),
    `# Title ${number}\n\n${words}\n\n## Part\n\n- one\n- ${words}`,
    `name;value;unit\nheight;${number};m\nwidth;${number + 1};m\ndepth;${number + 2};m`,
    JSON.stringify({ entry: number, text: words, tags: ['a', 'b'] }),
    `<!doctype html><html><head><title>${number}</title></head><body><p>${words}</p><p>${words}</p></body></html>`,
    `From: a${number}@example.org\nTo: b@example.org\nSubject: Entry ${number}\n\n${words}`,
  ];
  return { externalId, content: forms[number % forms.length]! };
}
