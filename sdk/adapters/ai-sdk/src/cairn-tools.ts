import { jsonSchema, type Tool, tool } from 'ai';
import { type MemoryTool, memoryTools, type MemoryTools, type MemoryToolsOptions } from '@cairn/sdk/tools';

/** The tools under their names, each with the types of its input and output. */
export type CairnTools<Writes extends boolean = false, Research extends boolean = false> = {
  [Name in keyof MemoryTools<Writes, Research>]: MemoryTools<Writes, Research>[Name] extends MemoryTool<
    infer Input,
    infer Output
  >
    ? Tool<Input, Output>
    : never;
};

/**
 * A memory as tools for `generateText`, `streamText` and agents:
 *
 *     await generateText({ model, prompt, tools: cairnTools({ client, memory }), stopWhen: isStepCount(5) });
 */
export function cairnTools<Writes extends boolean = false, Research extends boolean = false>(
  options: MemoryToolsOptions<Writes, Research>,
): CairnTools<Writes, Research> {
  const entries = Object.entries(memoryTools(options)) as [string, MemoryTool<unknown, unknown>][];
  return Object.fromEntries(entries.map(([name, one]) => [name, asTool(one)])) as CairnTools<Writes, Research>;
}

function asTool({ description, parameters, check, run }: MemoryTool<unknown, unknown>): Tool<unknown, unknown> {
  const validate = (value: unknown) => {
    try {
      return { success: true as const, value: check(value) };
    } catch (error) {
      return { success: false as const, error: error as Error };
    }
  };
  return tool({
    description,
    inputSchema: jsonSchema<unknown>(parameters, { validate }),
    execute: (input: unknown, { abortSignal }) => run(input, abortSignal === undefined ? {} : { signal: abortSignal }),
  });
}
