import { type ChildProcess, spawn } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { findFreePort } from '@cairn/embedded';
import { temporaryFolder } from '@cairn/testing';
import { onCore } from './on-core.ts';

const ANSWER = JSON.stringify({ memories: [{ memory_id: 'mem_x', display_name: 'x'.repeat(120) }] });

interface Nginx {
  url: string;
  pid: number;
  stop(): void;
}

const common = (folder: string) => `
daemon off; pid ${join(folder, 'pid')}; error_log /dev/null crit; worker_processes 1; user root;
events { worker_connections 4096; }`;
const http = (folder: string, inner: string) => `${common(folder)}
http { access_log off; keepalive_timeout 75s; keepalive_requests 1000000000;
  client_body_temp_path ${folder}/b; proxy_temp_path ${folder}/p; fastcgi_temp_path ${folder}/f; uwsgi_temp_path ${folder}/u; scgi_temp_path ${folder}/s;
  ${inner} }`;

async function run(core: number, inner: (port: number) => string): Promise<Nginx> {
  const folder = await temporaryFolder('cairn-nginx-');
  await mkdir(folder, { recursive: true });
  const port = await findFreePort();
  const file = join(folder, 'nginx.conf');
  await writeFile(file, http(folder, inner(port)));
  const [command, ...args] = onCore(core, ['nginx', '-c', file, '-p', folder]);
  const child: ChildProcess = spawn(command!, args, { stdio: 'inherit' });
  const url = `http://127.0.0.1:${port}`;
  for (let tries = 0; ; tries += 1) {
    if (child.exitCode !== null || tries > 100) throw new Error('nginx does not start; it has to be installed');
    if (
      await fetch(url)
        .then(() => true)
        .catch(() => false)
    )
      break;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  return { url, pid: child.pid!, stop: () => void child.kill('SIGTERM') };
}

/** Answers everything with the same JSON. */
export const upstream = (core: number): Promise<Nginx> =>
  run(
    core,
    (port) =>
      `server { listen 127.0.0.1:${port}; default_type application/json; location / { return 200 '${ANSWER}'; } }`,
  );

const pool = (name: string, url: string) =>
  `upstream ${name} { server ${new URL(url).host}; keepalive 256; keepalive_requests 1000000000; }`;
const pass = (name: string) => `proxy_pass http://${name}; proxy_http_version 1.1; proxy_set_header Connection "";`;

/** Keep-alive proxying and nothing else. */
export const plainProxy = (core: number, target: string): Promise<Nginx> =>
  run(
    core,
    (port) => `${pool('target', target)} server { listen 127.0.0.1:${port}; location / { ${pass('target')} } }`,
  );

/** The same, asking a service about each request. */
export const authProxy = (core: number, target: string, auth: string): Promise<Nginx> =>
  run(
    core,
    (port) => `${pool('target', target)} ${pool('auth', auth)}
      server { listen 127.0.0.1:${port};
        location / { auth_request /auth; ${pass('target')} }
        location = /auth { internal; proxy_pass_request_body off; proxy_set_header Content-Length ""; ${pass('auth')} } }`,
  );
