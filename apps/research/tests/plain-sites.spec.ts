import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { messagesOf, type ResearchHarness, startResearchHarness } from './research-harness.ts';
import { serveSite, type ServedSite } from './record-sites.ts';

let research: ResearchHarness;
const sites: ServedSite[] = [];

beforeAll(async () => {
  research = await startResearchHarness({ allowPrivateNetwork: true });
});
afterAll(async () => {
  await research.close();
  await Promise.all(sites.map((site) => site.close()));
});

async function crawled(pages: ReadonlyMap<string, string>, prompt: string, config: object = {}) {
  const site = await serveSite(pages);
  sites.push(site);
  const { body } = await research.call('POST', '/api/v1/search/agent/agentic-crawler', {
    prompt: prompt.replace('SITE', `${site.origin}/`),
    config: { sources: ['web'], ...config },
  });
  await messagesOf(await research.connect(body.websocket_url));
  const status = await research.until(body.thread_id, 'completed', 'failed');
  const rows = await research.call('GET', `/api/v1/search/lists/${body.list_id}/rows?limit=200`);
  const data = rows.body.data as { name: string; cells: Record<string, { value: string }> }[];
  return { site, status, rows: data };
}

const page = (title: string, body: string) =>
  `<!doctype html><html><head><title>${title}</title></head><body>${body}</body></html>`;

const FIRST = 'Oak Heron Amber Kestrel Stone Linden'.split(' ');
const SECOND = 'Hope Falcon Rose Crown Star'.split(' ');
const MILLS = FIRST.flatMap((first, at) =>
  SECOND.map((second, place) => ({ name: `${first} ${second}`, year: String(1_700 + at * 31 + place * 7) })),
);
const AS: Readonly<Record<string, (mill: (typeof MILLS)[number]) => string>> = {
  'a sentence without its name': ({ name, year }) => `<h1>${name}</h1><p>Built in ${year}.</p>`,
  'a sentence with its name': ({ name, year }) =>
    `<h2>${name}</h2><p>${name} was built in ${year}. It has four sails.</p>`,
  'a table without headers': ({ name, year }) =>
    `<h1>${name}</h1><table><tr><td>Built</td><td>${year}</td></tr><tr><td>Type</td><td>Smock mill</td></tr></table>`,
  'a list of terms': ({ name, year }) => `<h1>${name}</h1><dl><dt>Built</dt><dd>${year}</dd></dl>`,
};

describe('a crawl of a plain site', () => {
  it.each(
    Object.entries(AS).flatMap(([how, write]) =>
      [
        'Collect every windmill with its name and year built from SITE',
        'List all windmills of SITE with their years',
      ].map((prompt) => [how, prompt, write] as const),
    ),
  )(
    'lists each page, whose year stands in %s: %s',
    async (_how, prompt, write) => {
      const links = MILLS.map(({ name }, at) => `<li><a href="/mills/${at + 1}.html">${name}</a></li>`);
      const pages = new Map([['/', page('Windmills', `<h1>Windmills</h1><ul>${links.join('')}</ul>`)]]);
      for (const [at, mill] of MILLS.entries()) pages.set(`/mills/${at + 1}.html`, page(mill.name, write(mill)));
      const { rows } = await crawled(pages, prompt);
      const column = prompt.includes('years') ? 'years' : 'year built';
      const found = rows.map(({ name, cells }) => [name, cells[column]?.value]).toSorted();
      expect(found).toEqual(MILLS.map(({ name, year }) => [name, year]).toSorted());
    },
    120_000,
  );
});

describe('a crawl of a site with an endless calendar', () => {
  const MONTHS = 'January February March April May June July August September October November December'.split(' ');
  const CALENDAR_PAGES_MAX = 40;

  /** Months and days without end, and forty pages that say something. */
  function calendarSite(): ReadonlyMap<string, string> {
    const notes = Array.from({ length: 40 }, (_, at) => `/notes/${at + 1}.html`);
    const known = new Map([
      [
        '/',
        page(
          'Hall',
          `<h1>Hall</h1><a href="/calendar/2026/11">Calendar</a> ${notes.map((path) => `<a href="${path}">${path}</a>`).join(' ')}`,
        ),
      ],
      ...notes.map((path, at) => {
        const [first, second] = [FIRST[at % 6]!, SECOND[at % 5]!];
        return [
          path,
          page(
            `Note ${at}`,
            `<h1>${first} ${second}</h1><p>The ${first} club met the ${second} choir and they spoke of ${MILLS[at % 30]!.name}.</p><dl><dt>Date</dt><dd>${1 + (at % 28)} May 2026</dd></dl>`,
          ),
        ] as const;
      }),
    ]);
    const calendar = (path: string): string | undefined => {
      const [, year, month, day] = /^\/calendar\/(\d+)\/(\d+)(?:\/(\d+))?$/.exec(path) ?? [];
      if (year === undefined) return undefined;
      const at = (y: number, m: number) => `/calendar/${y + Math.floor((m - 1) / 12)}/${((m + 11) % 12) + 1}`;
      const [y, m] = [Number(year), Number(month)];
      const days = Array.from({ length: 28 }, (_, d) => `<td><a href="/calendar/${y}/${m}/${d + 1}">${d + 1}</a></td>`);
      const around = [at(y, m + 1), at(y, m - 1), at(y + 1, m)]
        .map((other) => `<a href="${other}">${other}</a>`)
        .join(' ');
      const grid =
        day === undefined
          ? `<table><tr>${days.join('')}</tr></table>`
          : `<p>Nothing is planned on this day of ${MONTHS[m - 1]}.</p>`;
      return page(
        'Calendar',
        `<h1>Events in ${MONTHS[m - 1]} ${y}</h1>${around}<p>The hall is open for all. There are no events that we know of.</p>${grid}`,
      );
    };
    return { get: (path: string) => known.get(path) ?? calendar(path) } as unknown as ReadonlyMap<string, string>;
  }

  it.each([
    'Read SITE and say what the Oak club and the Heron club did',
    'Collect every event of SITE with its name and date',
  ])(
    'leaves it after a few pages and reads the rest: %s',
    async (prompt) => {
      const { site, status } = await crawled(calendarSite(), prompt, { max_pages: 400 });
      expect(status.status).toBe('completed');
      expect(site.asked.filter((path) => path.startsWith('/calendar/')).length).toBeLessThanOrEqual(CALENDAR_PAGES_MAX);
      expect(site.asked.filter((path) => path.startsWith('/notes/'))).toHaveLength(40);
    },
    240_000,
  );
});
