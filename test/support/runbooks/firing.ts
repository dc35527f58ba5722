import { execFile } from 'node:child_process';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { stringify } from 'yaml';
import { metricsIn } from '../metrics-text.ts';
import type { Sample } from '../metrics-text.ts';
import { root } from '../processes.ts';
import { temporaryFolder } from '../temporary-folder.ts';

export type Rule = { alert: string; expr: string; for?: string };
export type Scrape = { samples: Sample[]; at: number };
export type Observed = {
  rule: Rule;
  before: Scrape;
  after: Scrape;
  /**
   * True if the measured age grows by itself, so that the test does not wait for the minutes of the
   * rule.
   */
  ages: boolean;
};

/** Minutes of simulated time before the provocation, and the minimum after the provocation. */
const CALM = 10;
const LEAST = 2;
const AGING_MINUTES = 10;
/** Metrics with timestamps instead of ages. Simulated time begins at 0. */
const MOMENTS = /timestamp/;

/**
 * Returns alerts that fire before the provocation, or do not fire after it. Prometheus evaluates
 * the installed rules.
 */
export async function unfaithful(
  promtool: string,
  observed: readonly Observed[],
): Promise<string[]> {
  const folder = await temporaryFolder('firing');
  try {
    const file = join(folder, 'observed.yml');
    const head = {
      rule_files: [join(root, 'ops/prometheus/alerts.yml')],
      evaluation_interval: '1m',
    };
    await writeFile(file, stringify({ ...head, tests: observed.map(buildUnitTest) }));
    const said = await promisify(execFile)(promtool, ['test', 'rules', file], {
      maxBuffer: 2 ** 24,
    }).then(
      () => '',
      (error: { stdout?: string; stderr?: string }) => `${error.stdout ?? ''}${error.stderr ?? ''}`,
    );
    const named = [...said.matchAll(/alertname=\\?"(\w+)/g)].map(([, name = '']) => name);
    if (said !== '' && named.length === 0) throw new Error(`promtool: ${said.slice(0, 2000)}`);
    return [...new Set(named)];
  } finally {
    await rm(folder, { recursive: true });
  }
}

function buildUnitTest({ rule, before, after, ages }: Observed): object {
  const { alert } = rule;
  const minutes = LEAST + (ages ? AGING_MINUTES : 0) + parseMinutes(rule.for);
  return {
    interval: '1m',
    input_series: buildSeries(rule, before, after, { minutes, ages }),
    promql_expr_test: [
      { expr: `count(ALERTS{alertname="${alert}"})`, eval_time: `${CALM - 1}m`, exp_samples: [] },
      {
        expr: `count(ALERTS{alertname="${alert}",alertstate="firing"}) > bool 0`,
        eval_time: `${CALM + minutes}m`,
        exp_samples: [{ labels: '{}', value: 1 }],
      },
    ],
  };
}

function buildSeries(
  rule: Rule,
  before: Scrape,
  after: Scrape,
  { minutes, ages }: { minutes: number; ages: boolean },
) {
  const wanted = new Set(metricsIn(rule.expr));
  const values = ({ samples, at }: Scrape, minute: number) =>
    new Map(
      samples
        .filter(({ name }) => metricsIn(name).some((metric) => wanted.has(metric)))
        .map((sample) => [
          `${sample.name}${formatLabels(sample)}`,
          MOMENTS.test(sample.name) ? sample.value - at + minute * 60 : sample.value,
        ]),
    );
  const [earlier, later] = [values(before, CALM - 1), values(after, CALM)];
  return [...new Set([...earlier.keys(), ...later.keys()])].map((name) => {
    const [was, is] = [earlier.get(name), later.get(name)];
    const grows = ages && is !== undefined && is > 0 ? '+60' : '+0';
    return {
      series: name,
      values: `${was === undefined ? `_x${CALM}` : `${was}+0x${CALM - 1}`} ${is === undefined ? 'stale' : `${is}${grows}x${minutes}`}`,
    };
  });
}

function formatLabels({ labels }: Sample): string {
  return `{${Object.entries(labels)
    .map(([name, value]) => `${name}="${value}"`)
    .join(',')}}`;
}

function parseMinutes(duration = '0m'): number {
  const [, count = '', unit = ''] = /^(\d+)([mh])$/.exec(duration) ?? [];
  if (unit === '') throw new Error(`${duration} is not a number of minutes or hours`);
  return Number(count) * (unit === 'h' ? 60 : 1);
}
