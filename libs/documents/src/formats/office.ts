import mammoth from 'mammoth';
import { parseHTML } from 'linkedom';
import { type DomNode, htmlBlocks } from './html-blocks.ts';
import { BlockList, type ParsedDocument, ParseFailure } from '../parsed.ts';
import { readXml, refuseDocumentType } from './xml.ts';
import type { OpenZip } from './zip.ts';

const DOCX_TYPE = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document';

/** A Word document with its headings, lists and tables. Nothing outside of the file is read. */
export async function parseDocx(bytes: Uint8Array, zip: OpenZip): Promise<ParsedDocument> {
  // Everything the reader will unpack is unpacked here first, within bounds.
  for (const name of zip.names) {
    if (!/\.(?:xml|rels)$/i.test(name)) continue;
    refuseDocumentType((await zip.readText(name)) ?? '');
  }
  const options = {
    externalFileAccess: false,
    convertImage: mammoth.images.imgElement(async () => ({ src: '' })),
    styleMap: ["p[style-name='Title'] => h1:fresh", "p[style-name='Subtitle'] => p:fresh"],
  };
  const { value } = await mammoth
    .convertToHtml({ buffer: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength) }, options)
    .catch((error: unknown) => {
      throw new ParseFailure('broken_file', 'The file is damaged: it cannot be read as a Word document.', error);
    });
  const list = new BlockList();
  htmlBlocks(parseHTML(`<html><body>${value}</body></html>`).document as unknown as DomNode, list);
  return {
    mediaType: DOCX_TYPE,
    title: (await coreTitle(zip)) ?? list.blocks[0]?.headings[0] ?? null,
    context: '',
    blocks: list.blocks,
    occurredAt: null,
  };
}

/** The title in an office file's properties. */
export async function coreTitle(zip: OpenZip): Promise<string | null> {
  let title = '';
  let inTitle = false;
  const xml = await zip.readText('docProps/core.xml');
  if (xml === null) return null;
  readXml(xml, {
    open: (name) => (inTitle = name === 'title'),
    text: (text) => {
      if (inTitle) title += text;
    },
    close: () => (inTitle = false),
  });
  return title.trim() === '' || /^(?:untitled|powerpoint presentation|word document)$/i.test(title.trim())
    ? null
    : title.trim();
}

/** Names with a number in them, in the order of the numbers. */
export function numbered(names: ReadonlySet<string>, pattern: RegExp): string[] {
  return [...names]
    .flatMap((name) => {
      const number = pattern.exec(name)?.[1];
      return number === undefined ? [] : [{ name, number: Number(number) }];
    })
    .sort((a, b) => a.number - b.number)
    .map(({ name }) => name);
}
