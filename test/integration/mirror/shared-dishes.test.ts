import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { applyImport, type ApplyInput } from '../../../modules/mirror/menu/apply-import.ts';
import { eventually } from '../../support/processes.ts';
import { importBasics, importMenu, mirrorFixture, type TestFixture } from '../../support/mirror.ts';
import { repetitions } from '../../support/repetitions.ts';
import { aTwin, stagedRun, type OwnedMenu } from '../../support/two-menus.ts';
import { selectRows } from '../../support/rows.ts';
import { waitingSessions } from '../../support/whole-schema.ts';

let fixture: TestFixture;
let first: OwnedMenu;
let twin: OwnedMenu;
let dishes: { erpId: string; name: string }[];
beforeAll(async () => {
  fixture = await mirrorFixture();
  first = { connectionId: fixture.connectionId, externalMenuId: await importBasics(fixture) };
  await importMenu(fixture, first.externalMenuId);
  twin = await aTwin(fixture, 1);
  dishes = await selectRows(
    fixture.db,
    'mirror_item',
    ['erpId', 'name'],
    { role: 'DISH' },
    { orderBy: 'id' },
  );
});
afterAll(() => fixture.close());

const shown = async (erpId: string) => {
  const [row] = await fixture.db.db
    .selectFrom('mirror_item')
    .where('erpId', '=', erpId)
    .where('role', '=', 'DISH')
    .select((row) => ['name', row('deletedAt', 'is not', null).as('deleted')])
    .execute();
  return row;
};

/**
 * The first run has written everything without a commit when the second begins, because another
 * session locks the last row.
 */
async function applyTogether(before: ApplyInput, after: ApplyInput): Promise<unknown[]> {
  const holder = await fixture.db.pool.connect();
  await holder.query('begin');
  // Blocks only updates of the row, not foreign keys to it.
  await holder.query('select from mirror_external_menu where id = $1 for no key update', [
    before.externalMenuId,
  ]);
  const one = applyImport(fixture.deps, before);
  await eventually('the first one waits for its last row', async () =>
    (await waitingSessions(fixture.db)) > 0 ? true : undefined,
  );
  let done = false;
  const other = applyImport(fixture.deps, after).finally(() => (done = true));
  await eventually('the second one waits or is over', async () =>
    done || (await waitingSessions(fixture.db)) > 1 ? true : undefined,
  );
  await holder.query('commit');
  holder.release();
  return (await Promise.all([one, other])).map((outcome) => outcome.outcome);
}

describe('two menus that share dishes, imported through two connections at the same moment', () => {
  test('[MIR-17] keep the name of the menu with priority, even if the other one did not see it', async () => {
    const dish = dishes[0]!;
    const better = await stagedRun(fixture, twin, 'FULL', { [dish.erpId]: 'Name of the twin' });
    const worse = await stagedRun(fixture, first, 'FULL', { [dish.erpId]: 'Another name' });

    expect(await applyTogether(better, worse)).toEqual(['APPLIED', 'APPLIED']);
    expect(await shown(dish.erpId)).toEqual({ name: 'Name of the twin', deleted: false });
  });

  test('delete a dish that both lose', async () => {
    const dish = dishes[1]!;
    await fixture.emulator.control('vanish', { menuId: '9001', itemIds: [dish.erpId] });
    const one = await stagedRun(fixture, twin, 'FULL');
    const other = await stagedRun(fixture, first, 'FULL');

    expect(await applyTogether(one, other)).toEqual(['APPLIED', 'APPLIED']);
    expect(await shown(dish.erpId)).toMatchObject({ deleted: true });
    await fixture.emulator.control('return', { menuId: '9001' });
  });

  test.each(Array.from({ length: repetitions(3) }, (_, index) => index + 1))(
    'neither wait permanently nor alternate names, round %i',
    async (round) => {
      const named = (who: string) =>
        Object.fromEntries(dishes.map(({ erpId }) => [erpId, `${who} ${round}`] as const));
      const runs = [
        await stagedRun(fixture, twin, 'FULL', named('twin')),
        await stagedRun(fixture, first, 'FULL', named('first')),
      ];

      const outcomes = await Promise.all(
        (round % 2 === 0 ? runs : runs.toReversed()).map((run) => applyImport(fixture.deps, run)),
      );

      expect(outcomes.map((outcome) => outcome.outcome)).toEqual(['APPLIED', 'APPLIED']);
      const names = await fixture.db.db
        .selectFrom('mirror_item')
        .where('role', '=', 'DISH')
        .where('deletedAt', 'is', null)
        .select('name')
        .distinct()
        .execute();
      expect(names).toEqual([{ name: `twin ${round}` }]);
    },
  );
});
