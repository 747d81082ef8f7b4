import { createServer } from 'node:http';
import { Server, ServerCredentials } from '@grpc/grpc-js';
import express from 'express';
import { connect } from 'nats';
import pg from 'pg';
import { pino } from 'pino';

// What a service is without any code of ours: the packages that every service is made of, connected and listening.
// The peer of a service at rest. Forked with the URLs of PostgreSQL and NATS; says that it is ready.

const [databaseUrl, natsUrl] = process.argv.slice(2) as [string, string];
const logger = pino();
const database = new pg.Pool({ connectionString: databaseUrl });
await database.query('SELECT 1');
const { host, username, password } = new URL(natsUrl);
const broker = await connect({ servers: host, user: username, pass: decodeURIComponent(password) });
const rpc = new Server();
await new Promise((resolve) => rpc.bindAsync('127.0.0.1:0', ServerCredentials.createInsecure(), resolve));
const app = express();
app.get('/healthz', (_request, response) => void response.json({ status: 'ok' }));
const server = createServer(app).listen(0, '127.0.0.1', () => {
  logger.info({ broker: broker.getServer() }, 'ready');
  process.send!('ready');
});
process.on('disconnect', () => {
  server.close();
  process.exit(0);
});
