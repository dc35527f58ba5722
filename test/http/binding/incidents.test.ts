import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { evaluateBindings } from '../../../modules/binding/evaluate-bindings.ts';
import { routes } from '../../../api/routes.ts';
import { adminClient, type AdminClient } from '../../support/admin-client.ts';
import { ADMIN, startTestApi, type TestApi } from '../../support/api.ts';
import { bindingDeps } from '../../support/bindings.ts';
import { manyVariants } from '../../support/many-variants.ts';
import { asOwner } from '../../support/database-roles.ts';
import { not, selectRow, selectRows } from '../../support/rows.ts';

type Incident = {
  id: number;
  type: string;
  severity: string;
  status: string;
  resolution: string | null;
  product: { id: number; status: string };
  variant: { id: number };
  lastKnown: { erpItemId: string; price: number | null; lastSeenAt: string };
  candidates: { erpItemSizeId: number; confidence: number; matchedBy: string }[];
  note: string | null;
  organizationIds: number[];
  snoozedUntil: string | null;
  version: number;
};
type Page = { items: Incident[]; page: number; size: number; total: number };

let api: TestApi;
let admin: AdminClient;
let missing: Incident[];
let replacements: Incident[];
const evaluate = () => evaluateBindings(bindingDeps(api.deps.db), { runId: null });
const listed = (filter: string) => admin.get<Page>(`/binding-incidents?${filter}`);
beforeAll(async () => {
  api = await startTestApi({ routes });
  admin = await adminClient(api.url, ADMIN.email, ADMIN.password);
  const fixture = await manyVariants(api.deps.db, { variants: 12, organizations: 2 });
  await evaluate();
  await fixture.change({ vanished: 6, renamed: 2, replaced: 3 });
  await evaluate();
  const { items } = await listed('severity=CRITICAL');
  missing = items.toSorted((a, b) => a.variant.id - b.variant.id);
  replacements = (await listed('severity=INFO')).items.filter(
    (item) => item.type === 'POSSIBLE_REPLACEMENT',
  );
});
afterAll(() => api.stop());

const post = (id: number, move: 'dismiss' | 'snooze', body: object) =>
  admin.raw('POST', `/binding-incidents/${id}/${move}`, body);
const inAnHour = () => new Date(Date.now() + 3_600_000).toISOString();

describe('GET /binding-incidents', () => {
  test('[BND-45] an incident names the restaurants that sell its dish', async () => {
    const [first] = missing;
    const selling = first!.organizationIds;

    expect(selling.length).toBeGreaterThan(0);
    expect((await listed(`organization_id=${selling[0]}&severity=CRITICAL`)).items).toContainEqual(
      first,
    );
    expect((await listed('run_id=999999')).total).toBe(0);
  });

  test('lists the newest first in the envelope, filtered by status, severity and product', async () => {
    const all = await listed('size=4&page=2');
    const [first] = missing;

    expect(all).toMatchObject({ page: 2, size: 4, total: 11 });
    expect(all.items).toHaveLength(4);
    expect((await listed('severity=CRITICAL')).total).toBe(6);
    expect((await listed('status=CLOSED')).total).toBe(0);
    expect((await listed(`product_id=${first!.product.id}&severity=CRITICAL`)).items).toEqual([
      first,
    ]);
    expect((await admin.raw('GET', '/binding-incidents?status=GONE')).status).toBe(422);
  });

  test('returns one incident with the fields of the contract, and 404 for an unknown one', async () => {
    const [first] = missing;
    const incident = await admin.get<Incident>(`/binding-incidents/${first!.id}`);

    expect(incident).toMatchObject({
      type: 'ITEM_MISSING',
      severity: 'CRITICAL',
      status: 'OPEN',
      resolution: null,
      detectedByRunId: null,
      product: { id: first!.product.id, status: 'UNPUBLISHED' },
      lastKnown: {
        sku: expect.stringMatching(/^sku-/),
        price: expect.any(Number),
        lastSeenAt: expect.stringMatching(/T\d\d:\d\d:\d\d\.\d{3}Z$/),
      },
    });
    expect(Object.keys(incident)).toEqual(
      expect.arrayContaining(['detectedAt', 'product', 'variant', 'lastKnown', 'candidates']),
    );
    expect(replacements[0]!.candidates).toMatchObject([{ matchedBy: 'SKU', confidence: 0.95 }]);
    expect((await admin.raw('GET', '/binding-incidents/999999')).status).toBe(404);
  });
});

describe('POST /binding-incidents/{id}/dismiss', () => {
  test('[BND-16] closes with the note, audited, and only once, after which a snooze is rejected', async () => {
    const { id } = missing[0]!;
    const dismissed = await admin.post<Incident>(`/binding-incidents/${id}/dismiss`, {
      note: ' Снято с меню:\nлетнее ',
      version: 1,
    });
    const again = await admin.post<Incident>(`/binding-incidents/${id}/dismiss`, {
      note: 'Другое',
    });
    const snoozed = await post(id, 'snooze', { until: inAnHour() });
    const audit = await selectRows(api.deps.db, 'audit_entry', ['action', 'before', 'after'], {
      entityType: 'binding-incident',
      entityId: String(id),
    });

    expect(dismissed).toMatchObject({
      status: 'CLOSED',
      resolution: 'DISMISSED',
      note: 'Снято с меню:\nлетнее',
      version: 2,
    });
    expect(again).toEqual(dismissed);
    expect(snoozed.status).toBe(409);
    expect(audit).toEqual([
      {
        action: 'dismiss',
        before: { status: 'OPEN' },
        after: { status: 'CLOSED', resolution: 'DISMISSED', note: 'Снято с меню:\nлетнее' },
      },
    ]);
    // Closed incidents are neither deleted nor reopened.
    await evaluate();
    expect((await listed(`product_id=${missing[0]!.product.id}&severity=CRITICAL`)).items).toEqual([
      dismissed,
    ]);
    await expect(
      asOwner(api.deps.db, 'delete from binding_incident where id = $1', [id]),
    ).rejects.toThrow('never deleted');
  });

  test('rejects an empty note, an old version and an unknown incident', async () => {
    const { id } = missing[1]!;
    const answers = [
      await post(id, 'dismiss', { note: ' ' }),
      await post(id, 'dismiss', {}),
      await post(id, 'dismiss', { note: 'x', version: 9 }),
      await post(999_999, 'dismiss', { note: 'x' }),
      await post(id, 'dismiss', { note: 'a\u0007' }),
    ];

    expect(answers.map((answer) => answer.status)).toEqual([422, 422, 409, 404, 422]);
    expect(await answers[2]!.json()).toMatchObject({ currentVersion: 1 });
    expect(await admin.get(`/binding-incidents/${id}`)).toEqual(missing[1]);
  });
});

describe('POST /binding-incidents/{id}/snooze', () => {
  test('postpones until the given time, which can change, and rejects the past and more than a year', async () => {
    const { id } = missing[2]!;
    const until = inAnHour();
    const snoozed = await admin.post<Incident>(`/binding-incidents/${id}/snooze`, { until });
    const same = await admin.post<Incident>(`/binding-incidents/${id}/snooze`, { until });
    const past = await post(id, 'snooze', { until: '2020-01-01T00:00:00Z' });
    const far = await post(id, 'snooze', { until: '2999-01-01T00:00:00Z' });
    const wrong = await post(id, 'snooze', { until: 'tomorrow' });

    expect(snoozed).toMatchObject({ status: 'SNOOZED', snoozedUntil: until, version: 2 });
    expect(same).toEqual(snoozed);
    expect([past.status, far.status, wrong.status]).toEqual([422, 422, 422]);
    expect(await past.json()).toMatchObject({ errors: [{ field: 'until', code: 'min' }] });
    expect(await far.json()).toMatchObject({ errors: [{ field: 'until', code: 'max' }] });
  });
});

describe('POST /variants/{id}/rebind', () => {
  type Change = {
    changedAt: string;
    from: { erpItemId: string; erpItemSizeId: number };
    incidents: { type: string }[];
  };
  type Binding = {
    erpItemId: string;
    erpItemSizeId: number;
    bindingState: string;
    history: { erpItemId: string }[];
    version: number;
  };

  test('[BND-17] binds to the candidate, keeps the previous item and closes the incidents as REBOUND', async () => {
    const { variant, product, lastKnown, candidates } = replacements[0]!;
    const [candidate] = candidates;
    const offered = await admin.get<{ items: { erpItemSizeId: number }[]; total: number }>(
      `/variants/${variant.id}/rebind-candidates`,
    );
    const before = await admin.get<{ variants: object[] }>(`/products/${product.id}`);

    const bound = await admin.post<Binding>(`/variants/${variant.id}/rebind`, {
      erpItemSizeId: candidate!.erpItemSizeId,
    });
    const again = await admin.post<Binding>(`/variants/${variant.id}/rebind`, {
      erpItemSizeId: candidate!.erpItemSizeId,
    });

    expect(offered).toMatchObject({
      page: 1,
      total: 1,
      items: [
        {
          erpItemSizeId: candidate!.erpItemSizeId,
          matchedBy: 'SKU',
          confidence: 0.95,
          reasons: expect.arrayContaining([{ code: 'SKU', holds: true, value: null }]),
        },
      ],
    });
    expect(bound).toMatchObject({
      erpItemSizeId: candidate!.erpItemSizeId,
      bindingState: 'OK',
      missingSince: null,
      history: [{ erpItemId: lastKnown.erpItemId }],
    });
    expect(again).toEqual(bound);
    const incidents = await listed(`product_id=${product.id}`);
    expect(incidents.items.map((item) => [item.status, item.resolution])).toEqual([
      ['CLOSED', 'REBOUND'],
      ['CLOSED', 'REBOUND'],
    ]);
    // Rebinding keeps the status, because staff decide about it.
    const { variants: _, ...content } = before;
    expect(await admin.get(`/products/${product.id}`)).toMatchObject(content);
    // The former item is free for other variants, and new in triage.
    expect(await admin.get(`/erp/items/${lastKnown.erpItemId}`)).toMatchObject({
      triage: 'NEW',
      boundProduct: null,
    });
  });

  test('[BND-17] appears in a list with user, dish, time and reason, in pages, also after its end', async () => {
    const [{ variant, lastKnown, candidates }, other] = [replacements[2]!, replacements[1]!];
    const { id: userId } = await admin.get<{ id: number }>('/me');
    const path = `/variants/${variant.id}/binding-history`;
    const rebind = (erpItemSizeId: number, reason?: string) =>
      admin.raw('POST', `/variants/${variant.id}/rebind`, { erpItemSizeId, reason });
    const first = candidates[0]!.erpItemSizeId;
    const second = other.candidates[0]!.erpItemSizeId;
    expect(await admin.get(path)).toEqual({ items: [], page: 1, size: 50, total: 0 });
    expect((await rebind(first, ' ')).status).toBe(422);
    expect((await rebind(first, ' Новый поставщик ')).status).toBe(200);
    expect((await rebind(second)).status).toBe(200);
    const latest = await admin.get<{ items: Change[] }>(`${path}?size=1`);
    const earlier = await admin.get<{ items: Change[] }>(`${path}?size=1&page=2`);

    expect(latest).toMatchObject({
      total: 2,
      items: [
        {
          changedBy: { id: userId, name: expect.any(String) },
          from: { erpItemSizeId: first },
          to: { erpItemSizeId: second },
          reason: null,
          incidents: [],
        },
      ],
    });
    expect(earlier).toMatchObject({
      page: 2,
      items: [
        {
          changedBy: { id: userId, name: expect.any(String) },
          from: {
            erpItemId: lastKnown.erpItemId,
            sku: expect.stringMatching(/^sku-/),
            name: expect.any(String),
          },
          to: latest.items[0]!.from,
          reason: 'Новый поставщик',
        },
      ],
    });
    expect(earlier.items[0]!.incidents.map((incident) => incident.type)).toContain(
      'POSSIBLE_REPLACEMENT',
    );
    expect(Math.abs(Date.parse(latest.items[0]!.changedAt) - Date.now())).toBeLessThan(60_000);
    const audit = await selectRows(
      api.deps.db,
      'audit_entry',
      ['reason'],
      { entityType: 'variant', entityId: String(variant.id), action: 'rebind' },
      { orderBy: 'id' },
    );
    expect(audit).toEqual([{ reason: 'Новый поставщик' }, { reason: null }]);

    expect((await admin.raw('DELETE', `/variants/${variant.id}`)).status).toBe(204);
    expect(await admin.get(path)).toMatchObject({
      total: 3,
      items: [{ from: { erpItemSizeId: second }, to: null }, latest.items[0], earlier.items[0]],
    });
    expect((await admin.raw('GET', '/variants/999999/binding-history')).status).toBe(404);
  });

  test('[BND-17] rejects a dish of another product, a deleted one, a modifier and an unknown one', async () => {
    const { variant } = replacements[1]!;
    const bound = await selectRow(
      api.deps.db,
      'catalog_variant',
      ['itemSizeId as id', 'productId'],
      { bindingState: 'OK', productId: not(replacements[1]!.product.id) },
      { limit: 1 },
    );
    const gone = await selectRow(
      api.deps.db,
      'catalog_variant',
      ['itemSizeId as id'],
      { bindingState: 'MISSING', id: not(variant.id) },
      { limit: 1 },
    );
    const rebind = (erpItemSizeId: number, id = variant.id) =>
      admin.raw('POST', `/variants/${id}/rebind`, { erpItemSizeId });
    const foreign = await rebind(bound.id);
    const deleted = await rebind(gone.id);
    const unknown = await rebind(999_999);
    const nobody = await rebind(bound.id, 999_999);

    expect([foreign.status, deleted.status, unknown.status, nobody.status]).toEqual([
      409, 422, 422, 404,
    ]);
    expect(await foreign.json()).toMatchObject({
      code: 'ITEM_ALREADY_BOUND',
      boundProduct: { id: bound.productId },
    });
    expect(await deleted.json()).toMatchObject({
      errors: [{ field: 'erpItemSizeId', code: 'deleted' }],
    });
    expect(await unknown.json()).toMatchObject({
      errors: [{ field: 'erpItemSizeId', code: 'not_found' }],
    });
    expect(await admin.get(`/binding-incidents/${replacements[1]!.id}`)).toMatchObject({
      status: 'OPEN',
    });
  });
});

describe('DELETE /variants/{variant_id}', () => {
  test('[BND-15] closes the incidents of the variant, which remain readable', async () => {
    const { id, variant } = missing.at(-1)!;
    expect((await admin.raw('DELETE', `/variants/${variant.id}`)).status).toBe(204);

    expect(await admin.get(`/binding-incidents/${id}`)).toMatchObject({
      type: 'ITEM_MISSING',
      status: 'CLOSED',
      resolution: 'VARIANT_REMOVED',
      variant: { id: variant.id, optionName: null },
    });
    expect(
      await api.deps.db.query(`select 1 from outbox where payload ->> 'change' = 'variantRemoved'`),
    ).toHaveLength(1);
  });
});

describe('POST /erp/items/{item_id}/triage', () => {
  test('[BND-20] removes an ignored dish from the new ones, and rejects bound dishes', async () => {
    const [free] = (
      await admin.get<{ items: { itemId: string }[] }>('/erp/items?triage=NEW&bound=false')
    ).items;
    const [linked] = (await admin.get<{ items: { itemId: string }[] }>('/erp/items?bound=true'))
      .items;
    const triage = (id: string, body: object) => admin.raw('POST', `/erp/items/${id}/triage`, body);
    const ignored = await triage(free!.itemId, { status: 'IGNORED', note: 'Для персонала' });
    const again = await triage(free!.itemId, { status: 'IGNORED', note: 'Передумали' });
    const refused = await triage(linked!.itemId, { status: 'IGNORED' });
    const unknown = await triage('00000000-0000-4000-8000-000000000000', { status: 'IGNORED' });
    const [stored] = await api.deps.db.db
      .selectFrom('catalog_item_triage as triage')
      .innerJoin('mirror_item as item', 'item.id', 'triage.itemId')
      .where('item.erpId', '=', free!.itemId)
      .select('triage.note')
      .execute();

    expect([ignored.status, again.status, refused.status, unknown.status]).toEqual([
      200, 200, 409, 404,
    ]);
    expect(await ignored.json()).toMatchObject({ triage: 'IGNORED' });
    expect(stored).toEqual({ note: 'Передумали' });
    expect(
      (await admin.get<{ items: { itemId: string }[] }>('/erp/items?triage=NEW')).items,
    ).not.toContainEqual(expect.objectContaining({ itemId: free!.itemId }));
  });

  test('[BND-24] restores an ignored dish as new, and keeps a bound one bound', async () => {
    const [free] = (
      await admin.get<{ items: { itemId: string }[] }>('/erp/items?triage=NEW&bound=false')
    ).items;
    const [linked] = (await admin.get<{ items: { itemId: string }[] }>('/erp/items?bound=true'))
      .items;
    const triage = (id: string, body: object) => admin.raw('POST', `/erp/items/${id}/triage`, body);
    await triage(free!.itemId, { status: 'IGNORED', note: 'Для персонала' });
    const restored = await triage(free!.itemId, { status: 'NEW' });
    const again = await triage(free!.itemId, { status: 'NEW' });
    const refused = await triage(linked!.itemId, { status: 'NEW' });
    const unknown = await triage('00000000-0000-4000-8000-000000000000', { status: 'NEW' });
    const invalid = await triage(free!.itemId, { status: 'LINKED' });

    expect([restored, again, refused, unknown, invalid].map(({ status }) => status)).toEqual([
      200, 200, 409, 404, 422,
    ]);
    expect(await restored.json()).toMatchObject({ triage: 'NEW', boundProduct: null });
    expect(
      (await admin.get<{ items: { itemId: string }[] }>('/erp/items?triage=NEW')).items,
    ).toContainEqual(expect.objectContaining({ itemId: free!.itemId }));
    expect(await admin.get(`/erp/items/${linked!.itemId}`)).toMatchObject({
      boundProduct: { id: expect.any(Number) },
    });
    const audit = await api.deps.db.db
      .selectFrom('audit_entry')
      .where('entityType', '=', 'erp-item')
      .where('entityId', '=', free!.itemId)
      .select('action')
      .execute();
    expect(audit).toHaveLength(2);
  });
});

describe('POST /binding-incidents/bulk', () => {
  const bulk = (body: object) => admin.raw('POST', '/binding-incidents/bulk', body);

  test('[BND-44] changes nothing in a dry run, and then snoozes and dismisses the named incidents', async () => {
    const before = await listed('severity=INFO&type=NAME_CHANGED');
    const ids = before.items.map(({ id }) => id).toSorted((a, b) => a - b);
    const request = { incidentIds: [...ids, 999_999], action: 'SNOOZE', until: inAnHour() };

    const rehearsal = await bulk({ ...request, dryRun: true });
    const untouched = await listed('severity=INFO&type=NAME_CHANGED');
    const snoozed = await bulk(request);
    const dismissed = await bulk({
      filter: { type: 'NAME_CHANGED', status: 'SNOOZED' },
      action: 'DISMISS',
      note: 'Accepted',
    });

    const expected = { succeeded: ids, failed: [{ id: 999_999, reason: 'NOT_FOUND' }] };
    expect(ids).toHaveLength(2);
    expect([await rehearsal.json(), await snoozed.json()]).toEqual([expected, expected]);
    expect(untouched).toEqual(before);
    expect(await dismissed.json()).toEqual({ succeeded: ids, failed: [] });
    const { items } = await listed('type=NAME_CHANGED');
    expect(items.map(({ status, resolution }) => [status, resolution])).toEqual([
      ['CLOSED', 'DISMISSED'],
      ['CLOSED', 'DISMISSED'],
    ]);
    expect(
      await selectRows(api.deps.db, 'audit_entry', ['entityId'], {
        entityType: 'binding-incident',
        action: 'dismiss',
      }),
    ).toEqual(expect.arrayContaining(ids.map((id) => ({ entityId: String(id) }))));
    expect(
      await (
        await bulk({ filter: { type: 'NAME_CHANGED' }, action: 'DISMISS', note: 'Again' })
      ).json(),
    ).toEqual({
      succeeded: [],
      failed: [],
    });
    expect(
      await (await bulk({ incidentIds: ids, action: 'SNOOZE', until: inAnHour() })).json(),
    ).toEqual({
      succeeded: [],
      failed: ids.map((id) => ({ id, reason: 'CLOSED' })),
    });
  });

  test.each([
    [{ action: 'DISMISS', note: 'No' }, 'incidentIds'],
    [{ action: 'DISMISS', incidentIds: [1] }, 'note'],
    [{ action: 'SNOOZE', incidentIds: [1] }, 'until'],
    [{ action: 'SNOOZE', incidentIds: [1], until: '2020-01-01T00:00:00Z' }, 'until'],
    [{ action: 'DISMISS', note: 'No', filter: {} }, 'incidentIds'],
  ])('[BND-44] rejects %j', async (body, field) => {
    const answer = await bulk(body);

    expect(answer.status).toBe(422);
    expect(await answer.json()).toMatchObject({ errors: [{ field }] });
  });
});
