import { extname } from 'node:path';
import type { NextFunction, Request, Response } from 'express';
import type { BuiltFolder } from './read-folder.ts';

/** Names below it contain a hash of the content. */
export const ASSETS = 'assets/';

/** Sends a listed file, in the smallest encoding that is kept of it and accepted. */
export function sendFile(
  { folder, files }: BuiltFolder,
  path: string,
  { request, response, next }: { request: Request; response: Response; next: NextFunction },
): void {
  const chosen = files.get(path)!.find(({ encoding }) => request.acceptsEncodings(encoding) !== false);
  response.type(extname(path)).vary('accept-encoding');
  response.set('cache-control', path.startsWith(ASSETS) ? 'public, max-age=31536000, immutable' : 'no-cache');
  if (chosen !== undefined) response.set('content-encoding', chosen.encoding);
  response.sendFile(`${path}${chosen?.ending ?? ''}`, { root: folder, cacheControl: false }, (error) => {
    if (error === undefined) return;
    // The error has a body of its own.
    if (!response.headersSent) response.removeHeader('content-encoding');
    next(error);
  });
}

/** Programs accept anything or JSON; only browsers name HTML. */
export function asksForPage(request: Request): boolean {
  return request.headers.accept?.includes('text/html') === true;
}
