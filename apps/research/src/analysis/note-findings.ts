import type { ParsedRequest } from '../request/parse-request.ts';
import { inverseFrequency, overlap } from '../text/rank.ts';
import { stemsOf } from '../text/words.ts';
import { type DatedSource, type Note, notesOf } from './notes.ts';
import { aboutNames } from './about-names.ts';
import { compareNamedValues } from './named-values.ts';
import { isGeneralStem, relatedStems } from './related-words.ts';
import { sharedWording } from './shared-wording.ts';
import { compareNotes } from './compare-notes.ts';
import { yearsIn } from './document-date.ts';

/** A note that helps to answer questions, by their place in the request. */
export interface NotedFinding {
  source_id: string;
  title: string;
  start_at: number;
  quote: string;
  /** Best first. */
  questions: { at: number; score: number }[];
  /** The time of the document, as it is written; null when it names none, or the quote itself does. */
  as_of: string | null;
  is_old: boolean;
}

interface Noted {
  findings: NotedFinding[];
  /** By the places of their sides in `findings`. */
  disagreements: { sides: [number, number]; subject: string }[];
  /** By their places in `findings`: what a newer document says, and what an older one said of the same. */
  superseded: [newer: number, older: number][];
}

const SUPERSEDED_MAX = 10;

const RELATED = 0.6;
const CONTEXT = 0.5;
const CONTEXT_RELATED = 0.3;
/** Least share of a question that a note must cover … */
const QUESTION_MIN = 0.42;
const QUESTION_FALLBACK = 0.3;
const OWN_MIN = 0.2;
/** … and of a topic, which is wider than any of its statements. */
const TOPIC_MIN = 0.25;
const VALUE_BONUS = 0.08;
const SUBJECT_BONUS = 0.1;
const PER_ASPECT = 10;
const PER_QUESTION = 16;
const PER_SOURCE = 8;
const REDUNDANT = 0.75;
const IMPLIED = 0.25;
const HISTORY =
  /\b(?:history|trend|trends|development|over the years|over time|historical|since|previous|earlier|changed?|evolution|evolved|compared? (?:to|with)|year by year|past)\b/i;

/** Notes what the sources say on each question. The same sources give the same findings, in whatever order they come. */
export function noteFindings(request: ParsedRequest, sources: readonly DatedSource[]): Noted {
  const ordered = sources.toSorted((a, b) => compare(a.title, b.title) || compare(a.body, b.body));
  const noted = ordered.flatMap(notesOf);
  const { isAbout, words } = aboutNames(request.entities, ordered);
  const notes = noted.filter(isAbout);
  const comparison = compareNotes(notes);
  const weigh = weigher(noted, new Set(words.flatMap((word) => stemsOf(word))));
  const named = compareNamedValues([...choose(request, { notes, weigh, withAlike: true }, new Set()).keys()]);
  const old = oldOf(comparison.old, named);
  const disagreements = withNamed(comparison.disagreements, named.disagreements, old);
  const superseded = [...comparison.superseded, ...named.superseded];
  const chosen = choose(request, { notes, weigh }, old);
  const relevant = disagreements.filter(([a, b]) => chosen.has(a) || chosen.has(b));
  for (const [a, b] of relevant) for (const side of [a, b]) if (!chosen.has(side)) chosen.set(side, []);
  const replaced = request.instructions.currentOnly
    ? []
    : latestBefore(superseded.filter(([newer]) => chosen.has(newer)));
  for (const [, older] of replaced) if (!chosen.has(older)) chosen.set(older, []);
  const all = [...chosen.keys()].toSorted((a, b) => notes.indexOf(a) - notes.indexOf(b));
  return {
    findings: all.map((note) => findingOf(note, chosen.get(note)!, old.has(note))),
    disagreements: relevant.map(([a, b]) => ({
      sides: [all.indexOf(a), all.indexOf(b)],
      subject: subjectOf(a, b),
    })),
    superseded: replaced.map(([newer, older]) => [all.indexOf(newer), all.indexOf(older)]),
  };
}

/** What both say, but for what differs: of what they word alike, else of all of it. */
function subjectOf(a: Note, b: Note): string {
  const alike = a.claims.flatMap((one) => b.claims.filter(({ key }) => key === one.key).map((other) => [one, other]));
  const [one, other] = alike.at(-1) ?? [a, b];
  return sharedWording(one!.text, other!.text);
}

interface Choice {
  notes: readonly Note[];
  weigh: Weigh;
  /** Notes that differ in a name alone as well: they add nothing to an answer, and may contradict each other. */
  withAlike?: boolean;
}

type Chosen = Map<Note, { at: number; score: number }[]>;

/** The notes that answer each question, without those that no longer hold. */
function choose(request: ParsedRequest, { notes, ...how }: Choice, old: ReadonlySet<Note>): Chosen {
  const chosen: Chosen = new Map();
  request.questions.forEach((question, at) => {
    const wanted = mayUse(request, question.text, old);
    for (const [note, score] of forQuestion(request, question, { notes: notes.filter(wanted), ...how }))
      chosen.set(note, [...(chosen.get(note) ?? []), { at, score }]);
  });
  return chosen;
}

/** A year that a statement names does not make another year's outdated when only one of them can be right. */
function oldOf(old: ReadonlySet<Note>, named: ReturnType<typeof compareNamedValues>): Set<Note> {
  const left = new Set(old);
  for (const side of named.disagreements.flat()) if (!side.documentDate.isSuperseded) left.delete(side);
  for (const [, older] of named.superseded) left.add(older);
  return left;
}

type Pair = readonly [Note, Note];

function withNamed(worded: readonly Pair[], named: readonly Pair[], old: ReadonlySet<Note>): Pair[] {
  const isKnown = ([a, b]: Pair) => worded.some((pair) => pair.includes(a) && pair.includes(b));
  return [...worded, ...named.filter((pair) => !isKnown(pair) && !pair.some((side) => old.has(side)))];
}

/** Of what a note replaces, the last. */
function latestBefore(superseded: readonly (readonly [newer: Note, older: Note])[]): [Note, Note][] {
  const found = new Map<Note, Note>();
  for (const [newer, older] of superseded) {
    const known = found.get(newer);
    if (known === undefined || older.at! > known.at!) found.set(newer, older);
  }
  return [...found].slice(0, SUPERSEDED_MAX);
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function findingOf(note: Note, questions: { at: number; score: number }[], isOld: boolean): NotedFinding {
  const { source, start, quote, documentDate, text } = note;
  return {
    source_id: source.source_id,
    title: source.title,
    start_at: start,
    quote,
    questions: questions.toSorted((a, b) => b.score - a.score || a.at - b.at),
    as_of: yearsIn(text).length > 0 ? null : documentDate.label,
    is_old: isOld,
  };
}

/** What no longer holds is left out, unless the request asks about that time or how things changed. */
function mayUse({ timeFrame }: ParsedRequest, question: string, old: ReadonlySet<Note>) {
  const isAboutChange = HISTORY.test(question);
  const years = new Set(yearsIn(question));
  const from = timeFrame?.from ?? null;
  return (note: Note): boolean => {
    if (!old.has(note) || isAboutChange) return true;
    if (note.at === null || note.documentDate.isSuperseded) return false;
    const year = Math.floor(note.at / 12);
    return (
      years.has(year) ||
      (timeFrame !== null && from !== null && timeFrame.to !== from && year >= from && year <= (timeFrame.to ?? 9999))
    );
  };
}

type Weigh = (stem: string) => number;

/** What is implied already says little about how well a note answers. */
function weigher(notes: readonly Note[], implied: ReadonlySet<string>): Weigh {
  const counts = new Map<string, number>();
  for (const { stems } of notes) for (const stem of stems) counts.set(stem, (counts.get(stem) ?? 0) + 1);
  return (stem) => inverseFrequency(counts.get(stem) ?? 0, notes.length) * (implied.has(stem) ? IMPLIED : 1);
}

type Question = ParsedRequest['questions'][number];

function forQuestion(request: ParsedRequest, { text, query, aspects }: Question, choice: Choice): [Note, number][] {
  const subject = new Set(stemsOf(request.subject));
  const isTopic = !/^(?:what|who|whom|whose|which|when|where|why|how|is|are|was|were|do|does|did|can|has|have)\b/i.test(
    text,
  );
  const best = new Map<Note, number>();
  for (const aspect of aspects.length > 0 ? aspects : [query]) {
    const own = stemsOf(aspect.replace(`${request.subject}: `, '')).filter((stem) => !isGeneralStem(stem));
    const asked = [...new Set(own.length === 0 ? stemsOf(aspect) : own)];
    for (const [note, score] of forAspect(asked, { ...choice, isTopic, subject }))
      if (score > (best.get(note) ?? 0)) best.set(note, score);
  }
  const ranked = [...best].sort((a, b) => b[1] - a[1] || choice.notes.indexOf(a[0]) - choice.notes.indexOf(b[0]));
  return withoutExcluded(request, ranked).slice(0, PER_QUESTION);
}

function withoutExcluded({ instructions }: ParsedRequest, ranked: [Note, number][]): [Note, number][] {
  const excluded = instructions.excluded.map((text) => stemsOf(text)).filter((stems) => stems.length > 0);
  return ranked.filter(
    ([note]) => !excluded.some((stems) => stems.every((stem) => note.stems.has(stem) || note.context.has(stem))),
  );
}

function forAspect(
  asked: readonly string[],
  { notes, weigh, withAlike, isTopic, subject }: Choice & { isTopic: boolean; subject: ReadonlySet<string> },
): [Note, number][] {
  const total = asked.reduce((sum, stem) => sum + weigh(stem), 0);
  if (total === 0) return [];
  const related = new Map(asked.map((stem) => [stem, isTopic ? relatedStems(stem) : new Set<string>()]));
  const scored = notes.flatMap((note): [Note, number][] => {
    let own = 0;
    let all = 0;
    let worded = false;
    for (const stem of asked) {
      const share = coverage(note, stem, related.get(stem)!);
      if (share > 0 && !/^\d/.test(stem)) worded = true;
      if (share >= RELATED) own += weigh(stem) * share;
      all += weigh(stem) * share;
    }
    if (!worded && asked.some((stem) => !/^\d/.test(stem))) return [];
    const isAbout = subject.size > 0 && [...subject].some((stem) => note.stems.has(stem) || note.context.has(stem));
    const score = all / total + (isAbout ? SUBJECT_BONUS : 0) + (isTopic && note.values !== '' ? VALUE_BONUS : 0);
    if (isTopic ? all / total < TOPIC_MIN : own / total < OWN_MIN || all / total < QUESTION_FALLBACK) return [];
    return [[note, score]];
  });
  scored.sort((a, b) => b[1] - a[1]);
  const least = !isTopic && (scored[0]?.[1] ?? 0) >= QUESTION_MIN ? QUESTION_MIN : 0;
  return spread(
    scored.filter(([, score]) => score >= least),
    withAlike,
  );
}

function coverage(note: Note, stem: string, related: ReadonlySet<string>): number {
  if (note.stems.has(stem)) return 1;
  for (const other of related) if (note.stems.has(other)) return RELATED;
  if (note.context.has(stem)) return CONTEXT;
  for (const other of related) if (note.context.has(other)) return CONTEXT_RELATED;
  return 0;
}

/** The best of each source in turn would hide the best source; one source alone would hide the others. */
function spread(scored: readonly [Note, number][], withAlike = false): [Note, number][] {
  const chosen: [Note, number][] = [];
  const perSource = new Map<string, number>();
  for (const [note, score] of scored) {
    if (chosen.length >= PER_ASPECT) break;
    const id = note.source.source_id;
    const count = perSource.get(id) ?? 0;
    if (count >= PER_SOURCE) continue;
    const repeats = chosen.some(
      ([other]) =>
        other.text === note.text ||
        (!withAlike && !note.isRow && overlap(other.stems, note.stems) > REDUNDANT && other.values === note.values),
    );
    if (repeats) continue;
    perSource.set(id, count + 1);
    chosen.push([note, score]);
  }
  return chosen;
}
