import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { getRun } from '../../../modules/mirror/runs/list-runs.ts';
import { importBasics, importMenu, mirrorFixture, type TestFixture } from '../../support/mirror.ts';
import { selectRows } from '../../support/rows.ts';

let fixture: TestFixture;
let menuId: number;
beforeAll(async () => {
  fixture = await mirrorFixture();
  menuId = await importBasics(fixture);
});
afterAll(() => fixture.close());

async function imported() {
  const { runId } = await importMenu(fixture, menuId, 'INCREMENTAL');
  const columns = ['erpId', 'hours'] as const;
  const categories = await selectRows(
    fixture.db,
    'mirror_menu_category',
    [...columns],
    {},
    { orderBy: 'position' },
  );
  return {
    hours: categories[0]!.hours,
    others: categories.slice(1).filter(({ hours }) => hours !== null),
    runId,
  };
}
const schedule = (fields: object) =>
  fixture.emulator.control('schedule-category', { menuId: '9001', ...fields });

test('[MIR-93] an import stores the hours of a category, follows their changes and their end', async () => {
  await importMenu(fixture, menuId, 'FULL');
  await schedule({
    periods: [{ from: '08:00:00', to: '11:30:00', weekDays: ['monday', 'friday'] }],
  });
  const added = await imported();
  await schedule({ periods: [{ from: '20:00:00', to: '01:00:00' }] });
  const moved = await imported();
  await schedule({});
  const ended = await imported();

  expect(added.hours).toEqual([{ days: [1, 5], from: '08:00', to: '11:30' }]);
  expect(added.others).toEqual([]);
  expect(moved.hours).toEqual([{ days: [1, 2, 3, 4, 5, 6, 7], from: '20:00', to: '01:00' }]);
  expect(ended.hours).toBeNull();
});

test('[MIR-93] an import counts an unreadable schedule', async () => {
  await schedule({ periods: [{ from: 'noon', to: '11:30:00' }] });
  const { hours, runId } = await imported();

  expect(hours).toBeNull();
  expect((await getRun(fixture.db, runId)).anomalies).toContainEqual(
    expect.objectContaining({ code: 'SCHEDULE_NOT_READ', count: 1 }),
  );
});
