import { createHash, timingSafeEqual } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** The least that a service asked by nginx's `auth_request` does: it looks the digest of the key up. */
const known = Buffer.from(process.argv[2]!, 'hex');
const server = createServer((request, response) => {
  const digest = createHash('sha256').update(String(request.headers['x-api-key'])).digest();
  response.statusCode = timingSafeEqual(digest, known) ? 204 : 401;
  response.end();
});
server.keepAliveTimeout = 60_000;
server.listen(0, '127.0.0.1', () =>
  process.send?.({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }),
);
process.on('disconnect', () => process.exit());
