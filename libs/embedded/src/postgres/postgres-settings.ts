import { EmbeddedStartError } from '../embedded-start-error.ts';

/** What callers may change. Every acknowledged commit survives a crash: that is what an embedded default owes. */
const DEFAULTS: Record<string, string> = {
  max_connections: '200',
  shared_buffers: '128MB',
  wal_level: 'replica',
  fsync: 'on',
  full_page_writes: 'on',
  synchronous_commit: 'on',
  timezone: 'UTC',
  log_timezone: 'UTC',
  log_line_prefix: '%m [%p] ',
  log_checkpoints: 'off',
};

/** The server's command line; our own settings come last, so that it always stays on loopback and where we look for it. */
export function postgresArguments(dataDirectory: string, port: number, settings: Record<string, string>): string[] {
  const fixed: Record<string, string> = {
    port: String(port),
    listen_addresses: '127.0.0.1',
    // A socket's path may have 107 bytes at most, which a deep checkout exceeds; loopback TCP needs none.
    unix_socket_directories: '',
    logging_collector: 'off',
    log_destination: 'stderr',
    // Start-up failures are recognised by their English text.
    lc_messages: 'C',
  };
  const args = ['-D', dataDirectory];
  for (const [name, value] of Object.entries({ ...DEFAULTS, ...settings, ...fixed })) {
    if (!/^[A-Za-z_][A-Za-z0-9_.]*$/.test(name)) {
      throw new EmbeddedStartError(
        'start_failed',
        `"${name}" is no name of a PostgreSQL setting.`,
        'Correct the settings.',
      );
    }
    args.push('-c', `${name}=${value}`);
  }
  return args;
}
