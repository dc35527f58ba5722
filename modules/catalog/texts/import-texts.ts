import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import { invalidField, Problem } from '../../../kernel/problem.ts';
import { nameErrors } from '../../../kernel/pure/required-texts.ts';
import { staffFieldError } from '../../../kernel/staff-sentences.ts';
import type { Actor } from '../../../kernel/actor.ts';
import { anyOf, type Sql, type Tx } from '../../../platform/db/database.ts';
import type { Row } from '../../../platform/db/row.ts';
import { hasSqlState } from '../../../platform/db/retry-conflicts.ts';
import { announceToGuests, commitEdit, type CatalogDeps } from '../commit-edit.ts';
import { changeContent, holdProduct } from '../products/edit-product.ts';
import { createBreather } from '../../../platform/breather.ts';
import { readSheet, type Sheet, type SheetError, type SheetRow } from './read-sheet.ts';
import {
  changedFields,
  EMPTY_CONTENT,
  mergeContent,
  type ContentEdit,
} from '../rules/product-content.ts';
import { SHEET_TEXTS, TEXT_COLUMNS, type SheetText } from '../rules/product-sheet.ts';
import { PRODUCT_TEXT_LIMITS } from '../schemas/catalog-requests.ts';
import {
  MOST_CHANGED_PRODUCTS,
  MOST_SHEET_ERRORS,
  type ProductTextsForm,
  type ProductTextsImport,
} from '../schemas/product-texts.ts';

type Change = ProductTextsImport['changes'][number];
type Plan = Omit<ProductTextsImport, 'mode'>;
type StoredTexts = Record<SheetText, string | null> & { id: number; name: string };

/** Longest wait for a concurrent edit, in ms. */
const LOCK_TIMEOUT_MS = 3_000;
/** Lock time-out. */
const LOCKED = new Set(['55P03']);

/**
 * Changes texts of products from a sheet (CAT-27 to CAT-29). PLAN returns the changes. APPLY with
 * that `plan` changes all or nothing. Without changes no plan is needed, so APPLY can be repeated.
 *
 * @throws Problem `validation` for APPLY without a plan or a sheet with errors; `version-conflict`
 * if the changes differ from the plan; `busy` during a concurrent edit.
 */
export async function importTexts(
  deps: CatalogDeps,
  actor: Actor,
  { bytes, mode, plan: token }: ProductTextsForm & { bytes: Buffer },
): Promise<ProductTextsImport> {
  const sheet = await readSheet(bytes);
  if (mode === 'APPLY' && token === undefined)
    throw invalidField('plan', 'required', 'Send the `plan` of a PLAN.');
  const work = commitEdit(deps, async (tx) => {
    await sql`select set_config('lock_timeout', ${`${LOCK_TIMEOUT_MS}ms`}, true)`.execute(tx.db);
    const plan = await buildPlan(tx, sheet, mode === 'APPLY');
    if (mode === 'APPLY') {
      requireNoErrors(plan.errors);
      if (plan.changes.length > 0 && plan.plan !== token)
        throw new Problem('version-conflict', {
          detail: 'The sheet or the products have changed since the plan. Make a new plan.',
        });
      await write(tx, actor, plan.changes);
    }

    return { mode, ...plan, errors: plan.errors.map(staffFieldError) };
  });

  return work.catch((error: unknown) => {
    throw hasSqlState(error, LOCKED)
      ? new Problem('busy', { headers: { 'Retry-After': '3' } })
      : error;
  });
}

function requireNoErrors(errors: readonly SheetError[]): void {
  if (errors.length === 0) return;
  throw new Problem('validation', {
    errors: errors.map(({ row, field, code, message }) => ({
      field: row === null ? field : `rows.${row}.${field}`,
      code,
      message,
    })),
  });
}

/** Locks the products if `holds` is true. */
async function buildPlan(
  tx: Sql,
  { rows, errors: unreadable, faulty }: Sheet,
  holds: boolean,
): Promise<Plan> {
  const owners = await productsOfSkus(
    tx,
    rows.flatMap(({ id, sku }) => (id === '' && sku !== '' ? [sku] : [])),
  );

  const idsIn = ({ id, sku }: SheetRow): readonly number[] =>
    id === '' ? (owners.get(sku) ?? []) : [parseId(id) ?? []].flat();
  const ids = rows.flatMap(idsIn);
  if (holds) await holdProducts(tx, ids);
  const products = await readTexts(tx, ids);
  const breathe = createBreather();
  const firstRows = new Map<number, number>();
  const errors = [...unreadable];
  const changes: Change[] = [];
  let unchanged = 0;

  for (const line of rows) {
    await breathe();
    const [id = 0, ...others] = idsIn(line);
    const product = others.length > 0 ? undefined : products.get(id);
    const lineErrors =
      product === undefined
        ? [unclear(line, [id, ...others])]
        : rowErrors(line, product.id, firstRows);

    errors.push(...lineErrors);
    if (product === undefined || lineErrors.length > 0) continue;
    const texts = changedTexts(line, product);
    if (texts.length > 0) changes.push({ row: line.row, productId: product.id, texts });
    else unchanged += 1;
  }

  if (changes.length > MOST_CHANGED_PRODUCTS)
    errors.push({
      row: null,
      field: 'file',
      code: 'max_items',
      message: `The sheet changes ${changes.length} products. One import changes at most ${MOST_CHANGED_PRODUCTS}.`,
    });

  return {
    plan: errors.length > 0 ? null : await hashChanges(changes),
    rows: rows.length + faulty,
    unchanged,
    changes: changes.slice(0, MOST_CHANGED_PRODUCTS),
    errorCount: errors.length,
    errors: errors
      .toSorted((one, other) => (one.row ?? 0) - (other.row ?? 0))
      .slice(0, MOST_SHEET_ERRORS),
  };
}

async function hashChanges(changes: readonly Change[]): Promise<string> {
  const breathe = createBreather();
  const digest = createHash('sha256');
  for (const { productId, texts } of changes) {
    await breathe();
    digest.update(`${JSON.stringify([productId, texts])}\n`);
  }

  return digest.digest('base64url');
}

const parseId = (text: string): number | null =>
  /^[1-9]\d{0,15}$/.test(text) && Number(text) <= Number.MAX_SAFE_INTEGER ? Number(text) : null;

/** CAT-33. */
const chooseKey = ({ id, sku }: SheetRow): 'id' | 'sku' => (id === '' && sku !== '' ? 'sku' : 'id');

/** Reports no product, or several with the article number (CAT-34). */
function unclear(line: SheetRow, ids: readonly number[]): SheetError {
  const { row } = line;
  const field = chooseKey(line);
  if (ids.length > 1)
    return {
      row,
      field,
      code: 'ambiguous',
      message: `Products ${ids.join(', ')} have this article number. Use the id.`,
    };

  return field === 'id' && line.id === ''
    ? { row, field, code: 'required', message: 'The row names no product.' }
    : { row, field, code: 'not_found', message: 'No such product.' };
}

function rowErrors(line: SheetRow, id: number, firstRows: Map<number, number>): SheetError[] {
  const { row, texts } = line;
  const first = firstRows.get(id);
  if (first !== undefined)
    return [
      {
        row,
        field: chooseKey(line),
        code: 'duplicate',
        message: `Row ${first} has the same product.`,
      },
    ];

  firstRows.set(id, row);

  return SHEET_TEXTS.flatMap((text) => {
    const field = TEXT_COLUMNS[text];
    const value = texts[text];
    if (value === undefined) return [];
    const longest = PRODUCT_TEXT_LIMITS[text];
    const [wrongName] = text === 'name' ? nameErrors(field, value) : [];
    if (wrongName !== undefined) return [{ row, ...wrongName }];
    if (isLongerThan(value, longest))
      return [{ row, field, code: 'max_length', message: `At most ${longest} characters.` }];

    return value.includes('\0')
      ? [{ row, field, code: 'invalid', message: 'The text has a zero character.' }]
      : [];
  });
}

/** Counts characters only if necessary. */
const isLongerThan = (text: string, longest: number): boolean =>
  text.length > longest && (text.length > 2 * longest || Array.from(text).length > longest);

function changedTexts({ texts }: SheetRow, product: StoredTexts): Change['texts'] {
  const edit: ContentEdit = texts;
  const before = { ...EMPTY_CONTENT, ...product };
  const after = mergeContent(before, edit);

  return changedFields(before, after).flatMap((field) =>
    SHEET_TEXTS.filter((text) => text === field).map((text) => ({
      field: text,
      before: before[text],
      after: after[text],
    })),
  );
}

/** Archived products count only if no other product has the number (CAT-34). */
async function productsOfSkus(
  { db }: Sql,
  skus: readonly string[],
): Promise<Map<string, number[]>> {
  if (skus.length === 0) return new Map();
  const { rows } = await sql<Row<'catalog_product', 'id', { sku: string; isArchived: boolean }>>`
    select distinct number.sku, product.id, product.status = 'ARCHIVED' as is_archived
      from catalog_variant variant join catalog_product product on product.id = variant.product_id
      join mirror_item_size size on size.id = variant.item_size_id join mirror_item item on item.id = size.item_id
      cross join lateral (values (item.sku), (size.sku)) as number (sku)
     where number.sku = any (${[...new Set(skus)]}::text[])
     order by product.id`.execute(db);

  return new Map(
    [...Map.groupBy(rows, ({ sku }) => sku)].map(([sku, owners]) => {
      const current = owners.filter(({ isArchived }) => !isArchived);
      return [sku, (current.length > 0 ? current : owners).map(({ id }) => id)];
    }),
  );
}

/** Locks the products to keep the plan valid. */
async function holdProducts({ db }: Sql, ids: readonly number[]): Promise<void> {
  await db
    .selectFrom('catalog_product')
    .select('id')
    .where('id', '=', anyOf(ids))
    .orderBy('id')
    .forUpdate()
    .execute();
}

async function readTexts({ db }: Sql, ids: readonly number[]): Promise<Map<number, StoredTexts>> {
  const rows = await db
    .selectFrom('catalog_product')
    .select(['id', ...SHEET_TEXTS])
    .where('id', '=', anyOf([...new Set(ids)]))
    .orderBy('id')
    .execute();

  return new Map(rows.map((row) => [row.id, row]));
}

async function write(tx: Tx, actor: Actor, changes: readonly Change[]): Promise<void> {
  const published: number[] = [];

  for (const { productId, texts } of changes) {
    const currentProduct = await holdProduct(tx, productId);
    const edit = Object.fromEntries(texts.map(({ field, after }) => [field, after]));
    await changeContent(
      tx,
      actor,
      { ...currentProduct, given: edit, action: 'import-texts' },
      async (_tx, outdates) => {
        if (outdates !== null) published.push(productId);
      },
    );
  }

  if (published.length > 0)
    await announceToGuests(tx, { source: 'product-update', productIds: published }, actor);
}
