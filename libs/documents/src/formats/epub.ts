import { parseHTML } from 'linkedom';
import { type DomNode, htmlBlocks } from './html-blocks.ts';
import { BlockList, type ParsedDocument, ParseFailure } from '../parsed.ts';
import { readXml } from './xml.ts';
import { entryAt, type OpenZip } from './zip.ts';

/** A book, chapter by chapter in the order it is read. */
export async function parseEpub(zip: OpenZip): Promise<ParsedDocument> {
  const container = (await zip.readText('META-INF/container.xml')) ?? '';
  let packageName = '';
  readXml(container, {
    open(name, attributes) {
      if (name === 'rootfile' && packageName === '') packageName = attributes['full-path'] ?? '';
    },
  });
  const { title, chapters } = readPackage((await zip.readText(packageName)) ?? '');
  const list = new BlockList();
  for (const [index, href] of chapters.entries()) {
    const page = await zip.readText(entryAt(packageName, unescaped(href.split('#', 1)[0]!)));
    if (page !== null) htmlBlocks(parseHTML(page).document as unknown as DomNode, list, { page: index + 1 });
  }
  return { mediaType: 'application/epub+zip', title, context: '', blocks: list.blocks, occurredAt: null };
}

/** A percent sign that escapes nothing stands for itself. */
function unescaped(href: string): string {
  try {
    return decodeURIComponent(href);
  } catch {
    return href;
  }
}

function readPackage(xml: string): { title: string | null; chapters: string[] } {
  if (xml === '') throw new ParseFailure('broken_file', 'The book does not say what it consists of.');
  const files = new Map<string, string>();
  const order: string[] = [];
  let title = '';
  let inTitle = false;
  readXml(xml, {
    open(name, attributes) {
      if (name === 'title' && title === '') inTitle = true;
      if (name === 'item') files.set(attributes['id'] ?? '', attributes['href'] ?? '');
      if (name === 'itemref') order.push(attributes['idref'] ?? '');
    },
    text(text) {
      if (inTitle) title += text;
    },
    close(name) {
      if (name === 'title') inTitle = false;
    },
  });
  const chapters = order.flatMap((id) => files.get(id) ?? []);
  return { title: title.trim() === '' ? null : title.trim(), chapters };
}
