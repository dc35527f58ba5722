import { readFile } from 'node:fs/promises';
import { expect, test } from '@jest/globals';
import { documentedMetrics } from '../../../packages/dev/generate/metrics.ts';
import { metricsIn } from '../../support/metric-names.ts';

type Panel = {
  id: number;
  type: string;
  title: string;
  gridPos: { x: number; y: number; w: number; h: number };
  targets: { refId: string; expr: string }[];
};
type Dashboard = { title: string; uid: string; schemaVersion: number; templating: { list: object[] }; panels: Panel[] };

const file = new URL('../../../ops/grafana/carte.json', import.meta.url);
const dashboard = JSON.parse(await readFile(file, 'utf8')) as Dashboard;

test('is a dashboard that Grafana can load: ids are unique, panels lie on the grid and do not overlap', () => {
  const { panels } = dashboard;
  const overlapping = panels.flatMap((a) =>
    panels
      .filter((b) => b.id > a.id)
      .filter(({ gridPos: b }) => {
        const { x, y, w, h } = a.gridPos;
        return x < b.x + b.w && b.x < x + w && y < b.y + b.h && b.y < y + h;
      })
      .map((b) => `${a.title} and ${b.title}`),
  );

  expect(dashboard).toMatchObject({ title: 'Carte', uid: 'carte', schemaVersion: 39 });
  expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length);
  expect(panels.filter(({ gridPos }) => gridPos.x + gridPos.w > 24)).toEqual([]);
  expect(overlapping).toEqual([]);
  expect(panels.filter(({ title, targets }) => title === '' || targets.length === 0)).toEqual([]);
});

test('asks only for metrics that exist, and shows the four of imports', () => {
  const known = documentedMetrics().map(({ name }) => name);
  const asked = new Set(dashboard.panels.flatMap(({ targets }) => targets.flatMap(({ expr }) => metricsIn(expr))));

  expect([...asked].filter((name) => !known.includes(name))).toEqual([]);
  expect([...asked]).toEqual(
    expect.arrayContaining([
      'erp_sync_duration_seconds',
      'erp_sync_items_total',
      'erp_http_requests_total',
      'erp_last_success_timestamp',
    ]),
  );
});
