import mammoth from 'mammoth';
import { parseHTML } from 'linkedom';
import { type DomNode, htmlBlocks } from './html-blocks.ts';
import { BlockList, type ParsedDocument, ParseFailure } from '../parsed.ts';
import { readXml, refuseDocumentType } from './xml.ts';
import type { OpenZip } from './zip.ts';

const DOCX_TYPE = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document';
const PPTX_TYPE = 'application/vnd.openxmlformats-officedocument.presentationml.presentation';

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

/** A presentation: one or more blocks for each slide, under its title, and its notes. */
export async function parsePptx(zip: OpenZip): Promise<ParsedDocument> {
  const list = new BlockList();
  const slides = numbered(zip.names, /^ppt\/slides\/slide(\d+)\.xml$/);
  for (const [page, name] of slides.entries()) {
    const { title, paragraphs } = readSlide((await zip.readText(name)) ?? '');
    const headings = title === '' ? [] : [title];
    const notes = readSlide((await zip.readText(name.replace('slides/slide', 'notesSlides/notesSlide'))) ?? '');
    list.add([title, ...paragraphs].join('\n'), headings, { page: page + 1 });
    list.add(notes.paragraphs.filter((text) => !/^\d+$/.test(text)).join('\n'), headings, { page: page + 1 });
  }
  const title = (await coreTitle(zip)) ?? list.blocks[0]?.headings[0] ?? null;
  return { mediaType: PPTX_TYPE, title, context: '', blocks: list.blocks, occurredAt: null };
}

function readSlide(xml: string): { title: string; paragraphs: string[] } {
  const paragraphs: string[] = [];
  let title = '';
  let isTitle = false;
  let text = '';
  let inText = false;
  if (xml === '') return { title, paragraphs };
  readXml(xml, {
    open(name, attributes) {
      if (name === 'sp') isTitle = false;
      if (name === 'ph') isTitle = /^(?:title|ctrTitle)$/.test(attributes['type'] ?? '');
      if (name === 't') inText = true;
      if (name === 'br') text += '\n';
    },
    text(value) {
      if (inText) text += value;
    },
    close(name) {
      if (name === 't') inText = false;
      if (name !== 'p') return;
      const line = text.trim();
      text = '';
      if (line === '') return;
      if (isTitle) title = title === '' ? line : `${title} ${line}`;
      else paragraphs.push(line);
    },
  });
  return { title, paragraphs };
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
