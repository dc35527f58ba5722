import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createKeyring } from '../../../modules/access/keyring.ts';
import { replaceApiLogin } from '../../../modules/connections/replace-api-login.ts';
import { createErpTokenStore } from '../../../modules/connections/erp-calls/erp-token-store.ts';
import { ensureClient, findClients, phoneDigest } from '../../../modules/gifts/clients/clients.ts';
import { keepPersonal } from '../../../modules/access/customers/personal-data.ts';
import { announceProcess } from '../../../kernel/running-process.ts';
import { ENCRYPTED_COLUMNS, rotateSecrets } from '../../../modules/rotate-secrets.ts';
import type { Database } from '../../support/text-database.ts';
import { createLog } from '../../../platform/log.ts';
import { createSecretBox } from '../../../platform/secrets.ts';
import { aConnection, testActor } from '../../support/connection.ts';
import { migratedDatabase } from '../../support/database.ts';
import { watched } from '../../support/watched.ts';
import { addRow, deleteRows, selectRow, selectRows, updateRows } from '../../support/rows.ts';

/** A key of the former format, which bound ciphertexts to no row. */
const OLD = { id: 'test', key: Buffer.alloc(32, 7) };
const NEW = { id: 'next@row', key: Buffer.alloc(32, 8) };
const old = createSecretBox([OLD]);
const both = createSecretBox([NEW, OLD]);
const fresh = createSecretBox([NEW]);

let database: Awaited<ReturnType<typeof migratedDatabase>>;
let db: Database;
beforeAll(async () => {
  database = await migratedDatabase();
  db = database.db;
});
beforeEach(async () => {
  await deleteRows(db, 'access_second_factor');
  await deleteRows(db, 'cart');
  await deleteRows(db, 'compensation_client');
  await deleteRows(db, 'personal_data');
  await deleteRows(db, 'webhook_endpoint');
  await deleteRows(db, 'erp_token');
  await deleteRows(db, 'access_signing_key');
});
afterAll(() => database.close());

const LOGIN = 'login-canary-88';
const TOKEN = 'token-canary-89';
const PHONE = '+79990001122';
const obtain = async () => TOKEN;
const tokenWith = (secrets: typeof old, id: number) =>
  createErpTokenStore({ db, secrets }).token(id, { obtain });
const keyIds = async () =>
  (
    await Promise.all(
      ENCRYPTED_COLUMNS.map(({ table, column }) =>
        db.query<{ key: string }>(
          `select distinct split_part(${column}, '.', 1) as key from ${table}`,
        ),
      ),
    )
  ).map((rows) => rows.map(({ key }) => key));

async function everythingOld(): Promise<{ id: number; kid: string }> {
  const { id } = await aConnection(db, LOGIN);
  await updateRows(db, 'connection', {
    apiLoginEncrypted: old.seal('connection.apiLogin', id, LOGIN),
  });
  await tokenWith(old, id);
  await db.query(
    `with organization as (
       insert into mirror_organization (connection_id, erp_id, name, raw, synchronized_at)
       values ($1, gen_random_uuid(), 'x', '{}', now()) returning id)
     insert into cart (id, organization_id, comments_encrypted, options, answered)
     select gen_random_uuid(), id, $2, '{}', '' from organization`,
    [id, old.seal('cart.comments', '', '{}')],
  );
  await db.query(
    `with person as (insert into access_user (email, full_name) values (gen_random_uuid() || '@carte.test', 'X') returning id)
     insert into access_second_factor (user_id, secret_encrypted) select id, $1 from person`,
    [old.seal('access_second_factor.secret', '', 'SECRET')],
  );
  await keepPersonal(db, { secrets: old }, 'ADDRESS', {});
  await keepPersonal(db, { secrets: old }, 'ORDER', { customer: { phone: PHONE } });
  await db.transaction((tx) =>
    ensureClient(tx, { secrets: old }, { connectionId: id, phone: PHONE }),
  );
  await addRow(db, 'webhook_endpoint', {
    url: 'https://receiver.example/',
    readTo: 0,
    secretEncrypted: old.seal('webhookEndpoint.secret', '', 'SECRET'),
    formerSecretEncrypted: old.seal('webhookEndpoint.secret', '', 'FORMER'),
  });
  const { kid } = await createKeyring({ db, secrets: old }).signingKey();
  await createKeyring({ db, secrets: old }).refreshSecrets();
  return { id, kid };
}

test('every encrypted column is in the list of the rotation', async () => {
  const columns = await db.query<{ name: string }>(
    `select table_name || '.' || column_name as name from information_schema.columns
      where table_schema = 'public' and column_name like '%encrypted%' order by 1`,
  );
  expect(columns.map(({ name }) => name)).toEqual(
    ENCRYPTED_COLUMNS.map(({ table, column }) => `${table}.${column}`).toSorted(),
  );
});

test('[ACC-23, CON-10] the first of two keys encrypts, and after the rotation it alone decrypts everything', async () => {
  const { id, kid } = await everythingOld();
  const before = await selectRows(
    db,
    'connection',
    ['id', 'version', 'updatedAt'],
    {},
    { orderBy: 'id' },
  );

  const counts = await rotateSecrets({ db, secrets: both });

  expect(await keyIds()).toEqual(ENCRYPTED_COLUMNS.map(() => ['next@row']));
  for (const count of counts) expect(count).toMatchObject({ current: 0, unreadable: 0 });
  expect(counts.every(({ rotated }) => rotated > 0)).toBe(true);
  expect(await tokenWith(fresh, id)).toMatchObject({ token: TOKEN, generation: 1 });
  expect((await createKeyring({ db, secrets: fresh }).signingKey()).kid).toBe(kid);
  expect(await createKeyring({ db, secrets: fresh }).refreshSecrets()).toHaveLength(1);
  expect(
    await findClients(db, { secrets: fresh }, { connectionId: id, phone: PHONE }),
  ).toHaveLength(1);
  expect(await findClients(db, { secrets: old }, { connectionId: id, phone: PHONE })).toEqual([]);
  expect(await selectRows(db, 'personal_data', ['phoneDigest'], { purpose: 'ORDER' })).toEqual([
    { phoneDigest: phoneDigest({ secrets: fresh }, PHONE) },
  ]);
  await expect(tokenWith(old, id)).rejects.toThrow('No encryption key with the id "next@row"');
  expect(
    await selectRows(db, 'connection', ['id', 'version', 'updatedAt'], {}, { orderBy: 'id' }),
  ).toEqual(before);
});

test('repeated and concurrent rotations find nothing to do', async () => {
  await everythingOld();
  const total = (counts: { rotated: number }[]) =>
    counts.reduce((sum, { rotated }) => sum + rotated, 0);

  const [first, second] = await Promise.all([
    rotateSecrets({ db, secrets: both }),
    rotateSecrets({ db, secrets: both }),
  ]);
  const third = await rotateSecrets({ db, secrets: both });

  const [rows] = await db.query<{ count: number }>(
    `select (select count(*) from connection) + (select count(*) from erp_token) + (select count(*) from access_signing_key) + (select count(*) from access_second_factor) + (select count(*) from cart) + (select count(*) from personal_data) + (select count(*) from compensation_client) + (select count(*) from personal_data where purpose = 'ORDER') + (select count(secret_encrypted) + count(former_secret_encrypted) from webhook_endpoint) as count`,
  );
  expect(total(first) + total(second)).toBe(rows!.count);
  expect(total(third)).toBe(0);
});

test('a credential replaced during the rotation stays the newer one', async () => {
  const { id } = await everythingOld();
  // A command commits between the read of the rows and their replacement.
  let replaced: Promise<unknown> | undefined;
  const late = watched(
    db,
    () =>
      (replaced ??= replaceApiLogin({ db, secrets: both }, testActor, { id, apiLogin: 'newer' })),
  );

  await rotateSecrets({ db: late, secrets: both });

  const row = await selectRow(db, 'connection', ['apiLoginEncrypted as sealed'], { id });
  expect(fresh.open('connection.apiLogin', id, row.sealed)).toBe('newer');
});

test('the command prints counts and no secret, and its exit code reports a missing key', async () => {
  await everythingOld();
  const run = async (keys: readonly { id: string; key: Buffer }[]) => {
    const child = spawn(
      process.execPath,
      [new URL('../../../tools/secrets-rotate.ts', import.meta.url).pathname],
      {
        env: {
          PATH: process.env['PATH'],
          DATABASE_URL: database.url,
          ENCRYPTION_KEYS: keys.map(({ id, key }) => `${id}:${key.toString('base64')}`).join(','),
        },
      },
    );
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
    const [code] = (await once(child, 'close')) as [number];
    return { code, output };
  };

  const unreadable = await run([NEW]);
  const rotated = await run([NEW, OLD]);
  const alone = await run([NEW]);

  expect(unreadable.code).toBe(1);
  expect(unreadable.output).toContain('a key that ENCRYPTION_KEYS does not have');
  expect(rotated.code).toBe(0);
  expect(rotated.output).toMatch(
    /\{"table":"connection","rotated":\d+,"current":0,"unreadable":0\}/,
  );
  expect(alone).toMatchObject({ code: 0, output: expect.stringContaining('"rotated":0') });
  for (const { output } of [unreadable, rotated, alone])
    for (const secret of [LOGIN, TOKEN, OLD.key.toString('base64')])
      expect(output).not.toContain(secret);
});

describe('a rotation of stored secrets', () => {
  const keyNamed = (id: string) => ({ id, key: Buffer.alloc(32, id) });
  const box = (...ids: string[]) => createSecretBox(ids.map(keyNamed));
  const reads = (writer: ReturnType<typeof box>, reader: ReturnType<typeof box>) =>
    reader.canOpen(writer.seal('x', 1, 'text')) &&
    reader.isDigestOf('x', 'text', writer.digest('x', 'text'));
  /** Key lists of a rolling restart: processes with two neighboring lists run concurrently. */
  const mixed = (lists: readonly string[][]) =>
    lists.slice(1).map((list, at) => {
      const [before, after] = [box(...lists[at]!), box(...list)];
      return reads(before, after) && reads(after, before);
    });

  test('[ACC-16] lets every process read what every other one writes, in the order of the runbook', () => {
    expect(mixed([['old'], ['old', 'new'], ['new', 'old']])).toEqual([true, true]);
    expect(mixed([['old'], ['new', 'old']])).toEqual([false]);
  });

  test('follows the order that the runbook describes', async () => {
    const page = await readFile(
      new URL('../../../docs/runbooks/procedures.md', import.meta.url),
      'utf8',
    );
    const rotation = page.slice(
      page.indexOf('## Key rotation'),
      page.indexOf('## Credentials refused'),
    );
    const steps = [
      '`old:…,new@row:…`',
      '`new@row:…,old:…`',
      '`npm run secrets:rotate` encrypts',
      'take the old key out',
    ];
    const places = steps.map((step) => rotation.indexOf(step));

    expect(places.every((place) => place > 0)).toBe(true);
    expect(places).toEqual(places.toSorted((a, b) => a - b));
  });

  test('[ACC-16] shows only ids of keys in the statements of the runbook', async () => {
    await everythingOld();
    const page = await readFile(
      new URL('../../../docs/runbooks/procedures.md', import.meta.url),
      'utf8',
    );
    const section = page.slice(
      page.indexOf('## Key rotation'),
      page.indexOf('## A role of their own'),
    );
    const [known = '', statement = ''] = [...section.matchAll(/```sql\n([^`]+)```/g)].map(
      ([, text]) => text!,
    );
    const silent = createLog({ service: 'test', level: 'silent' });
    const announced = await announceProcess({ db, secrets: both, log: silent }, 'api@host#1');
    const processes = await db.query(known);
    await announced.stop();
    const rows = await db.query<{ stored: string; key: string }>(statement);

    expect(rows.map(({ stored }) => stored).toSorted()).toEqual(
      [...ENCRYPTED_COLUMNS.map(({ table }) => table as string), 'phone digests'].toSorted(),
    );
    expect(new Set(rows.map(({ key }) => key))).toEqual(new Set([OLD.id]));
    expect(processes).toEqual([
      { name: 'api@host#1', key_ids: [NEW.id, OLD.id], seen_at: expect.any(Date) },
    ]);
  });
});
