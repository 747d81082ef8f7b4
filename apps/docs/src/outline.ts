import { globSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { Page } from './page.ts';
import { apiPages } from './reference/api-pages.ts';
import { errorsPage } from './reference/errors-page.ts';
import { eventsPage } from './reference/events-page.ts';
import { limitsPage } from './reference/limits-page.ts';
import { sdkPage } from './reference/sdk-pages.ts';
import { type PageFile, readPage } from './repository-page.ts';

/** A part of the list of pages. */
export interface Section {
  label: string;
  /** A reader opens it first. */
  collapsed?: boolean;
  entries: (Page | Section)[];
}

const TUTORIALS = [
  'first-cited-answer',
  'your-own-documents',
  'connect-an-agent',
  'a-research-run',
  'receive-a-webhook',
];

/** Guides with a file of their own in docs/guides, in the order in which they are listed. */
const GUIDES = [
  'rotate-a-key',
  'nightly-sync',
  'keys-for-one-space',
  'settle-contradictions',
  'review-routing',
  'masking',
  'filters',
  'stream-into-a-browser',
  'retries-and-idempotency',
  'own-model-keys',
  'export',
];

const FILES = {
  start: [{ file: 'docs/start.md', slug: '' }],
  tutorials: TUTORIALS.map((name) => ({ file: `docs/tutorials/${name}.md`, slug: `tutorials/${name}` })),
  guides: [
    ...GUIDES.map((name) => ({ file: `docs/guides/${name}.md`, slug: `guides/${name}` })),
    { file: 'docs/agents.md', slug: 'guides/agents', label: 'Agent frameworks' },
    { file: 'docs/migrating.md', slug: 'guides/migrating', label: 'Migrate from Mem0 or Zep' },
  ],
  operating: [
    { file: 'docs/deploying.md', slug: 'operating/deploying', label: 'Deploy in containers' },
    { file: 'docs/operations.md', slug: 'operating/operations', label: 'Operate' },
    { file: 'docs/capacity.md', slug: 'operating/capacity' },
    { file: 'docs/console.md', slug: 'operating/console', label: 'The console' },
  ],
  behaviour: [
    { file: 'docs/api.md', slug: 'reference/behaviour', label: 'How the API behaves' },
    { file: 'docs/webhooks.md', slug: 'reference/webhooks', label: 'Webhooks' },
  ],
  names: [
    { file: 'docs/command-line.md', slug: 'reference/command-line', label: 'Command line' },
    { file: 'docs/configuration.md', slug: 'reference/configuration' },
    { file: 'docs/glossary.md', slug: 'reference/glossary' },
  ],
  explanation: [
    { file: 'ARCHITECTURE.md', slug: 'explanation/architecture' },
    { file: 'docs/revocation.md', slug: 'explanation/revocation', label: 'Revocation' },
    { file: 'docs/explanation/screening.md', slug: 'explanation/screening' },
    { file: 'docs/explanation/graph.md', slug: 'explanation/graph' },
    { file: 'docs/explanation/ranking.md', slug: 'explanation/ranking' },
    { file: 'docs/explanation/runs.md', slug: 'explanation/runs' },
    { file: 'docs/explanation/tenants.md', slug: 'explanation/tenants' },
    { file: 'docs/limits.md', slug: 'explanation/limits', label: 'Limits across gateways' },
    { file: 'docs/reading-model.md', slug: 'explanation/reading-model', label: 'Reading without a model' },
    { file: 'docs/comparison.md', slug: 'explanation/comparison', label: 'Comparison' },
  ],
  project: [
    { file: 'CONTRIBUTING.md', slug: 'project/contributing' },
    { file: 'CHANGELOG.md', slug: 'project/changelog' },
    { file: 'SECURITY.md', slug: 'project/security' },
    { file: 'CODE_OF_CONDUCT.md', slug: 'project/conduct' },
    { file: 'docs/releasing.md', slug: 'project/releasing' },
  ],
} satisfies Record<string, PageFile[]>;

/** Files of which a generated page is made, and where that is. */
const SOURCES = {
  'docs/errors.md': 'errors',
  'sdk/README.md': 'reference/typescript',
  'sdk/python/README.md': 'reference/python',
  'README.md': '',
} as const;

/** All pages in the order in which they are listed, made from the repository at `root`. */
export function readOutline(root: string): Section[] {
  const measurements = numbered(root, 'docs/measurements/*.md', 'measurements');
  const decisions = numbered(root, 'docs/adr/*.md', 'decisions');
  const slugs = new Map<string, string>(Object.entries(SOURCES));
  for (const { file, slug } of [...Object.values(FILES).flat(), ...measurements, ...decisions]) slugs.set(file, slug);
  const repository = { root, slugs };
  const pages = (files: readonly PageFile[]) => files.map((file) => readPage(file, repository));
  const background = (files: readonly PageFile[]) => pages(files).map((page) => ({ ...page, isBackground: true }));
  return [
    { label: 'Start', entries: pages(FILES.start) },
    { label: 'Tutorials', entries: pages(FILES.tutorials) },
    { label: 'Guides', entries: pages(FILES.guides) },
    { label: 'Operating', entries: pages(FILES.operating) },
    {
      label: 'Reference',
      entries: [
        ...pages(FILES.behaviour),
        { label: 'API by resource', collapsed: true, entries: apiPages() },
        eventsPage(),
        errorsPage(readPage({ file: 'docs/errors.md', slug: 'errors' }, repository)),
        limitsPage(root),
        sdkPage('typescript', readPage({ file: 'sdk/README.md', slug: 'reference/typescript' }, repository)),
        sdkPage('python', readPage({ file: 'sdk/python/README.md', slug: 'reference/python' }, repository)),
        ...pages(FILES.names),
        { label: 'Measurements', collapsed: true, entries: background(measurements) },
      ],
    },
    {
      label: 'Explanation',
      entries: [
        ...pages(FILES.explanation),
        { label: 'Decisions', collapsed: true, entries: background(decisions).toSorted(indexFirst) },
      ],
    },
    { label: 'The project', collapsed: true, entries: background(FILES.project) },
  ];
}

/** Every page of the sections, in order. */
export function pagesOf(entries: readonly (Page | Section)[]): Page[] {
  return entries.flatMap((entry) => ('entries' in entry ? pagesOf(entry.entries) : [entry]));
}

function numbered(root: string, pattern: string, folder: string): PageFile[] {
  return globSync(pattern, { cwd: root })
    .toSorted()
    .map((file) => {
      const name = basename(file, '.md');
      return { file, slug: name === 'README' ? folder : join(folder, name) };
    });
}

function indexFirst(left: Page, right: Page): number {
  return Number(right.slug === 'decisions') - Number(left.slug === 'decisions');
}
