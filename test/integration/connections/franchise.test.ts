import { afterAll, beforeAll, expect, test } from '@jest/globals';
import {
  createFranchisee,
  getFranchisee,
  listFranchisees,
  updateFranchisee,
} from '../../../modules/connections/franchise/franchisees.ts';
import {
  createLegalEntity,
  listLegalEntities,
} from '../../../modules/connections/franchise/legal-entities.ts';
import { isOperationallyActive } from '../../../modules/connections/franchise/operationally-active.ts';
import { CONSTRAINT_PROBLEMS, problemOfConstraint } from '../../../kernel/constraint-problems.ts';
import type { Database } from '../../support/text-database.ts';
import { testActor } from '../../support/connection.ts';
import { migratedDatabase } from '../../support/database.ts';
import { addRow, selectRows, updateRows } from '../../support/rows.ts';

let database: Awaited<ReturnType<typeof migratedDatabase>>;
let db: Database;
beforeAll(async () => {
  database = await migratedDatabase();
  db = database.db;
});
afterAll(() => database.close());

test('franchisees and legal entities are created with their audit and listed by name', async () => {
  const b = await createFranchisee({ db }, testActor, { name: ' Берёзка ' });
  const a = await createFranchisee({ db }, testActor, { name: 'Акация' });
  expect(b).toMatchObject({
    name: 'Берёзка',
    isActive: true,
    version: 1,
    createdAt: expect.any(Date),
  });
  expect(await listFranchisees({ db }, { page: 1, size: 50 })).toEqual({
    items: [a, b],
    page: 1,
    size: 50,
    total: 2,
  });

  const entity = await createLegalEntity({ db }, testActor, {
    franchiseeId: a.id,
    name: 'ООО «Акация»',
    taxId: '7701',
  });
  await createLegalEntity({ db }, testActor, { franchiseeId: b.id, name: 'ИП Берёзкин' });
  expect(entity).toMatchObject({ franchiseeId: a.id, taxId: '7701', isActive: true, version: 1 });
  expect(await listLegalEntities({ db }, { franchiseeId: a.id, page: 1, size: 50 })).toMatchObject({
    items: [entity],
    total: 1,
  });
  expect((await listLegalEntities({ db }, { page: 1, size: 1 })).total).toBe(2);
  const audit = await selectRows(db, 'audit_entry', ['action', 'after'], {
    entityType: 'legal-entity',
    entityId: String(entity.id),
  });
  expect(audit).toMatchObject([
    { action: 'create', after: { name: 'ООО «Акация»', taxId: '7701' } },
  ]);
});

test('violations of unique rules are reported with the field, and leave nothing behind', async () => {
  const owner = await createFranchisee({ db }, testActor, { name: 'Twice' });
  await expect(createFranchisee({ db }, testActor, { name: 'Twice' })).rejects.toMatchObject({
    kind: 'duplicate',
    details: { errors: [{ field: 'name', code: 'duplicate' }] },
  });
  const entity = { franchiseeId: owner.id, name: 'E', taxId: '42' };
  await createLegalEntity({ db }, testActor, entity);
  await expect(createLegalEntity({ db }, testActor, entity)).rejects.toMatchObject({
    kind: 'duplicate',
    details: { errors: [{ field: 'taxId' }] },
  });
  await expect(
    createLegalEntity({ db }, testActor, { franchiseeId: 999_999, name: 'E' }),
  ).rejects.toMatchObject({
    kind: 'validation',
    details: { errors: [{ field: 'franchiseeId', code: 'not_found' }] },
  });
  expect(
    (await listLegalEntities({ db }, { franchiseeId: owner.id, page: 1, size: 50 })).total,
  ).toBe(1);
});

test('[CON-7] the legal entity and its franchisee must both be active', async () => {
  const owner = await createFranchisee({ db }, testActor, { name: 'Operator' });
  const { id } = await createLegalEntity({ db }, testActor, { franchiseeId: owner.id, name: 'E' });
  expect(await isOperationallyActive(db, id)).toBe(true);
  await updateRows(db, 'franchisee', { isActive: false }, { id: owner.id });
  expect(await isOperationallyActive(db, id)).toBe(false);
  await updateRows(db, 'franchisee', { isActive: true }, { id: owner.id });
  await updateRows(db, 'legal_entity', { isActive: false }, { id });
  expect(await isOperationallyActive(db, id)).toBe(false);
  expect(await isOperationallyActive(db, 999_999)).toBe(false);
});

test('one of many concurrent edits of a version is stored, and the others are conflicts', async () => {
  for (let round = 0; round < 3; round += 1) {
    const { id, version } = await createFranchisee({ db }, testActor, {
      name: `Contested ${round}`,
    });
    const edits = Array.from({ length: 6 }, (_each, number) =>
      updateFranchisee({ db }, testActor, { id, version, name: `Contested ${round} by ${number}` }),
    );

    const results = await Promise.allSettled(edits);

    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    for (const result of results.filter((entry) => entry.status === 'rejected'))
      expect(result.reason).toMatchObject({
        kind: 'version-conflict',
        details: { extra: { currentVersion: version + 1 } },
      });
    expect((await getFranchisee(db, id)).version).toBe(version + 1);
  }
});

/**
 * Constraints that callers cannot violate: only our code can, or its statements handle the conflict
 * (ON CONFLICT, retry).
 */
const FAULTS = [
  'access_identity_user_unique',
  'access_signing_key_current_unique',
  'audit_seal_entry_unique',
  'binding_incident_open_unique',
  'cart_customer_unique',
  'client_marker_right_unique',
  'compensation_candidate_unique',
  'compensation_client_customer_unique',
  'compensation_client_phone_unique',
  'compensation_conflict_open_unique',
  'erp_gift_order_unique',
  'unauthorized_gift_open_unique',
  'compensation_marker_unique',
  'compensation_move_redeemed_unique',
  'customer_order_cart_unique',
  'customer_order_number_unique',
  'discount_use_once_unique',
  'discount_use_ordinal_unique',
  'notification_open_unique',
  'order_quote_cart_unique',
  'snapshot_pin_organization_unique',
  'sync_run_execution_unique',
  'sync_shrink_acceptance_open_unique',
  'webhook_event_key_unique',
];

test('every unique rule of edited tables has a problem, and every problem has a rule', async () => {
  const indexes = await db.query<{ name: string }>(
    `select indexname as name from pg_indexes where schemaname = 'public' and tablename not like 'mirror\\_%'`,
  );
  const names = indexes.map(({ name }) => name);
  const problems = Object.keys(CONSTRAINT_PROBLEMS);
  const isRule = (name: string) => name.endsWith('_unique');
  expect(names.filter(isRule).sort()).toEqual([...FAULTS, ...problems.filter(isRule)].sort());
  // A primary key has a problem if two callers can request it concurrently.
  expect(names).toEqual(expect.arrayContaining(problems));
});

test('other database errors do not become problems', async () => {
  const broken: unknown = await addRow(db, 'setting', { key: 'k' as never, value: null }).catch(
    (error: unknown) => error,
  );
  expect(problemOfConstraint(broken)).toBeNull();
  await addRow(db, 'setting', { key: 'k' as never, value: 1 });
  const unnamed: unknown = await addRow(db, 'setting', { key: 'k' as never, value: 2 }).catch(
    (error: unknown) => error,
  );
  expect(problemOfConstraint(unnamed)).toBeNull();
  expect(problemOfConstraint(undefined)).toBeNull();
});
