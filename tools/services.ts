/** Services that keep a schema of their own. */
export const DATABASE_SERVICES = ['keys', 'tenancy', 'memory', 'research', 'webhooks', 'usage'] as const;

/** Every service: a process, an image and a deployment each. */
export const SERVICES = ['gateway', ...DATABASE_SERVICES] as const;
