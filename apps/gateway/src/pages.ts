import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import { OPERATIONS, openApiDocument } from '@cairn/contracts';
import { CairnError, notFound } from '@cairn/errors';
import { assertResponsive } from '@cairn/service-kit';
import express, { type NextFunction, type Request, type Response } from 'express';
import type { BuiltConsole } from './console/read-console.ts';
import { leadToConsole, serveConsole } from './console/serve-console.ts';
import { ERRORS_PAGE } from './errors-page.ts';
import { sendProblem } from './responses/problem-response.ts';

interface PagesDeps {
  version: string;
  baseUrl: () => string;
  /** Throws when something the gateway needs is missing. */
  ready: () => Promise<void>;
  onFailure: (error: unknown, request: Request) => void;
  /** Null when the operator named none. */
  console: BuiltConsole | null;
}

/** Paths that the gateway serves itself, without a credential. */
const OWN_PATHS: ReadonlySet<string> = new Set([
  '/',
  '/favicon.ico',
  '/healthz',
  '/readyz',
  '/openapi.json',
  '/docs',
  '/console',
]);
const OWN_FOLDERS = ['/docs/', '/console/'];

export function isPagePath(path: string): boolean {
  return OWN_PATHS.has(path) || OWN_FOLDERS.some((folder) => path.startsWith(folder));
}

const SWAGGER_UI_FOLDER = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'));
/** Of the package's files only those that the page refers to, not its sources and manifest. */
const SWAGGER_UI_FILES = ['swagger-ui.css', 'swagger-ui-bundle.js'];
const PAGE_HEADERS = {
  'content-security-policy':
    "default-src 'self'; img-src 'self' data:; style-src 'self' 'unsafe-inline'; object-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
};

/** The gateway's own pages: health, the OpenAPI document and its reference. */
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
  app.get('/docs', (_request, response) => {
    response.type('html').send(REFERENCE_PAGE);
  });
  app.get('/docs/errors', (_request, response) => {
    response.type('html').send(ERRORS_PAGE);
  });
  app.get('/docs/start.js', (_request, response) => {
    response.type('js').send(REFERENCE_SCRIPT);
  });
  for (const file of SWAGGER_UI_FILES)
    app.get(`/docs/${file}`, (_request, response, next) => {
      response.sendFile(file, { root: SWAGGER_UI_FOLDER, maxAge: '1d' }, (error) => {
        if (error !== undefined) next(error);
      });
    });
  app.get('/favicon.ico', (_request, response) => {
    response.set('cache-control', 'public, max-age=86400').type('image/svg+xml').send(ICON);
  });
  app.get('/', leadToConsole);
  app.use('/console', serveConsole(deps.console));
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
const REFERENCE_PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Cairn API reference</title>
<link rel="stylesheet" href="/docs/swagger-ui.css">
</head>
<body>
<div id="reference"></div>
<script src="/docs/swagger-ui-bundle.js"></script>
<script src="/docs/start.js"></script>
</body>
</html>
`;
// Without `validatorUrl: null` Swagger UI asks a validator on the internet about every document.
const REFERENCE_SCRIPT = `SwaggerUIBundle({ url: '/openapi.json', dom_id: '#reference', deepLinking: true, docExpansion: 'none', filter: true, defaultModelsExpandDepth: 0, persistAuthorization: false, validatorUrl: null });\n`;
