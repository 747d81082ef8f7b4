import { eraseMemory } from './erase-memory.ts';
import { eraseSpace } from './erase-space.ts';
import { eraseTenant } from './erase-tenant.ts';
import { eraseWorkspace } from './erase-workspace.ts';
import type { ErasureDeps } from './erasure.ts';
import type { JobDefinition } from './job-runner.ts';
import { moveMemory, type MoveDeps } from './move-memory.ts';
import type { JobKind } from '../stores/job-store.ts';
import { provisionMemory, type ProvisionDeps } from './provision-memory.ts';

/** Every kind of background job. */
export function jobDefinitions(deps: ProvisionDeps & ErasureDeps & MoveDeps): Record<JobKind, JobDefinition> {
  return {
    provisionMemory: provisionMemory(deps),
    moveMemory: moveMemory(deps),
    eraseMemory: eraseMemory(deps),
    eraseSpace: eraseSpace(deps),
    eraseWorkspace: eraseWorkspace(deps),
    eraseTenant: eraseTenant(deps),
  };
}
