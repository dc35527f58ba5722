import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { routes } from '../../../api/routes.ts';
import type { ProductTextsImport } from '../../../modules/catalog/schemas/product-texts.ts';
import { adminClient, type AdminClient } from '../../support/admin-client.ts';
import { ADMIN, startTestApi, type TestApi } from '../../support/api.ts';
import { readAudit } from '../../support/audit.ts';
import { asOwner } from '../../support/database-roles.ts';
import { menuRows, type MenuRows } from '../../support/menu-rows.ts';
import { sessionsWait } from '../../support/races.ts';
import { awaitRefusal } from '../../support/refusal.ts';
import { countRows, selectRow, selectRows, updateRows } from '../../support/rows.ts';

let api: TestApi;
let admin: AdminClient;
let rows: MenuRows;
let place: Awaited<ReturnType<MenuRows['restaurant']>>;
let [soup, tart] = [0, 0];
beforeAll(async () => {
  api = await startTestApi({ routes, env: { RATE_LIMIT_ADMIN: 'off' } });
  admin = await adminClient(api.url, ADMIN.email, ADMIN.password);
  rows = menuRows(api.deps.db);
  place = await rows.restaurant();
});
afterAll(() => api.stop());
beforeEach(async () => {
  const dish = async () =>
    (await rows.dish({ ...place, prices: { [place.organizationId]: 10_000 } })).productId;
  [soup, tart] = [await dish(), await dish()];
  await updateRows(
    api.deps.db,
    'catalog_product',
    { name: 'Суп', description: 'Горячий' },
    { id: soup },
  );
  await updateRows(api.deps.db, 'catalog_product', { name: 'Тарт' }, { id: tart });
});

const send = (
  file: string | Uint8Array<ArrayBuffer>,
  fields: Record<string, string> = { mode: 'PLAN' },
) => {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.set(name, value);
  form.set('file', new Blob([file], { type: 'text/csv' }), 'products.csv');
  return fetch(`${api.url}/api/admin/v1/products/import-texts`, {
    method: 'POST',
    headers: { authorization: `Bearer ${admin.accessToken}` },
    body: form,
  });
};
const imported = async (...sent: Parameters<typeof send>) => {
  const answer = await send(...sent);
  expect({ status: answer.status, text: answer.ok ? '' : await answer.text() }).toEqual({
    status: 200,
    text: '',
  });
  return (await answer.json()) as ProductTextsImport;
};
const apply = async (file: string) => {
  const { plan } = await imported(file);
  return imported(file, { mode: 'APPLY', plan: plan! });
};
const readTexts = (id: number) =>
  selectRow(api.deps.db, 'catalog_product', ['name', 'subtitle', 'description', 'version'], { id });
const exported = async (more = '') =>
  (await admin.raw('GET', `/exports/products${more}`)).arrayBuffer();
const dirtySum = async () =>
  (await selectRows(api.deps.db, 'snapshot_request', ['dirtySeq'])).reduce(
    (sum, { dirtySeq }) => sum + dirtySeq,
    0,
  );

describe('a sheet of texts', () => {
  test('[CAT-27] can be planned without a write, then applied and audited, and marks menus once', async () => {
    const file = `id,name,subtitle,description\n${soup},Борщ,Со сметаной,\n${tart},Тарт,,\n`;
    const before = [await readTexts(soup), await dirtySum()];
    const planned = await imported(file);
    const after = [await readTexts(soup), await dirtySum()];
    const events = await countRows(api.deps.db, 'outbox', { event: 'CatalogChanged' });
    const done = await imported(file, { mode: 'APPLY', plan: planned.plan! });
    const again = await imported(file, { mode: 'APPLY', plan: planned.plan! });

    expect(after).toEqual(before);
    expect(planned).toEqual({
      mode: 'PLAN',
      plan: expect.any(String),
      rows: 2,
      unchanged: 1,
      changes: [
        {
          row: 2,
          productId: soup,
          texts: [
            { field: 'name', before: 'Суп', after: 'Борщ' },
            { field: 'subtitle', before: null, after: 'Со сметаной' },
            { field: 'description', before: 'Горячий', after: null },
          ],
        },
      ],
      errorCount: 0,
      errors: [],
    });
    expect(done).toEqual({ ...planned, mode: 'APPLY' });
    expect(again).toMatchObject({ mode: 'APPLY', unchanged: 2, changes: [] });
    expect(await readTexts(soup)).toEqual({
      name: 'Борщ',
      subtitle: 'Со сметаной',
      description: null,
      version: 2,
    });
    expect(await countRows(api.deps.db, 'outbox', { event: 'CatalogChanged' })).toBe(events + 1);
    expect(await dirtySum()).toBeGreaterThan(before[1] as number);
    expect(await readAudit(api.deps, 'product', soup)).toMatchObject([
      { action: 'import-texts', before: { name: 'Суп' }, after: { name: 'Борщ' } },
    ]);
  });

  test('[CAT-27] lists every invalid row with its column and code, and is not applied', async () => {
    const file = [
      'id,name,subtitle',
      `${soup},,x`,
      '999999,Нет,x',
      ',Нет,x',
      'x1,Нет,x',
      `${tart},Тарт,${'я'.repeat(301)}`,
      `${tart},Торт,`,
      `${soup},Суп,,лишнее`,
    ].join('\r\n');
    const planned = await imported(file);
    const refused = await awaitRefusal(send(file, { mode: 'APPLY', plan: 'x' }));

    expect(planned).toMatchObject({ plan: null, rows: 7, unchanged: 0, errorCount: 7 });
    expect(planned.errors.map(({ row, field, code }) => [row, field, code])).toEqual([
      [2, 'name', 'required'],
      [3, 'id', 'not_found'],
      [4, 'id', 'required'],
      [5, 'id', 'not_found'],
      [6, 'subtitle', 'max_length'],
      [7, 'id', 'duplicate'],
      [8, 'file', 'invalid'],
    ]);
    expect(refused).toMatchObject({ status: 422, type: '/problems/validation' });
    expect(refused['errors']).toContainEqual({
      field: 'rows.2.name',
      code: 'required',
      message: 'The name is empty.',
    });
    expect((await readTexts(soup)).version).toBe(1);
  });

  test('[CAT-27] counts unchanged rows next to a malformed row', async () => {
    const planned = await imported(`id,name\n${soup},Суп\n${tart},Тарт\n1,2,3\n`);

    expect(planned).toMatchObject({
      rows: 3,
      unchanged: 2,
      changes: [],
      errors: [{ row: 4, field: 'file' }],
    });
  });

  test.each<[string, string | Uint8Array<ArrayBuffer>, string, string]>([
    ['without a column id or sku', 'name\nСуп', 'id', 'required'],
    ['with an unknown column', 'id,price\n1,2', 'price', 'unknown_field'],
    ['with a column twice', 'id,name,name\n1,2,3', 'name', 'duplicate'],
    ['with an open quote', 'id,name\n1,"Суп', 'file', 'format'],
    ['in another encoding', new Uint8Array([0x69, 0x64, 0x0a, 0xd1, 0x20]), 'file', 'format'],
    ['with too many rows', `id\n${'1\n'.repeat(20_001)}`, 'file', 'max_items'],
    ['with too many empty lines', '\n'.repeat(30_000), 'file', 'max_items'],
    ['with too many columns', `id,name${',name'.repeat(100_000)}\n1,2\n`, 'file', 'max_items'],
    ['without a line', '\uFEFF', 'id', 'required'],
  ])('[CAT-27] fails as a whole %s', async (_, file, field, code) => {
    expect(await imported(file)).toMatchObject({
      plan: null,
      changes: [],
      errors: [{ field, code }],
    });
  });

  test('[CAT-27] counts no row if the header is invalid', async () => {
    const planned = await imported('Артикул,Price\n1,2\n');

    expect(planned).toMatchObject({ rows: 0, changes: [], plan: null });
    expect(planned.errors.length).toBeGreaterThan(1);
  });

  test('[CAT-29] fails without the plan, with another file and after another edit', async () => {
    const file = `id,name\n${soup},Борщ\n`;
    const { plan } = await imported(file);
    const noPlan = await awaitRefusal(send(file, { mode: 'APPLY' }));
    const other = await awaitRefusal(
      send(`id,name\n${soup},Уха\n`, { mode: 'APPLY', plan: plan! }),
    );
    await updateRows(api.deps.db, 'catalog_product', { name: 'Щи' }, { id: soup });
    const edited = await awaitRefusal(send(file, { mode: 'APPLY', plan: plan! }));

    expect(noPlan).toMatchObject({ status: 422, errors: [{ field: 'plan', code: 'required' }] });
    expect([other, edited]).toMatchObject([
      { status: 409, type: '/problems/version-conflict' },
      { status: 409, type: '/problems/version-conflict' },
    ]);
    expect((await readTexts(soup)).name).toBe('Щи');
  });

  test('[CAT-29] fails after an edit that was uncommitted when the import began', async () => {
    const file = `id,name\n${soup},Борщ\n`;
    const { plan } = await imported(file);
    const [isEdited, isOver] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const editing = api.deps.db.transaction(async (tx) => {
      await tx.db
        .updateTable('catalog_product')
        .set({ name: 'Щи' })
        .where('id', '=', soup)
        .execute();
      isEdited.resolve();
      await isOver.promise;
    });
    await isEdited.promise;
    const applying = send(file, { mode: 'APPLY', plan: plan! });
    await sessionsWait(api.deps.db, 1);
    isOver.resolve();
    await editing;

    expect(await awaitRefusal(applying)).toMatchObject({ status: 409 });
    expect((await readTexts(soup)).name).toBe('Щи');
  });

  test('[CAT-29] answers busy while another transaction locks one of its products', async () => {
    const file = `id,name\n${soup},Борщ\n`;
    const { plan } = await imported(file);
    const answer = await api.deps.db.transaction(async (tx) => {
      await tx.db
        .selectFrom('catalog_product')
        .select('id')
        .where('id', '=', soup)
        .forUpdate()
        .execute();
      return send(file, { mode: 'APPLY', plan: plan! });
    });

    expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '3']);
    expect(await answer.json()).toMatchObject({ type: '/problems/busy' });
    expect((await readTexts(soup)).name).toBe('Суп');
  });

  test('[CAT-29] writes nothing if one of its products cannot be written', async () => {
    const file = `id,name\n${soup},Борщ\n${tart},Торт\n`;
    const { plan } = await imported(file);
    await asOwner(
      api.deps.db,
      `alter table catalog_product add constraint no_torte check (name <> 'Торт')`,
    );
    const failed = await send(file, { mode: 'APPLY', plan: plan! });
    await asOwner(api.deps.db, 'alter table catalog_product drop constraint no_torte');

    expect(failed.status).toBe(500);
    expect([(await readTexts(soup)).name, (await readTexts(tart)).name]).toEqual(['Суп', 'Тарт']);
    expect(await readAudit(api.deps, 'product', soup)).toEqual([]);
    expect((await apply(file)).changes).toHaveLength(2);
  });
});

describe('a sheet in the format of a spreadsheet', () => {
  test.each<[string, (soup: number) => string, number, object]>([
    [
      'leave separators behind the header',
      (id) => `id;name;;\r\n${id};Борщ;;;\r\n`,
      2,
      { name: 'Борщ' },
    ],
    ['leave out empty cells', (id) => `id;name;subtitle\r\n${id};Борщ\r\n`, 2, { name: 'Борщ' }],
    ['do not quote', (id) => `id\tname\r\n${id}\t"Харчо" суп\r\n`, 2, { name: '"Харчо" суп' }],
    [
      'type the header',
      (id) => `ID;Name ;SEO Title\r\n${id};Борщ;Щи\r\n`,
      2,
      { name: 'Борщ', seoTitle: 'Щи' },
    ],
    ['begin with an empty line', (id) => `\r\nid;name\r\n${id};Борщ\r\n`, 3, { name: 'Борщ' }],
    ['name the separator', (id) => `sep=;\r\nid;name\r\n${id};Борщ\r\n`, 2, { name: 'Борщ' }],
    ['leave a column without a name', (id) => `id;;name\r\n${id};;Борщ\r\n`, 2, { name: 'Борщ' }],
  ])('[CAT-56] can be read if spreadsheets %s', async (_, sheetOf, row, after) => {
    const { changes, errors } = await imported(sheetOf(soup));

    expect(errors).toEqual([]);
    expect(changes).toMatchObject([
      {
        row,
        productId: soup,
        texts: Object.entries(after).map(([field, text]) => ({ field, after: text as string })),
      },
    ]);
  });

  test('[CAT-56] reports a cell without a column as an error of its row', async () => {
    const { errors } = await imported(
      `id;name;\r\n${soup};Борщ;;заметка\r\n${tart};Торт;заметка\r\n`,
    );

    expect(errors).toMatchObject([
      { row: 2, field: 'file', code: 'invalid', message: 'Cell 4 of the row has no column.' },
      { row: 3, field: 'file', code: 'invalid', message: 'Cell 3 of the row has no column.' },
    ]);
  });

  test('[CAT-56] lists the first 50 errors in the order of the rows', async () => {
    const lines = Array.from({ length: 200 }, (_, at) =>
      at % 2 === 0 ? `x${at},Нет` : `${soup},Суп,лишнее`,
    );
    const planned = await imported(`id,name\n${lines.join('\n')}\n`);

    expect(planned).toMatchObject({ plan: null, rows: 200, errorCount: 200 });
    expect(planned.errors.map(({ row }) => row)).toEqual(
      Array.from({ length: 50 }, (_, at) => at + 2),
    );
  });
});

describe('a sheet with article numbers', () => {
  const setSku = async (productId: number, sku: string) => {
    const { itemSizeId } = await selectRow(api.deps.db, 'catalog_variant', ['itemSizeId'], {
      productId,
    });
    const { itemId } = await selectRow(api.deps.db, 'mirror_item_size', ['itemId'], {
      id: itemSizeId!,
    });
    await updateRows(api.deps.db, 'mirror_item', { sku }, { id: itemId });
  };
  let [soupSku, tartSku] = ['', ''];
  beforeEach(async () => {
    [soupSku, tartSku] = [`S-${soup}`, `00${tart}`];
    await setSku(soup, soupSku);
    await setSku(tart, tartSku);
  });

  test('[CAT-33] changes products by article number in a sheet that also has ids', async () => {
    const done = await apply(`sku,name\n${soupSku},Борщ\n ${tartSku} ,Тарт\n`);
    const mixed = await imported(`id,sku,name\n${tart},no such number,Торт\n,${soupSku},Щи\n`);

    expect(done).toMatchObject({
      mode: 'APPLY',
      unchanged: 1,
      changes: [{ row: 2, productId: soup }],
      errors: [],
    });
    expect((await readTexts(soup)).name).toBe('Борщ');
    expect(mixed).toMatchObject({
      errors: [],
      changes: [
        { row: 2, productId: tart },
        { row: 3, productId: soup },
      ],
    });
  });

  test('[CAT-33] accepts the article number of a size', async () => {
    const { itemSizeId } = await selectRow(api.deps.db, 'catalog_variant', ['itemSizeId'], {
      productId: soup,
    });
    await updateRows(api.deps.db, 'mirror_item_size', { sku: `${soupSku}-L` }, { id: itemSizeId! });

    expect(await imported(`sku,name\n${soupSku}-L,Борщ\n`)).toMatchObject({
      errors: [],
      changes: [{ productId: soup }],
    });
  });

  test('[CAT-34] reports unknown, ambiguous and repeated numbers by row, and writes nothing', async () => {
    const twin = (await rows.dish({ ...place, prices: { [place.organizationId]: 10_000 } }))
      .productId;
    await setSku(twin, soupSku);
    const file = `sku,name\n${soupSku},Борщ\nno such number,Уха\n,Щи\n${tartSku},Торт\n${tartSku},Пирог\n`;
    const planned = await imported(file);
    const refused = await awaitRefusal(send(file, { mode: 'APPLY', plan: 'x' }));

    expect(planned.plan).toBeNull();
    expect(planned.errors).toMatchObject([
      {
        row: 2,
        field: 'sku',
        code: 'ambiguous',
        message: expect.stringContaining(`${soup}, ${twin}`),
      },
      { row: 3, field: 'sku', code: 'not_found' },
      { row: 4, field: 'id', code: 'required' },
      { row: 6, field: 'sku', code: 'duplicate' },
    ]);
    expect(refused).toMatchObject({ status: 422, type: '/problems/validation' });
    expect((await readTexts(tart)).name).toBe('Тарт');
  });

  test('[CAT-34] finds the active product if an archived one has the same number', async () => {
    const twin = (await rows.dish({ ...place, prices: { [place.organizationId]: 10_000 } }))
      .productId;
    await setSku(twin, soupSku);
    await updateRows(api.deps.db, 'catalog_product', { status: 'ARCHIVED' }, { id: twin });

    const planned = await imported(`sku,name\n${soupSku},Борщ\n`);
    await updateRows(api.deps.db, 'catalog_product', { status: 'DRAFT' }, { id: twin });

    expect(planned).toMatchObject({ errors: [], changes: [{ productId: soup }] });
  });

  test('[CAT-33] can be exported with the numbers, and imported without a change', async () => {
    const bytes = new Uint8Array(await exported());
    const [header = '', ...lines] = new TextDecoder()
      .decode(bytes)
      .replace('\uFEFF', '')
      .split('\r\n');
    const at = header.split(',').indexOf('skus');
    const line = lines.find((text) => text.startsWith(`${soup},`));

    expect(at).toBeGreaterThan(0);
    expect(line?.split(',')[at]).toBe(soupSku);
    expect((await imported(bytes)).changes).toEqual([]);
  });
});

describe('an exported sheet', () => {
  test('[CAT-25, CAT-28] can be imported unmodified without a change', async () => {
    const texts = {
      subtitle: '=1+1',
      description: "'=2",
      composition: 'a;b,"c"\r\nd\n-5',
      seoTitle: "'",
    };
    await updateRows(api.deps.db, 'catalog_product', texts, { id: soup });
    await updateRows(api.deps.db, 'catalog_product', { name: '+7 Тарт' }, { id: tart });
    const bytes = new Uint8Array(await exported());
    const text = new TextDecoder().decode(bytes);
    const planned = await imported(bytes);

    expect(text).toContain(`${soup},Суп,'=1+1,''=2,"a;b,""c""\r\nd\n-5",'`);
    expect(planned.errors).toEqual([]);
    expect(planned).toMatchObject({ unchanged: planned.rows, changes: [] });
    expect(planned.rows).toBe(await countRows(api.deps.db, 'catalog_product'));
  });

  test('[HTTP-98, CAT-28] uses semicolons on request, and can be imported unmodified', async () => {
    const texts = { subtitle: 'a;b\tc,d', description: 'say "hi";' };
    await updateRows(api.deps.db, 'catalog_product', texts, { id: soup });
    const bytes = new Uint8Array(await exported('?separator=;'));
    const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
    const planned = await imported(bytes);

    expect(text.startsWith('\uFEFFid;name;subtitle;')).toBe(true);
    expect(planned).toMatchObject({ errors: [], changes: [], unchanged: planned.rows });
    expect((await admin.raw('GET', '/exports/products?separator=x')).status).toBe(422);
  });

  test.each([';', '\t'])(
    '[CAT-28] can be read if a spreadsheet has saved it with %j',
    async (separator) => {
      const cells = ['id', 'name', 'subtitle'];
      const text = `${cells.join(separator)}\r\n${soup}${separator}"Борщ, украинский"${separator}'=1\r\n${separator}${separator}\r\n`;
      const planned = await imported(text);

      expect(planned).toMatchObject({ rows: 1, errors: [] });
      expect(planned.changes).toMatchObject([
        {
          texts: [
            { field: 'name', after: 'Борщ, украинский' },
            { field: 'subtitle', after: '=1' },
          ],
        },
      ]);
    },
  );

  test('[CAT-25] contains the products that match the filters of the list', async () => {
    await updateRows(api.deps.db, 'catalog_product', { status: 'ARCHIVED' }, { id: soup });
    const lines = new TextDecoder()
      .decode(await exported('?status=ARCHIVED&format=csv'))
      .trimEnd()
      .split('\r\n');

    expect(lines.slice(1).map((line) => Number(line.split(',')[0]))).toEqual([soup]);
  });
});
