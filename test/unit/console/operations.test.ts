import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { routes } from '../../../api/routes.ts';
import { root } from '../../support/processes.ts';

/** Operations that no screen calls, each with its reason. */
const LEFT_OUT: Readonly<Record<string, string>> = {
  startSignOn: 'the sign-in page links to it',
  finishSignOn: 'the identity provider sends the browser there',
  downloadExport: 'the browser opens the link that `createExportLink` returns',
  exportOrders: 'downloaded by a link',
  exportProducts: 'downloaded by a link',
  exportCompensations: 'downloaded by a link',
  listEvents: 'for programs; the console has the stream and the deliveries',
  getBusyMode: 'the overview has it for all restaurants',
  setBusyMode: '`setBusyModes` does it for one too',
  endBusyModes: 'staff end it where they have chosen it, not everywhere',
  createScheduleException: '`createScheduleExceptions` does it for one too',
  getRole: 'the matrix reads all roles',
  getRevision: 'a whole menu as JSON; the console shows the differences and the preview of a dish',
  calculateComposition: 'for the developers of a storefront',
};

test('[CSL-38] each operation of the admin API has a screen, or a reason why it has none', () => {
  const sources = globSync('packages/console/src/**/*.{ts,tsx}', { cwd: root })
    .map((file) => readFileSync(join(root, file), 'utf8'))
    .join('\n');
  const operations = routes
    .filter(({ api }) => api === 'admin')
    .map(({ operationId }) => operationId);
  const unused = operations.filter(
    (operation) => !new RegExp(String.raw`\b${operation}\b`).test(sources),
  );

  expect(operations.length).toBeGreaterThan(250);
  expect(unused.toSorted()).toEqual(Object.keys(LEFT_OUT).toSorted());
});
