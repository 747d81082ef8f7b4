import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { globSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { compressFolder } from '@cairn/pages/compress';
import { build } from 'astro';
import { astroConfig } from './astro-config.ts';
import { pagesOf, readOutline } from './outline.ts';
import type { Page } from './page.ts';
import { writeInlineScripts } from './inline-scripts.ts';
import { writeMarkdownPages } from './markdown-pages.ts';

/** Below a folder that the packages are below as well: Astro takes the path of any other file for one below its root. */
const WORK = 'apps/docs/.work';
/** Pictures that pages show, below docs. */
const PICTURES = 'docs/**/*.svg';

/** Of 1, what a word counts for the search on a page that answers no question about the use. */
const BACKGROUND_WEIGHT = 0.2;

/** Where Starlight finds the pages. */
const CONTENT = `import { docsLoader } from '@astrojs/starlight/loaders';
import { docsSchema } from '@astrojs/starlight/schema';
import { defineCollection } from 'astro:content';

export const collections = { docs: defineCollection({ loader: docsLoader(), schema: docsSchema() }) };
`;

/**
 * Builds the site in a folder of its own, so that several builds of one checkout never meet, and compresses every file.
 */
export async function buildSite(root: string, out: string): Promise<{ pages: number }> {
  const sections = readOutline(root);
  const pages = pagesOf(sections);
  await mkdir(join(root, WORK), { recursive: true });
  const work = await mkdtemp(join(root, WORK, 'build-'));
  try {
    await cp(join(root, 'apps/docs/site'), join(work, 'src'), { recursive: true });
    await write(join(work, 'src/content.config.js'), CONTENT);
    for (const page of pages) await write(join(work, 'src/content/docs', `${page.slug || 'index'}.md`), sourceOf(page));
    await copy(join(root, 'apps/docs/site/cairn.svg'), join(work, 'public/favicon.svg'));
    for (const picture of globSync(PICTURES, { cwd: root }))
      await copy(join(root, picture), join(work, 'public', picture.slice('docs/'.length)));
    await build(astroConfig(work, sections));
    const site = join(work, 'dist');
    await writeMarkdownPages(site, sections);
    await writeInlineScripts(site);
    await compressFolder(site);
    await rm(out, { recursive: true, force: true });
    await cp(site, out, { recursive: true });
  } finally {
    await rm(work, { recursive: true, force: true });
  }
  return { pages: pages.length };
}

/** What Starlight reads: the title stands in front. */
function sourceOf({ title, description, body, isBackground }: Page): string {
  const front = { title, ...(description === undefined ? {} : { description }) };
  const text = body.replaceAll(/^```text output$/gm, '```text title="What it prints"');
  const weighed =
    isBackground === true ? `<div data-pagefind-weight="${BACKGROUND_WEIGHT}">\n\n${text}\n\n</div>` : text;
  return `---\n${JSON.stringify(front)}\n---\n\n${weighed}`;
}

async function write(path: string, text: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, text);
}

async function copy(from: string, to: string): Promise<void> {
  await mkdir(dirname(to), { recursive: true });
  await cp(from, to);
}
