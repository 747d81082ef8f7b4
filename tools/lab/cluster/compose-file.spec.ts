import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { parse } from 'yaml';

interface ComposeService {
  image: string;
  mem_limit: string;
  environment: Record<string, string | number>;
  volumes?: string[];
  depends_on?: Record<string, { restart?: boolean }>;
}

describe('deploy/compose/compose.yaml', () => {
  let services: Record<string, ComposeService>;
  beforeAll(async () => {
    const file = join(import.meta.dirname, '..', '..', '..', 'deploy', 'compose', 'compose.yaml');
    const read = parse(await readFile(file, 'utf8'), { merge: true }) as { services: typeof services };
    services = read.services;
  });

  it('restarts what reads settings that an upgrade writes, and has an image of its own', () => {
    const written = services['provision']!.volumes!.map((volume) => volume.split(':')[0]!).filter((name) =>
      name.endsWith('-settings'),
    );
    const readers = Object.entries(services).filter(
      ([name, { image, volumes }]) =>
        name !== 'provision' &&
        !image.includes('cairn/') &&
        volumes?.some((volume) => written.includes(volume.split(':')[0]!)),
    );
    expect(readers.map(([name]) => name)).toEqual(['nats']);
    for (const [, { depends_on }] of readers) expect(depends_on!['provision']).toMatchObject({ restart: true });
  });

  it.each([
    ['memory', 'CAIRN_INGEST_THREADS', (workers: number) => workers * 576 + 2 * 704 + 800],
    ['research', 'CAIRN_RESEARCH_WORKERS', (workers: number) => workers * 704 + 400],
  ])('leaves room for the worker processes of %s', (name, variable, neededOf) => {
    const { mem_limit, environment } = services[name]!;
    const limit = Number(/^(\d+)m$/.exec(mem_limit)![1]);
    expect(limit).toBeGreaterThanOrEqual(neededOf(Number(environment[variable])));
  });
});
