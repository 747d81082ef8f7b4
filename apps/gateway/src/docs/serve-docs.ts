import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import { notFound } from '@cairn/errors';
import express, { type NextFunction, type Request, type Response } from 'express';
import { asksForPage, ASSETS, sendFile } from '../folders/send-file.ts';
import type { BuiltDocs, DocsFolder } from './docs-folder.ts';
import { ERRORS_PAGE } from './errors-page.ts';

const SWAGGER_UI_FOLDER = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'));
/** Of the package's files only those that the page refers to, not its sources and manifest. */
const SWAGGER_UI_FILES = ['swagger-ui.css', 'swagger-ui-bundle.js'];

/**
 * The documentation, mounted at /docs: the pages of the built site, and the reference to try calls in. Without the site
 * it explains what is missing, and the page of errors is there all the same.
 */
export function docsApp(folder: DocsFolder): express.Express {
  const app = express();
  app.disable('x-powered-by');
  app.get('/try', (_request, response) => {
    response.type('html').send(REFERENCE_PAGE);
  });
  app.get('/try/start.js', (_request, response) => {
    response.type('js').send(REFERENCE_SCRIPT);
  });
  for (const file of SWAGGER_UI_FILES)
    app.get(`/try/${file}`, (_request, response, next) => {
      response.sendFile(file, { root: SWAGGER_UI_FOLDER, maxAge: '1d' }, (error) => {
        if (error !== undefined) next(error);
      });
    });
  app.use((request: Request, response: Response, next: NextFunction) => {
    folder.read().then((built) => serve(built, request, response, next), next);
  });
  return app;
}

function serve(built: BuiltDocs | null, request: Request, response: Response, next: NextFunction): void {
  if (built === null) return withoutSite(request, response, next);
  const path = fileOf(built, request.path);
  if (path === null) return next(notFound('The page'));
  response.set('content-security-policy', built.policy);
  response.set('cross-origin-opener-policy', 'same-origin');
  sendFile(built, path, { request, response, next });
}

/** A page lies in the folder of its name. */
function fileOf({ files }: BuiltDocs, asked: string): string | null {
  const path = asked.replace(/^\/|\/$/g, '');
  // Those beside the pages; a page is asked for by the address that links have.
  if (files.has(path) && !path.endsWith('.html')) return path;
  const page = path === '' ? 'index.html' : `${path}/index.html`;
  return !path.startsWith(ASSETS) && files.has(page) ? page : null;
}

function withoutSite(request: Request, response: Response, next: NextFunction): void {
  if (request.path === '/errors') return void response.type('html').send(ERRORS_PAGE);
  if (request.path !== '/' || !asksForPage(request)) return next(notFound('The page'));
  response.status(404).set('cache-control', 'no-store').type('html').send(MISSING_PAGE);
}

const MISSING_PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>The documentation is not here yet</title>
</head>
<body>
<h1>The documentation is not here yet</h1>
<p>After the first start, and whenever its pages have changed, <code>npm start</code> builds it in the background, which
takes about half a minute: reload this page then. A gateway that was started by other means serves the folder that
<code>CAIRN_DOCS_DIR</code> names; <code>npm run build --workspace @cairn/docs</code> makes it below
<code>apps/docs/dist</code>.</p>
<p>Meanwhile: <a href="/docs/try">the API to try</a> and <a href="/docs/errors">what each error means</a>.</p>
</body>
</html>
`;
const REFERENCE_PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Cairn API reference</title>
<link rel="stylesheet" href="/docs/try/swagger-ui.css">
</head>
<body>
<div id="reference"></div>
<script src="/docs/try/swagger-ui-bundle.js"></script>
<script src="/docs/try/start.js"></script>
</body>
</html>
`;
// Without `validatorUrl: null` Swagger UI asks a validator on the internet about every document.
const REFERENCE_SCRIPT = `SwaggerUIBundle({ url: '/openapi.json', dom_id: '#reference', deepLinking: true, docExpansion: 'none', filter: true, defaultModelsExpandDepth: 0, persistAuthorization: false, validatorUrl: null });\n`;
