import { stopEngines } from './jest-global-setup.ts';

export default async function globalTeardown(): Promise<void> {
  await stopEngines();
}
