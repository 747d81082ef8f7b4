/** What the streams and consumers are set up with came with this release; older servers are refused everywhere. */
export const NATS_MIN_VERSION = '2.10';

/** Why a nats-server of this version, such as `2.10.27`, cannot be used; null when it can, or when it names no version. */
export function natsTooOld(version: string): string | null {
  const [major, minor] = version.split('.').map(Number);
  if (major === undefined || minor === undefined) return null;
  const [majorMin, minorMin] = NATS_MIN_VERSION.split('.').map(Number) as [number, number];
  if (major > majorMin || (major === majorMin && minor >= minorMin)) return null;
  return `NATS ${NATS_MIN_VERSION} or later is needed; this server is ${version}.`;
}
