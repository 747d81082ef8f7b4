import { once } from 'node:events';
import { connect } from 'node:net';

/** Asks a broker what a user may do, by doing it. */
export interface NatsProbe {
  mayPublish(subject: string): Promise<boolean>;
  maySubscribe(subject: string): Promise<boolean>;
  close(): void;
}

/** Connects with user and password of the URL; rejects when they are refused. */
export async function probeNats(url: string): Promise<NatsProbe> {
  const { hostname, port, username, password } = new URL(url);
  const socket = connect({ host: hostname, port: Number(port) });
  await once(socket, 'connect');
  let received = '';
  let onAnswer = (_error: Error | null) => {};
  socket.setEncoding('utf8');
  socket.on('data', (chunk: string) => {
    received += chunk;
    if (received.includes('PONG\r\n')) onAnswer(null);
  });
  socket.on('error', () => undefined);
  socket.on('close', () => onAnswer(new Error(`the broker closed the connection: ${received}`)));
  /** Sends something and a ping; what was refused is answered before the pong. */
  const send = async (command: string) => {
    received = '';
    const answered = new Promise<void>((resolve, reject) => {
      onAnswer = (error) => (error === null ? resolve() : reject(error));
    });
    socket.write(`${command}\r\nPING\r\n`);
    await answered;
    return !received.includes('-ERR');
  };
  const credentials = { user: decodeURIComponent(username), pass: decodeURIComponent(password) };
  await send(
    `CONNECT ${JSON.stringify({ ...credentials, verbose: false, pedantic: false, lang: 'probe', version: '1' })}`,
  );
  let subscriptions = 0;
  return {
    mayPublish: (subject) => send(`PUB ${subject} 0\r\n`),
    async maySubscribe(subject) {
      subscriptions += 1;
      const allowed = await send(`SUB ${subject} ${subscriptions}`);
      if (allowed) await send(`UNSUB ${subscriptions}`);
      return allowed;
    },
    close: () => socket.destroy(),
  };
}
