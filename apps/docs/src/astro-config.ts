import starlight from '@astrojs/starlight';
import type { AstroInlineConfig } from 'astro';
import type { Section } from './outline.ts';
import { BASE, type Page } from './page.ts';

interface Sidebar {
  label: string;
  collapsed?: boolean;
  items: (Sidebar | { label: string; link: string })[];
}

/** Nothing is asked of another host, no file is inlined, and every name below `assets` has a hash of its content. */
export function astroConfig(work: string, sections: readonly Section[]): AstroInlineConfig {
  return {
    root: work,
    outDir: `${work}/dist`,
    cacheDir: `${work}/.cache`,
    configFile: false,
    logLevel: 'error',
    base: BASE,
    trailingSlash: 'never',
    build: { format: 'directory', assets: 'assets' },
    // Pages are made by what is bundled, which must not find another version of a package than Astro has.
    vite: {
      build: { assetsInlineLimit: 0 },
      environments: { prerender: { resolve: { noExternal: ['cookie'] } } },
    },
    devToolbar: { enabled: false },
    integrations: [
      starlight({
        title: 'Cairn',
        logo: { src: './src/cairn.svg' },
        favicon: '/favicon.svg',
        customCss: ['./src/site.css'],
        components: { Footer: './src/components/Footer.astro' },
        // The ends of long commands are read, not scrolled to.
        expressiveCode: { defaultProps: { wrap: true } },
        pagination: true,
        credits: false,
        disable404Route: true,
        sidebar: sections.map(sidebarOf),
      }),
    ],
  };
}

function sidebarOf({ label, collapsed, entries }: Section): Sidebar {
  return {
    label,
    ...(collapsed === undefined ? {} : { collapsed }),
    items: entries.map((entry) => ('entries' in entry ? sidebarOf(entry) : linkOf(entry))),
  };
}

function linkOf({ slug, title, label }: Page): { label: string; link: string } {
  return { label: label ?? title, link: `/${slug}` };
}
