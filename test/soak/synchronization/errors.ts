import { expect } from '@jest/globals';
import type { Rule, SyncProduct } from './fixture.ts';
import { asOwner } from '../../support/database-roles.ts';
import { countRows } from '../../support/rows.ts';

const ORGANIZATIONS = '/api/1/organizations';

/** Expects that the run fails for this reason and the mirror does not change. */
async function refused(fixture: SyncProduct, reason: string | RegExp): Promise<void> {
  const before = await fixture.mirrorState();
  const run = await fixture.run('ORGANIZATIONS');
  expect(run.status).toBe('FAILED');
  expect(run.reason).toMatch(reason);
  expect(await fixture.mirrorState()).toEqual(before);
}

/** Failures of imports and of the ERP (docs/rules/mirror.md, docs/rules/erp.md). */
export const ERRORS: readonly Rule[] = [
  {
    id: '[MIR-15] unknown organization in a menu',
    rule: 'a menu for an organization nobody knows is not imported and recorded as an anomaly',
    async show(fixture) {
      await fixture.control('unknown-organization', { menuId: fixture.menuId, on: true });

      const run = await fixture.run('MENU', 'FULL');

      expect(run.status).toBe('SUCCESS');
      expect(run.anomalies).toContainEqual(
        expect.objectContaining({ code: 'UNKNOWN_ORGANIZATION' }),
      );
      const count = await countRows(fixture.product.db, 'mirror_organization');
      expect(count).toBe(fixture.organizationIds.length);
      await fixture.control('unknown-organization', { menuId: fixture.menuId, on: false });
    },
  },
  {
    id: '[MIR-22] organization list: broken answer',
    rule: 'the list of organizations cannot be read: no database change',
    async show(fixture) {
      await fixture.control('fault', { endpoint: ORGANIZATIONS, kind: 'truncated-json' });
      await refused(fixture, 'NOT_JSON');
    },
  },
  {
    id: '[MIR-22] organization list: refused',
    rule: 'an element without a name: the validation fails, no database change',
    async show(fixture) {
      await fixture.control('organization-shape', { shape: 'null-name' });
      await refused(fixture, /INVALID/);
      await fixture.control('organization-shape', { shape: 'real' });
      expect(await fixture.run('ORGANIZATIONS')).toMatchObject({ status: 'SUCCESS' });
    },
  },
  {
    id: '[MIR-22] organization list: database',
    rule: 'a write fails: the whole import of that connection rolls back',
    async show(fixture) {
      const { db } = fixture.product;
      await asOwner(
        db,
        `create function refuse_row() returns trigger language plpgsql as $$
        begin if new.erp_id = '${fixture.organizationIds[1]}' then raise exception 'refused' using errcode = '23514'; end if;
        return new; end $$`,
      );
      await asOwner(
        db,
        'create trigger refuse_row before insert or update on mirror_organization for each row execute function refuse_row()',
      );
      try {
        await refused(fixture, 'DATABASE_23514');
      } finally {
        await asOwner(
          db,
          'drop trigger refuse_row on mirror_organization; drop function refuse_row',
        );
      }
      expect(await fixture.run('ORGANIZATIONS')).toMatchObject({ status: 'SUCCESS' });
    },
  },
  {
    id: '[MIR-38] owner not active',
    rule: 'the legal entity is not operationally active: every job is skipped without any call to the ERP',
    async show(fixture) {
      const { items } = await fixture.admin.get<{ items: { id: number }[] }>('/legal-entities');
      const [entity] = items;
      const move = (to: 'activate' | 'deactivate') =>
        fixture.admin.post(`/legal-entities/${entity!.id}/${to}`, {});
      await move('deactivate');
      const calls = await fixture.callsDuring(async () => {
        for (const job of ['ORGANIZATIONS', 'TERMINALS', 'MENU_LIST', 'MENU', 'STOP_LIST', 'ZONES'])
          expect(await fixture.run(job)).toMatchObject({
            status: 'SKIPPED',
            reason: 'OWNER_INACTIVE',
          });
      });
      expect(calls).toEqual([]);
      await move('activate');
      expect((await fixture.run('STOP_LIST')).status).toBe('SUCCESS');
    },
  },
  {
    id: '[ERP-7] 429',
    rule: 'a 429 is repeated after the time given in Retry-After, not before',
    async show(fixture) {
      await fixture.control('fault', { endpoint: ORGANIZATIONS, kind: '429', retryAfter: 2 });

      const calls = await fixture.callsDuring(async () =>
        expect(await fixture.run('ORGANIZATIONS')).toMatchObject({ status: 'SUCCESS' }),
      );

      const answers = calls.filter((call) => call.endpoint === ORGANIZATIONS);
      expect(answers.map((answer) => answer.status)).toEqual([429, 200]);
      expect(Date.parse(answers[1]!.time) - Date.parse(answers[0]!.time)).toBeGreaterThanOrEqual(
        2_000,
      );
    },
  },
  {
    id: '[ERP-2] 401',
    rule: 'a 401 leads to a new token and one repetition of the call',
    async show(fixture) {
      await fixture.control('revoke-tokens');

      const calls = await fixture.callsDuring(async () =>
        expect(await fixture.run('ORGANIZATIONS')).toMatchObject({ status: 'SUCCESS' }),
      );

      expect(calls.map((call) => [call.endpoint, call.status])).toEqual([
        [ORGANIZATIONS, 401],
        ['/api/v2/access_token', 200],
        [ORGANIZATIONS, 200],
      ]);
    },
  },
  {
    id: '[ERP-10] 5xx with HTML',
    rule: 'a 502 with an HTML body is reported with its status and repeated',
    async show(fixture) {
      await fixture.control('fault', { endpoint: ORGANIZATIONS, kind: '502-html' });

      const calls = await fixture.callsDuring(async () =>
        expect(await fixture.run('ORGANIZATIONS')).toMatchObject({ status: 'SUCCESS' }),
      );

      expect(calls.map((call) => call.status)).toEqual([502, 200]);
    },
  },
];
