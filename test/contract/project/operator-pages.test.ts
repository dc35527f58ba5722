import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { dataModel } from '../../../packages/dev/data-model.ts';
import { formatted } from '../../../packages/dev/generated-file.ts';
import { root } from '../../support/processes.ts';

const read = (path: string) => readFileSync(join(root, path), 'utf8');
const severities = new Map(
  ['alerts', 'servers'].flatMap((name) =>
    [...read(`ops/prometheus/${name}.yml`).matchAll(/- alert: (\w+)[\s\S]*?severity: (\w+)/g)].map(
      ([, alert, severity]) => [alert!, severity!] as const,
    ),
  ),
);
const alertsIn = (text: string): string[] => [
  ...new Set([...text.matchAll(/\b((?:Carte|Postgresql)[A-Z]\w+)\b/g)].map(([, name]) => name!)),
];
const section = (text: string, heading: string): string =>
  text.split(`\n## ${heading}\n`)[1]!.split('\n## ')[0]!;

describe('the pages for operators', () => {
  test('[OPS-171] list existing and critical alerts as those that page a person', () => {
    const named = alertsIn(section(read('docs/runbooks/on-call.md'), 'Alerts that page'));

    expect(named.length).toBeGreaterThanOrEqual(10);
    expect(named.filter((name) => severities.get(name) !== 'critical')).toEqual([]);
  });

  test.each(['docs/runbooks/on-call.md', 'docs/runbooks/failures.md'])(
    '[OPS-171] name only existing alerts in %s',
    (page) => {
      expect(alertsIn(read(page)).filter((name) => !severities.has(name))).toEqual([]);
    },
  );

  test('[OPS-171] cite a rule or a runbook for each failure', () => {
    const items = read('docs/runbooks/failures.md')
      .split('\n## ')
      .slice(1)
      .map((text) => [text.split('\n')[0]!, /\b[A-Z]{3,4}-\d+\b|\]\([a-z]/.test(text)]);

    expect(items.length).toBeGreaterThanOrEqual(8);
    expect(items.filter(([, isCited]) => !isCited)).toEqual([]);
  });

  test('[OPS-172] list every table of the schema with its keys in the data model', async () => {
    expect(read('docs/data-model.md')).toBe(await formatted('data-model.md', dataModel(root)));
    const tables = Object.keys(JSON.parse(read('migrations/schema.snapshot.json')) as object);
    const missing = tables.filter(
      (name) => !name.startsWith('stage_') && !read('docs/data-model.md').includes(`- \`${name}\``),
    );
    expect(missing).toEqual([]);
  });

  test('[OPS-173] state on the start page what Carte is, before its first step and its guides', () => {
    const page = read('docs/README.md');

    expect(page).toMatch(/^# Carte\n\nCarte is /);
    expect([...page.matchAll(/^## (.+)$/gm)].map(([, heading]) => heading)).toEqual([
      'First step',
      'Understand how it works',
      'Choose a guide',
    ]);
    expect(section(page, 'First step')).toContain('npm start');
  });
});
