import { readFileSync } from 'node:fs';
import { screenText } from './libs/screening/src/index.ts';
const out: Record<string, unknown> = {};
for (const name of ['locomo','cranfield','scifact','hotpotqa100','climate_fever','longmemeval_dev_turns']) {
  let lines: string[]; try { lines = readFileSync(`/work/shared/eval/${name}/corpus.jsonl`,'utf8').trim().split('\n').slice(0,6000); } catch { continue; }
  for (const policy of ['secrets','pii'] as const) {
    const kinds: Record<string, number> = {}; let docs = 0; const ex: string[] = [];
    const t0 = process.cpuUsage();
    for (const line of lines) { const d = JSON.parse(line); const text = `${d.title ?? ''}\n${d.text ?? ''}`; const f = await screenText(text, policy); if (f.length) docs++; for (const x of f) { kinds[x.kind] = (kinds[x.kind] ?? 0) + 1; if (ex.length < 6) ex.push(x.kind+':'+JSON.stringify(text.slice(Math.max(0,x.start-25), x.end+5))); } }
    const c = process.cpuUsage(t0);
    console.log(name, policy, 'texts', lines.length, 'flagged', docs, JSON.stringify(kinds), 'us/text', Math.round((c.user+c.system)/lines.length)); if (process.argv[2]) console.log('   ', ex.join('\n    '));
  }
}
