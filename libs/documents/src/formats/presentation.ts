import { BlockList, type ParsedDocument } from '../parsed.ts';
import { coreTitle, numbered } from './office.ts';
import { readRelationships, relationIn } from './relationships.ts';
import { readXml } from './xml.ts';
import type { OpenZip } from './zip.ts';

const PRESENTATION = 'ppt/presentation.xml';
const PPTX_TYPE = 'application/vnd.openxmlformats-officedocument.presentationml.presentation';

/** A presentation: one or more blocks for each slide, under its title, and its notes. A page is a slide's place. */
export async function parsePptx(zip: OpenZip): Promise<ParsedDocument> {
  const list = new BlockList();
  const slides = await slidesOf(zip);
  for (const [index, part] of slides.entries()) {
    const { title, paragraphs } = readSlide((await zip.readText(part)) ?? '');
    const headings = title === '' ? [] : [title];
    const place = { page: index + 1 };
    list.add([title, ...paragraphs].join('\n'), headings, place);
    for (const { kind, part: notesPart } of (await readRelationships(zip, part)).values()) {
      if (kind !== 'notesSlide') continue;
      const notes = readSlide((await zip.readText(notesPart)) ?? '');
      // The number of the slide.
      list.add(notes.paragraphs.filter((text) => !/^\d+$/.test(text)).join('\n'), headings, place);
    }
  }
  const title = (await coreTitle(zip)) ?? list.blocks[0]?.headings[0] ?? null;
  return { mediaType: PPTX_TYPE, title, context: '', blocks: list.blocks, occurredAt: null };
}

/** In the order in which they are shown; by their numbers in a presentation that does not say. */
async function slidesOf(zip: OpenZip): Promise<string[]> {
  const ids: string[] = [];
  readXml((await zip.readText(PRESENTATION)) ?? '', {
    open(name, attributes) {
      if (name === 'sldId') ids.push(relationIn(attributes));
    },
  });
  const parts = await readRelationships(zip, PRESENTATION);
  const shown = ids.flatMap((id) => parts.get(id)?.part ?? []);
  return shown.length > 0 ? shown : numbered(zip.names, /^ppt\/slides\/slide(\d+)\.xml$/);
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
