import { createServer, type ServerResponse } from 'node:http';
import { listenOnLoopback } from '@cairn/testing';

const NAMES = 'Alderney Brook Corve Dunmere Elswick Farrow Gilling Harne Ives Jarrow Kelm Lorne Marwick Norham Orwell';
const MORE = 'Penwith Quarley Roxby Selham Thurne Ufford Velden Wroot Yarrow Zeal Ashby Barlow Caston Denver Eling';
/** Thirty, with their years. */
export const WINDMILLS = `${NAMES} ${MORE}`.split(' ').map((name, n) => [name, String(1_700 + n * 7)] as const);
/** A calendar says nothing of windmills: a crawl leaves it after a few pages. */
export const CALENDAR_PAGES_MAX = 40;

/** A plain site of windmills, with a part that robots may not read and a calendar that has a next month for ever. */
export async function windmillSite() {
  const seen = { calendar: 0, forbidden: 0 };
  const page = (title: string, body: string) =>
    `<!doctype html><html><head><title>${title}</title></head><body><p><a href="/">Home</a> <a href="/calendar/1">Calendar</a> <a href="/private/">Private</a></p>${body}</body></html>`;
  const pageAt = (path: string): string => {
    const month = /^\/calendar\/(\d{1,9})$/.exec(path)?.[1];
    if (month !== undefined) {
      seen.calendar += 1;
      return page(
        `Month ${month}`,
        `<p>Nothing is on.</p><p><a href="/calendar/${Number(month) + 1}">Next month</a></p>`,
      );
    }
    const mill = WINDMILLS.find(([name]) => path === `/mills/${name.toLowerCase()}`);
    if (mill !== undefined) {
      const [name, year] = mill;
      return page(
        `${name} windmill`,
        `<h1>${name} windmill</h1><p>The windmill was built in ${year}. It stands on a hill.</p>`,
      );
    }
    const links = WINDMILLS.map(([name]) => `<li><a href="/mills/${name.toLowerCase()}">${name} windmill</a></li>`);
    return page('Windmills', `<h1>Windmills of the county</h1><ul>${links.join('')}</ul>`);
  };
  const server = createServer((request, response: ServerResponse) => {
    const path = request.url!;
    if (path === '/robots.txt') return response.end('User-agent: *\nDisallow: /private/\n');
    if (path.startsWith('/private/')) seen.forbidden += 1;
    return response.writeHead(200, { 'content-type': 'text/html' }).end(pageAt(path));
  });
  const port = await listenOnLoopback(server);
  return {
    url: `http://127.0.0.1:${port}/`,
    calendarPages: () => seen.calendar,
    forbidden: () => seen.forbidden,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}
