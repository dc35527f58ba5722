import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { parse } from 'yaml';
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
/** Commands in code blocks and in code marks. */
const commandsIn = (text: string): string[] =>
  [...text.matchAll(/\bdocker compose [^`\n|;]+/g)].map(([command]) => command);
const OPTIONS_WITH_VALUE = ['--profile', '--entrypoint', '--user', '--since', '-c'];
/** Services of `docker compose <command>`: one for `run`, `exec` and `cp`, otherwise any number. */
function servicesOf(command: string): string[] {
  const words = command.trim().split(/ +/).slice(2);
  const plain = words.filter(
    (word, index) => !word.startsWith('-') && !OPTIONS_WITH_VALUE.includes(words[index - 1] ?? ''),
  );
  const [action = '', ...rest] = plain;
  if (['run', 'exec'].includes(action)) return rest.slice(0, 1);
  if (['cp', 'build', 'ps'].includes(action))
    return rest.slice(0, 1).map((at) => at.split(':')[0]!);
  return ['up', 'stop', 'start', 'restart', 'logs'].includes(action) ? rest : [];
}
const section = (text: string, heading: string): string =>
  text.split(`\n## ${heading}\n`)[1]!.split('\n## ')[0]!;

describe('the pages for operators', () => {
  test('[OPS-171] list existing and critical alerts as those that page a person', () => {
    const named = alertsIn(section(read('docs/runbooks/on-call.md'), 'Alerts that page'));

    expect(named.length).toBeGreaterThanOrEqual(10);
    expect(named.filter((name) => severities.get(name) !== 'critical')).toEqual([]);
  });

  test('[OPS-171] route exactly the alerts of the table to a phone', () => {
    const page = section(read('docs/runbooks/on-call.md'), 'Alerts that page');
    const table = page.match(/^\| \d.*$/gm)!.join('\n');
    const { route } = parse(/```yaml\n([\s\S]*?)```/.exec(page)![1]!) as {
      route: { routes: { matchers: string[] }[] };
    };

    expect(alertsIn(route.routes[0]!.matchers.join()).toSorted()).toEqual(
      alertsIn(table).toSorted(),
    );
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

  test('[OPS-171] name services of docker-compose.yml and commands of package.json', () => {
    const { services } = parse(read('docker-compose.yml')) as { services: object };
    const { scripts } = JSON.parse(read('package.json')) as { scripts: object };
    const text = ['on-call', 'procedures', 'restore', 'servers']
      .map((name) => read(`docs/runbooks/${name}.md`))
      .join('\n');
    const named = commandsIn(text).flatMap(servicesOf);
    const unknown = named.filter((name) => !/^[<"$]/.test(name) && !(name in services));
    const commands = [...text.matchAll(/\bnpm run ([\w:-]+)/g)].map(([, name]) => name!);

    expect(named.length).toBeGreaterThan(20);
    expect(unknown).toEqual([]);
    expect(commands.filter((name) => !(name in scripts))).toEqual([]);
  });

  test('[OPS-171] replace the database of Temporal with the statements of a new server', () => {
    const roles = read('ops/postgres/roles.sql');
    const replaced = [
      ...section(read('docs/runbooks/procedures.md'), 'Total loss of Temporal').matchAll(
        /-c '(create database .+)'/g,
      ),
    ].map(([, statement]) => statement!);

    expect(replaced).toHaveLength(2);
    expect(replaced.filter((statement) => !roles.includes(`${statement};`))).toEqual([]);
  });
});
