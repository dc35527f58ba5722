import { isProblem } from '@carte/client/admin';
import { Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useAction } from '../../data/action.ts';
import type { Data } from '../../data/api.ts';
import { useAll, useRead } from '../../data/read.ts';
import { Form, type Field } from '../../parts/form.tsx';
import { Block } from '../../parts/page.tsx';
import css from '../../parts/parts.module.css';
import { Loaded, Skeleton } from '../../parts/states.tsx';
import { announce } from '../../parts/toast.tsx';
import { Status } from '../../parts/values.tsx';
import { toText, type Values } from '../../pure/fields.ts';
import { code, needs, t } from '../../texts/texts.ts';
import { PicturePicker } from './picture-picker.tsx';
import { useSiblingCategories } from './use-sibling-categories.ts';

type Suggestions = Data<'getVariantSuggestions'>;

/** Creates a product from a dish. Publishes it, or keeps it as a draft. */
export function SellDish({ id, erpCategoryId }: { id: string; erpCategoryId: string | undefined }) {
  const suggestions = useRead('getVariantSuggestions', [{ item_id: id }]);
  const categories = useAll('listCategories', {});
  const categoryIds = useSiblingCategories(erpCategoryId);
  const create = useAction('createProductOfItems');
  const publish = useAction('publishProduct');
  const navigate = useNavigate();
  const [sizes, setSizes] = useState<ReadonlySet<number> | null>(null);
  const [imageId, setImageId] = useState<number | null>(null);
  /** A product that an attempt has created but not published. The next attempt uses it. */
  const [made, setMade] = useState<number | null>(null);
  const candidates = suggestions.data?.candidates ?? [];
  const own = candidates.filter(({ itemId, bound }) => !bound && itemId === id);
  const chosen = sizes ?? new Set(own.map(({ itemSizeId }) => itemSizeId));
  const fields: readonly Field[] = [
    { name: 'name', kind: 'text', label: t('product.name'), isRequired: true },
    {
      name: 'categoryIds',
      kind: 'choices',
      isNumeric: true,
      label: t('product.categories'),
      options: (categories.data?.items ?? []).map(({ id: of, name }) => [String(of), name]),
    },
  ];

  async function createProduct({ name, categoryIds: chosenIds }: Values): Promise<number> {
    const variants = candidates.filter(({ itemSizeId }) => chosen.has(itemSizeId));
    const axis = variants.length > 1 ? suggestions.data?.detectedAxis : null;
    const { id: product } = await create.run({
      name: toText(name),
      categoryIds: chosenIds as number[],
      ...(axis === null || axis === undefined ? {} : { variantAxisCode: axis.code }),
      ...(imageId === null ? {} : { mainImageId: imageId }),
      variants: variants.map(({ itemSizeId, detectedOption }, at) => ({
        erpItemSizeId: itemSizeId,
        isDefault: at === 0,
        ...(axis === null || axis === undefined || detectedOption === null
          ? {}
          : { variantOptionCode: detectedOption.code }),
      })),
    });

    setMade(product);

    return product;
  }

  async function save(values: Values): Promise<void> {
    const product = made ?? (await createProduct(values));
    await show(product, await isPublished(product));
  }

  /** An incomplete product stays a draft. */
  async function isPublished(product: number): Promise<boolean> {
    if (publish.lacks !== null) return false;
    try {
      await publish.run({ id: product });
      return true;
    } catch (error) {
      if (isProblem(error, 'publish-blocked')) return false;
      throw error;
    }
  }

  async function show(product: number, isOnSale: boolean): Promise<void> {
    announce(t(isOnSale ? 'dishes.published' : 'dishes.draft'));
    await (isOnSale
      ? navigate({ to: '/missing', search: { product: String(product) } as never })
      : navigate({ to: `/products/${product}`, search: { tab: 'state' } as never }));
  }

  const lacks = needs(create.lacks);

  return (
    <Block title={t('dishes.sell')} needs="getVariantSuggestions">
      <Loaded query={suggestions}>
        {(found) => (
          <div className={css['stack']}>
            <Candidates found={found} own={id} chosen={chosen} change={setSizes} />
            <PicturePicker isNew value={imageId} change={setImageId} />
            <p className={css['muted']}>
              {publish.lacks === null
                ? t('dishes.draftHint')
                : t('dishes.noPublish', { permission: code('permission', publish.lacks) })}
            </p>
            {categoryIds === undefined || categories.data === undefined ? (
              <Skeleton />
            ) : (
              <Form
                key={found.baseName}
                fields={fields}
                defaults={{ name: found.baseName, categoryIds }}
                label={t(publish.lacks === null ? 'dishes.create' : 'dishes.createDraft')}
                reason={
                  lacks ?? (made === null && chosen.size === 0 ? t('dishes.chooseSize') : null)
                }
                save={save}
              />
            )}
          </div>
        )}
      </Loaded>
    </Block>
  );
}

type CandidatesProps = {
  found: Suggestions;
  own: string;
  chosen: ReadonlySet<number>;
  change: (sizes: ReadonlySet<number>) => void;
};

/** Sizes of this dish, and of dishes that seem to be the same product. */
function Candidates({ found, own, chosen, change }: CandidatesProps) {
  const toggled = (size: number, isOn: boolean): ReadonlySet<number> =>
    new Set(isOn ? [...chosen, size] : [...chosen].filter((other) => other !== size));
  return (
    <fieldset className={css['stack']}>
      <legend>{t('dishes.suggested')}</legend>
      {found.detectedAxis !== null && (
        <p className={css['muted']}>{t('dishes.axis', { name: found.detectedAxis.name })}</p>
      )}
      <ul className={css['list']}>
        {found.candidates.map(
          ({ itemId, itemSizeId, name, sku, detectedOption, confidence, bound, boundProduct }) => (
            <li key={itemSizeId}>
              <label className={`${css['row']} ${css['grow']}`}>
                <input
                  type="checkbox"
                  disabled={bound}
                  checked={chosen.has(itemSizeId)}
                  onChange={({ target }) => change(toggled(itemSizeId, target.checked))}
                />
                {name} {detectedOption?.name} <code>{sku}</code>
              </label>
              {itemId !== own && (
                <span className={css['muted']}>
                  {t('dishes.likely', { percent: Math.round(confidence * 100) })}
                </span>
              )}
              {bound && <Status tone="warn">{t('dishes.linked')}</Status>}
              {boundProduct !== null && (
                <Link to={`/products/${boundProduct.id}`} search={{ tab: 'variants' } as never}>
                  {boundProduct.name}
                </Link>
              )}
            </li>
          ),
        )}
      </ul>
    </fieldset>
  );
}
