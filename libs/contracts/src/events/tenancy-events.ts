import type { EventDeclarations } from './event-declaration.ts';

/** What happens to tenants, workspaces, memories and spaces. */
export const TENANCY_EVENTS = {
  tenantChanged: { subject: 'cairn.event.tenancy.tenant.changed', publishers: ['tenancy'], public: null },
  workspaceCreated: { subject: 'cairn.event.tenancy.workspace.created', publishers: ['tenancy'], public: null },
  workspaceDeleted: { subject: 'cairn.event.tenancy.workspace.deleted', publishers: ['tenancy'], public: null },
  memoryCreated: { subject: 'cairn.event.tenancy.memory.created', publishers: ['tenancy'], public: null },
  memoryChanged: { subject: 'cairn.event.tenancy.memory.changed', publishers: ['tenancy'], public: null },
  spaceCreated: { subject: 'cairn.event.tenancy.space.created', publishers: ['tenancy'], public: null },
  spaceDeleted: { subject: 'cairn.event.tenancy.space.deleted', publishers: ['tenancy'], public: null },
} as const satisfies EventDeclarations;
