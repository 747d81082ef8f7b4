import { parseEpub } from './epub.ts';
import { parseDocx } from './office.ts';
import { parsePptx } from './presentation.ts';
import { type ParsedDocument, ParseFailure } from '../parsed.ts';
import { parseXlsx } from './spreadsheet.ts';
import { openZip } from './zip.ts';

/** What an archive is, by what lies in it, and its text. */
export async function parseArchive(bytes: Uint8Array): Promise<ParsedDocument> {
  const zip = await openZip(bytes);
  if (zip.names.has('word/document.xml')) return parseDocx(bytes, zip);
  if (zip.names.has('xl/workbook.xml')) return parseXlsx(zip);
  if (zip.names.has('ppt/presentation.xml')) return parsePptx(zip);
  if (zip.names.has('META-INF/container.xml')) return parseEpub(zip);
  throw new ParseFailure('unsupported_format', 'Archives are not read. Send the documents in it one by one.');
}
