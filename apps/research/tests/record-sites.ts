import { listenOnLoopback } from '@cairn/testing';
import { createServer, type Server } from 'node:http';

/** A site of records in one layout, with what a reader finds on it. */
interface RecordSite {
  pages: ReadonlyMap<string, string>;
  rows: readonly { name: string; cells: Readonly<Record<string, string>> }[];
}

const FIRST = 'Ada Bruno Chiara Dmitri Elif Farid Greta Hugo Ines Jonas Kaito Lena Marco Nadia Oskar Petra'.split(' ');
const LAST = 'Keller Moreau Okafor Lindgren Petrov Santos Tanaka Ueland'.split(' ');
const NAMES = FIRST.map((first, index) => `${first} ${LAST[(index * 3) % LAST.length]}`);
const slug = (text: string) => text.toLowerCase().replace(/[^a-z0-9]+/g, '-');
const shell = (title: string, body: string, head = '') =>
  `<!doctype html><html><head><title>${title} | Example</title>${head}</head><body><nav><a href="/">Home</a> <a href="/about/">About</a> <a href="/blog/">Blog</a></nav><main>${body}</main><footer><a href="/privacy">Privacy</a></footer></body></html>`;

/** Pages that are about something else. */
function others(pages: Map<string, string>): void {
  pages.set('/about/', shell('About', '<h1>About us</h1><p>We have been here since 1994 and answer all letters.</p>'));
  const posts = Array.from({ length: 12 }, (_, index) => `Note ${index + 1}`);
  pages.set(
    '/blog/',
    shell(
      'Blog',
      `<h1>Blog</h1><ul>${posts.map((post) => `<li><a href="/blog/${slug(post)}/">${post}</a></li>`).join('')}</ul>`,
    ),
  );
  for (const post of posts)
    pages.set(
      `/blog/${slug(post)}/`,
      shell(post, `<h1>${post}</h1><p>The weather was fine and the doors were open. Nobody came by today.</p>`),
    );
}

/** A shop with schema.org products in JSON-LD and paginated cards. */
export function shopSite(): RecordSite {
  const things = [
    'Lamp',
    'Chair',
    'Desk',
    'Shelf',
    'Stool',
    'Bench',
    'Rug',
    'Clock',
    'Vase',
    'Mirror',
    'Table',
    'Sofa',
  ];
  const products = things.map((thing, index) => ({
    name: `${['Oslo', 'Turin', 'Porto'][index % 3]} ${thing}`,
    price: `${19 + index * 7}.50`,
    brand: ['Nordwood', 'Casa Lume'][index % 2]!,
    sku: `SK-${4_000 + index}`,
  }));
  const pages = new Map<string, string>();
  pages.set('/', shell('Shop', '<h1>Welcome</h1><p><a href="/shop/">All products</a></p>'));
  for (let page = 0; page < 3; page += 1) {
    const cards = products
      .slice(page * 4, page * 4 + 4)
      .map(
        ({ name, price }) =>
          `<article class="product"><a href="/product/${slug(name)}/"><img alt="" src="/x.png"><h2>${name}</h2></a><span class="price">€${price}</span></article>`,
      );
    const next = page < 2 ? `<a class="next" href="/shop/page/${page + 2}/">→</a>` : '';
    pages.set(
      page === 0 ? '/shop/' : `/shop/page/${page + 1}/`,
      shell('Products', `<h1>Products</h1><div class="products">${cards.join('')}</div>${next}`),
    );
  }
  for (const { name, price, brand, sku } of products) {
    const data = {
      '@context': 'https://schema.org',
      '@type': 'Product',
      name,
      sku,
      brand: { '@type': 'Brand', name: brand },
      offers: { '@type': 'Offer', price, priceCurrency: 'EUR' },
    };
    pages.set(
      `/product/${slug(name)}/`,
      shell(
        name,
        `<h1>${name}</h1><p>Made to last, and delivered within a week to your door.</p>`,
        `<script type="application/ld+json">${JSON.stringify(data)}</script>`,
      ),
    );
  }
  others(pages);
  return { pages, rows: products.map(({ name, price, brand, sku }) => ({ name, cells: { price, brand, sku } })) };
}

/** A team directory: every member on one page, by classes alone. */
export function teamSite(): RecordSite {
  const members = NAMES.slice(0, 10).map((name, index) => ({
    name,
    role: ['Head of Sales', 'Engineer', 'Accountant', 'Designer'][index % 4]!,
    email: `${slug(name).replace('-', '.')}@example.org`,
  }));
  const cards = members.map(
    ({ name, role, email }) =>
      `<div class="team-member"><h3 class="member-name">${name}</h3><div class="member-role">${role}</div><a href="mailto:${email}">Write</a></div>`,
  );
  const pages = new Map<string, string>();
  pages.set('/', shell('Home', '<h1>Example GmbH</h1><p>Meet <a href="/team/">our team</a>.</p>'));
  pages.set(
    '/team/',
    shell('Team', `<h1>Our team</h1><p>The people behind the company.</p><div class="grid">${cards.join('')}</div>`),
  );
  others(pages);
  return { pages, rows: members.map(({ name, role, email }) => ({ name, cells: { role, email } })) };
}

/** A wiki with infoboxes, and a category page that names its articles. */
export function wikiSite(): RecordSite {
  const rivers = ['Alva', 'Brenn', 'Corda', 'Dellin', 'Esk Water', 'Farro', 'Glimm', 'Hest'].map((name, index) => ({
    name,
    length: `${40 + index * 13} km`,
    mouth: ['Lake Orm', 'North Bay'][index % 2]!,
    country: ['Norway', 'Sweden'][index % 2]!,
  }));
  const pages = new Map<string, string>();
  const wiki = (title: string, body: string) =>
    `<!doctype html><html><head><title>${title} - Wiki</title></head><body><div id="menu"><a href="/wiki/Main">Main page</a> <a href="/wiki/Help">Help</a></div><div id="content"><h1>${title}</h1>${body}</div></body></html>`;
  pages.set(
    '/',
    wiki(
      'Main',
      '<p>See the <a href="/wiki/Category:Rivers">rivers</a> and the <a href="/wiki/Category:Hills">hills</a>.</p>',
    ),
  );
  pages.set(
    '/wiki/Category:Rivers',
    wiki(
      'Category:Rivers',
      `<ul>${rivers.map(({ name }) => `<li><a href="/wiki/${name.replace(' ', '_')}">${name}</a></li>`).join('')}</ul>`,
    ),
  );
  for (const { name, length, mouth, country } of rivers)
    pages.set(
      `/wiki/${name.replace(' ', '_')}`,
      wiki(
        name,
        `<table class="infobox"><tr><th colspan="2">${name}</th></tr><tr><th>Length</th><td>${length}</td></tr><tr><th>Mouth</th><td>${mouth}</td></tr><tr><th>Country</th><td>${country}</td></tr></table><p>The ${name} is a river in ${country}. It is fished in spring.</p>`,
      ),
    );
  const hills = ['Old Top', 'Windy Hill', 'Grey Fell', 'Long Rise', 'Bare Knoll'];
  pages.set(
    '/wiki/Category:Hills',
    wiki(
      'Category:Hills',
      `<ul>${hills.map((name) => `<li><a href="/wiki/${name.replace(' ', '_')}">${name}</a></li>`).join('')}</ul>`,
    ),
  );
  for (const name of hills)
    pages.set(
      `/wiki/${name.replace(' ', '_')}`,
      wiki(
        name,
        `<table class="infobox"><tr><th>Height</th><td>512 m</td></tr><tr><th>Country</th><td>Norway</td></tr></table><p>${name} is a hill in Norway. It is walked in summer.</p>`,
      ),
    );
  return { pages, rows: rivers.map(({ name, length, mouth }) => ({ name, cells: { length, mouth } })) };
}

/** Books in one table with a header, over several pages. */
export function tableSite(): RecordSite {
  const books = NAMES.map((author, index) => ({
    name: `The ${['Quiet', 'Amber', 'Last', 'Hidden'][index % 4]} ${['Harbour', 'Orchard', 'Engine', 'Winter'][Math.floor(index / 4)]}`,
    author,
    year: String(1_931 + index * 5),
  }));
  const pages = new Map<string, string>();
  pages.set(
    '/',
    shell('Library', '<h1>Library</h1><p>See the <a href="/catalogue?page=1">catalogue of books</a>.</p>'),
  );
  for (let page = 0; page < 4; page += 1) {
    const rows = books
      .slice(page * 4, page * 4 + 4)
      .map(({ name, author, year }) => `<tr><td>${name}</td><td>${author}</td><td>${year}</td></tr>`);
    const next = page < 3 ? `<p><a href="/catalogue?page=${page + 2}">Next page</a></p>` : '';
    pages.set(
      `/catalogue?page=${page + 1}`,
      shell(
        'Books',
        `<h1>Books</h1><table><thead><tr><th>Title</th><th>Written by</th><th>Published</th></tr></thead><tbody>${rows.join('')}</tbody></table>${next}`,
      ),
    );
  }
  others(pages);
  return { pages, rows: books.map(({ name, author, year }) => ({ name, cells: { author, year } })) };
}

export interface ServedSite {
  origin: string;
  asked: string[];
  close(): Promise<void>;
}

/** Serves a site on loopback, with robots.txt and whatever headers some of its pages have. */
export async function serveSite(
  pages: ReadonlyMap<string, string>,
  headers: ReadonlyMap<string, Record<string, string>> = new Map(),
): Promise<ServedSite> {
  const asked: string[] = [];
  const server: Server = createServer((request, response) => {
    const path = decodeURI(request.url ?? '/');
    asked.push(path);
    const body = path === '/robots.txt' ? 'User-agent: *\nDisallow: /private/\n' : pages.get(path);
    response.writeHead(body === undefined ? 404 : 200, {
      'content-type': path === '/robots.txt' ? 'text/plain' : 'text/html; charset=utf-8',
      ...headers.get(path),
    });
    response.end(body ?? 'Not found');
  });
  const port = await listenOnLoopback(server);
  return {
    origin: `http://127.0.0.1:${port}`,
    asked,
    close: () => new Promise((resolve) => void server.close(() => resolve())),
  };
}
