import { readdir, readFile } from 'node:fs/promises';
import { expect, test } from '@jest/globals';
import { documentedMetrics } from '../../../packages/dev/generate/metrics.ts';
import { metricsIn } from '../../support/metrics-text.ts';

type Panel = {
  id: number;
  type: string;
  title: string;
  gridPos: { x: number; y: number; w: number; h: number };
  targets: { refId: string; expr: string }[];
};
type Dashboard = {
  title: string;
  uid: string;
  schemaVersion: number;
  templating: { list: object[] };
  panels: Panel[];
};

const folder = new URL('../../../ops/grafana/dashboards/', import.meta.url);
const dashboards = await Promise.all(
  (await readdir(folder)).map(
    async (name) => JSON.parse(await readFile(new URL(name, folder), 'utf8')) as Dashboard,
  ),
);
const asked = dashboards.flatMap(({ panels }) =>
  panels.flatMap(({ targets }) => targets.map(({ expr }) => expr)),
);

test.each(dashboards.map((dashboard) => [dashboard.title, dashboard] as const))(
  'the dashboard "%s" loads in Grafana: ids are unique, panels fit the grid without overlap',
  (_title, { panels, ...dashboard }) => {
    const overlapping = panels.flatMap((a) =>
      panels
        .filter((b) => b.id > a.id)
        .filter(({ gridPos: b }) => {
          const { x, y, w, h } = a.gridPos;
          return x < b.x + b.w && b.x < x + w && y < b.y + b.h && b.y < y + h;
        })
        .map((b) => `${a.title} and ${b.title}`),
    );

    expect(dashboard).toMatchObject({
      title: expect.stringMatching(/^Carte: /),
      uid: expect.stringMatching(/^carte/),
      schemaVersion: 39,
    });
    expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length);
    expect(panels.filter(({ gridPos }) => gridPos.x + gridPos.w > 24)).toEqual([]);
    expect(overlapping).toEqual([]);
    expect(panels.filter(({ title, targets }) => title === '' || targets.length === 0)).toEqual([]);
  },
);

test('dashboards query existing metrics, and show the four of imports', () => {
  const known = documentedMetrics().map(({ name }) => name);
  const names = new Set(asked.flatMap(metricsIn));

  expect(new Set(dashboards.map(({ uid }) => uid)).size).toBe(dashboards.length);
  expect([...names].filter((name) => !known.includes(name))).toEqual([]);
  expect([...names]).toEqual(
    expect.arrayContaining([
      'erp_sync_duration_seconds',
      'erp_sync_items_total',
      'erp_http_requests_total',
      'erp_last_success_timestamp',
    ]),
  );
});
