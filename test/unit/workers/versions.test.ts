import { describe, expect, test } from '@jest/globals';
import { WORKFLOWS } from '../../../modules/workflows.ts';
import { becomesCurrent, listVersions, type KnownVersion } from '../../../workers/versions.ts';
import * as bundle from '../../../workflows/bundle.ts';

const own = { deploymentName: 'carte-workflows', buildId: 'own' };
const version = (buildId: string, createdAt: number, wasCurrent: boolean): KnownVersion => ({
  buildId,
  createdAt,
  wasCurrent,
  isDraining: false,
});
const TEXT = { own: 'carte-workflows:own', other: 'carte-workflows:other' };

describe('a version of workflows', () => {
  test.each([
    ['becomes current as the first one', null, [version('own', 1, false)], [TEXT.own], true],
    ['replaces workers without versions', null, [version('own', 1, false)], [TEXT.own, null], true],
    [
      'replaces an older one that is running',
      'other',
      [version('own', 2, false), version('other', 1, true)],
      [TEXT.own, TEXT.other],
      true,
    ],
    [
      'keeps a newer one that is running',
      'other',
      [version('own', 1, true), version('other', 2, true)],
      [TEXT.own, TEXT.other],
      false,
    ],
    [
      'stays back after a rollback while the older one is running',
      'other',
      [version('own', 2, true), version('other', 1, true)],
      [TEXT.own, TEXT.other],
      false,
    ],
    [
      'replaces a newer one without workers',
      'other',
      [version('own', 1, true), version('other', 2, true)],
      [TEXT.own],
      true,
    ],
    ['waits until Temporal has registered it', null, [], [TEXT.own], false],
    ['stays current', 'own', [version('own', 1, true)], [TEXT.own], false],
  ] as const)('[OPS-182] %s', (_title, current, versions, polled, expected) => {
    expect(becomesCurrent(own, { current, versions: [...versions] }, new Set(polled))).toBe(
      expected,
    );
  });

  test('[OPS-180] belongs to one queue, and each role with workflows polls for it', () => {
    const buildIds = (role: Parameters<typeof listVersions>[0]) =>
      listVersions(role, 'r').map(({ deploymentName, buildId }) => `${deploymentName} ${buildId}`);

    expect(buildIds('order')).toEqual(['carte-workflows r']);
    expect(buildIds('sync')).toEqual(['carte-workflows r']);
    expect(buildIds('build')).toEqual(['carte-build r']);
    expect(buildIds('all')).toEqual(['carte-workflows r', 'carte-build r']);
    expect(buildIds('import')).toEqual([]);
  });
});

const functions: Record<string, unknown> = { ...bundle };

describe('[OPS-181] the behavior of a workflow', () => {
  test('pins work of minutes only', () => {
    const pinned = WORKFLOWS.filter(({ versioning }) => versioning === 'PINNED').map(
      ({ type }) => type,
    );

    expect(pinned.toSorted()).toEqual([
      'connectionSync',
      'giftReconciliation',
      'mediaSweep',
      'menuImport',
      'menuListImport',
      'organizationsImport',
      'snapshotRebuild',
      'stopListImport',
      'stopListRefresh',
      'syncTick',
      'terminalsImport',
      'zonesImport',
    ]);
  });

  test.each(WORKFLOWS.map(({ type }) => [type]))('reaches Temporal for %s', (type) => {
    expect(functions[type]).toHaveProperty('workflowDefinitionOptions', expect.any(Function));
  });
});
