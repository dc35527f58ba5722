import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Client } from '@temporalio/client';
import { WORKFLOWS } from '../../../modules/workflows.ts';
import { connectTemporal } from '../../../platform/temporal.ts';
import { root } from '../../support/processes.ts';
import { testTemporal } from '../../support/temporal.ts';

const LINK =
  /\]\(http:\/\/127\.0\.0\.1:8233\/namespaces\/default\/workflows\?query=([^)]+)\) +\| +`([^`]+)`/g;

const page = await readFile(join(root, 'docs/operations.md'), 'utf8');
const links = [...page.matchAll(LINK)].map(([, query = '', shown]) => ({
  query: decodeURIComponent(query),
  shown,
}));

let server: Awaited<ReturnType<typeof testTemporal>>;
let connected: Awaited<ReturnType<typeof connectTemporal>>;
let temporal: Client;
beforeAll(async () => {
  server = await testTemporal();
  connected = await connectTemporal({
    address: server.address,
    namespace: server.namespace,
    identity: 'test',
  });
  temporal = connected.client;
});
afterAll(async () => {
  await connected?.close();
  await server?.stop();
});

const isAccepted = (query: string): Promise<boolean> =>
  Array.fromAsync(temporal.workflow.list({ query })).then(
    () => true,
    () => false,
  );

test('[OPS-108] the page of links has at least ten links, each with the query that it shows', () => {
  expect(new Set(links.map(({ query }) => query)).size).toBeGreaterThanOrEqual(10);
  expect(links.map(({ query }) => query)).toEqual(links.map(({ shown }) => shown));
});

test('[OPS-108] Temporal accepts the query of each link, and rejects an unknown attribute', async () => {
  const refused: string[] = [];
  for (const { query } of links) if (!(await isAccepted(query))) refused.push(query);

  expect(refused).toEqual([]);
  expect(await isAccepted('CarteNothing = "1"')).toBe(false);
});

test('[OPS-108] the links name workflows that exist', () => {
  const types = new Set<string>(WORKFLOWS.map(({ type }) => type));
  const named = links.flatMap(({ query }) =>
    [...query.matchAll(/WorkflowType (?:= |IN \()([^)]*?)(?:\)| and|$)/g)].flatMap(
      ([, list = '']) => [...list.matchAll(/"(\w+)"/g)].map(([, type = '']) => type),
    ),
  );

  expect(named.length).toBeGreaterThanOrEqual(8);
  expect(named.filter((type) => !types.has(type))).toEqual([]);
});
