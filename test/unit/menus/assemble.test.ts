import { describe, expect, test } from '@jest/globals';
import {
  categoriesWithContent,
  categoryTree,
} from '../../../modules/menus/rules/snapshot/categories.ts';
import type { MenuFacts } from '../../../modules/menus/rules/snapshot/facts.ts';
import {
  assemble,
  category,
  group,
  link,
  media,
  menuFacts,
  modifier,
  offer,
  product,
  stopRow,
  stops,
  uuid,
  variant,
} from './facts-builder.ts';

const ids = (facts: MenuFacts) => assemble(facts).content.products.map((entry) => entry.id);
const listVariants = (facts: MenuFacts) => assemble(facts).content.products[0]?.variants ?? [];

describe('[SNP-1] the selection of products', () => {
  test.each<[string, Partial<MenuFacts>, number[]]>([
    ['a published one', {}, [1]],
    ['a draft', { products: [product(1, { status: 'DRAFT' })] }, []],
    ['an unpublished one', { products: [product(1, { status: 'UNPUBLISHED' })] }, []],
    ['one without a variant', { variants: [] }, []],
    ['one that was never priced here', { offers: [] }, []],
    ['one whose only size the ERP hides', { offers: [offer(1, { isHidden: true })] }, []],
    ['one whose price was lost', { offers: [offer(1, { isLive: false })] }, [1]],
    ['one in no category', { placements: [] }, []],
    ['one in an archived category', { categories: [category(1, { isArchived: true })] }, []],
    [
      'one below an archived category',
      { categories: [category(1, { parentId: 2 }), category(2, { isArchived: true })] },
      [],
    ],
    ['one without a picture', { products: [product(1, { mainImageId: null })] }, []],
    ['one whose picture has no files', { media: [{ id: 1, renditions: [] }] }, []],
  ])('%s', (_, over, expected) => {
    expect(ids(menuFacts(over))).toEqual(expected);
  });

  test('[SNP-2] reports why a published one is omitted', () => {
    const products = [product(1, { mainImageId: null }), product(2), product(3)];
    const placements = [1, 2].map((id) => ({
      productId: id,
      categoryId: 1,
      position: 1,
      isPrimary: true,
    }));
    const { omitted } = assemble(menuFacts({ products, placements, offers: [offer(1), offer(3)] }));

    expect(omitted).toEqual([
      { productId: 1, reason: 'NO_MAIN_IMAGE' },
      { productId: 2, reason: 'NOT_SOLD_HERE' },
      { productId: 3, reason: 'NO_CATEGORY' },
    ]);
  });
});

describe('the categories of a menu', () => {
  test('[SNP-3] appear only with content, parents first, siblings by position', () => {
    const { content } = assemble(
      menuFacts({
        categories: [
          category(1, { parentId: 4, position: 2 }),
          category(2, { position: 9 }),
          category(3, { parentId: 4, position: 1 }),
          category(4, { position: 5, imageId: 2 }),
          category(5, { position: 1 }),
        ],
        products: [product(1), product(2)],
        placements: [
          { productId: 1, categoryId: 1, position: 2, isPrimary: true },
          { productId: 2, categoryId: 1, position: 1, isPrimary: false },
          { productId: 2, categoryId: 2, position: 1, isPrimary: true },
        ],
      }),
    );

    expect(
      content.categories.map(({ id, parentId, productIds }) => ({ id, parentId, productIds })),
    ).toStrictEqual([
      { id: 4, parentId: null, productIds: [] },
      { id: 1, parentId: 4, productIds: [2, 1] },
      { id: 2, parentId: null, productIds: [2] },
    ]);
    expect(content.categories[0]!.image).toMatchObject({
      id: 2,
      url: '/media/2-t',
      srcset: '/media/2-t 1x',
    });
    expect(content.products).toHaveLength(2);
    expect(content.products[1]).toMatchObject({ id: 2, categoryIds: [1, 2], primaryCategoryId: 2 });
  });

  test('contain only visible products, by position and id', () => {
    const place = (productId: number, categoryId: number) => ({
      productId,
      categoryId,
      position: 1,
      isPrimary: true,
    });
    const { content } = assemble(
      menuFacts({
        categories: [category(1), category(2)],
        products: [product(1), product(2), product(3)],
        placements: [place(3, 1), place(2, 1), place(1, 1), place(2, 2)],
        offers: [offer(1), offer(3)],
      }),
    );

    expect(content.categories.map(({ id, productIds }) => [id, productIds])).toEqual([[1, [1, 3]]]);
  });

  test('contain only products of the category, those of one position by id', () => {
    const [first, second] = [category(1, { position: 3 }), category(2, { position: 3 })];

    expect(categoryTree([second, first])).toStrictEqual([first, second]);
    expect(categoriesWithContent([first, second], new Set([2]))).toEqual(new Set([2]));
  });

  test('include the first one as primary if the primary one is hidden', () => {
    const placements = [
      { productId: 1, categoryId: 1, position: 1, isPrimary: false },
      { productId: 1, categoryId: 2, position: 1, isPrimary: true },
    ];
    const categories = [category(1), category(2, { isArchived: true })];

    expect(assemble(menuFacts({ placements, categories })).content.products[0]).toMatchObject({
      categoryIds: [1],
      primaryCategoryId: 1,
    });
  });
});

describe('the fields of a product', () => {
  test('[SNP-7] omit absent and empty texts', () => {
    const [plain, full] = assemble(
      menuFacts({
        products: [
          product(1, { subtitle: '' }),
          product(2, { subtitle: 'S', description: 'D', composition: 'C' }),
        ],
      }),
    ).content.products;

    expect(Object.keys(plain!)).not.toEqual(expect.arrayContaining(['subtitle']));
    expect(plain).not.toHaveProperty('description');
    expect(full).toMatchObject({ subtitle: 'S', description: 'D', composition: 'C' });
  });

  test('separate the texts of the card from the menu, for products that have some', () => {
    const { content, cardTexts } = assemble(
      menuFacts({ products: [product(1, { seoTitle: '' }), product(2, { seoTitle: 'T' })] }),
    );

    expect(cardTexts).toEqual({ 2: { seoTitle: 'T' } });
    expect(content.products[1]).not.toHaveProperty('seoTitle');
  });

  test('order badges by position, then by code', () => {
    const badge = (code: string, position: number) => ({ productId: 1, code, position });
    const badges = [badge('a', 2), badge('c', 1), badge('b', 1)];

    expect(assemble(menuFacts({ badges })).content.products[0]!.badges).toEqual(['b', 'c', 'a']);
  });

  test('order pictures of the gallery by position, then by id', () => {
    const picture = (mediaId: number, position: number) => ({ productId: 1, mediaId, position });
    const gallery = [picture(1, 2), picture(3, 1), picture(2, 1)];
    const [shown] = assemble(menuFacts({ gallery })).content.products;

    expect(shown!.images.gallery.map(({ id }) => id)).toEqual([2, 3, 1]);
  });

  test('use the first of two names of one allergen', () => {
    const variants = ['Орехи', 'Орех'].map((name, at) =>
      variant(at + 1, 1, { allergens: [{ code: 'nuts', name }] }),
    );

    expect(assemble(menuFacts({ variants })).content.products[0]!.allergens).toEqual([
      { code: 'nuts', name: 'Орехи' },
    ]);
  });

  test('order badges, gallery and allergens, and join the allergens of all variants', () => {
    const [shown] = assemble(
      menuFacts({
        products: [product(1, { hoverImageId: 2 })],
        badges: [
          { productId: 1, code: 'new', position: 2 },
          { productId: 1, code: 'hot', position: 1 },
        ],
        gallery: [
          { productId: 1, mediaId: 3, position: 1 },
          { productId: 1, mediaId: 2, position: 0 },
          { productId: 1, mediaId: 99, position: 2 },
        ],
        variants: [
          variant(1, 1, { allergens: [{ code: 'nuts', name: 'Орехи' }] }),
          variant(2, 1, {
            allergens: [
              { code: 'milk', name: 'Молоко' },
              { code: 'nuts', name: 'Орехи' },
            ],
          }),
        ],
        offers: [offer(1), offer(2)],
      }),
    ).content.products;

    expect(shown).toMatchObject({
      badges: ['hot', 'new'],
      images: {
        main: { id: 1, srcset: '/media/1-1 1x, /media/1-2 2x' },
        hover: { id: 2 },
        gallery: [{ id: 2 }, { id: 3 }],
      },
      allergens: [
        { code: 'milk', name: 'Молоко' },
        { code: 'nuts', name: 'Орехи' },
      ],
    });
  });

  test('omit the axis if it offers no choice', () => {
    const axis = { code: 'size', name: 'Размер', uiType: 'SEGMENTED' };
    const option = { code: 's', name: 'Малая', shortName: null };
    const of = (over: Partial<MenuFacts>) =>
      assemble(menuFacts({ products: [product(1, { axis })], ...over })).content.products[0]!;

    expect(of({}).variantAxis).toBeNull();
    expect(of({}).variants[0]!.option).toBeNull();
    expect(of({ variants: [variant(1, 1, { option })] }).variantAxis).toEqual(axis);
    expect(of({ variants: [variant(1, 1, { option }), variant(2, 1)] }).variantAxis).toEqual(axis);
    expect(of({ variants: [variant(1, 1, { option })] }).variants[0]!.option).toEqual({
      code: 's',
      name: 'Малая',
    });
  });
});

describe('the pictures of a product', () => {
  const size = { width: 400, height: 400 };
  const card = (url: string, density: number, format: string) => ({
    name: 'card',
    density,
    format,
    url,
    ...size,
  });
  test('appear as cards everywhere', () => {
    const renditions = ['banner', 'card'].map((name) => ({ ...card(`/${name}`, 1, 'webp'), name }));
    const [shown] = assemble(
      menuFacts({
        products: [product(1, { hoverImageId: 1 })],
        gallery: [{ productId: 1, mediaId: 1, position: 1 }],
        media: [{ id: 1, renditions }],
      }),
    ).content.products;
    const { main, hover, gallery } = shown!.images;

    expect([main, hover, ...gallery].map((entry) => entry?.url)).toEqual([
      '/card',
      '/card',
      '/card',
    ]);
  });

  test.each([
    [
      'webp before jpeg',
      [card('/j', 1, 'jpeg'), card('/w', 1, 'webp')],
      { url: '/w', srcset: '/w 1x' },
    ],
    ['jpeg alone', [card('/j', 1, 'jpeg')], { url: '/j', srcset: '/j 1x' }],
    [
      'densities in order',
      [card('/2', 2, 'webp'), card('/1', 1, 'webp')],
      { url: '/1', srcset: '/1 1x, /2 2x' },
    ],
    [
      'no third density',
      [card('/1', 1, 'webp'), card('/3', 3, 'webp')],
      { url: '/1', srcset: '/1 1x' },
    ],
    [
      'another rendition',
      [{ ...card('/full', 1, 'webp'), name: 'full' }],
      { url: '/full', srcset: '/full 1x' },
    ],
  ])('%s', (_, renditions, expected) => {
    const [shown] = assemble(menuFacts({ media: [{ id: 1, renditions }] })).content.products;

    expect(shown!.images.main).toEqual({ id: 1, ...expected, ...size });
  });
});

describe('the variants of a product', () => {
  test('[SNP-6] appear in order with exactly one default: the chosen one, or the first visible one', () => {
    const variants = [
      variant(1, 1, { position: 3 }),
      variant(2, 1, { position: 1 }),
      variant(3, 1, { position: 2, isDefault: true }),
    ];
    const defaults = (offers: number[]) =>
      listVariants(menuFacts({ variants, offers: offers.map((id) => offer(id)) })).map((entry) => [
        entry.id,
        entry.isDefault,
      ]);

    expect(defaults([1, 2, 3])).toEqual([
      [2, false],
      [3, true],
      [1, false],
    ]);
    expect(defaults([1, 2])).toEqual([
      [2, true],
      [1, false],
    ]);
  });

  test('list categories of one position by id', () => {
    const variants = [2, 1].map((id) => variant(id, 1, { position: 1 }));

    expect(listVariants(menuFacts({ variants })).map(({ id }) => id)).toEqual([1, 2]);
  });

  test('contain the SKU of the ERP, and the short name of their option', () => {
    const option = { code: 's', name: 'Малая', shortName: 'М' };

    expect(listVariants(menuFacts({ variants: [variant(1, 1, { option })] }))).toMatchObject([
      { sku: 'sku-1', option },
    ]);
  });

  test.each(['proteins', 'fats', 'carbs', 'energy'])('omit nutrition without %s', (missing) => {
    const nutrition = { proteins: 1, fats: 2, carbs: 3, energy: 4, [missing]: null };

    expect(
      listVariants(menuFacts({ variants: [variant(1, 1, { nutrition })] }))[0],
    ).not.toHaveProperty('nutritionPer100g');
  });

  test('[SNP-7] contain weight and complete nutrition, and omit fields with a missing value', () => {
    const full = { proteins: 1, fats: 2.5, carbs: 3, energy: 4, salt: 9 };
    const variants = [
      variant(1, 1, { weightGrams: 310, nutrition: full }),
      variant(2, 1, { sku: null, nutrition: { ...full, fats: null } }),
    ];
    const [first, second] = listVariants(menuFacts({ variants }));

    expect(first).toMatchObject({
      weightGrams: 310,
      nutritionPer100g: { proteins: 1, fats: 2.5, carbs: 3, energy: 4 },
    });
    expect(first!.nutritionPer100g).not.toHaveProperty('salt');
    expect(Object.keys(second!)).not.toEqual(expect.arrayContaining(['weightGrams']));
    expect(second).not.toHaveProperty('nutritionPer100g');
    expect(second).not.toHaveProperty('sku');
  });

  test.each<
    [string, Parameters<typeof offer>[1][], { price: number; available: boolean } | undefined]
  >([
    [
      'the menu of the better rank decides',
      [
        { menuRank: 2, externalMenuId: 1, priceKopecks: 100 },
        { menuRank: 1, externalMenuId: 2, priceKopecks: 200 },
      ],
      { price: 200, available: true },
    ],
    [
      'a live price comes before a lost one of a better menu',
      [
        { menuRank: 1, isLive: false, priceKopecks: 100 },
        { menuRank: 2, externalMenuId: 2, priceKopecks: 200 },
      ],
      { price: 200, available: true },
    ],
    [
      'a menu that hides the size says nothing',
      [
        { menuRank: 1, isHidden: true, priceKopecks: 100 },
        { menuRank: 2, externalMenuId: 2, priceKopecks: 200 },
      ],
      { price: 200, available: true },
    ],
    [
      'a lost price stays the last price, unavailable',
      [{ isLive: false, priceKopecks: 100 }],
      { price: 100, available: false },
    ],
    ['a price of zero is a price', [{ priceKopecks: 0 }], { price: 0, available: true }],
    [
      'hidden by every menu',
      [{ isHidden: true }, { menuRank: 2, externalMenuId: 2, isHidden: true }],
      undefined,
    ],
  ])('%s', (_, offers, expected) => {
    const [shown] = listVariants(menuFacts({ offers: offers.map((entry) => offer(1, entry)) }));

    expect(shown && { price: shown.price, available: shown.available }).toEqual(expected);
  });
});

describe('the setting that hides unavailable content', () => {
  const variants = [variant(1, 1, { isDefault: true }), variant(2, 1), variant(3, 2)];
  const facts = menuFacts({
    products: [product(1), product(2)],
    variants,
    offers: [offer(1), offer(2, { isLive: false }), offer(3)],
    stops: stops({ rows: [stopRow(uuid(3))] }),
    media: [media(1)],
  });

  test('omits stopped and unpriced variants, and empty products and categories', () => {
    const { content, index } = assemble({ ...facts, stoplistBehaviour: 'HIDE' });

    expect(content.products.map((entry) => entry.variants.map(({ id }) => id))).toEqual([[1]]);
    expect(index.shown).toEqual([[uuid(1), '', true, 1]]);
    expect(index.hidden).toEqual([
      [uuid(2), '', false, 2],
      [uuid(3), '', true, 3],
    ]);
  });

  test('records what it omits by item, size and variant', () => {
    const of = (id: number, item: number, over: Parameters<typeof variant>[2] = {}) =>
      variant(id, 1, { itemErpId: uuid(item), ...over });
    const sold = [
      of(1, 9),
      of(2, 8, { sizeErpId: 'b' }),
      of(3, 8, { sizeErpId: 'a' }),
      of(4, 7),
      of(5, 7, { position: 0 }),
    ];
    const offers = sold.map(({ id }) => offer(id, { isLive: false }));

    expect(
      assemble(menuFacts({ variants: sold, offers, stoplistBehaviour: 'HIDE' })).index.hidden,
    ).toEqual([
      [uuid(7), '', false, 4],
      [uuid(7), '', false, 5],
      [uuid(8), 'a', false, 3],
      [uuid(8), 'b', false, 2],
      [uuid(9), '', false, 1],
    ]);
  });

  test('omits stopped modifiers', () => {
    const { content, index } = assemble(
      menuFacts({
        groups: [group(10, 1)],
        links: [link(10, 101), link(10, 102)],
        modifiers: [modifier(101), modifier(102)],
        stops: stops({ rows: [stopRow(uuid(102))] }),
        stoplistBehaviour: 'HIDE',
      }),
    );

    expect(content.modifierGroups[0]!.modifiers.map(({ id }) => id)).toEqual([uuid(101)]);
    expect(index.hidden).toEqual([[uuid(102), '', true, null]]);
  });

  test('keeps everything by default', () => {
    const { content, index } = assemble(facts);

    expect(content.products.map((entry) => entry.variants.length)).toEqual([2, 1]);
    expect(index.hidden).toEqual([]);
  });
});
