import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parse } from 'yaml';

/** An alert or a recording rule, as deploy/observability/rules.yaml holds it. */
interface Rule {
  /** Of the alert or the series that is recorded. */
  name: string;
  isAlert: boolean;
  expr: string;
  labels: Record<string, string>;
  annotations: Record<string, string>;
}

/** An expression of a panel of the dashboard. */
interface PanelExpression {
  row: string;
  panel: string;
  expr: string;
}

interface RuleFile {
  groups: {
    rules: {
      alert?: string;
      record?: string;
      expr: string;
      labels?: Record<string, string>;
      annotations?: Record<string, string>;
    }[];
  }[];
}

interface RuleTestFile {
  tests: { alert_rule_test: { alertname: string; exp_alerts: unknown[] }[] }[];
}

interface Dashboard {
  panels: { type: string; title: string; targets?: { expr: string }[] }[];
}

export const RULES_FILE = 'rules.yaml';
export const RULE_TEST_FILES = ['rules-platform.test.yaml', 'rules-work.test.yaml'];

export async function readRules(folder: string): Promise<Rule[]> {
  const { groups } = parse(await readFile(join(folder, RULES_FILE), 'utf8')) as RuleFile;
  return groups.flatMap(({ rules }) =>
    rules.map((rule) => ({
      name: rule.alert ?? rule.record ?? '',
      isAlert: rule.alert !== undefined,
      expr: rule.expr,
      labels: rule.labels ?? {},
      annotations: rule.annotations ?? {},
    })),
  );
}

/** The alerts that a test expects to fire. */
export async function readFiringTests(folder: string): Promise<string[]> {
  const files = await Promise.all(
    RULE_TEST_FILES.map(async (file) => parse(await readFile(join(folder, file), 'utf8')) as RuleTestFile),
  );
  const cases = files.flatMap(({ tests }) => tests).flatMap((test) => test.alert_rule_test);
  return [...new Set(cases.filter((one) => one.exp_alerts.length > 0).map((one) => one.alertname))];
}

export async function readPanels(folder: string): Promise<PanelExpression[]> {
  const { panels } = JSON.parse(await readFile(join(folder, 'dashboard.json'), 'utf8')) as Dashboard;
  let row = '';
  return panels.flatMap(({ type, title, targets = [] }) => {
    if (type === 'row') row = title;
    return targets.map(({ expr }) => ({ row, panel: title, expr }));
  });
}
