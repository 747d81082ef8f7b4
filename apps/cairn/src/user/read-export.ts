import { UsageError } from './failures.ts';
import type { DocumentMetadata, TextToAdd } from './add-files.ts';
import type { SkippedFile } from './find-files.ts';

/** Other memories whose exports are read. */
export const EXPORTS = ['mem0', 'zep'] as const;
export type ExportKind = (typeof EXPORTS)[number];

interface ReadExport {
  texts: TextToAdd[];
  leftOut: SkippedFile[];
}

type Entry = Readonly<Record<string, unknown>>;

interface Form {
  /** Fields that may hold the list; an answer may also be the list itself. */
  lists: readonly string[];
  id: string;
  text: (entry: Entry) => unknown;
  /** Fields that become metadata. */
  fields: readonly string[];
}

/**
 * Mem0: what `get_all` of its client and `GET /v1/memories/` answer. Zep: what `graph.episode.get_by_user_id` and
 * `get_by_graph_id` answer; an episode is what was handed in, word by word.
 */
const FORMS: Readonly<Record<ExportKind, Form>> = {
  mem0: {
    lists: ['results', 'memories'],
    id: 'id',
    text: (entry) => entry['memory'],
    fields: ['user_id', 'agent_id', 'app_id', 'run_id', 'categories'],
  },
  zep: {
    lists: ['episodes'],
    id: 'uuid',
    text: ({ role, content }) =>
      typeof role === 'string' && role !== '' && typeof content === 'string' ? `${role}: ${content}` : content,
    fields: ['source', 'source_description', 'role', 'role_type', 'session_id', 'thread_id', 'document_id'],
  },
};

/** Reads an export as documents, whose external ids make sending it again harmless. Throws `UsageError`. */
export function readExport(kind: ExportKind, json: string): ReadExport {
  const form = FORMS[kind];
  const entries = entriesOf(parse(json), form);
  if (entries === null)
    throw new UsageError(
      `This is no export of ${kind}: it is neither a list nor has one called ${form.lists.join(' or ')}.`,
    );
  const texts: TextToAdd[] = [];
  const leftOut: SkippedFile[] = [];
  for (const [index, entry] of entries.entries()) {
    const path = `entry ${index + 1}`;
    const [id, text] = isEntry(entry) ? [entry[form.id], form.text(entry)] : [undefined, undefined];
    if (typeof id !== 'string' || id === '') leftOut.push({ path, reason: `has no ${form.id}` });
    else if (typeof text !== 'string' || text.trim() === '') leftOut.push({ path: id, reason: 'has no text' });
    else texts.push({ path: id, document: documentOf(kind, id, text, entry as Entry) });
  }
  return { texts, leftOut };
}

function parse(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    throw new UsageError('The export is not JSON.');
  }
}

function entriesOf(parsed: unknown, { lists }: Form): unknown[] | null {
  if (Array.isArray(parsed)) return parsed;
  if (!isEntry(parsed)) return null;
  const found = lists.map((name) => parsed[name]).find(Array.isArray);
  return (found as unknown[] | undefined) ?? null;
}

function documentOf(kind: ExportKind, id: string, content: string, entry: Entry): TextToAdd['document'] {
  const own = isEntry(entry['metadata']) ? entry['metadata'] : {};
  const named = Object.fromEntries(FORMS[kind].fields.map((name) => [name, entry[name]]));
  const metadata = metadataOf({ ...own, ...named });
  const at = typeof entry['created_at'] === 'string' ? Date.parse(entry['created_at']) : NaN;
  return {
    content,
    external_id: `${kind}:${id}`,
    ...(Number.isNaN(at) ? {} : { occurred_at: new Date(at).toISOString() }),
    ...(Object.keys(metadata).length === 0 ? {} : { metadata }),
  };
}

/** What metadata of a document can hold; objects in it cannot be filtered by and are left out. */
function metadataOf(fields: Entry): DocumentMetadata {
  const metadata: DocumentMetadata = {};
  for (const [name, value] of Object.entries(fields)) {
    if (typeof value === 'string' ? value !== '' : typeof value === 'number' || typeof value === 'boolean')
      metadata[name] = value as string | number | boolean;
    else if (Array.isArray(value) && value.length > 0 && value.every((each) => typeof each === 'string'))
      metadata[name] = value as string[];
  }
  return metadata;
}

function isEntry(value: unknown): value is Entry {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
