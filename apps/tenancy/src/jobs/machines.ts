import { eraseMemory } from './erase-memory.ts';
import { eraseSpace } from './erase-space.ts';
import { eraseTenant } from './erase-tenant.ts';
import { eraseWorkspace } from './erase-workspace.ts';
import type { ErasingParts } from './erasing.ts';
import type { JobMachine } from './job-runner.ts';
import type { JobKind } from './job-store.ts';
import { provisionMemory, type ProvisionParts } from './provision-memory.ts';

/** What goes on in the background, by kind. */
export function jobMachines(parts: ProvisionParts & ErasingParts): Record<JobKind, JobMachine> {
  return {
    provisionMemory: provisionMemory(parts),
    eraseMemory: eraseMemory(parts),
    eraseSpace: eraseSpace(parts),
    eraseWorkspace: eraseWorkspace(parts),
    eraseTenant: eraseTenant(parts),
  };
}
