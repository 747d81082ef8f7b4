import type { Command } from 'commander';
import type { Settings } from '../settings.ts';
import { type DoctorOptions, examine } from './doctor.ts';
import type { Finding } from './finding.ts';

const SIGNS: Record<Finding['status'], string> = {
  ok: 'ok     ',
  warning: 'warning',
  failed: 'FAILED ',
  skipped: 'skipped',
};
const CHECK_WIDTH = 30;

/** `cairn doctor`: `onEnd` is given the exit code, 1 when a check failed. */
export function addDoctorCommand(
  program: Command,
  settings: Settings,
  say: (line?: string) => void,
  onEnd: (exitCode: number) => void,
): void {
  program
    .command('doctor')
    .description('check an installation and say what to do; changes nothing, and exits with 1 when a check failed')
    .option('--base-url <url>', 'of the gateway. Default: CAIRN_BASE_URL, else the embedded installation')
    .option('--admin-url <url>', 'postgres:// URL of a superuser, with the database. Default: CAIRN_DATABASE_ADMIN_URL')
    .option('--nats-admin-url <url>', 'nats:// URL of a user with all permissions. Default: CAIRN_NATS_ADMIN_URL')
    .option('--json', 'print JSON instead of lines')
    .action(async ({ json = false, ...options }: DoctorOptions & { json?: boolean }) => {
      const findings = await examine(settings, options);
      if (json) say(JSON.stringify({ ok: exitCodeOf(findings) === 0, findings }));
      else for (const line of linesOf(findings)) say(line);
      onEnd(exitCodeOf(findings));
    });
}

export function exitCodeOf(findings: readonly Finding[]): number {
  return findings.some(({ status }) => status === 'failed') ? 1 : 0;
}

/** One line for each check, what to do below it, and a summary. */
export function linesOf(findings: readonly Finding[]): string[] {
  const lines = findings.flatMap(({ check, status, message, action }) => [
    `${SIGNS[status]}  ${check.padEnd(CHECK_WIDTH)} ${message}`,
    ...(action === null ? [] : [`${' '.repeat(SIGNS.ok.length + 2 + CHECK_WIDTH)} → ${action}`]),
  ]);
  const count = (status: Finding['status']) => findings.filter((finding) => finding.status === status).length;
  const summary = `${findings.length} checks: ${count('failed')} failed, ${count('warning')} with a warning, ${count('skipped')} skipped.`;
  return [...lines, '', summary];
}
