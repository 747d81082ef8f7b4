/** What every command for users takes. */
export const COMMON_OPTIONS = [
  ['--json', 'print the answer as JSON'],
  ['--memory <memory_id>', 'default: that of the context, else the primary memory'],
  ['--space <space_id>', 'default: the whole memory'],
  ['--context <name>', 'default: the current one'],
  ['--quiet', 'print the answer and nothing else'],
] as const;
