import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Section } from './outline.ts';
import { addressOf, type Page } from './page.ts';

const INTRODUCTION = `# Cairn

> Memory, search and research backend for a whole organisation: one HTTP/JSON API behind one gateway. Every page of this
> documentation is also there as Markdown, under the addresses below.
`;

/** Writes every page as Markdown beside it, and the list of all of them as /llms.txt. */
export async function writeMarkdownPages(out: string, sections: readonly Section[]): Promise<void> {
  const lists = await Promise.all(sections.map((section) => writeSection(out, section)));
  await writeFile(join(out, 'llms.txt'), `${INTRODUCTION}\n${lists.join('\n')}`);
}

async function writeSection(out: string, { label, entries }: Section): Promise<string> {
  const lines = await Promise.all(
    entries.map(async (entry) => {
      if ('entries' in entry) return writeSection(out, entry);
      await writeMarkdownPage(out, entry);
      const { slug, title, description } = entry;
      return `- [${title}](${markdownAddressOf(slug)})${description === undefined ? '' : `: ${description}`}\n`;
    }),
  );
  return `## ${label}\n\n${lines.join('')}`;
}

async function writeMarkdownPage(out: string, { slug, title, body }: Page): Promise<void> {
  const path = join(out, `${slug || 'index'}.md`);
  await mkdir(dirname(path), { recursive: true });
  const text = body
    .replaceAll(/<\/?cairn-\w+>\n\n/g, '')
    .replaceAll(/\]\((\/docs[\w/.-]*)/g, (link, address: string) => {
      const slugThere = address.replace(/^\/docs\/?/, '');
      return /\.\w+$/.test(slugThere) || slugThere === 'try' ? link : `](${markdownAddressOf(slugThere)}`;
    });
  await writeFile(path, `# ${title}\n\n${text.trimStart()}`);
}

function markdownAddressOf(slug: string): string {
  return `${addressOf(slug || 'index')}.md`;
}
