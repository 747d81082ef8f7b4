/** What is written here of the operations: the TypeScript SDK, the Python SDK and the command line. */
export const SDK_GENERATED = 'sdk/src/gen/';
export const PYTHON_GENERATED = 'sdk/python/src/cairn/generated/';
export const COMMAND_LINE_GENERATED = 'apps/cairn/src/gen/';
