import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type * as operations from '@cairn/contracts';
import { RUN_EVENT_TYPES } from '@cairn/contracts';
import { notFound } from '@cairn/errors';
import { findRun } from '../ledger/run-store.ts';
import type { Database } from '@cairn/postgres';
import type { RequestContext, FileResponse } from '@cairn/service-kit';
import { findRecord, type RunRecord, statusOf } from '../runs/run-record.ts';
import { checkTicket, type TicketDeps } from '../runs/tickets.ts';
import { escapeHtml } from '../text/escape-html.ts';

const PAGE = join(import.meta.dirname, 'page');
const STYLE = readFileSync(join(PAGE, 'live.css'), 'utf8');
const SCRIPT = readFileSync(join(PAGE, 'live.js'), 'utf8');

/** Serves the page on which a person watches a run. It needs no key: the ticket in its URL admits to this run only. */
export async function showLivePage(
  deps: TicketDeps & { database: Database },
  request: RequestContext<typeof operations.showLivePage>,
): Promise<FileResponse> {
  const { thread_id } = request.params;
  const { tenantId, credentialId } = request.identity;
  if (request.query.ticket !== undefined)
    await checkTicket(deps, request.query.ticket, { threadId: thread_id, credentialId, use: 'page' });
  const found = await deps.database.withTenant(tenantId, async (tx) => ({
    run: await findRun(tx, thread_id),
    record: await findRecord(tx, thread_id),
  }));
  if (found.run === null || found.record === null) throw notFound('The run');
  const nonce = randomBytes(16).toString('base64');
  return {
    mediaType: 'text/html; charset=utf-8',
    body: pageOf(found.record, statusOf(found.run), nonce),
    headers: {
      'content-security-policy': `default-src 'none'; style-src 'nonce-${nonce}'; script-src 'nonce-${nonce}'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
      'x-robots-tag': 'noindex',
    },
  };
}

function pageOf(record: RunRecord, status: string, nonce: string): string {
  const title = escapeHtml(record.prompt.replace(/\s+/g, ' ').slice(0, 300));
  const counts = [
    ['sources', 'source read', 'sources read'],
    ['findings', 'finding', 'findings'],
    ['conflicts', 'conflict', 'conflicts'],
    ['rows', 'row', 'rows'],
  ].map(
    ([name, one, many]) =>
      `<li><b id="count-${name}">0</b> <span data-one="${one}" data-many="${many}">${many}</span></li>`,
  );
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<style nonce="${nonce}">${STYLE}</style>
</head>
<body data-types="${RUN_EVENT_TYPES.join(' ')}">
<main>
<header><h1 dir="auto" title="${title}">${title}</h1><span class="status" id="status" role="status" data-status="${status}">${status.replaceAll('_', ' ')}</span></header>
<progress id="progress" max="100" value="${record.percent}" aria-label="Progress"></progress>
<p class="stage"><span id="stage">${status === 'awaiting_connection' ? 'The run starts when its WebSocket is connected to.' : escapeHtml(record.stage)}</span> <span class="lost" id="connection" aria-live="polite"></span></p>
<ul class="counts">${counts.join('')}</ul>
<div class="grid">
<div class="column">
<section class="trouble" id="trouble-section" role="alert" hidden><h2>The run has failed</h2><p id="trouble"></p></section>
<section class="question" id="question-section" hidden><h2>The run asks</h2><p id="question"></p><p class="stage" id="question-default"></p></section>
<section id="report-section" hidden><h2>Report</h2><div class="report" id="report"></div></section>
<section id="rows-section" hidden><h2>Results</h2><div class="scroll"><table><thead><tr id="rows-head"><th data-column="name" scope="col">name</th></tr></thead><tbody id="rows"></tbody></table></div></section>
<section><h2>What happens</h2><ol class="log" id="log"></ol><p class="nothing">Nothing yet.</p></section>
</div>
<div class="column">
<section id="sources-section" hidden><h2>Sources</h2><ul class="sources" id="sources"></ul></section>
</div>
</div>
<footer>${escapeHtml(record.run_id)}</footer>
<noscript><p>This page needs JavaScript to follow the run.</p></noscript>
</main>
<script type="module" nonce="${nonce}">${SCRIPT}</script>
</body>
</html>
`;
}
