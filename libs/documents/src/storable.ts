import { type Block, type ParsedDocument, withWords } from './parsed.ts';

/** The same text with what PostgreSQL cannot store replaced, so that positions stay. */
export function storable(text: string): string {
  const wellFormed = text.isWellFormed() ? text : text.toWellFormed();
  return wellFormed.includes('\0') ? wellFormed.replaceAll('\0', ' ') : wellFormed;
}

/** A document that can be stored: what readers give may hold whatever their files do, in escapes and fonts as well. */
export function storableDocument(parsed: ParsedDocument): ParsedDocument {
  const title = storable(parsed.title ?? '');
  return {
    ...parsed,
    title: title.trim() === '' ? null : title,
    context: storable(parsed.context),
    blocks: parsed.blocks.map(storableBlock).filter(({ text }) => text.trim() !== ''),
  };
}

function storableBlock(block: Block): Block {
  return {
    ...block,
    text: storable(block.text),
    headings: block.headings.map(storable),
    location: withWords(block.location, storable),
  };
}
