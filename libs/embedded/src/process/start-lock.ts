import { randomBytes } from 'node:crypto';
import { link, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { deadlineIn, type Deadline } from './deadline.ts';
import { EmbeddedStartError, errorCode } from '../embedded-start-error.ts';
import { isSameProcess, processIdentity } from './process-identity.ts';
import { setTimeout as sleep } from 'node:timers/promises';

const RETRY_INTERVAL_MS = 25;
const CLAIM_PATTERN = /^start-lock\.(\d+)$/;

interface Claim {
  pid: number;
  identity: string;
  released: boolean;
}

interface StartLock {
  release(): Promise<void>;
}

/**
 * One start at a time per folder, also after a holder was killed with -9.
 *
 * A claim is the file `start-lock.<n>`; the highest n rules. It is made whole and exclusively by `link`, becomes free
 * when its holder marks it or is no longer alive, and the next holder takes n + 1. A ruling claim is never removed, so
 * two starts that both find a dead holder cannot both win, and nobody can remove the claim of a living one.
 */
export async function acquireStartLock(folder: string, waitMs: number): Promise<StartLock> {
  const identity = await processIdentity(process.pid);
  if (identity === null) throw new Error('cannot read the start time of this process');
  const mine: Claim = { pid: process.pid, identity, released: false };
  const deadline: Deadline = deadlineIn(waitMs);
  for (;;) {
    const { number, holder } = await rulingClaim(folder);
    if (holder === null) {
      const taken = await take(folder, number + 1, mine);
      if (taken !== null) return taken;
    } else if (deadline.passed()) {
      throw new EmbeddedStartError(
        'data_directory_locked',
        `Another start (pid ${holder.pid}) is busy with ${folder}.`,
        `Wait until process ${holder.pid} is done or end it, then start again.`,
      );
    }
    await sleep(RETRY_INTERVAL_MS);
  }
}

/** The highest claim number (0: none yet) and its holder, null when it is free. */
async function rulingClaim(folder: string): Promise<{ number: number; holder: Claim | null }> {
  const number = Math.max(0, ...(await claimNumbers(folder)));
  if (number === 0) return { number, holder: null };
  let claim: Claim;
  try {
    claim = JSON.parse(await readFile(claimFile(folder, number), 'utf8')) as Claim;
  } catch (error) {
    // A successor swept it away meanwhile; the caller looks again. Anything else that cannot be read is no claim.
    if (errorCode(error) === 'ENOENT') return rulingClaim(folder);
    return { number, holder: null };
  }
  const held = !claim.released && (await isSameProcess(claim.pid, claim.identity));
  return { number, holder: held ? claim : null };
}

async function take(folder: string, number: number, claim: Claim): Promise<StartLock | null> {
  const path = claimFile(folder, number);
  const draft = join(folder, `start-lock-draft.${randomBytes(6).toString('hex')}`);
  await writeFile(draft, JSON.stringify(claim), { mode: 0o600, flag: 'wx' });
  try {
    await link(draft, path);
  } catch (error) {
    if (errorCode(error) === 'EEXIST') return null;
    throw error;
  } finally {
    await rm(draft, { force: true });
  }
  const numbers = await claimNumbers(folder);
  if (Math.max(...numbers) > number) {
    // Our look at the folder was old: the number had been used and swept away, and someone later rules.
    await rm(path, { force: true });
    return null;
  }
  for (const older of numbers.filter((other) => other < number)) await rm(claimFile(folder, older), { force: true });
  return { release: () => release(folder, number, claim) };
}

async function release(folder: string, number: number, claim: Claim): Promise<void> {
  const draft = join(folder, `start-lock-draft.${randomBytes(6).toString('hex')}`);
  try {
    await writeFile(draft, JSON.stringify({ ...claim, released: true }), { mode: 0o600, flag: 'wx' });
    await rename(draft, claimFile(folder, number));
  } catch (error) {
    // The whole folder was deleted under us: there is nothing left to lock.
    if (errorCode(error) !== 'ENOENT') throw error;
  }
}

async function claimNumbers(folder: string): Promise<number[]> {
  const matches = (await readdir(folder)).map((name) => CLAIM_PATTERN.exec(name)?.[1]);
  return matches.filter((digits) => digits !== undefined).map(Number);
}

function claimFile(folder: string, number: number): string {
  return join(folder, `start-lock.${number}`);
}
