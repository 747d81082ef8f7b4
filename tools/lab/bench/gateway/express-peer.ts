import express from 'express';
import { createProxyMiddleware } from 'http-proxy-middleware';
import { Agent } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Plain Express with http-proxy-middleware, without any check. */
const app = express();
app.use(createProxyMiddleware({ target: process.argv[2]!, changeOrigin: true, agent: new Agent({ keepAlive: true }) }));
const server = app.listen(0, '127.0.0.1', () =>
  process.send?.({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }),
);
process.on('disconnect', () => process.exit());
