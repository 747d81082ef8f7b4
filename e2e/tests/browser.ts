import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { eventually } from '@cairn/testing';
import axe from 'axe-core';
import { WebSocket } from 'ws';
import { browserProgram } from './browser-program.ts';

/** The browser of the specs, if there is one. */
export const BROWSER = browserProgram();

export interface View {
  width: number;
  height: number;
  dark?: boolean;
}

export interface Page {
  /** The value of an expression in the page. */
  ask<T>(expression: string): Promise<T>;
  /** Waits until the expression is true. */
  until(expression: string): Promise<void>;
  /** The whole page as it is seen now, as PNG. */
  screenshot(view: View): Promise<Buffer>;
  /** What the page said on its console and what it failed to do. */
  complaints(): string[];
  /** Addresses that it asked for. */
  requests(): string[];
  /** Leads it elsewhere. */
  lead(url: string): Promise<void>;
  /** Rules of WCAG that it breaks, those that axe calls serious or critical, with the first element of each. */
  barriers(): Promise<string[]>;
}

interface Browser {
  open(url: string, view: View): Promise<Page>;
  close(): Promise<void>;
}

const READY_MS = 60_000;
const SEEN_MS = 90_000;
const COMMAND_MS = 45_000;
const CLOSE_MS = 10_000;

type Send = (method: string, parameters?: object) => Promise<Record<string, unknown>>;

/** A headless browser that is spoken to over the DevTools protocol. */
export async function startBrowser(folder: string): Promise<Browser> {
  const options = ['--headless=new', '--no-sandbox', '--disable-gpu', '--hide-scrollbars'];
  const child = spawn(BROWSER!, [...options, '--remote-debugging-port=0', `--user-data-dir=${folder}`, 'about:blank'], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const address = await debuggingAddress(child);
  const browser = await connect(address, () => undefined);
  const base = `ws://${new URL(address).host}/devtools/page/`;
  return {
    async open(url, view) {
      const { targetId } = (await browser.send('Target.createTarget', { url: 'about:blank' })) as { targetId: string };
      return openPage(`${base}${targetId}`, url, view);
    },
    async close() {
      // Asked to, it ends its own processes first; killed, they would go on writing to its folder.
      const ended = once(child, 'exit');
      const stuck = setTimeout(() => child.kill('SIGKILL'), CLOSE_MS);
      browser.send('Browser.close').catch(() => child.kill('SIGKILL'));
      await ended;
      clearTimeout(stuck);
      browser.close();
    },
  };
}

async function debuggingAddress(child: ChildProcess): Promise<string> {
  let said = '';
  child.stderr!.on('data', (bytes: Buffer) => {
    said += bytes.toString();
  });
  const address = () => /DevTools listening on (ws:\S+)/.exec(said)?.[1];
  return (await eventually(address, (found) => found !== undefined, READY_MS))!;
}

async function connect(
  address: string,
  onEvent: (method: string, parameters: Record<string, unknown>) => void,
): Promise<{ send: Send; close: () => void }> {
  const socket = new WebSocket(address, { perMessageDeflate: false, maxPayload: 256 * 1_048_576 });
  await once(socket, 'open');
  let count = 0;
  const waiting = new Map<number, { resolve: (value: never) => void; reject: (error: Error) => void }>();
  socket.on('message', (bytes) => {
    const message = JSON.parse((bytes as Buffer).toString()) as {
      id?: number;
      method?: string;
      params?: Record<string, unknown>;
      result?: never;
      error?: { message: string };
    };
    if (message.id === undefined) return onEvent(message.method ?? '', message.params ?? {});
    const asked = waiting.get(message.id);
    waiting.delete(message.id);
    if (asked === undefined) return;
    const { resolve, reject } = asked;
    if (message.error === undefined) resolve(message.result!);
    else reject(new Error(message.error.message));
  });
  return {
    send: (method, params = {}) =>
      new Promise((resolve, reject) => {
        const id = (count += 1);
        waiting.set(id, { resolve, reject });
        socket.send(JSON.stringify({ id, method, params }));
        setTimeout(() => {
          if (waiting.delete(id)) reject(new Error(`the browser did not answer ${method}`));
        }, COMMAND_MS).unref();
      }),
    close: () => socket.close(),
  };
}

async function openPage(address: string, url: string, view: View): Promise<Page> {
  const complaints: string[] = [];
  const requests: string[] = [];
  const { send } = await connect(address, (method, parameters) => {
    if (method === 'Runtime.exceptionThrown') complaints.push(JSON.stringify(parameters['exceptionDetails']));
    if (method === 'Log.entryAdded' && !isOfRenderer(parameters)) complaints.push(JSON.stringify(parameters['entry']));
    if (method === 'Network.requestWillBeSent') requests.push((parameters['request'] as { url: string }).url);
  });
  await Promise.all([send('Page.enable'), send('Runtime.enable'), send('Log.enable'), send('Network.enable')]);
  await look(send, view);
  await send('Page.navigate', { url });
  const ask = async <T>(expression: string): Promise<T> => {
    const { result } = (await send('Runtime.evaluate', { expression, returnByValue: true, awaitPromise: true })) as {
      result: { value: T };
    };
    return result.value;
  };
  return {
    ask,
    async until(expression) {
      await eventually(
        () => ask<unknown>(expression),
        (value) => value === true,
        SEEN_MS,
      );
    },
    async screenshot(wanted) {
      await look(send, wanted);
      // A page behind another is not painted.
      await send('Page.bringToFront');
      const { data } = (await send('Page.captureScreenshot', { format: 'png', captureBeyondViewport: true })) as {
        data: string;
      };
      return Buffer.from(data, 'base64');
    },
    complaints: () => complaints,
    requests: () => requests,
    async lead(next) {
      await send('Page.navigate', { url: next });
    },
    async barriers() {
      await ask(axe.source);
      return ask<string[]>(`axe.run({ resultTypes: ['violations'] }).then(({ violations }) => violations
        .filter(({ impact }) => impact === 'serious' || impact === 'critical')
        .map(({ id, nodes }) => id + ': ' + nodes[0].html.slice(0, 200) + ' ' + (nodes[0].any[0]?.message ?? '')))`);
    },
  };
}

/** A machine without a graphics card says so; the page has no part in it. */
function isOfRenderer(parameters: Record<string, unknown>): boolean {
  return (parameters['entry'] as { source?: string }).source === 'rendering';
}

async function look(send: Send, { width, height, dark = false }: View): Promise<void> {
  await send('Emulation.setDeviceMetricsOverride', { width, height, deviceScaleFactor: 1, mobile: width < 600 });
  const features = [
    { name: 'prefers-color-scheme', value: dark ? 'dark' : 'light' },
    // Colours of what fades in are nobody's.
    { name: 'prefers-reduced-motion', value: 'reduce' },
  ];
  await send('Emulation.setEmulatedMedia', { features });
}
