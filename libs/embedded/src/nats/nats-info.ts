import { connect } from 'node:net';

const ANSWER_TIMEOUT_MS = 1_000;
const INFO_MAX_BYTES = 64 * 1024;

/** The part of a NATS server's greeting that we need. */
export interface NatsInfo {
  server_name: string;
  version: string;
  jetstream?: boolean;
}

/** The greeting of the NATS server on a loopback port; null when none answers within a second. */
export function askNatsInfo(port: number): Promise<NatsInfo | null> {
  return new Promise((resolve) => {
    const socket = connect({ port, host: '127.0.0.1' });
    let received = '';
    const finish = (info: NatsInfo | null) => {
      socket.destroy();
      resolve(info);
    };
    socket.setTimeout(ANSWER_TIMEOUT_MS, () => finish(null));
    socket.once('error', () => finish(null));
    socket.once('close', () => finish(null));
    socket.setEncoding('utf8');
    socket.on('data', (chunk: string) => {
      received += chunk;
      const end = received.indexOf('\r\n');
      if (end >= 0) finish(parseInfo(received.slice(0, end)));
      else if (received.length > INFO_MAX_BYTES) finish(null);
    });
  });
}

function parseInfo(line: string): NatsInfo | null {
  if (!line.startsWith('INFO ')) return null;
  try {
    return JSON.parse(line.slice('INFO '.length)) as NatsInfo;
  } catch {
    return null;
  }
}
