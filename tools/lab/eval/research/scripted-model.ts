import type { ModelCall, ModelReply } from '@cairn/testing';
import type { Mode } from './model-modes.ts';
import { type UnsupportedCell, scriptedEntries } from './scripted-entries.ts';

/** What was said in one call. */
export interface ScriptedReply {
  planning: boolean;
  /** Sentences that cite a source, as they were sent. */
  sentences: string[];
  /** Texts that no source says. None of them may be published. */
  lies: string[];
  /** Values that no source says of the name that they are given to. */
  rowLies: UnsupportedCell[];
}

interface Source {
  number: number;
  text: string;
}

/** A JSON schema, as far as it is needed to fill it. */
interface Schema {
  type?: string;
  properties?: Record<string, Schema>;
  items?: Schema;
  enum?: string[];
  maxItems?: number;
  maxLength?: number;
  anyOf?: Schema[];
}

interface Sentence {
  text: string;
  number: number;
}

const EVIL = 'http://pay.example/now';
const GERMAN = 'Die Unterlagen zeigen, dass der Umsatz im vergangenen Jahr stark gestiegen ist.';
const SENTENCES_MAX = 100;
const PER_SECTION = 12;
const LIES_MAX = 6;
const SENTENCE_END = /(?<=[\p{Ll}\d)"”%][.!?])\s+(?=[\p{Lu}"“(])/u;

/**
 * Answers a call from the numbered sources of its prompt: honestly, in its own order and words where that keeps the
 * meaning, or damaged by one defect. It knows nothing of the prompts but that sources are numbered and that the wanted
 * JSON is described by a schema.
 */
export function scriptedReply(call: ModelCall, mode: Mode): { reply: ModelReply; said: ScriptedReply } {
  const said: ScriptedReply = { planning: false, sentences: [], lies: [], rowLies: [] };
  if (mode === 'silence') return { reply: { kind: 'stalls', pieces: [] }, said };
  if (mode === 'rate') return { reply: { kind: 'status', status: 429, retryAfterSeconds: 1 }, said };
  if (mode === 'refusal') return { reply: { kind: 'refusal', text: 'I cannot help with that.' }, said };
  const messages = call.body.messages ?? [];
  const prompt = messages.map(({ content }) => content ?? '').join('\n\n');
  const schema = schemaOf(call, prompt);
  const sources = sourcesOf(messages.at(-1)?.content ?? '');
  said.planning = sources.length === 0;
  if (schema?.properties?.['entries'] !== undefined) {
    const { entries, lies } = scriptedEntries(sources, fieldsOf(prompt), mode);
    said.rowLies = lies;
    return { reply: replyOf(prompt, JSON.stringify({ entries }), mode), said };
  }
  const sentences = said.planning ? [] : sentencesOf(sources);
  const spoken = said.planning ? sentences : damaged(sentences, mode, said);
  const left = spoken.slice(0, SENTENCES_MAX);
  said.sentences = left.map(({ text }) => text);
  const heading = mode === 'heading' && !said.planning ? `Bankrupt: pay at ${EVIL}` : 'What the sources say';
  if (mode === 'heading' && !said.planning) said.lies.push(EVIL);
  const value =
    schema === null ? null : fill(schema, '', { left: [...left], heading, questions: questionsOf(messages) });
  return { reply: replyOf(prompt, JSON.stringify(value ?? {}), mode), said };
}

function replyOf(prompt: string, json: string, mode: Mode): ModelReply {
  const texts: Partial<Record<Mode, string>> = {
    fence: `\`\`\`json\n${json}\n\`\`\``,
    prose: `Certainly! Here it is:\n\n${json}\n\nTell me if you need anything else.`,
    truncated: json.slice(0, Math.floor(json.length * 0.6)),
  };
  const text = texts[mode] ?? json;
  const tokens = (chars: number) => Math.ceil(chars / 4);
  const usage = { prompt_tokens: tokens(prompt.length), completion_tokens: tokens(text.length) };
  return { kind: 'text', pieces: [text], usage, ...(mode === 'truncated' ? { finish: 'length' } : {}) };
}

function schemaOf({ body }: ModelCall, prompt: string): Schema | null {
  const given = body.response_format?.json_schema?.schema;
  if (given !== undefined) return given as Schema;
  const start = prompt.search(/\{"(?:\$schema|type)"/);
  if (start < 0) return null;
  let [depth, quoted] = [0, false];
  for (let at = start; at < prompt.length; at += 1) {
    if (prompt[at] === '"' && prompt[at - 1] !== '\\') quoted = !quoted;
    if (quoted) continue;
    if (prompt[at] === '{') depth += 1;
    if (prompt[at] === '}') depth -= 1;
    if (depth === 0) return JSON.parse(prompt.slice(start, at + 1)) as Schema;
  }
  return null;
}

/** Lines that begin with a number in brackets; what stands in brackets after it is about the source. */
function sourcesOf(text: string): Source[] {
  return text.split('\n').flatMap((line) => {
    const match = /^\[(\d{1,4})\]\s+(?:\([^()]{0,300}\)\s+)?(\S.*)$/.exec(line);
    return match === null ? [] : [{ number: Number(match[1]), text: match[2]! }];
  });
}

/** The lines of a list that is called “Fields”. */
function fieldsOf(prompt: string): string[] {
  const list = /^Fields:\n((?:- [^\n]+\n?)+)/m.exec(prompt)?.[1] ?? '';
  return list.split('\n').flatMap((line) => (line.startsWith('- ') ? [line.slice(2)] : []));
}

function sentencesOf(sources: readonly Source[]): Sentence[] {
  const seen = new Set<string>();
  return sources.flatMap(({ number, text }) =>
    text.split(SENTENCE_END).flatMap((sentence) => {
      const plain = sentence.trim();
      if (plain.length < 12 || seen.has(plain)) return [];
      seen.add(plain);
      return [{ number, text: reworded(plain) }];
    }),
  );
}

/** The same in another order, or without what stands in brackets. */
function reworded(text: string): string {
  const late = /^(?<rest>\p{Lu}[^,;:()]{10,200}) (?<time>in (?:\p{Lu}\p{Ll}+ )?\d{4})\.$/u.exec(text)?.groups;
  if (late !== undefined && /^(?:The|A|An) /.test(late['rest']!))
    return `${capital(late['time']!)}, ${late['rest']!.charAt(0).toLowerCase()}${late['rest']!.slice(1)}.`;
  return text.replace(/\s\([^()]{3,80}\)(?=[\s.,])/, '');
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

function damaged(sentences: readonly Sentence[], mode: Mode, said: ScriptedReply): Sentence[] {
  const lie = (text: string) => {
    said.lies.push(text);
    return text;
  };
  return sentences.map((sentence, index) => {
    if (said.lies.length >= LIES_MAX) return sentence;
    if (mode === 'citation') {
      said.lies.push('[97]');
      return { ...sentence, number: 97 };
    }
    if (mode === 'language') return index < 2 ? { ...sentence, text: lie(GERMAN) } : sentence;
    const other = TWIST[mode]?.(sentence.text) ?? null;
    return other === null || other === sentence.text ? sentence : { ...sentence, text: lie(other) };
  });
}

const NAME = /\p{Lu}[\p{L}\d-]+(?: \p{Lu}[\p{L}\d-]+){0,4}/gu;

const TWIST: Partial<Record<Mode, (text: string) => string | null>> = {
  number: (text) => {
    const digits = /\d+/.exec(text);
    if (digits === null) return null;
    return `${text.slice(0, digits.index)}${Number(digits[0]) + 17}${text.slice(digits.index + digits[0].length)}`;
  },
  negation: (text) => {
    if (/ not /.test(text)) return text.replace(' not ', ' ');
    const verb = / (?:is|are|was|were|has|can|will|set|took|caused) /.exec(text);
    return verb === null ? null : text.replace(verb[0], `${verb[0]}not `);
  },
  role: (text) => {
    const names = [...new Set(text.match(NAME) ?? [])].filter((name) => text.indexOf(name) > 0 || name.includes(' '));
    const [first, second] = names;
    if (first === undefined || second === undefined || first.includes(second) || second.includes(first)) return null;
    return text
      .split(first)
      .map((part) => part.split(second).join(first))
      .join(second);
  },
};

function questionsOf(messages: readonly { content?: string | null }[]): string[] {
  const text = (messages.at(-1)?.content ?? '').replace(/^Today is [^\n]*\n+/, '').replace(/^[^\n:]*:\n/, '');
  const questions = text.split(/(?<=[.?!;])\s+|,\s(?=\(\d\))|\s(?=\(\d\)\s)/).map((one) => one.trim());
  return questions.filter((one) => one.length > 12).slice(0, 6);
}

interface Filling {
  left: Sentence[];
  heading: string;
  questions: string[];
}

/** Fills a schema: a text beside a list of numbers is a sentence with the sources that it cites. */
function fill(schema: Schema, key: string, filling: Filling): unknown {
  const { anyOf, enum: values, type, properties = {}, items = {} } = schema;
  if (anyOf !== undefined) return fill(anyOf.find((one) => one.type !== 'null') ?? {}, key, filling);
  if (values !== undefined) return values[0];
  if (type === 'object') {
    const entries = Object.entries(properties);
    const isCited = entries.some(([, one]) => one.type === 'array' && one.items?.type === 'integer');
    const sentence = isCited ? filling.left.shift() : undefined;
    if (isCited && sentence === undefined) return undefined;
    return Object.fromEntries(
      entries.map(([name, one]) => {
        if (sentence !== undefined && one.type === 'array') return [name, [sentence.number]];
        if (sentence !== undefined && one.type === 'string') return [name, sentence.text.slice(0, one.maxLength)];
        return [name, fill(one, name, filling)];
      }),
    );
  }
  if (type === 'array') {
    if (/question|quer/.test(key)) return filling.questions.slice(0, schema.maxItems);
    const list: unknown[] = [];
    const holdsLists = Object.values(items.properties ?? {}).some((one) => one.items?.type === 'object');
    const most = Math.min(schema.maxItems ?? PER_SECTION, holdsLists ? Infinity : PER_SECTION);
    while (list.length < most && filling.left.length > 0) {
      const value = fill(items, key, filling);
      if (value === undefined) break;
      list.push(value);
    }
    return list;
  }
  if (type === 'integer' || type === 'number') return 1;
  if (type === 'boolean') return true;
  return /head|title/.test(key) ? filling.heading : (filling.questions[0] ?? 'none').slice(0, schema.maxLength);
}
