import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { Config } from '../../../../apps/webhooks/src/config.ts';
import type { Emission, EmitterOptions } from './emitter-process.ts';
import type { ReceivedDeliveries, ReceiversOptions } from './receivers-process.ts';

function forked(script: string): ChildProcess {
  return fork(join(import.meta.dirname, script), [], { execArgv: [], stdio: 'inherit', serialization: 'advanced' });
}

/** Sends a message and waits for an answer that has the field. */
async function asked<T>(child: ChildProcess, message: object, field: string): Promise<T> {
  const answered = new Promise<T>((resolve, reject) => {
    const ended = () => reject(new Error('a process of the measurement ended'));
    const listen = (answer: Record<string, unknown>) => {
      if (!(field in answer)) return;
      child.off('message', listen);
      child.off('exit', ended);
      resolve(answer[field] as T);
    };
    child.on('message', listen);
    child.once('exit', ended);
  });
  child.send(message);
  return answered;
}

async function ended(child: ChildProcess, signal: NodeJS.Signals = 'SIGTERM'): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = once(child, 'exit');
  child.kill(signal);
  await gone;
}

export interface Receivers {
  urls: string[];
  take(): Promise<ReceivedDeliveries>;
  close(): Promise<void>;
}

export async function startReceivers(options: ReceiversOptions & { keepKeys?: boolean }): Promise<Receivers> {
  const child = forked('receivers-process.ts');
  if (options.keepKeys === true) child.send({ keepKeys: true });
  const urls = await asked<string[]>(child, { start: options }, 'urls');
  return { urls, take: () => asked<ReceivedDeliveries>(child, { take: true }, 'came'), close: () => ended(child) };
}

interface Emitter {
  /** Commits events for so long; returns the ids of those whose commit was acknowledged. */
  emit(emission: Emission): Promise<string[]>;
  close(): Promise<void>;
}

export async function startEmitter(options: EmitterOptions): Promise<Emitter> {
  const child = forked('emitter-process.ts');
  await asked(child, { start: options }, 'ready');
  return { emit: (emission) => asked<string[]>(child, { emit: emission }, 'emitted'), close: () => ended(child) };
}

interface ServiceProcess {
  pid: number;
  close(): Promise<void>;
}

export async function startService(config: Config): Promise<ServiceProcess> {
  const child = forked('service-process.ts');
  await asked(child, config, 'ready');
  return { pid: child.pid!, close: () => ended(child, 'SIGKILL') };
}
