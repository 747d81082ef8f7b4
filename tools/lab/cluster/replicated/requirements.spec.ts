import { chmod, mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { temporaryFolder } from '@cairn/testing';
import { missingRequirements } from './requirements.ts';

let root: string;
beforeEach(async () => {
  root = await temporaryFolder('cairn-root-');
});
afterEach(() => rm(root, { recursive: true, force: true }));

const put = async (path: string) => {
  const file = join(root, path);
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, '');
  await chmod(file, 0o755);
};

it('names the servers that are not below the root, and how to get them', async () => {
  for (const path of ['usr/bin/patroni', 'usr/bin/etcd', 'usr/sbin/haproxy']) await put(path);
  const [sentence] = missingRequirements(root).filter((line) => line.includes('CAIRN_CLUSTER_ROOT'));
  expect(sentence).toMatch(/postgres, \S+nats-server are not there.+mmdebstrap/);
  expect(sentence).not.toMatch(/usr\/bin\/patroni/);
});

it('says nothing about the servers when all are there', async () => {
  const servers = ['usr/bin/patroni', 'usr/bin/etcd', 'usr/sbin/haproxy', 'usr/sbin/nats-server'];
  for (const path of [...servers, 'usr/lib/postgresql/17/bin/postgres']) await put(path);
  expect(missingRequirements(root).join()).not.toContain('CAIRN_CLUSTER_ROOT');
});
