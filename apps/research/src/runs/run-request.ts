import type { RunKind } from '@cairn/contracts';

/** What a handler asks `startRun` to start. */
export interface RunRequest {
  kind: RunKind;
  operation: string;
  prompt: string;
  memoryId: string | undefined;
  model: string | undefined;
  proxy: boolean;
  livePage: boolean;
  user: string | undefined;
  serviceId: string;
  charge: '' | 'list.build' | 'research.run';
  /** True for runs that start when the first WebSocket connects. */
  held: boolean;
  list: { name: string; description: string; type: 'company' | 'people' | 'web' } | null;
  totalTarget: number | null;
  /** Further input of the workflow. */
  options: Record<string, unknown>;
}
