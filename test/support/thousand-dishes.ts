import { createHash, randomUUID } from 'node:crypto';
import { renditionUrl, renditionFile, renditionFolder } from '../../modules/media/media-urls.ts';
import { toSlug } from '../../modules/catalog/rules/slug.ts';
import { planRenditions } from '../../modules/media/rules/rendition-plan.ts';
import type { StoredMedia } from '../../modules/media/rules/image-reference.ts';
import type { MenuFacts } from '../../modules/menus/rules/snapshot/facts.ts';
import {
  group,
  link,
  menuFacts,
  modifier,
  offer,
  product,
  variant,
} from '../unit/menus/facts-builder.ts';
import { CATALOGUE } from './search/catalog.ts';

const KINDS = [
  '',
  'фирменный',
  'острый',
  'двойной',
  'детский',
  'сезонный',
  'по-домашнему',
  'от шефа',
];
const DESCRIPTION = 'Готовим после заказа по рецепту шефа, подаём горячим; порция на одного';
const SIZES = ['Маленькая', 'Средняя', 'Большая'];
const AXIS = { code: 'size', name: 'Размер', uiType: 'SEGMENTED' };
const CENTRE = { x: 0.5, y: 0.5 };
const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

function picture(id: number): StoredMedia {
  const folder = renditionFolder(sha256(`picture ${id}`), CENTRE);
  const renditions = planRenditions({ width: 1600, height: 1200 }, CENTRE).flatMap(
    ({ name, density, width, height, formats }) =>
      formats.map((format) => ({
        name,
        density,
        format,
        width,
        height,
        url: renditionUrl(folder, renditionFile(name, density, format)).url,
      })),
  );
  return { id, renditions };
}

/**
 * Builds the facts of 1,000 products. `sizedOfTwenty` of twenty have three sizes, every second has
 * one of 40 groups of eight extras.
 */
export function thousandDishes({ sizedOfTwenty = 2 }: { sizedOfTwenty?: number } = {}): MenuFacts {
  const dishes = KINDS.flatMap((kind) =>
    Object.entries(CATALOGUE).flatMap(([, list], category) =>
      list.map(([name, composition]) => ({
        name: `${name} ${kind}`.trim(),
        composition,
        category,
      })),
    ),
  ).slice(0, 1_000);
  const ids = dishes.map((_, at) => at + 1);
  const isSized = (id: number) => id % 20 < sizedOfTwenty;
  const variants = ids.flatMap((id) =>
    (isSized(id) ? SIZES : ['']).map((name, at) =>
      variant(id * 10 + at, id, {
        itemErpId: randomUUID(),
        sku: String(10_000 + id),
        weightGrams: 350 + at * 100,
        isDefault: at === 0,
        option: name === '' ? null : { code: `s${at}`, name, shortName: name.slice(0, 1) },
        nutrition: { proteins: 10.4, fats: 8.2, carbs: 27.5, energy: 231.4 },
        allergens: id % 2 === 0 ? [{ code: 'gluten', name: 'Глютен' }] : [],
      }),
    ),
  );
  const grouped = variants
    .filter(({ productId }) => productId % 2 === 0)
    .map(({ itemSizeId, productId }) => ({ itemSizeId, extras: (productId / 2) % 40 }));
  return menuFacts({
    categories: Object.keys(CATALOGUE).map((name, at) => ({
      id: at + 1,
      slug: toSlug(name, 'x'),
      name,
      parentId: null,
      position: at,
      imageId: at + 1,
      isArchived: false,
      seoTitle: null,
      seoDescription: null,
    })),
    products: dishes.map(({ name, composition }, at) =>
      product(at + 1, {
        slug: `${toSlug(name, 'x')}-${at}`,
        name,
        composition,
        description: at % 3 === 0 ? DESCRIPTION : null,
        mainImageId: at + 1,
        axis: isSized(at + 1) ? AXIS : null,
      }),
    ),
    placements: dishes.map(({ category }, at) => ({
      productId: at + 1,
      categoryId: category + 1,
      position: at,
      isPrimary: true,
    })),
    badges: ids
      .filter((id) => id % 10 === 0)
      .map((productId) => ({ productId, code: 'hit', position: 0 })),
    media: ids.map(picture),
    variants,
    offers: variants.map(({ itemSizeId }) => offer(itemSizeId, { priceKopecks: 49_900 })),
    groups: grouped.map(({ itemSizeId, extras }) =>
      group(itemSizeId, itemSizeId, { groupKey: `extras-${extras}` }),
    ),
    links: grouped.flatMap(({ itemSizeId, extras }) =>
      Array.from({ length: 8 }, (_, at) =>
        link(itemSizeId, 100_000 + extras + at, { name: `Добавка к блюду ${at}` }),
      ),
    ),
    modifiers: Array.from({ length: 48 }, (_, at) =>
      modifier(100_000 + at, { erpId: randomUUID() }),
    ),
  });
}
