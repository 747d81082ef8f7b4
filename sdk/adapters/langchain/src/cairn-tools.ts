import { type MemoryTool, memoryTools, type MemoryToolsOptions } from '@cairn/sdk/tools';
import { type StructuredToolInterface, tool } from '@langchain/core/tools';

/** A memory as tools for agents of LangChain and LangGraph; what they return is JSON. */
export function cairnTools(options: MemoryToolsOptions<boolean, boolean>): StructuredToolInterface[] {
  const entries = Object.entries(memoryTools(options)) as [string, MemoryTool<unknown, unknown>][];
  return entries.map(([name, { description, parameters, check, run }]) =>
    tool(
      async (input: unknown, config?: { signal?: AbortSignal }) => {
        const signal = config?.signal;
        return JSON.stringify(await run(check(input), signal === undefined ? {} : { signal }));
      },
      { name, description, schema: { ...parameters } },
    ),
  );
}
