import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { Connection } from '@temporalio/client';
import { SEARCH_ATTRIBUTES } from '../../../kernel/pure/search-attributes.ts';
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

const prepare = (days: number) => prepareTemporal(connection, { namespace, retentionMs: days * DAY_MS });
const retentionDays = async () => {
  const { config } = await connection.workflowService.describeNamespace({ namespace });
  return Number(config?.workflowExecutionRetentionTtl?.seconds) / 86_400;
};

test('[OPS-20] creates the namespace and the search attributes, also in concurrent calls', async () => {
  const done = await Promise.all([prepare(14), prepare(14), prepare(14)]);
  const again = await prepare(14);

  expect(done.map(({ namespace: made }) => made)).toContain('created');
  expect(done.flatMap(({ searchAttributes }) => searchAttributes)).toEqual(
    expect.arrayContaining([...SEARCH_ATTRIBUTES]),
  );
  expect(again).toEqual({ namespace: 'found', searchAttributes: [] });
  expect(await retentionDays()).toBe(14);
  await requirePreparedTemporal(connection, namespace);
});

test('[OPS-20] raises the retention and never lowers it', async () => {
  await prepare(1);
  const [raised, kept] = [await prepare(14), await prepare(7)];

  expect([raised.namespace, kept.namespace]).toEqual(['retention raised', 'found']);
  expect(await retentionDays()).toBe(14);
});

test('[OPS-20] names what is missing', async () => {
  const refused = () => requirePreparedTemporal(connection, namespace).catch((error: Error) => error.message);
  const bare = await refused();
  await connection.workflowService.registerNamespace({
    namespace,
    workflowExecutionRetentionPeriod: { seconds: 86_400 as never },
  });
  const searchAttributes = { [SEARCH_ATTRIBUTES[0]]: 2 };
  // The server has just seen that there is no such namespace, and believes it for some seconds.
  await eventually('the namespace is known', async () =>
    connection.operatorService.addSearchAttributes({ namespace, searchAttributes }).then(
      () => true,
      () => undefined,
    ),
  );
  const partly = await refused();

  expect(bare).toBe(`Temporal has no namespace "${namespace}": run \`npm run temporal:prepare\` first.`);
  expect(partly).toBe(
    `Temporal lacks the search attributes ${SEARCH_ATTRIBUTES.slice(1).join(', ')}: run \`npm run temporal:prepare\` first.`,
  );
});
