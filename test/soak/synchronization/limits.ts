import { expect } from '@jest/globals';
import type { Rule, SyncProduct } from './fixture.ts';

const STATUS = '/api/1/commands/status';
const MENU = '/api/menu/v3/by_id';

async function changeMenu(fixture: SyncProduct, change: Record<string, unknown>): Promise<void> {
  const { items } = await fixture.admin.get<{ items: { id: number; version: number }[] }>(
    '/external-menus',
  );
  const { version } = items.find((item) => item.id === fixture.menuRowId)!;
  await fixture.admin.patch(`/external-menus/${fixture.menuRowId}`, { ...change, version });
}

/**
 * Limits that a running product demonstrates in seconds; docs/rules names the tests of the others.
 */
export const LIMITS: readonly Rule[] = [
  {
    id: '[MIR-35] locks',
    rule: 'a manual run is refused while the same import runs, and another job of the connection is not',
    async show(fixture) {
      await fixture.control('fault', {
        endpoint: '/api/1/terminal_groups',
        kind: 'slow',
        delayMs: 3_600_000,
      });
      const scope = String(fixture.connectionId);

      const first = await fixture.admin.raw('POST', '/sync/run', { job: 'TERMINALS', scope });
      const second = await fixture.admin.raw('POST', '/sync/run', { job: 'TERMINALS', scope });
      const other = await fixture.run('STOP_LIST');
      await fixture.control('clear-faults');

      expect([first.status, second.status]).toEqual([202, 409]);
      expect(((await second.json()) as { type: string }).type).toMatch(/\/already-running$/);
      expect(other.status).toBe('SUCCESS');
      const { runId } = (await first.json()) as { runId: number };
      expect(await fixture.ended(runId)).toMatchObject({ status: 'SUCCESS' });
    },
  },
  {
    id: '[ERP-13] asynchronous mode',
    rule: 'an asynchronous menu is polled every 2 seconds and then fetched',
    async show(fixture) {
      await changeMenu(fixture, { isAsync: true });
      await fixture.control('async-menu', { menuId: fixture.menuId, mode: 'success', polls: 1 });

      const calls = await fixture.callsDuring(async () =>
        expect(await fixture.run('MENU', 'FULL')).toMatchObject({ status: 'SUCCESS' }),
      );

      expect(calls.map((call) => call.endpoint)).toEqual([MENU, STATUS, STATUS, MENU]);
      const times = calls.map((call) => Date.parse(call.time));
      expect(times[1]! - times[0]!).toBeGreaterThanOrEqual(1_900);
      expect(times[2]! - times[1]!).toBeGreaterThanOrEqual(1_900);
      await fixture.control('async-menu', { menuId: fixture.menuId, mode: 'off' });
      await changeMenu(fixture, { isAsync: false });
    },
  },
  {
    id: '[ERP-6] retries',
    rule: 'a server error is repeated after 1 and 3 seconds; a refusal is not repeated at all',
    async show(fixture) {
      const endpoint = '/api/2/menu';
      await fixture.control('fault', { endpoint, kind: '500', times: 2 });

      const repeated = await fixture.callsDuring(async () =>
        expect(await fixture.run('MENU_LIST')).toMatchObject({ status: 'SUCCESS' }),
      );

      expect(repeated.map((call) => call.status)).toEqual([500, 500, 200]);
      const times = repeated.map((call) => Date.parse(call.time));
      expect(times[1]! - times[0]!).toBeGreaterThanOrEqual(950);
      expect(times[2]! - times[1]!).toBeGreaterThanOrEqual(2_900);
    },
  },
];
