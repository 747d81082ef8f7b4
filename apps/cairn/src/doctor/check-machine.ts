import { statfs } from 'node:fs/promises';
import { unknownVariables } from '@cairn/service-kit';
import type { Environment } from '../up/service-variables.ts';
import { failed, type Finding, messageOf, ok, warning } from './finding.ts';

const NODE_MAJOR = 24;
const DISK_WARNING_SHARE = 0.15;
const DISK_FAILED_SHARE = 0.05;
const GIB = 1_073_741_824;

export function checkNode(version = process.versions.node): Finding {
  const major = Number(version.split('.')[0]);
  return major >= NODE_MAJOR
    ? ok('node', `Node ${version}`)
    : failed('node', `Node ${version} is too old.`, `Use Node ${NODE_MAJOR} or later.`);
}

/** Variables named like Cairn's that nothing reads. */
export function checkVariables(environment: Environment): Finding {
  const unknown = unknownVariables(environment);
  return unknown.length === 0
    ? ok('variables', 'Every CAIRN_ variable that is set here is known.')
    : warning('variables', `Nothing reads ${unknown.join(', ')}.`, 'Correct the names; docs/configuration.md has all.');
}

/** Room on the disk of the folder. PostgreSQL and NATS stop when there is none. */
export async function checkDisk(folder: string): Promise<Finding> {
  try {
    const { bavail, blocks, bsize } = await statfs(folder);
    return diskFinding(bavail * bsize, blocks * bsize);
  } catch (error) {
    return failed('disk', `${folder}: ${messageOf(error)}`, 'Check that the folder exists and may be read.');
  }
}

export function diskFinding(freeBytes: number, totalBytes: number): Finding {
  const share = freeBytes / totalBytes;
  const message = `${(freeBytes / GIB).toFixed(1)} GiB of ${(totalBytes / GIB).toFixed(1)} GiB are free (${Math.round(share * 100)} %).`;
  const action = 'Make room or enlarge the disk: PostgreSQL and NATS stop when it is full.';
  if (share < DISK_FAILED_SHARE) return failed('disk', message, action);
  return share < DISK_WARNING_SHARE ? warning('disk', message, action) : ok('disk', message);
}
