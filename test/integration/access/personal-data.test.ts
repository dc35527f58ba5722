import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import {
  erasePersonal,
  keepPersonal,
  readPersonal,
} from '../../../modules/access/customers/personal-data.ts';
import { ENCRYPTED_COLUMNS } from '../../../modules/rotate-secrets.ts';
import { createSecretBox } from '../../../platform/secrets.ts';
import { migratedDatabase } from '../../support/database.ts';
import { rowTexts } from '../../support/whole-schema.ts';

const secrets = createSecretBox([{ id: 'test@row', key: Buffer.alloc(32, 7) }]);
const person = { name: 'Анна Канарейкина', phone: '+79990001122' };

let database: Awaited<ReturnType<typeof migratedDatabase>>;
beforeAll(async () => {
  database = await migratedDatabase();
});
afterAll(() => database.close());

test('[CLI-4] no personal data is readable in the table, and decryption returns it unchanged', async () => {
  const { db } = database;
  const id = await keepPersonal(db, { secrets }, 'ORDER', person);

  const [text] = await rowTexts(db, 'personal_data', id);
  expect(text).toContain('ORDER');
  expect(text).not.toMatch(/Анна|79990001122/);
  expect([...(await readPersonal(db, { secrets }, [id]))]).toEqual([[id, person]]);
});

test('[CLI-4] erased data is deleted and other data stays', async () => {
  const { db } = database;
  const erased = await keepPersonal(db, { secrets }, 'ADDRESS', person);
  const kept = await keepPersonal(db, { secrets }, 'ADDRESS', { name: 'Борис' });

  expect(await erasePersonal(db, [erased])).toBe(1);
  expect(await erasePersonal(db, [erased])).toBe(0);
  expect([...(await readPersonal(db, { secrets }, [erased, kept])).keys()]).toEqual([kept]);
});

test('the page about personal data names every encrypted column with data of guests', async () => {
  const page = await readFile(new URL('../../../docs/personal-data.md', import.meta.url), 'utf8');
  const named = [...page.matchAll(/`(\w+)\.(\w+_encrypted)`/g)].map(
    ([, table, column]) => `${table}.${column}`,
  );
  const ofOurs = [
    'connection',
    'erp_token',
    'access_signing_key',
    'access_second_factor',
    'webhook_endpoint',
  ];

  expect([...new Set(named)].toSorted()).toEqual(
    ENCRYPTED_COLUMNS.filter(({ table }) => !ofOurs.includes(table))
      .map(({ table, column }) => `${table}.${column}`)
      .toSorted(),
  );
});
