import { describe, expect, test } from '@jest/globals';
import { MENU_MAX_BYTES } from '../../../modules/menus/schemas/menu.ts';
import { DISPENSABLE, fitMenu, putBack } from '../../../modules/menus/rules/snapshot/fit-menu.ts';
import {
  MENU_PARTS,
  menuParts,
  type MenuContent,
} from '../../../modules/menus/rules/snapshot/menu-parts.ts';
import {
  menuTemplate,
  menuText,
  parsePublished,
} from '../../../modules/menus/rules/snapshot/payload.ts';
import { thousandDishes } from '../../support/thousand-dishes.ts';
import { assemble, menuFacts, product, uuid, variant } from './facts-builder.ts';

/** The longest form of a menu: everything is stopped. */
function write(content: MenuContent) {
  const template = menuTemplate(content);
  const flags = template.slice(1).map(() => false);
  const text = menuText(
    { revision: 1, organizationErpId: uuid(9), generatedAt: new Date(0) },
    template,
    flags,
  );
  return { text, bytes: Buffer.byteLength(text) };
}
const fit = (content: MenuContent, limit = MENU_MAX_BYTES) => fitMenu(content, write, limit);
const listVariants = (content: MenuContent) => content.products.flatMap((entry) => entry.variants);

describe('a menu of 1,000 products with images, texts, sizes and extras', () => {
  test('fits into 1 MB with everything for 1,200 variants', () => {
    const { content } = assemble(thousandDishes());
    const { bytes, leftOut } = fit(content);

    expect(listVariants(content)).toHaveLength(1_200);
    expect(content.modifierGroups).toHaveLength(40);
    expect(leftOut).toBeNull();
    expect(bytes).toBeLessThanOrEqual(975_000);
  });

  test('[SNP-12] fits with 1,900 variants without image details, nutrition and compositions', () => {
    const { content: whole } = assemble(thousandDishes({ sizedOfTwenty: 9 }));
    const { content, bytes, leftOut } = fit(whole);

    expect(listVariants(whole)).toHaveLength(1_900);
    expect(bytes).toBeLessThanOrEqual(MENU_MAX_BYTES);
    expect(leftOut?.fields).toEqual(['imageDetails', 'nutritionPer100g', 'composition']);
    expect(
      content.products.every((entry) => entry.images.main.srcset.split(', ').length === 2),
    ).toBe(true);
    expect(content.products.filter((entry) => entry.description !== undefined)).toHaveLength(334);
    expect(
      listVariants(content).filter((entry) => entry.modifierGroupIds.length > 0).length,
    ).toBeGreaterThan(900);
    expect(putBack(content, JSON.parse(JSON.stringify(leftOut)) as typeof leftOut)).toEqual(whole);
  });

  test('reports the bytes of its parts exactly', () => {
    const { text, bytes } = write(assemble(thousandDishes()).content);
    const parts = menuParts(parsePublished(text));

    expect(Object.keys(parts)).toEqual([...MENU_PARTS]);
    expect(Object.values(parts).reduce((sum, part) => sum + part)).toBe(bytes);
    expect(parts.other).toBeLessThan(200);
    const without = (field: string) =>
      Buffer.byteLength(text.replaceAll(new RegExp(`"${field}":\\{[^}]*\\},`, 'g'), ''));
    // The comma after a field belongs to the surrounding object.
    expect(parts.nutrition).toBe(bytes - without('nutritionPer100g') - 1_200);
  });
});

test('[SNP-12] fields are omitted in a fixed order, and only as many as needed', () => {
  const { content } = assemble(thousandDishes());
  const { bytes } = fit(content);
  const leftOutAt = (limit: number) => fit(content, limit).leftOut?.fields ?? [];
  const needed: number[] = [bytes];
  for (const count of [1, 2, 3, 4]) {
    const limit = needed[count - 1]! - 1;
    expect(leftOutAt(limit)).toEqual(DISPENSABLE.slice(0, count));
    needed.push(fit(content, limit).bytes);
  }
  expect(leftOutAt(bytes)).toEqual([]);
  expect(fit(content, 10).bytes).toBe(needed[4]);
});

test('content without a field does not report it as omitted', () => {
  const products = [product(1, { description: 'D' }), product(2)];
  const nutrition = { proteins: 1, fats: 2, carbs: 3, energy: 4 };
  const variants = [variant(3, 1, { nutrition }), variant(4, 2)];
  const { content } = assemble(menuFacts({ products, variants }));

  const findImages = (id: number) => content.products.find((entry) => entry.id === id)!.images;
  expect(fit(content, 10).leftOut).toEqual({
    fields: DISPENSABLE,
    products: { 1: { description: 'D', images: findImages(1) }, 2: { images: findImages(2) } },
    variants: { 3: { nutritionPer100g: nutrition } },
  });
});
