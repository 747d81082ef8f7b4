import { BETWEEN_BLOCKS, type Block, BlockList, blockText } from './parsed.ts';
import { type DomNode, htmlBlocks } from './formats/html-blocks.ts';

const HEADING_LEVEL_MAX = 6;

/** The blocks of an HTML tree: paragraphs, lists and table rows under their headings. */
export function blocksOfTree(root: DomNode): Block[] {
  const list = new BlockList();
  htmlBlocks(root, list);
  return list.blocks;
}

/**
 * A document as one text: a `#` line for each heading, and a blank line between blocks. A title that is not already the
 * outermost heading becomes it.
 */
export function documentText(blocks: readonly Block[], title: string | null = null): string {
  const pieces: string[] = [];
  let open: readonly string[] = [];
  for (const block of blocks) {
    const { headings } = block;
    const path = title === null || headings[0] === title ? headings : [title, ...headings];
    let shared = 0;
    while (shared < path.length && path[shared] === open[shared]) shared += 1;
    // Back in an outer section: its heading is repeated, or the text would belong to the inner one.
    if (shared === path.length && open.length > path.length) shared -= 1;
    for (const [index, heading] of path.slice(shared).entries())
      pieces.push(`${'#'.repeat(Math.min(shared + index + 1, HEADING_LEVEL_MAX))} ${heading}`);
    pieces.push(blockText(block));
    open = path;
  }
  return pieces.join(BETWEEN_BLOCKS);
}
