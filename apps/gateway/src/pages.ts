import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import { OPERATIONS, openApiDocument } from '@cairn/contracts';
import { problemHeaders, toProblem } from '@cairn/errors';
import express, { type NextFunction, type Request, type Response } from 'express';

export interface PagesParts {
  version: string;
  baseUrl: () => string;
  /** Throws when something the gateway needs is missing. */
  ready: () => Promise<void>;
}

/** Paths the gateway answers itself, without a credential. */
export const OWN_PATHS: ReadonlySet<string> = new Set(['/healthz', '/readyz', '/openapi.json', '/docs']);

const SWAGGER_UI_FOLDER = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'));
const CONTENT_SECURITY_POLICY = "default-src 'self'; img-src 'self' data:; style-src 'self' 'unsafe-inline'; frame-ancestors 'none'";

/** The gateway's own pages: health, the OpenAPI document and its reference. */
export function pagesApp(parts: PagesParts): express.Express {
  const app = express();
  app.disable('x-powered-by');
  app.get('/healthz', (_request, response) => {
    response.json({ status: 'ok' });
  });
  app.get('/readyz', (_request, response, next) => {
    parts.ready().then(() => response.json({ status: 'ready' }), next);
  });
  app.get('/openapi.json', (_request, response) => {
    response.json(openApiDocument(OPERATIONS, { version: parts.version, serverUrl: parts.baseUrl() }));
  });
  app.get('/docs', (_request, response) => {
    response.setHeader('content-security-policy', CONTENT_SECURITY_POLICY);
    response.type('html').send(REFERENCE_PAGE);
  });
  app.get('/docs/start.js', (_request, response) => {
    response.type('js').send(REFERENCE_SCRIPT);
  });
  app.use('/docs', express.static(SWAGGER_UI_FOLDER, { index: false, maxAge: '1d' }));
  app.use((error: unknown, request: Request, response: Response, _next: NextFunction) => {
    const problem = toProblem(error, String(request.headers['x-request-id'] ?? ''));
    response.set(problemHeaders(error)).status(problem.status).json(problem);
  });
  return app;
}

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
const REFERENCE_SCRIPT = `SwaggerUIBundle({ url: '/openapi.json', dom_id: '#reference', deepLinking: true, defaultModelsExpandDepth: 0, persistAuthorization: false });\n`;
