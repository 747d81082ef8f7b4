import { jsonrepair, JSONRepairError } from 'jsonrepair';
import { z } from 'zod';

const TEXT_MAX_CHARS = 200_000;
/** Rounds in which elements that do not fit are left out: what holds them may not fit without them. */
const ROUNDS_MAX = 4;
/** A continuation that begins with as many characters of the cut text's end repeats them. */
const OVERLAP_MIN_CHARS = 8;
const OVERLAP_MAX_CHARS = 400;
const REASON_MAX_CHARS = 500;

/**
 * The value of a schema in what a model wrote: JSON in a code fence, with prose before or after it, with the small faults
 * that models make, or cut off at the output limit. Elements of arrays that do not fit, like the last one of a cut answer,
 * are left out. Null when no such value is in it.
 */
export function readObject<T>(text: string, schema: z.ZodType<T>): T | null {
  const start = text.indexOf('{');
  if (start < 0 || text.length > TEXT_MAX_CHARS) return null;
  for (const candidate of [text.slice(start, endOfObject(text, start)), text.slice(start)]) {
    const value = fitting(repaired(candidate), schema);
    if (value !== null) return value;
  }
  return null;
}

/** The value of a schema in an object that is there from its first to its last bracket; nothing in it is repaired. */
export function readWholeObject<T>(text: string, schema: z.ZodType<T>): T | null {
  const start = text.indexOf('{');
  if (start < 0 || text.length > TEXT_MAX_CHARS) return null;
  const parsed = schema.safeParse(parsedOrNull(text.slice(start, endOfObject(text, start))));
  return parsed.success ? parsed.data : null;
}

/** A text that was cut off, and what continues it: without the fence or the few words that models begin again with. */
export function joinCutText(text: string, continuation: string): string {
  const rest = continuation.startsWith('```') ? continuation.slice(continuation.indexOf('\n') + 1) : continuation;
  for (let length = Math.min(OVERLAP_MAX_CHARS, rest.length); length >= OVERLAP_MIN_CHARS; length -= 1) {
    if (text.endsWith(rest.slice(0, length))) return text + rest.slice(length);
  }
  return text + rest;
}

/** Why a text holds no value of a schema, in words for the model that wrote it. */
export function schemaMismatch(text: string, schema: z.ZodType): string {
  const start = text.indexOf('{');
  const value =
    start < 0 || text.length > TEXT_MAX_CHARS ? null : repaired(text.slice(start, endOfObject(text, start)));
  if (value === null) return 'it holds no JSON object.';
  const { error } = schema.safeParse(value);
  return error === undefined ? 'it is not JSON.' : z.prettifyError(error).slice(0, REASON_MAX_CHARS);
}

/** Where the object that begins at `start` is closed; the end of the text when it is not. */
function endOfObject(text: string, start: number): number {
  let depth = 0;
  let quoted = false;
  for (let at = start; at < text.length; at += 1) {
    const character = text[at];
    if (quoted && character === '\\') at += 1;
    else if (character === '"') quoted = !quoted;
    else if (!quoted && character === '{') depth += 1;
    else if (!quoted && character === '}') {
      depth -= 1;
      if (depth === 0) return at + 1;
    }
  }
  return text.length;
}

function parsedOrNull(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function repaired(text: string): unknown {
  try {
    return JSON.parse(jsonrepair(text));
  } catch (error) {
    if (error instanceof JSONRepairError || error instanceof SyntaxError) return null;
    throw error;
  }
}

function fitting<T>(value: unknown, schema: z.ZodType<T>): T | null {
  for (let round = 0; round <= ROUNDS_MAX; round += 1) {
    const parsed = schema.safeParse(value);
    if (parsed.success) return parsed.data;
    const paths = parsed.error.issues.map(({ path }) => path.slice(0, path.findLastIndex(isIndex) + 1));
    if (value === null || !paths.every((path) => path.length > 0)) return null;
    leaveOut(value, paths);
  }
  return null;
}

const isIndex = (key: PropertyKey) => typeof key === 'number';

/** Takes the elements at these paths out of their arrays; the later ones first, so that the places of the others hold. */
function leaveOut(value: unknown, paths: readonly (readonly PropertyKey[])[]): void {
  const found = new Map<unknown[], Set<number>>();
  for (const path of paths) {
    const array = path.slice(0, -1).reduce<unknown>((at, key) => (at as Record<PropertyKey, unknown>)[key], value);
    if (Array.isArray(array)) found.set(array, (found.get(array) ?? new Set()).add(path.at(-1) as number));
  }
  for (const [array, places] of found) for (const place of [...places].sort((a, b) => b - a)) array.splice(place, 1);
}
