/** What one check found. */
export interface Finding {
  check: string;
  status: 'ok' | 'warning' | 'failed' | 'skipped';
  message: string;
  /** What to do; null when nothing has to be done. */
  action: string | null;
}

export function ok(check: string, message: string): Finding {
  return { check, status: 'ok', message, action: null };
}

export function warning(check: string, message: string, action: string): Finding {
  return { check, status: 'warning', message, action };
}

export function failed(check: string, message: string, action: string): Finding {
  return { check, status: 'failed', message, action };
}

/** The check needs something that was not given. */
export function skipped(check: string, message: string, action: string): Finding {
  return { check, status: 'skipped', message, action };
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
