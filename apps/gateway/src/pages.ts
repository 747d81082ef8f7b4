import { OPERATIONS, openApiDocument } from '@cairn/contracts';
import { CairnError, notFound } from '@cairn/errors';
import { assertResponsive } from '@cairn/service-kit';
import express, { type NextFunction, type Request, type Response } from 'express';
import { redirectToConsole, serveConsole } from './console/serve-console.ts';
import type { DocsFolder } from './docs/docs-folder.ts';
import { docsApp } from './docs/serve-docs.ts';
import type { BuiltFolder } from './folders/read-folder.ts';
import { sendProblem } from './responses/problem-response.ts';

interface PagesDeps {
  version: string;
  baseUrl: () => string;
  /** Throws when something the gateway needs is missing. */
  ready: () => Promise<void>;
  onFailure: (error: unknown, request: Request) => void;
  /** Null when the operator named none. */
  console: BuiltFolder | null;
  docs: DocsFolder;
}

/** Paths that the gateway serves itself, without a credential. */
const OWN_PATHS: ReadonlySet<string> = new Set([
  '/',
  '/favicon.ico',
  '/healthz',
  '/readyz',
  '/openapi.json',
  '/docs',
  '/llms.txt',
  '/console',
]);
const OWN_FOLDERS = ['/docs/', '/console/'];

export function isPagePath(path: string): boolean {
  return OWN_PATHS.has(path) || OWN_FOLDERS.some((folder) => path.startsWith(folder));
}

const PAGE_HEADERS = {
  'content-security-policy':
    "default-src 'self'; img-src 'self' data:; style-src 'self' 'unsafe-inline'; object-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
};

/** The gateway's own pages: health, the OpenAPI document, the documentation and the console. */
export function pagesApp(deps: PagesDeps): express.Express {
  const app = express();
  app.disable('x-powered-by');
  app.use((_request: Request, response: Response, next: NextFunction) => {
    response.set(PAGE_HEADERS);
    next();
  });
  app.get('/healthz', (_request, response) => {
    response.set('cache-control', 'no-store').json({ status: 'ok' });
  });
  app.get('/readyz', (_request, response, next) => {
    assertResponsive();
    deps.ready().then(() => response.set('cache-control', 'no-store').json({ status: 'ready' }), next);
  });
  // Built once: it costs far more than a request without a credential may.
  let document: string | undefined;
  app.get('/openapi.json', (_request, response) => {
    document ??= JSON.stringify(openApiDocument(OPERATIONS, { version: deps.version, serverUrl: deps.baseUrl() }));
    response.type('json').send(document);
  });
  app.get('/favicon.ico', (_request, response) => {
    response.set('cache-control', 'public, max-age=86400').type('image/svg+xml').send(ICON);
  });
  app.get('/', redirectToConsole);
  app.use('/console', serveConsole(deps.console));
  const docs = docsApp(deps.docs);
  app.use('/docs', docs);
  app.get('/llms.txt', docs);
  app.use((_request: Request, _response: Response, next: NextFunction) => next(notFound('The page')));
  app.use((error: unknown, request: Request, response: Response, _next: NextFunction) => {
    const known = fromExpress(error);
    if (!(known instanceof CairnError)) deps.onFailure(known, request);
    sendProblem(request, response, known);
  });
  return app;
}

/** Express and its file server throw errors of their own for a path they cannot read. */
function fromExpress(error: unknown): unknown {
  const status = (error as { status?: unknown }).status;
  if (error instanceof CairnError || typeof status !== 'number' || status >= 500) return error;
  return status === 404
    ? notFound('The page')
    : new CairnError('malformed_request', 'The request could not be understood.', { cause: error });
}

/** The console's own; browsers ask for it on every page that names none, and take an SVG under that name. */
const ICON =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><g fill="#1f6feb"><ellipse cx="16" cy="26" rx="13" ry="5"/><ellipse cx="16" cy="16" rx="9.5" ry="4.5"/><ellipse cx="16" cy="7.500" rx="6" ry="3.800"/></g></svg>';
