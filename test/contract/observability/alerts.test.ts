import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, test } from '@jest/globals';
import { parse } from 'yaml';
import { routes } from '../../../api/routes.ts';
import { NOTIFICATIONS } from '../../../modules/notifications/schemas/notifications.ts';
import { documentedMetrics } from '../../../packages/dev/generate/metrics.ts';
import { metricsIn } from '../../support/metrics-text.ts';
import { describeWith, programForTests } from '../../support/unless-mandatory.ts';

type Rule = { alert: string; expr: string };
type Tests = { tests: { alert_rule_test: { alertname: string; exp_alerts: unknown[] }[] }[] };

const root = fileURLToPath(new URL('../../..', import.meta.url));
const folder = join(root, 'ops/prometheus');
const read = async <T>(file: string) => parse(await readFile(join(folder, file), 'utf8')) as T;
const readRules = async (file: string) =>
  (await read<{ groups: { rules: Rule[] }[] }>(file)).groups.flatMap((group) => group.rules);
const rules = await readRules('alerts.yml');
const ofServers = await readRules('servers.yml');

const promtool = await programForTests('promtool');
const run = (...args: string[]) => promisify(execFile)(promtool!, args, { cwd: folder });

describeWith(promtool, 'the program promtool', () => {
  test('accepts the rules and the scrape configuration', async () => {
    const { stdout } = await run('check', 'rules', 'alerts.yml');
    expect(stdout).toContain(`${rules.length} rules found`);
    await expect(run('check', 'config', 'prometheus.yml')).resolves.toBeDefined();
  });

  test.each(['alerts.test.yml', 'servers.test.yml'])(
    '[OPS-6] sees in %s that every alert fires and stays silent according to its unit tests',
    async (file) => {
      const { stdout } = await run('test', 'rules', file);
      expect(stdout).toContain('SUCCESS');
    },
  );
});

describe('the alert rules', () => {
  test('fire in one unit test and stay silent in another', async () => {
    const files = await Promise.all(['alerts.test.yml', 'servers.test.yml'].map(read<Tests>));
    const tested = files.flatMap(({ tests }) => tests.flatMap((entry) => entry.alert_rule_test));
    const all = [...rules, ...ofServers];
    const has = (alert: string, fires: boolean) =>
      tested.some((entry) => entry.alertname === alert && entry.exp_alerts.length > 0 === fires);

    expect(rules.length).toBeGreaterThan(15);
    expect(
      all.filter(({ alert }) => !has(alert, true) || !has(alert, false)).map(({ alert }) => alert),
    ).toEqual([]);
  });

  test('use existing metrics', () => {
    const known = documentedMetrics().map(({ name }) => name);
    const unknown = rules.flatMap(({ alert, expr }) =>
      metricsIn(expr)
        .filter((name) => !known.includes(name))
        .map((name) => `${alert}: ${name}`),
    );
    expect(rules.every(({ expr }) => metricsIn(expr).length > 0)).toBe(true);
    expect(unknown).toEqual([]);
  });

  test('[OPS-6] contain the alerts of the limits table with its numbers', () => {
    const expr = Object.fromEntries(rules.map((rule) => [rule.alert, rule.expr]));
    expect(expr['CarteMenuImportStale']).toBe(
      'time() - min(erp_last_success_timestamp{job="MENU"}) > 1800',
    );
    expect(expr['CarteStopListImportStale']).toBe(
      'time() - min(erp_last_success_timestamp{job="STOP_LIST"}) > 300',
    );
    expect(expr['CarteSuspiciousShrink']).toBe(
      'max(carte_notifications_open{kind="SUSPICIOUS_SHRINK"}) > 0',
    );
    expect(expr['CarteErpErrors']).toMatch(/status=~"5\.\.\|TIMEOUT"\}\[5m\][^]*> 0\.05$/);
  });

  test('contain an alert for every kind of notification', () => {
    const kinds = rules.flatMap(({ expr }) =>
      [...expr.matchAll(/carte_notifications_open\{kind="(\w+)"/g)].map(([, kind]) => kind ?? ''),
    );
    expect(kinds.toSorted()).toEqual(Object.keys(NOTIFICATIONS).toSorted());
  });
});

test('the service levels use existing metrics and routes', async () => {
  const page = await readFile(join(root, 'docs/operations.md'), 'utf8');
  const levels = page.split('\n## Service levels\n')[1]!.split('\n## ')[0]!;
  const known = documentedMetrics().map(({ name }) => name);
  const paths = routes.map(({ api, method, path }) => `${api} ${method} ${path}`);
  const used = [...levels.matchAll(/api="(\w+)",route="([^"]+)"/g)].map(
    ([, api, route]) => `${api} ${route}`,
  );

  expect(metricsIn(levels).length).toBeGreaterThan(3);
  expect(metricsIn(levels).filter((name) => !known.includes(name))).toEqual([]);
  expect(used.length).toBeGreaterThan(3);
  expect(used.filter((route) => !paths.includes(route))).toEqual([]);
});
