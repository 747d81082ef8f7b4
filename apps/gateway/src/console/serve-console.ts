import { notFound } from '@cairn/errors';
import type { NextFunction, Request, RequestHandler, Response } from 'express';
import type { BuiltFolder } from '../folders/read-folder.ts';
import { asksForPage, ASSETS, sendFile } from '../folders/send-file.ts';

// The one policy of Trusted Types allows the address of the graph's layout worker.
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  "worker-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  'trusted-types cairn-worker',
].join('; ');

const HEADERS = {
  'content-security-policy': POLICY,
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
};

const INDEX = 'index.html';

/** Serves the built console, or explains what is missing. Mounted at /console; reached by GET and HEAD alone. */
export function serveConsole(built: BuiltFolder | null): RequestHandler {
  return (request, response, next) => {
    response.set(HEADERS);
    if (built === null) return explainMissing(request, response, next);
    const asked = request.path.slice(1);
    // A screen's address is the page's own to read. A file that a newer build no longer has must not look like a page.
    const path = built.files.has(asked) ? asked : asked.startsWith(ASSETS) ? null : INDEX;
    if (path === null) return next(notFound('The file'));
    sendFile(built, path, { request, response, next });
  };
}

function explainMissing(request: Request, response: Response, next: NextFunction): void {
  if (!asksForPage(request)) return next(notFound('The console'));
  response.status(404).set('cache-control', 'no-store').type('html').send(MISSING_PAGE);
}

/** Leads browsers, which ask for HTML by name, from the base address to the console. */
export function redirectToConsole(request: Request, response: Response, next: NextFunction): void {
  response.vary('accept');
  if (!asksForPage(request)) return next();
  response.set('cache-control', 'no-store').redirect('/console');
}

const MISSING_PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>The console is not installed</title>
</head>
<body>
<h1>The console is not installed here</h1>
<p>This gateway was started without <code>CAIRN_CONSOLE_DIR</code>, the folder of the built console. Build it with
<code>npm run build --workspace @cairn/console</code> and start the gateway with the folder <code>apps/console/dist</code>.</p>
<p>The API works without it: <a href="/docs/try">its reference</a>.</p>
</body>
</html>
`;
