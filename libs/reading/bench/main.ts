import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { Comparer } from '../src/compare/contradictions.ts';
import { loadModel, type ReadingModel } from '../src/learned/model.ts';
import { createReader, type Reader } from '../src/reader.ts';
import { readLinks, wordsOf } from '../src/links/read-links.ts';
import { SentenceParser } from '../src/tree/sentence-parser.ts';
import { type Scorers, loadScorers } from './scorers.ts';

/**
 * Measures the reader with the scorers of a data folder:
 *
 *     node libs/reading/bench/main.ts --data DIR [--sets kn,fewrel,names,contradictions,carb,speed] [--model FILE]
 */
const say = (line: string) => process.stdout.write(`${line}\n`);
const percent = (x: number) => (100 * x).toFixed(1);

function systemOf(reader: Reader) {
  return (text: string) => {
    const { names, relations } = reader.read(text);
    return {
      entities: names,
      facts: relations.map((relation) => ({
        subject: relation.subject.text,
        relation: relation.relation,
        object: relation.object.text,
        negated: relation.negated,
        start: relation.start,
        end: relation.end,
      })),
    };
  };
}

function knowledgeNet(reader: Reader, { lib }: Scorers, details: boolean): void {
  const result = lib.scoreKn(systemOf(reader), 'dev', {});
  if (details) lib.reportKn('KnowledgeNet', result);
  const f1 = lib.f1(result.P, result.Ra);
  say(
    `KnowledgeNet: P ${percent(result.P)}, R ${percent(result.Ra)}, F1 ${percent(f1)}, pairs ${percent(result.agnRa)} %, types ${percent(result.type.ok / result.type.found)} %`,
  );
}

function fewRel(reader: Reader, { lib }: Scorers): void {
  const { n, pair } = lib.scoreFewrel(systemOf(reader), 'fewrel-val.dev', 1400);
  say(`FewRel: pairs ${percent(pair / n)} % of ${n}`);
}

function names(reader: Reader, { lib }: Scorers): void {
  for (const set of ['wikigold', 'uner-ewt', 'crossner', 'wnut17']) {
    const { spanF, typedF, typeAcc } = lib.scoreNer(systemOf(reader), `ner-${set}.dev`);
    say(`names, ${set}: spans F1 ${spanF}, typed F1 ${typedF}, types right ${typeAcc} %`);
  }
}

function contradictions(
  reader: Reader,
  model: ReadingModel,
  { contradictions: { scoreContr, reportContr } }: Scorers,
): void {
  const comparer = new Comparer(model.lexicon);
  const result = scoreContr(
    (text) => ({ facts: reader.read(text).relations }),
    (one, other) =>
      comparer
        .disagreements(one, other)
        .filter(({ verdict }) => verdict === 'contradicts')
        .map(({ a, b }) => ({ a: a.object.text, b: b.object.text })),
    'dev',
  );
  reportContr('contradictions', result);
}

const BRACKETS: Readonly<Record<string, string>> = { '``': '"', "''": '"', '-LRB-': '(', '-RRB-': ')' };

/** CaRB's sentences are cut into tokens already. */
function openLinks(model: ReadingModel, { carb, lib }: Scorers): void {
  const parser = new SentenceParser(model);
  for (const set of ['carb-dev', 'carb-test']) {
    const items = lib.load(`${set}.dev`);
    const predicted = new Map<string, { pred: string; args: string[]; conf: number }[]>();
    for (const { sentence } of items) {
      const forms = sentence.split(' ');
      let at = 0;
      const tokens = forms.map((raw) => {
        const form = BRACKETS[raw] ?? raw;
        const start = at;
        at += form.length + 1;
        return { form, start, end: start + form.length };
      });
      const words = (list: number[]) => wordsOf(list, (i) => forms[i]!);
      const links = readLinks(parser.parse(tokens).tokens).map(({ subject, predicate, objects, confidence }) => ({
        pred: words(predicate),
        args: [subject, ...objects].map(words).filter((text) => text !== ''),
        conf: confidence,
      }));
      predicted.set(
        sentence,
        links.filter(({ pred, args }) => pred !== '' && args.length > 1),
      );
    }
    const { best, auc } = carb.carb(carb.goldMap(items), predicted);
    say(`${set}: P ${percent(best.P)}, R ${percent(best.R)}, F1 ${percent(best.F)}, area ${percent(auc)}`);
  }
}

function speed(reader: Reader, { lib }: Scorers): void {
  const texts = lib.knDocs('dev').map(({ text }) => text);
  for (const round of ['cold', 'warm']) {
    const start = process.cpuUsage();
    const sentences = texts.reduce((sum, text) => sum + reader.read(text).sentences.length, 0);
    const { user, system } = process.cpuUsage(start);
    say(`speed, ${round}: ${Math.round((sentences * 1e6) / (user + system))} sentences/s of a core`);
  }
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      data: { type: 'string' },
      sets: { type: 'string', default: 'kn,fewrel,names,contradictions,carb,speed' },
      model: { type: 'string', default: join(import.meta.dirname, '..', 'model', 'english.model') },
      details: { type: 'boolean', default: false },
    },
  });
  if (values.data === undefined) throw new Error('--data names the folder of evaluation data');
  const data = resolve(values.data);
  process.env['DATA'] = join(data, 'extraction');
  const scorers = await loadScorers(data);
  const model = loadModel(readFileSync(values.model));
  const reader = createReader(model);
  const sets = values.sets.split(',');
  if (sets.includes('kn')) knowledgeNet(reader, scorers, values.details);
  if (sets.includes('fewrel')) fewRel(reader, scorers);
  if (sets.includes('names')) names(reader, scorers);
  if (sets.includes('contradictions')) contradictions(reader, model, scorers);
  if (sets.includes('carb')) openLinks(model, scorers);
  if (sets.includes('speed')) speed(reader, scorers);
}

if (import.meta.main) void main();
