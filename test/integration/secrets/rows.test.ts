import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createKeyring } from '../../../modules/access/keyring.ts';
import { hashPassword } from '../../../modules/access/password.ts';
import type { SignedIn } from '../../../modules/access/present-password.ts';
import {
  beginSecondFactor,
  confirmSecondFactor,
} from '../../../modules/access/second-factor/set-factor.ts';
import { keepPersonal, readPersonal } from '../../../modules/access/customers/personal-data.ts';
import { createErpTokenStore } from '../../../modules/connections/erp-calls/erp-token-store.ts';
import { renameConnection } from '../../../modules/connections/rename-connection.ts';
import {
  createEndpoint,
  rotateEndpointSecret,
} from '../../../modules/events/deliveries/manage-endpoints.ts';
import { signedRequest } from '../../../modules/events/deliveries/webhook-message.ts';
import { findCart, saveCart } from '../../../modules/ordering/cart/cart-row.ts';
import { ENCRYPTED_COLUMNS } from '../../../modules/rotate-secrets.ts';
import type { Database } from '../../support/text-database.ts';
import { createLog } from '../../../platform/log.ts';
import { createMetrics } from '../../../platform/metrics.ts';
import { aConnection, testActor, testSecrets as secrets } from '../../support/connection.ts';
import { migratedDatabase } from '../../support/database.ts';
import { addRow, databaseNow, selectRow } from '../../support/rows.ts';

type Key = string | number;
type Use = { write: () => Promise<Key>; open: (key: never) => Promise<unknown> };

let database: Awaited<ReturnType<typeof migratedDatabase>>;
let db: Database;
let passwordHash: string;
beforeAll(async () => {
  database = await migratedDatabase();
  db = database.db;
  passwordHash = await hashPassword('a long password of staff');
});
afterAll(() => database.close());

const deps = () => ({
  db,
  secrets,
  log: createLog({ service: 'test', level: 'silent' }),
  metrics: createMetrics('test'),
});
const connection = async () => (await aConnection(db, `login-${randomUUID()}`)).id;
const signedIn = (userId: number): SignedIn => ({
  type: 'USER',
  userId,
  sessionId: randomUUID(),
  requestId: 'r',
  address: '127.0.0.1',
});
const tokens = () => createErpTokenStore({ db, secrets });

async function secondFactor(): Promise<number> {
  const user = await addRow(db, 'access_user', {
    email: `${randomUUID()}@carte.test`,
    fullName: 'X',
    passwordHash,
  });
  await beginSecondFactor(deps(), signedIn(user.id), {
    currentPassword: 'a long password of staff',
  });
  return user.id;
}

async function endpoint(): Promise<number> {
  const { id } = await createEndpoint({ ...deps(), allowsPrivateReceivers: false }, testActor, {
    url: 'https://receiver.example/',
  });
  await rotateEndpointSecret(deps(), testActor, id);
  return id;
}

async function signWith(id: number) {
  const row = await selectRow(db, 'webhook_endpoint', '*', { id });
  return signedRequest(secrets, row, { messageId: 'evt_1', payload: {}, at: new Date() });
}

async function cart(): Promise<string> {
  const organization = await addRow(db, 'mirror_organization', {
    connectionId: await connection(),
    erpId: randomUUID(),
    name: 'x',
    raw: {},
    synchronizedAt: databaseNow(),
  });
  const line = {
    lineId: 'l',
    variantId: 1,
    productId: 1,
    itemId: 1,
    name: 'Soup',
    variantName: null,
    quantity: 1,
  };
  const id = randomUUID();
  await saveCart(db, { secrets }, {
    id,
    customerId: null,
    organizationId: organization.id,
    lines: [
      {
        ...line,
        modifiers: [],
        unitPriceKopecks: 1,
        seenPriceKopecks: 1,
        comment: 'without onions',
      },
    ],
    promocode: null,
    options: {},
    giftChoices: [],
    changes: [],
    delivery: null,
    answered: '',
    updatedAt: new Date(),
    version: 1,
  } as never);
  return id;
}

/** Keys of both kinds are created at once. Each call takes the next kind. */
let kinds: ('ACCESS_TOKEN' | 'REFRESH_TOKEN')[] = [];
async function signingKey(): Promise<string> {
  await createKeyring({ db, secrets }).signingKey();
  if (kinds.length === 0) kinds = ['ACCESS_TOKEN', 'REFRESH_TOKEN'];
  const row = await selectRow(db, 'access_signing_key', ['kid'], { purpose: kinds.shift() });
  return row.kid;
}

const USES: Record<string, Use> = {
  'connection.api_login_encrypted': {
    write: connection,
    async open(id) {
      const row = await selectRow(db, 'connection', ['version'], { id });
      await renameConnection({ db, secrets }, testActor, {
        id,
        name: randomUUID(),
        version: row.version,
      });
    },
  },
  'erp_token.token_encrypted': {
    async write() {
      const id = await connection();
      await tokens().token(id, { obtain: async () => `token-${id}` });
      return id;
    },
    open: (id) => tokens().token(id, { obtain: async () => 'another' }),
  },
  'access_signing_key.private_jwk_encrypted': {
    write: signingKey,
    // One keyring opens both kinds.
    async open() {
      await createKeyring({ db, secrets }).signingKey();
      await createKeyring({ db, secrets }).refreshSecrets();
    },
  },
  'access_second_factor.secret_encrypted': {
    write: secondFactor,
    // A wrong code is rejected after the secret was opened.
    open: (id) =>
      confirmSecondFactor(deps(), signedIn(id), '000000').catch((error: { kind?: string }) => {
        if (error.kind !== 'validation') throw error;
      }),
  },
  'cart.comments_encrypted': { write: cart, open: (id) => findCart(db, { secrets }, { id }) },
  'webhook_endpoint.secret_encrypted': { write: endpoint, open: signWith },
  'webhook_endpoint.former_secret_encrypted': { write: endpoint, open: signWith },
  'personal_data.data_encrypted': {
    write: () => keepPersonal(db, { secrets }, 'ORDER', { name: randomUUID() }),
    open: (id) => readPersonal(db, { secrets }, [id]),
  },
};

test('[ACC-23] every encrypted column has a use', () => {
  expect(Object.keys(USES).toSorted()).toEqual(
    ENCRYPTED_COLUMNS.map(({ table, column }) => `${table}.${column}`).toSorted(),
  );
});

test.each(ENCRYPTED_COLUMNS.map((entry) => [`${entry.table}.${entry.column}`, entry] as const))(
  '[ACC-23] two encrypted values of %s decrypt in their own rows and not after an exchange',
  async (name, { table, key, column, purpose }) => {
    const { write, open } = USES[name]!;
    const rows = [await write(), await write()];
    for (const row of rows) await open(row as never);
    const sealed = async () =>
      (
        await db.query<{ sealed: string }>(
          `select ${column} as sealed from ${table} where ${key}::text = any($1) order by array_position($1, ${key}::text)`,
          [rows.map(String)],
        )
      ).map((entry) => entry.sealed);
    const own = await sealed();
    await Promise.all(
      rows.map((row, at) =>
        db.query(`update ${table} set ${column} = $2 where ${key} = $1`, [row, own[1 - at]]),
      ),
    );

    expect((await sealed()).toReversed()).toEqual(own);
    expect(
      rows.map((row, at) => secrets.open(purpose, row, own[at]!)).every((text) => text !== ''),
    ).toBe(true);
    for (const row of rows)
      await expect(open(row as never)).rejects.toThrow('unable to authenticate data');
  },
);
