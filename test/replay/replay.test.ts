import { globSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Worker } from '@temporalio/worker';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { createLog } from '../../platform/log.ts';
import type { WorkflowFunction } from '../../kernel/pure/define-workflow.ts';
import { WORKFLOWS } from '../../modules/workflows.ts';
import { workflowSinks } from '../../workers/temporal-workers.ts';
import { workflowBundle } from '../../workers/workflow-bundle.ts';
import * as workflows from '../../workflows/all.ts';
import { temporalRuntime } from '../support/temporal-runtime.ts';
import { testCache } from '../support/temporary-folder.ts';

const folder = fileURLToPath(new URL('histories', import.meta.url));
const files = globSync('**/*.json', { cwd: folder }).toSorted();

type History = {
  events: {
    activityTaskScheduledEventAttributes?: { activityType: { name: string } };
    [attribute: string]: unknown;
  }[];
};

let codePath: string;
/**
 * Errors by file. One worker replays all files, because every new worker would read the bundle
 * again.
 */
const refusals = new Map<string, unknown>();
beforeAll(async () => {
  temporalRuntime();
  codePath = await workflowBundle(testCache, createLog({ service: 'test', level: 'silent' }));
  const histories = await Promise.all(
    files.map(async (file) => ({ workflowId: file, history: await read(file) })),
  );
  for await (const { workflowId, error } of Worker.runReplayHistories(options(), histories))
    refusals.set(workflowId, error);
});

const options = () => ({
  workflowBundle: { codePath },
  replayName: 'carte-replay',
  sinks: workflowSinks(),
});
const read = async (file: string) =>
  JSON.parse(await readFile(join(folder, file), 'utf8')) as History;

describe('the recorded executions', () => {
  test('exist for every workflow of the bundle', async () => {
    const all = await readFile(
      fileURLToPath(new URL('../../workflows/all.ts', import.meta.url)),
      'utf8',
    );
    const types = [...all.matchAll(/export \{ (\w+) \}/g)].map((match) => match[1] ?? '');

    expect(types.length).toBeGreaterThan(8);
    expect(new Set(files.map((file) => file.split('/')[0]))).toEqual(new Set(types));
  });

  test.each(files)('[OPS-50] replay with the current workflows: %s', (file) => {
    expect(refusals.has(file)).toBe(true);
    expect(refusals.get(file)).toBeUndefined();
  });

  test.each(files)('contain no credential and no menu: %s', async (file) => {
    const text = await readFile(join(folder, file), 'utf8');
    const payloads = [...text.matchAll(/"data":"([^"]+)"/g)].map((match) =>
      Buffer.from(match[1] ?? '', 'base64'),
    );
    const readable = [text, ...payloads.map((payload) => payload.toString('utf8'))].join('\n');

    expect(payloads.length).toBeGreaterThan(0);
    expect(readable).not.toMatch(
      /apiLogin|Bearer|demo-api-login|password|sizePrices|node_modules/i,
    );
    expect(Math.max(0, ...payloads.map((payload) => payload.length))).toBeLessThan(64 * 1024);
  });
});

type Declared = {
  [Workflow in (typeof WORKFLOWS)[number] as Workflow['type']]: WorkflowFunction<Workflow>;
};

test('the modules declare the workflows of the bundle, with their inputs and results', () => {
  const ofBundle: Declared = workflows;
  const declared: { [T in keyof typeof workflows]: Declared[T] } = workflows;

  expect(Object.keys(ofBundle)).toEqual(Object.keys(declared));
  expect(WORKFLOWS.map(({ type }) => type).toSorted()).toEqual(Object.keys(ofBundle).toSorted());
});

describe('the replay test itself', () => {
  test('fails for a history whose second activity is another one', async () => {
    const history = await read('menuImport/0.1.0-full.json');
    const scheduled = history.events.flatMap(
      (event) => event.activityTaskScheduledEventAttributes ?? [],
    );
    const [, second] = scheduled;
    if (second === undefined) throw new Error('the history schedules fewer than two activities');
    second.activityType.name = 'somethingElse';

    const replay = Worker.runReplayHistory(options(), history);
    await expect(replay).rejects.toMatchObject({ name: 'DeterminismViolationError' });
  });

  test('reads the files of the right folder', () => {
    expect(relative(process.cwd(), folder)).toBe('test/replay/histories');
    expect(files.length).toBeGreaterThan(15);
  });
});
