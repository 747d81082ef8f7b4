export { startTestEngines, startTestNats } from './engines.ts';
export type { TestEngines, TestNats } from './engines.ts';
export { eventually } from './eventually.ts';
export { processesOf, startCairn } from './running-cairn.ts';
export type { RunningCairn } from './running-cairn.ts';
export { createTestDatabase } from './test-database.ts';
export type { TestDatabase } from './test-database.ts';
export { createTestIdentities, testIdentity } from './test-identity.ts';
export type { TestIdentities } from './test-identity.ts';
