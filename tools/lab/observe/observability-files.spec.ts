import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { readFiringTests, readPanels, readRules } from './observability-files.ts';

const ROOT = join(import.meta.dirname, '..', '..', '..');
const FOLDER = join(ROOT, 'deploy', 'observability');
const SEVERITIES = ['critical', 'warning', 'info'];

it('every alert says how severe it is, what is wrong, and where its runbook is; and the runbook is there', async () => {
  const operations = await readFile(join(ROOT, 'docs', 'operations.md'), 'utf8');
  const headings = new Set([...operations.matchAll(/^### (\w+)$/gm)].map(([, heading]) => heading));
  const alerts = (await readRules(FOLDER)).filter(({ isAlert }) => isAlert);
  expect(alerts.length).toBeGreaterThan(15);
  for (const { name, labels, annotations } of alerts) {
    expect({ name, severity: SEVERITIES.includes(labels['severity'] ?? '') }).toEqual({ name, severity: true });
    expect(Object.keys(annotations).sort()).toEqual(['description', 'runbook_url', 'summary']);
    expect(annotations['runbook_url']).toBe(`docs/operations.md#${name.toLowerCase()}`);
    expect([...headings]).toContain(name);
  }
});

it('every alert has a test in which it fires', async () => {
  const alerts = (await readRules(FOLDER)).filter(({ isAlert }) => isAlert).map(({ name }) => name);
  expect((await readFiringTests(FOLDER)).sort()).toEqual(alerts.sort());
});

it('what panels and alerts use of recorded series is recorded', async () => {
  const rules = await readRules(FOLDER);
  const recorded = new Set(rules.filter(({ isAlert }) => !isAlert).map(({ name }) => name));
  const expressions = [...rules, ...(await readPanels(FOLDER))].map(({ expr }) => expr);
  const used = expressions.flatMap((expr) => expr.match(/\bcairn:[a-z0-9_:]+/g) ?? []);
  expect(used.filter((name) => !recorded.has(name))).toEqual([]);
});

it('the dashboard has the rows that the operations page explains', async () => {
  const rows = [...new Set((await readPanels(FOLDER)).map(({ row }) => row))];
  const [, section = ''] = (await readFile(join(ROOT, 'docs', 'operations.md'), 'utf8')).split('\n## Metrics\n');
  for (const row of rows) expect(section.split('\n## ')[0]).toContain(`**${row}**`);
});
