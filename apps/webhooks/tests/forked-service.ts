import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { ServiceProcessOptions } from './service-process.ts';

export interface ForkedService {
  child: ChildProcess;
  /** Resolves when it stands still where it was told to. */
  halted: Promise<void>;
  /** HTTP and gRPC addresses. */
  ready: Promise<{ http: string; grpc: string }>;
  /** Ends it with -9 and waits until it is gone. */
  kill9(): Promise<void>;
}

/** The webhooks service as a process of its own, which can be killed. */
export function forkService(options: ServiceProcessOptions): ForkedService {
  const child = fork(join(import.meta.dirname, 'service-process.ts'), [], { execArgv: [], stdio: 'inherit' });
  const halted = Promise.withResolvers<void>();
  const ready = Promise.withResolvers<{ http: string; grpc: string }>();
  // Not everybody waits for both.
  halted.promise.catch(() => undefined);
  ready.promise.catch(() => undefined);
  child.on('message', (message: { halted?: string; ready?: { http: string; grpc: string }; failed?: string }) => {
    if (message.halted !== undefined) halted.resolve();
    if (message.ready !== undefined) ready.resolve(message.ready);
  });
  child.once('exit', (code, signal) => {
    const error = new Error(`the service ended (${signal ?? code})`);
    halted.reject(error);
    ready.reject(error);
  });
  child.send(options);
  return {
    child,
    halted: halted.promise,
    ready: ready.promise,
    async kill9() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const gone = once(child, 'exit');
      child.kill('SIGKILL');
      await gone;
    },
  };
}
