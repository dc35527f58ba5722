import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { issueAccessToken, verifyAccessToken } from '../../../modules/access/access-token.ts';
import { ensureAdministrator } from '../../../modules/access/ensure-administrator.ts';
import { ensureRoles } from '../../../modules/access/ensure-roles.ts';
import { createKeyring } from '../../../modules/access/keyring.ts';
import { PERMISSIONS, SEED_ROLES } from '../../../kernel/pure/permissions.ts';
import type { Database } from '../../support/text-database.ts';
import { createSecretBox } from '../../../platform/secrets.ts';
import { migratedDatabase } from '../../support/database.ts';
import { holdTable } from '../../support/races.ts';
import {
  ago,
  databaseNow,
  deleteRows,
  not,
  selectRow,
  selectRows,
  updateRows,
} from '../../support/rows.ts';

const secrets = createSecretBox([{ id: 'test', key: Buffer.alloc(32, 1) }]);
const claims = { userId: 7, sessionId: '00000000-0000-4000-8000-000000000000' };

let target: Awaited<ReturnType<typeof migratedDatabase>>;
let db: Database;
beforeAll(async () => {
  target = await migratedDatabase();
  db = target.db;
});
afterAll(() => target.close());

describe('signing keys', () => {
  test('exist as one pair per purpose after many instances start concurrently', async () => {
    const instances = Array.from({ length: 6 }, () => createKeyring({ db, secrets }));
    const keys = await holdTable(db, 'access_signing_key');
    const issued = Promise.all(instances.map((keyring) => issueAccessToken(keyring, claims)));
    await keys.waits(instances.length);
    await keys.release();
    const tokens = await issued;
    const purposes = await selectRows(
      db,
      'access_signing_key',
      ['purpose'],
      {},
      { orderBy: 'purpose' },
    );

    expect(purposes).toEqual([{ purpose: 'ACCESS_TOKEN' }, { purpose: 'REFRESH_TOKEN' }]);
    for (const token of tokens)
      expect(await verifyAccessToken(instances[0]!, token)).toEqual(claims);
  });

  test('reach the database only encrypted', async () => {
    const row = await selectRow(db, 'access_signing_key', ['publicJwk', 'privateJwkEncrypted'], {
      purpose: 'ACCESS_TOKEN',
    });

    expect(Object.keys(row.publicJwk as object).toSorted()).toEqual(['crv', 'kty', 'x']);
    expect(row.privateJwkEncrypted).toMatch(/^test\./);
  });

  test('verify for a while after they are retired, and a new key signs', async () => {
    const old = await issueAccessToken(createKeyring({ db, secrets }), claims);
    await updateRows(
      db,
      'access_signing_key',
      { retiredAt: databaseNow() },
      { purpose: 'ACCESS_TOKEN' },
    );
    const next = createKeyring({ db, secrets });
    const fresh = await issueAccessToken(next, claims);

    expect(await verifyAccessToken(next, old)).toEqual(claims);
    await updateRows(
      db,
      'access_signing_key',
      { retiredAt: ago('2 hours') },
      { retiredAt: not(null) },
    );
    const later = createKeyring({ db, secrets });
    expect(await verifyAccessToken(later, old)).toBeNull();
    expect(await verifyAccessToken(later, fresh)).toEqual(claims);
  });

  test('reject a token of another database', async () => {
    const other = await migratedDatabase();
    const foreign = await issueAccessToken(createKeyring({ db: other.db, secrets }), claims);
    await other.close();

    expect(await verifyAccessToken(createKeyring({ db, secrets }), foreign)).toBeNull();
  });
});

describe('the seeds', () => {
  test('create roles once, keep edited ones and give ADMIN every permission', async () => {
    await Promise.all([ensureRoles({ db }), ensureRoles({ db })]);
    await updateRows(
      db,
      'access_role',
      { permissions: ['catalog.read'] },
      { code: ['ADMIN', 'VIEWER'] },
    );
    await ensureRoles({ db });
    const roles = await selectRows(
      db,
      'access_role',
      ['code', 'permissions'],
      {},
      { orderBy: 'code' },
    );

    expect(roles.map((role) => role.code)).toEqual(SEED_ROLES.map((role) => role.code).toSorted());
    expect(roles.find((role) => role.code === 'ADMIN')?.permissions).toEqual([...PERMISSIONS]);
    expect(roles.find((role) => role.code === 'VIEWER')?.permissions).toEqual(['catalog.read']);
  });

  test('[ACC-15] show data of guests only to the roles that are meant for it', () => {
    const ofGuests = PERMISSIONS.filter((name) => /^(orders|compensations)\./.test(name));
    const seeing = SEED_ROLES.filter(({ permissions }) =>
      ofGuests.some((name) => permissions.includes(name)),
    );
    expect(seeing.map(({ code }) => code)).toEqual([
      'ADMIN',
      'RESTAURANT_MANAGER',
      'GUEST_SERVICE',
    ]);
  });

  test('create the first administrator once, also concurrently, and keep a changed password', async () => {
    await ensureRoles({ db });
    await deleteRows(db, 'access_user');
    const administrator = { email: 'Boss@carte.test', password: 'first password' };
    const created = await Promise.all([
      ensureAdministrator({ db }, administrator),
      ensureAdministrator({ db }, administrator),
    ]);
    await updateRows(db, 'access_user', { passwordHash: 'changed' });
    await ensureAdministrator({ db }, { ...administrator, email: 'boss@CARTE.test' });
    const later = await ensureAdministrator(
      { db },
      { ...administrator, email: 'other@carte.test' },
    );

    expect(created.filter((entry) => entry.created)).toHaveLength(1);
    expect(later).toEqual({ created: false });
    expect(await selectRows(db, 'access_user', ['passwordHash'])).toEqual([
      { passwordHash: 'changed' },
    ]);
    expect(
      await db.db
        .selectFrom('access_user_role')
        .innerJoin('access_role as r', 'r.id', 'access_user_role.roleId')
        .select('r.code')
        .execute(),
    ).toEqual([{ code: 'ADMIN' }]);
  });

  test("[ACC-17] reject an administrator's guessable password in production", async () => {
    await ensureRoles({ db });
    await deleteRows(db, 'access_user');
    const start = (password: string) =>
      ensureAdministrator({ db, refuses: true }, { email: 'boss@carte.test', password });

    await expect(start('Administrator1')).rejects.toThrow('ADMIN_PASSWORD is easy to guess');
    expect(await selectRows(db, 'access_user', ['id'])).toEqual([]);
    expect(await start('nine quiet lamps')).toEqual({ created: true });
    expect(await start('Administrator1')).toEqual({ created: false });
  });

  test('create an administrator without a password only if staff can sign in without one', async () => {
    await ensureRoles({ db });
    await deleteRows(db, 'access_user');
    await ensureAdministrator({ db }, { email: 'boss@carte.test', password: 'first password' });
    await updateRows(db, 'access_user', { passwordHash: null });
    const other = { email: 'other@carte.test', password: 'first password' };

    expect(await ensureAdministrator({ db, signOn: true }, other)).toEqual({ created: false });
    expect(await ensureAdministrator({ db }, other)).toEqual({ created: true });
  });

  test('create one administrator in two concurrent starts with different e-mails', async () => {
    await ensureRoles({ db });
    await deleteRows(db, 'access_user');
    const held = await holdTable(db, 'access_user');
    const starts = ['one@carte.test', 'two@carte.test'].map((email) =>
      ensureAdministrator({ db }, { email, password: 'first password' }),
    );
    await held.waits(2);
    await held.release();

    expect((await Promise.all(starts)).filter((entry) => entry.created)).toHaveLength(1);
  });
});
