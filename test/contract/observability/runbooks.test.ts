import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { parse } from 'yaml';
import { migratedDatabase } from '../../support/database.ts';

type Rule = { alert: string; annotations: { summary: string; runbook_url: string } };

const root = fileURLToPath(new URL('../../..', import.meta.url));
const folder = join(root, 'docs/runbooks');

let database: Awaited<ReturnType<typeof migratedDatabase>>;
let rules: Rule[];
let entries: Map<string, string>;
beforeAll(async () => {
  database = await migratedDatabase();
  const { groups } = parse(await readFile(join(root, 'ops/prometheus/alerts.yml'), 'utf8')) as {
    groups: { rules: Rule[] }[];
  };
  rules = groups.flatMap((group) => group.rules);
  entries = splitEntries(await readFile(join(folder, 'alerts.md'), 'utf8'));
});
afterAll(async () => database?.close());

function splitEntries(markdown: string): Map<string, string> {
  return new Map(
    markdown
      .split(/^## /m)
      .slice(1)
      .map((part) => [
        part.slice(0, part.indexOf('\n')).trim(),
        part.slice(part.indexOf('\n') + 1),
      ]),
  );
}

/** Parts of every entry. A paragraph may have several lines. */
const PARTS: Readonly<Record<string, RegExp>> = {
  'what it means': /^\*\*Means\.\*\* \S/m,
  // Relays have no execution (OPS-42).
  'a workflow, a query of Temporal, a step of upkeep or a relay':
    /^\*\*In Temporal\.\*\* (?:(?!\n\n)[^])*?`(?:[a-z/-]+\/\{|Carte\w+ ?=|WorkflowType ?=|[a-z-]+`\s+among\s+the\s+\[(?:steps of upkeep|relays)\])/m,
  'a field of /sync/status or another call of the admin API':
    /^\*\*In (?:\/sync\/status\.\*\* (?:(?!\n\n)[^])*?`\w+|the admin API\.\*\* Call `GET \/(?!sync\/status))/m,
  'a statement': /^```sql\n[^`]+```/m,
  'an action': /^\*\*Do\.\*\*(?: |\n\n1\. )\S/m,
};

test('each alert links its entry, and each entry lists checks in Temporal and in the admin API', () => {
  const incomplete = rules.flatMap(({ alert, annotations }) => [
    ...Object.entries(PARTS).flatMap(([what, pattern]) =>
      pattern.test(entries.get(alert) ?? '') ? [] : [`${alert} lacks ${what}`],
    ),
    ...(annotations.runbook_url === `docs/runbooks/alerts.md#${alert.toLowerCase()}`
      ? []
      : [`${alert} has no address`]),
  ]);
  const inOrder = (names: string[]) => names.toSorted((a, b) => a.localeCompare(b));

  expect(incomplete).toEqual([]);
  expect(inOrder([...entries.keys()])).toEqual(inOrder(rules.map(({ alert }) => alert)));
});

test('every statement of a runbook and of the service levels runs on the schema', async () => {
  const files = (await readdir(folder)).map((name) => join(folder, name));
  const pages = await Promise.all(
    [...files, join(root, 'docs/operations.md')].map((file) => readFile(file, 'utf8')),
  );
  const statements = pages.flatMap((page) =>
    [...page.matchAll(/```sql\n([^`]+)```/g)].map(([, sql = '']) => sql),
  );
  const failed: string[] = [];
  for (const sql of statements)
    await database.db
      .query(`explain ${sql}`)
      .catch((error: unknown) => failed.push(`${sql}: ${String(error)}`));

  expect(statements.length).toBeGreaterThanOrEqual(rules.length);
  expect(failed).toEqual([]);
});

test('links between runbooks lead to existing headings', async () => {
  const broken: string[] = [];
  for (const name of await readdir(folder)) {
    const page = await readFile(join(folder, name), 'utf8');
    for (const [, target = '', anchor] of page.matchAll(/\]\(([^)#]+)(?:#([^)]+))?\)/g)) {
      const file = join(folder, target);
      const headings = existsSync(file)
        ? [...splitEntries(await readFile(file, 'utf8')).keys()]
        : [];
      const anchors = headings.map((heading) =>
        heading
          .toLowerCase()
          .replaceAll(/[^\w -]/g, '')
          .replaceAll(' ', '-'),
      );
      if (!existsSync(file) || (anchor !== undefined && !anchors.includes(anchor)))
        broken.push(`${name}: ${target}#${anchor}`);
    }
  }
  expect(broken).toEqual([]);
});
