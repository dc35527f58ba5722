import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { Client, Connection } from '@temporalio/client';
import {
  SEARCH_ATTRIBUTE_NAMES,
  searchAttributes,
} from '../../../platform/pure/search-attributes.ts';
import { prepareTemporal, requirePreparedTemporal } from '../../../platform/prepare-temporal.ts';
import { eventually } from '../../support/processes.ts';
import { testTemporal } from '../../support/temporal.ts';

const DAY_MS = 86_400_000;
let connection: Connection;
let namespace: string;
const stops: (() => Promise<void>)[] = [];
beforeAll(async () => {
  const { address, stop } = await testTemporal();
  stops.push(stop);
  connection = await Connection.connect({ address });
});
beforeEach(() => {
  namespace = `bare-${process.pid}-${Math.random().toString(36).slice(2)}`;
});
afterAll(async () => {
  await connection.close();
  for (const stop of stops) await stop();
});

const prepare = (days: number) =>
  prepareTemporal(connection, { namespace, retentionMs: days * DAY_MS });
const retentionDays = async () => {
  const { config } = await connection.workflowService.describeNamespace({ namespace });
  return Number(config?.workflowExecutionRetentionTtl?.seconds) / 86_400;
};

test('[OPS-20] the preparation creates the namespace and search attributes, also in concurrent calls', async () => {
  const done = await Promise.all([prepare(14), prepare(14), prepare(14)]);
  const again = await prepare(14);

  expect(done.map(({ namespace: made }) => made)).toContain('created');
  expect(done.flatMap(({ searchAttributes }) => searchAttributes)).toEqual(
    expect.arrayContaining([...SEARCH_ATTRIBUTE_NAMES]),
  );
  expect(again).toEqual({ namespace: 'found', searchAttributes: [] });
  expect(await retentionDays()).toBe(14);
  await requirePreparedTemporal(connection, namespace);
});

test('[OPS-20] the preparation raises the retention and never lowers it', async () => {
  await prepare(1);
  const [raised, kept] = [await prepare(14), await prepare(7)];

  expect([raised.namespace, kept.namespace]).toEqual(['retention raised', 'found']);
  expect(await retentionDays()).toBe(14);
});

test('[OPS-20] the preparation reports what is missing', async () => {
  const refused = () =>
    requirePreparedTemporal(connection, namespace).catch((error: Error) => error.message);
  const bare = await refused();
  await connection.workflowService.registerNamespace({
    namespace,
    workflowExecutionRetentionPeriod: { seconds: 86_400 as never },
  });
  const searchAttributes = { [SEARCH_ATTRIBUTE_NAMES[0]!]: 2 };
  // The server caches for some seconds that the namespace does not exist.
  await eventually('the namespace is known', async () =>
    connection.operatorService.addSearchAttributes({ namespace, searchAttributes }).then(
      () => true,
      () => undefined,
    ),
  );
  const partly = await refused();

  expect(bare).toBe(
    `Temporal has no namespace "${namespace}": run \`npm run temporal:prepare\` first.`,
  );
  expect(partly).toBe(
    `Temporal lacks the search attributes ${SEARCH_ATTRIBUTE_NAMES.slice(1).join(', ')}: run \`npm run temporal:prepare\` first.`,
  );
});

test('[OPS-20] search attributes of executions are found by their types', async () => {
  await prepare(1);
  const { workflow } = new Client({ connection, namespace });
  const start = (workflowId: string, paused?: string[]) =>
    workflow.start('any', {
      workflowId,
      taskQueue: 'none',
      typedSearchAttributes: searchAttributes({ CarteConnectionId: 7, CartePaused: paused }),
    });
  await Promise.all([start('polls'), start('pauses', ['MENU', 'ORDERS'])]);
  const found = async (query: string) => {
    const executions = await Array.fromAsync(workflow.list({ query }));
    return executions.map(({ workflowId }) => workflowId);
  };
  await eventually('both are listed', async () =>
    (await found('')).length === 2 ? true : undefined,
  );

  expect(await found('CarteConnectionId > 7')).toEqual([]);
  expect((await found('CarteConnectionId = 7')).toSorted()).toEqual(['pauses', 'polls']);
  expect(await found('CartePaused = "ORDERS"')).toEqual(['pauses']);
  expect(await found('CartePaused IS NOT NULL')).toEqual(['pauses']);
});
