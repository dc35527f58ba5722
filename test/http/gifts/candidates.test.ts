import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { createClientCards } from '../../../modules/gifts/cards/client-cards.ts';
import { deleteOutdated } from '../../../modules/retention.ts';
import type { CompensationCandidate } from '../../../modules/gifts/schemas/staff-decisions.ts';
import type { Compensation } from '../../../modules/gifts/schemas/gifts.ts';
import type { Cart } from '../../../modules/ordering/schemas/cart.ts';
import type { GiftPhrases } from '../../../modules/settings/schemas/settings.ts';
import { startEmulator, type Emulator } from '../../../packages/erp-emulator/server.ts';
import { createErpClient } from '../../../erp/client.ts';
import { login } from '../../emulator/client.ts';
import { readAudit } from '../../support/audit.ts';
import { adminClient, type AdminClient } from '../../support/admin-client.ts';
import { ADMIN } from '../../support/api.ts';
import { readLoyalty } from '../../support/erp-guests.ts';
import { openPorts } from '../../support/erp-ports.ts';
import { openForOrders } from '../../support/open-restaurant.ts';
import { orderingFixture } from '../../support/ordering-fixture.ts';
import { holdTable } from '../../support/races.ts';
import { awaitRefusal } from '../../support/refusal.ts';
import {
  ago,
  countRows,
  deleteRows,
  not,
  selectRows,
  updateRows,
  saveSetting,
} from '../../support/rows.ts';
import { tablesWith } from '../../support/whole-schema.ts';

const fixture = await orderingFixture();
const { db, api, rows, place, ask, makeCart, sql } = fixture;
const PHRASES = ['должны ролл', 'free gift'];
let admin: AdminClient;
let emulator: Emulator;
let program: Awaited<ReturnType<typeof readLoyalty>>;
let erp: ReturnType<typeof createErpClient>;
let rewards: { tart: number; roll: number };
beforeAll(async () => {
  emulator = await startEmulator({ size: 'small' });
  program = await readLoyalty(emulator);
  const { log } = api.deps;
  erp = createErpClient({ baseUrl: emulator.url, ...openPorts(await login(emulator)), log });
  // The restaurant of the carts also exists in the emulator.
  await updateRows(
    db,
    'mirror_organization',
    { erpId: program.organizationId },
    { id: place.organizationId },
  );
  place.organizationErpId = program.organizationId;
  await openForOrders(db, place.organizationId);
  Object.assign(
    api.deps.clientCards,
    createClientCards({ db, erp, secrets: api.deps.secrets, log }, 0),
  );
  admin = await adminClient(api.url, ADMIN.email, ADMIN.password);
  rewards = { tart: await gift('Тарт'), roll: await gift('Ролл с угрём') };
});
afterAll(async () => {
  await erp.close();
  await emulator.stop();
  await fixture.stop();
});

async function gift(name: string): Promise<number> {
  const item = await rows.item({ name: `${name} подарочный` });
  const sizeId = await rows.size(item.id);
  await rows.offer(place.menuId, { itemId: item.id, sizeId }, { [place.organizationId]: 0 });
  return rows.insert('reward', { code: randomUUID(), name, erp_item_id: item.erpId });
}

const lookFor = (phrases: Partial<GiftPhrases>) =>
  saveSetting(db, 'gift_phrases', { usual: [], connections: {}, ...phrases });

let phones = 79_990_300_000;
let phone: string;
let customerId: string;
let token: string;
beforeEach(async () => {
  await deleteRows(db, 'setting');
  await deleteRows(db, 'notification');
  await saveSetting(db, 'gift_markers', { usual: 'COMMENT', connections: {} });
  await lookFor({ usual: PHRASES });
  phone = `+${(phones += 1)}`;
  customerId = await program.put({ phone });
  token = await fixture.tokenOf(phone, phone);
});

/** Opens a cart, which reads the card of the client. */
async function opens(): Promise<Cart['gifts']> {
  const { cartId } = await makeCart({}, { token });
  return (await ask<Cart>('GET', `/cart?cart_id=${cartId}`, undefined, { token })).body.gifts;
}
const writes = (comment: string | null) => program.edit(customerId, { comment });
async function readsAfter(comment: string | null): Promise<CompensationCandidate[]> {
  await writes(comment);
  await opens();
  return candidates();
}
const candidates = async (query = ''): Promise<CompensationCandidate[]> =>
  (
    await admin.get<{ items: CompensationCandidate[] }>(`/compensation-candidates?size=100${query}`)
  ).items
    .filter((item) => item.erpCustomerId === customerId)
    .toSorted((a, b) => a.id - b.id);
const rights = async () =>
  (await admin.get<{ items: Compensation[] }>('/compensations?size=100')).items.filter(
    (item) => item.erpCustomerId === customerId,
  );
const decide = (id: number, decision: 'confirm' | 'dismiss', body: object, key?: string) =>
  admin.raw(
    'POST',
    `/compensation-candidates/${id}/${decision}`,
    body,
    key === undefined ? {} : { 'idempotency-key': key },
  );
const given = (rewardId: number, more: object = {}) => ({
  rewardId,
  reason: 'SERVICE_ERROR',
  reasonComment: 'Said by the operator who wrote it',
  ...more,
});
const refused = (answer: Promise<Response>) => awaitRefusal(answer);

describe('a phrase in a comment', () => {
  test('[CMP-23] grants nothing before it is confirmed, and then its client has the gift in the cart', async () => {
    await writes('Аллергия на орехи.\r\nДОЛЖНЫ ролл с угрём, звонила 12.11');
    const before = await opens();
    const [candidate, ...others] = await candidates('&status=OPEN');
    const granted = await rights();
    const answer = await decide(candidate!.id, 'confirm', given(rewards.roll, { quantity: 2 }));
    const confirmed = (await answer.json()) as CompensationCandidate;
    const after = await opens();

    expect([before, granted, others]).toEqual([[], [], []]);
    expect(candidate).toMatchObject({
      status: 'OPEN',
      connectionId: place.connectionId,
      phrase: 'должны ролл',
      text: 'Аллергия на орехи. ДОЛЖНЫ ролл с угрём, звонила 12.11',
      isPresent: true,
      suggestedReward: { id: rewards.roll, name: 'Ролл с угрём' },
      compensationId: null,
      closedAt: null,
    });
    expect([answer.status, confirmed]).toEqual([
      200,
      expect.objectContaining({
        status: 'CONFIRMED',
        text: null,
        closedBy: { id: expect.any(Number), name: expect.any(String) },
      }),
    ]);
    expect(await rights()).toMatchObject([
      {
        id: confirmed.compensationId,
        status: 'GRANTED',
        quantity: 2,
        reason: 'SERVICE_ERROR',
        reasonComment: 'Said by the operator who wrote it',
        source: 'ADMIN',
        sourceMarker: `candidate/${candidate!.id}`,
        grantedBy: 'STAFF',
        grantedByUser: confirmed.closedBy,
      },
    ]);
    expect(after).toMatchObject([
      { id: confirmed.compensationId, name: 'Ролл с угрём', quantity: 2, available: true },
    ]);
    expect((await program.read(customerId)).comment).toBe(
      'Аллергия на орехи.\r\nДОЛЖНЫ ролл с угрём, звонила 12.11',
    );
    expect(await readAudit(api.deps, 'compensation-candidate', candidate!.id)).toMatchObject([
      {
        action: 'confirm',
        before: { status: 'OPEN' },
        after: { status: 'CONFIRMED', compensationId: confirmed.compensationId },
        reason: 'Said by the operator who wrote it',
      },
    ]);
  });

  test('becomes a candidate next to a block, which keeps its right', async () => {
    const [candidate, ...others] = await readsAfter('[COMP]Тарт[/COMP] и ещё free gift');

    expect(others).toEqual([]);
    expect(candidate).toMatchObject({ phrase: 'free gift', suggestedReward: null });
    expect(await rights()).toMatchObject([{ source: 'ERP_COMMENT', status: 'GRANTED' }]);
  });

  test('[CMP-22] becomes a candidate with categories as source too, but not without readings or phrases', async () => {
    await saveSetting(db, 'gift_markers', { usual: 'OFF', connections: {} });
    const off = await readsAfter('free gift');
    await saveSetting(db, 'gift_markers', { usual: 'CATEGORY', connections: {} });
    await lookFor({});
    const nothing = await readsAfter('free gift');
    await lookFor({ usual: PHRASES, connections: { [place.connectionId]: [] } });
    const notHere = await readsAfter('free gift');
    await lookFor({ connections: { [place.connectionId]: PHRASES } });
    const here = await readsAfter('free gift');

    expect([off, nothing, notHere]).toEqual([[], [], []]);
    expect(here).toMatchObject([{ phrase: 'free gift' }]);
    expect(await rights()).toEqual([]);
  });

  test.each([
    ['none', 'free gift', null],
    ['one, by the name of its dish', 'free gift: тарт  ПОДАРОЧНЫЙ', 'tart'],
    ['several', 'free gift: тарт или ролл с угрем', null],
    ['one in a block only', 'free gift [COMP]Тарт[/COMP]', null],
  ] as const)(
    '[CMP-23] suggests the only gift that it names: %s',
    async (_what, comment, reward) => {
      const [candidate] = await readsAfter(comment);

      expect(candidate!.suggestedReward?.id ?? null).toBe(reward === null ? null : rewards[reward]);
    },
  );
});

describe('a repeated reading of a phrase', () => {
  const states = (found: readonly CompensationCandidate[]) =>
    found.map(({ phrase, status, isPresent }) => [phrase, status, isPresent]);

  test('[CMP-24] finds a decided phrase again only after it disappeared and returned', async () => {
    const [first] = await readsAfter('free gift');
    await readsAfter('free gift, ring twice');
    await decide(first!.id, 'dismiss', { reason: 'An old one' });
    const handled = await readsAfter('Free  gift!');
    const gone = await readsAfter('ring twice');
    const back = await readsAfter('free gift again');

    expect(states(handled)).toEqual([['free gift', 'DISMISSED', true]]);
    expect(states(gone)).toEqual([['free gift', 'DISMISSED', false]]);
    expect(states(back)).toEqual([
      ['free gift', 'DISMISSED', false],
      ['free gift', 'OPEN', true],
    ]);
  });

  test('[CMP-24] finds the same candidate if it disappears and returns before the decision', async () => {
    await readsAfter('free gift');
    const gone = await readsAfter(null);
    const back = await readsAfter('free gift');

    expect(states(gone)).toEqual([['free gift', 'OPEN', false]]);
    expect(states(back)).toEqual([['free gift', 'OPEN', true]]);
    expect(Date.parse(String(back[0]!.seenAt))).toBeGreaterThan(
      Date.parse(String(gone[0]!.seenAt)),
    );
  });

  test('[CMP-24] counts each occurrence, at most ten', async () => {
    const two = await readsAfter('free gift; free gift (tart)');
    const three = await readsAfter('free gift; free gift (tart); free gift at last');
    const many = await readsAfter('free gift; '.repeat(400));

    expect(two.map(({ text }) => text)).toEqual([
      'free gift; free gift (tart)',
      'free gift; free gift (tart)',
    ]);
    expect([three.length, many.length]).toEqual([3, 10]);
  });

  test('[CMP-24] counts no removal while a block is broken, or without the phrase in the setting', async () => {
    await readsAfter('free gift');
    const broken = await readsAfter('[COMP]free gi');
    await lookFor({ usual: ['должны ролл'] });
    const notLookedFor = await readsAfter('something else');
    await lookFor({ usual: PHRASES });
    const again = await readsAfter('free gift');

    expect([states(broken), states(notLookedFor), states(again)]).toEqual(
      [1, 2, 3].map(() => [['free gift', 'OPEN', true]]),
    );
  });

  test('[CMP-24] finds it once in many concurrent readings', async () => {
    await readsAfter(null);
    await writes('free gift');
    const cards = () =>
      createClientCards({ db, erp, secrets: api.deps.secrets, log: api.deps.log }, 0);
    const held = await holdTable(db, 'compensation_candidate');
    const where = { ...place, organizationErpId: program.organizationId };
    const all = [1, 2, 3, 4].map(() => cards().read(phone, async () => where));
    await held.waits(all.length);
    await held.release();
    const knowledge = await Promise.all(all);

    expect(knowledge.map(({ state }) => state)).toContain('READ');
    expect(states(await candidates())).toEqual([['free gift', 'OPEN', true]]);
  });

  test('[CMP-23] notifies staff once per connection, without a word of the comment', async () => {
    await readsAfter('free gift');
    await readsAfter('free gift and free gift');
    const open = await selectRows(
      db,
      'notification',
      ['subjectId as subject', 'repeated', 'details'],
      {
        kind: 'COMPENSATION_CANDIDATES',
        resolvedAt: null,
      },
    );

    expect(open).toEqual([
      {
        subject: String(place.connectionId),
        repeated: 1,
        details: { clientId: (await candidates())[0]!.clientId, candidates: 1 },
      },
    ]);
  });
});

describe('the decision about a candidate', () => {
  let candidate: CompensationCandidate;
  beforeEach(async () => {
    [candidate] = (await readsAfter('free gift')) as [CompensationCandidate];
  });

  test('[CMP-25] happens once in concurrent requests', async () => {
    const held = await holdTable(db, 'compensation');
    const both = [1, 2].map(() => decide(candidate.id, 'confirm', given(rewards.tart)));
    await held.waits(both.length);
    await held.release();
    const statuses = (await Promise.all(both))
      .map(({ status }) => status)
      .toSorted((a, b) => a - b);

    expect(statuses).toEqual([200, 409]);
    expect(await rights()).toHaveLength(1);
    const late = await Promise.all([
      refused(decide(candidate.id, 'confirm', given(rewards.roll))),
      refused(decide(candidate.id, 'dismiss', { reason: 'too late' })),
    ]);
    expect(late).toMatchObject([
      { status: 409, type: '/problems/invalid-transition' },
      { status: 409, type: '/problems/invalid-transition' },
    ]);
    expect(await rights()).toHaveLength(1);
  });

  test('[CMP-25] returns the same answer for the same key, also concurrently, and grants one gift', async () => {
    const key = randomUUID();
    const first = await (await decide(candidate.id, 'confirm', given(rewards.tart), key)).json();
    const again = await decide(candidate.id, 'confirm', given(rewards.tart), key);

    expect([again.status, await again.json()]).toEqual([200, first]);
    expect(await refused(decide(candidate.id, 'confirm', given(rewards.roll), key))).toMatchObject({
      type: '/problems/idempotency-key-reused',
    });
    expect(await rights()).toHaveLength(1);
  });

  test('proceeds during a reading of the card without deadlock, and the phrase is not found again', async () => {
    await Promise.all([decide(candidate.id, 'confirm', given(rewards.tart)), opens(), opens()]);
    await opens();

    expect((await candidates()).map(({ status }) => status)).toEqual(['CONFIRMED']);
  });

  test('[CMP-25] requires a reason, an available gift and a candidate', async () => {
    const cases = [
      [
        'confirm',
        { ...given(rewards.tart), reasonComment: undefined },
        'reasonComment',
        'required',
      ],
      ['confirm', given(rewards.tart, { reasonComment: '  ' }), 'reasonComment', 'required'],
      ['confirm', given(rewards.tart, { reason: undefined }), 'reason', 'required'],
      ['confirm', given(1_000_000), 'rewardId', 'not_found'],
      ['confirm', given(rewards.tart, { quantity: 0 }), 'quantity', 'min'],
      ['confirm', given(rewards.tart, { quantity: 21 }), 'quantity', 'max'],
      ['confirm', given(rewards.tart, { expiresAt: '2020-01-01T00:00:00Z' }), 'expiresAt', 'min'],
      ['confirm', given(rewards.tart, { clientId: randomUUID() }), 'clientId', 'unknown_field'],
      ['dismiss', { reason: ' ' }, 'reason', 'required'],
    ] as const;
    for (const [decision, body, field, code] of cases)
      expect(await refused(decide(candidate.id, decision, body))).toMatchObject({
        errors: [{ field, code }],
      });
    expect(await refused(decide(999_999, 'confirm', given(rewards.tart)))).toMatchObject({
      status: 404,
    });
    expect(await refused(decide(999_999, 'dismiss', { reason: 'x' }))).toMatchObject({
      status: 404,
    });
    expect([await rights(), (await candidates())[0]!.status]).toEqual([[], 'OPEN']);
  });

  test('[CMP-25] cannot grant to the own phone, or more than the daily limit of the user', async () => {
    await updateRows(db, 'access_user', { phone }, { id: 1 });
    const own = await refused(decide(candidate.id, 'confirm', given(rewards.tart)));
    await updateRows(db, 'access_user', { phone: null }, { id: 1 });
    const granted = await countRows(db, 'compensation', { grantedByUserId: not(null) });
    await saveSetting(db, 'compensation_grants_per_day', granted);
    const full = await refused(decide(candidate.id, 'confirm', given(rewards.tart)));
    await saveSetting(db, 'compensation_grants_per_day', granted + 1);
    const room = await decide(candidate.id, 'confirm', given(rewards.tart));

    expect(own).toMatchObject({ status: 422, errors: [{ code: 'own_phone' }] });
    expect(full).toMatchObject({ type: '/problems/grant-limit-reached' });
    expect(room.status).toBe(200);
    expect(await rights()).toHaveLength(1);
  });

  test('[CMP-25] to grant nothing is audited with its reason', async () => {
    const answer = await decide(candidate.id, 'dismiss', { reason: 'A gift to a neighbour' });

    expect([answer.status, await answer.json()]).toEqual([
      200,
      expect.objectContaining({
        status: 'DISMISSED',
        reason: 'A gift to a neighbour',
        text: null,
        compensationId: null,
      }),
    ]);
    expect(await readAudit(api.deps, 'compensation-candidate', candidate.id)).toMatchObject([
      { action: 'dismiss', reason: 'A gift to a neighbour' },
    ]);
    expect(await rights()).toEqual([]);
  });

  test('can be found by state and connection', async () => {
    const ids = async (query: string) => (await candidates(query)).map(({ id }) => id);

    expect(await ids(`&status=OPEN&connection_id=${place.connectionId}`)).toEqual([candidate.id]);
    expect(await ids('&status=DISMISSED')).toEqual([]);
    expect(await ids('&connection_id=999999')).toEqual([]);
  });
});

describe('the stored text of a comment', () => {
  const WORDS = 'квартира семнадцать free gift бабушка Зина';
  const findTables = (words: string) => tablesWith(db, (text) => text.includes(words));
  const kept = async () =>
    (await selectRows(db, 'personal_data', ['id'], { purpose: 'COMMENT' })).length;
  beforeEach(() => deleteRows(db, 'personal_data', { purpose: 'COMMENT' }));

  test('[CMP-26] remains encrypted in one column, and is deleted with the decision', async () => {
    const [candidate] = await readsAfter(WORDS);
    const readable = [...(await findTables('бабушка')), ...(await findTables('семнадцать'))];
    const before = await kept();
    await decide(candidate!.id, 'dismiss', { reason: 'x' });

    expect([candidate!.text, readable, before, await kept()]).toEqual([WORDS, [], 1, 0]);
  });

  test('[CMP-26] expires like data of guests, decided or not', async () => {
    await readsAfter(WORDS);
    await updateRows(db, 'personal_data', { createdAt: ago('366 days') }, { purpose: 'COMMENT' });
    await deleteOutdated(db);

    expect(await candidates()).toMatchObject([{ status: 'OPEN', text: null }]);
  });

  test('[CMP-26] disappears with open candidates when a client is erased, and decided candidates stay', async () => {
    const [first] = await readsAfter('free gift');
    await decide(first!.id, 'dismiss', { reason: 'x' });
    await readsAfter(`free gift, ${WORDS}`);
    const long = `now() - interval '400 days'`;
    await sql(`update client_card set read_at = ${long} where client_id = $1`, [first!.clientId]);
    await sql(`update compensation_client set created_at = ${long} where id = $1`, [
      first!.clientId,
    ]);
    await deleteOutdated(db);
    const [left, texts] = [await candidates(), await kept()];
    await opens();

    expect(left.map(({ id, status }) => [id, status])).toEqual([[first!.id, 'DISMISSED']]);
    expect(texts).toBe(0);
    expect((await candidates()).map(({ status }) => status)).toEqual(['DISMISSED', 'OPEN']);
  });
});

test('a guest who has not signed in reads no card', async () => {
  await writes('free gift');
  const { cartId } = await makeCart();
  await ask('GET', `/cart?cart_id=${cartId}`);

  expect(await candidates()).toEqual([]);
});
