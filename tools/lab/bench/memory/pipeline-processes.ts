import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { processorTime } from '@cairn/testing';
import type { BenchServer, BenchUrls } from './bench-server.ts';

/** Where one process of the service answers, and what a request to it needs. */
interface PipelineAddress {
  url: string;
  /** As a gateway would send them. */
  headers: Record<string, string>;
}

/** Processes that serve searches of one database, as replicas of the service do. */
export interface PipelineProcesses {
  addresses: PipelineAddress[];
  /** Processor time so far, in milliseconds: of the processes, and of PostgreSQL. */
  spentMs(): Promise<{ service: number; postgres: number }>;
  close(): Promise<void>;
}

const SCRIPT = join(import.meta.dirname, 'pipeline-process.ts');

export async function startPipelineProcesses(server: BenchServer, count: number): Promise<PipelineProcesses> {
  const started = await Promise.all(Array.from({ length: count }, () => startOne(server.urls)));
  const own = started.map(({ pid }) => pid);
  // PostgreSQL's first process is the last of the bench's roots.
  const postgres = server.roots().slice(-1);
  return {
    addresses: started.map(({ address }) => address),
    spentMs: async () => ({
      service: (await processorTime(own)).own,
      postgres: (await processorTime(postgres)).own,
    }),
    async close() {
      await Promise.all(started.map(({ end }) => end()));
    },
  };
}

async function startOne(
  urls: BenchUrls,
): Promise<{ pid: number; address: PipelineAddress; end: () => Promise<unknown> }> {
  const child = spawn(process.execPath, [SCRIPT, JSON.stringify(urls)], { stdio: ['pipe', 'pipe', 'inherit'] });
  const ended = once(child, 'exit');
  const [line] = (await Promise.race([
    once(createInterface(child.stdout), 'line'),
    ended.then(() => Promise.reject(new Error('a process of the bench ended before it listened'))),
  ])) as [string];
  const end = () => {
    child.stdin.end();
    return ended;
  };
  return { pid: child.pid!, address: JSON.parse(line) as PipelineAddress, end };
}
