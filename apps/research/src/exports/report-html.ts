import { createHash } from 'node:crypto';
import { escapeHtml } from '../text/escape-html.ts';
import { originOf, type ReportFacts } from './report-json.ts';
import type { ReportBlock, ReportDocument, CitedStatement } from './report-document.ts';

const STYLE = `:root{color-scheme:light dark}
body{font:1rem/1.55 system-ui,sans-serif;max-width:44rem;margin:2.5rem auto;padding:0 1.25rem;overflow-wrap:anywhere}
h1{font-size:1.6rem;line-height:1.25;margin:0 0 .25rem}h2{font-size:1.15rem;margin:2rem 0 .5rem}
.about{color:color-mix(in srgb,CanvasText 68%,Canvas);font-size:.875rem;margin:0 0 1.5rem}
ul{padding-left:1.25rem}li{margin:.35rem 0}
blockquote{margin:.5rem 0;padding-left:1rem;border-left:3px solid GrayText}
.scroll{overflow-x:auto}table{border-collapse:collapse;font-size:.9375rem;min-width:60%}
th,td{text-align:left;vertical-align:top;padding:.35rem .75rem .35rem 0;border-bottom:1px solid color-mix(in srgb,GrayText 45%,transparent);overflow-wrap:normal}
sup{line-height:0;font-size:.75em;margin-left:.15em}sup a{text-decoration:none;padding:0 .1em}
.sources{font-size:.875rem}.sources q{color:color-mix(in srgb,CanvasText 68%,Canvas);quotes:"“" "”"}.sources li{margin:.6rem 0}
:target{outline:2px solid Highlight;outline-offset:.25rem}
@media print{body{margin:0;max-width:none}h2{break-after:avoid}li,tr{break-inside:avoid}}`;

const POLICY = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'`,
  "base-uri 'none'",
  "form-action 'none'",
];
/** For the response's header. A page may not say itself who frames it. */
export const HTML_POLICY = [...POLICY, "frame-ancestors 'none'", 'sandbox allow-popups'].join('; ');

/** The report as one page: no script, and nothing that is loaded from anywhere. */
export function reportHtml({ title, sections, citations }: ReportDocument, facts: ReportFacts): string {
  const known = new Set(citations.map(({ number }) => number));
  const say = (statement: CitedStatement) => `${escapeHtml(statement.text)}${marksOf(statement, known)}`;
  const parts = sections.map(({ heading, blocks }) => {
    const head = heading === '' ? '' : `<h2 dir="auto">${escapeHtml(heading)}</h2>\n`;
    return `<section>\n${head}${blocks.map((block) => blockHtml(block, say)).join('\n')}\n</section>`;
  });
  const date = (facts.finished_at ?? facts.created_at).slice(0, 10);
  const assumed = facts.assumptions.map((text) => `<p class="about" dir="auto">${escapeHtml(text)}</p>`);
  return [
    '<!doctype html>',
    '<html lang="en">',
    '<head>',
    ...headHtml(title),
    '</head>',
    '<body>',
    `<h1 dir="auto">${escapeHtml(title)}</h1>`,
    `<p class="about">${escapeHtml(date)}. ${originOf(facts)}</p>`,
    ...assumed,
    ...parts,
    ...sourcesHtml(citations),
    '</body>',
    '</html>',
    '',
  ].join('\n');
}

/** What is loaded before the text: nothing but the style above. */
function headHtml(title: string): string[] {
  return [
    '<meta charset="utf-8">',
    `<meta http-equiv="Content-Security-Policy" content="${escapeHtml(POLICY.join('; '))}">`,
    '<meta name="referrer" content="no-referrer">',
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    `<title>${escapeHtml(title)}</title>`,
    `<style>${STYLE}</style>`,
  ];
}

function sourcesHtml(citations: ReportDocument['citations']): string[] {
  if (citations.length === 0) return [];
  const items = citations.map(
    ({ number, title, uri, quote }) =>
      `<li id="source-${number}" value="${number}"><span dir="auto">${linked(title, uri)}</span><br><q dir="auto">${escapeHtml(quote)}</q></li>`,
  );
  return [`<section>\n<h2>Sources</h2>\n<ol class="sources">\n${items.join('\n')}\n</ol>\n</section>`];
}

function blockHtml(block: ReportBlock, say: (statement: CitedStatement) => string): string {
  switch (block.kind) {
    case 'paragraph':
      return `<p dir="auto">${block.statements.map(say).join(' ')}</p>`;
    case 'list':
      return `<ul>\n${block.statements.map((one) => `<li dir="auto">${say(one)}</li>`).join('\n')}\n</ul>`;
    case 'quote':
      return `<blockquote>\n${block.statements.map((one) => `<p dir="auto">${say(one)}</p>`).join('\n')}\n</blockquote>`;
    case 'table': {
      const head = block.columns.map((name) => `<th scope="col" dir="auto">${escapeHtml(name)}</th>`).join('');
      const rows = block.rows.map(
        (row) => `<tr>${row.map((cell) => `<td dir="auto">${say(cell)}</td>`).join('')}</tr>`,
      );
      return `<div class="scroll"><table>\n<thead><tr>${head}</tr></thead>\n<tbody>\n${rows.join('\n')}\n</tbody>\n</table></div>`;
    }
    default:
      return block satisfies never;
  }
}

function marksOf({ citations }: CitedStatement, known: ReadonlySet<number>): string {
  const marks = citations.map((number) =>
    known.has(number) ? `<a href="#source-${number}">${number}</a>` : `${number}`,
  );
  return marks.length === 0 ? '' : `<sup>${marks.join(' ')}</sup>`;
}

function linked(name: string, uri: string | null): string {
  if (uri === null) return escapeHtml(name);
  if (!/^https?:\/\//i.test(uri)) return `${escapeHtml(name)} (${escapeHtml(uri)})`;
  return `<a href="${escapeHtml(uri)}" rel="noopener noreferrer nofollow">${escapeHtml(name)}</a>`;
}
