import { Link, useNavigate, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { useAction } from '../data/action.ts';
import { useAll, useRead } from '../data/read.ts';
import { ActionButton } from '../parts/action-button.tsx';
import { Form, type Field } from '../parts/form.tsx';
import { Block, Facts, Page } from '../parts/page.tsx';
import css from '../parts/parts.module.css';
import { Loaded, Skeleton } from '../parts/states.tsx';
import { announce } from '../parts/toast.tsx';
import { CodeStatus, Status } from '../parts/values.tsx';
import { textOf, type Values } from '../pure/fields.ts';
import { t } from '../texts/texts.ts';
import { PicturePicker } from './parts/picture-picker.tsx';
import { useSiblingCategories } from './parts/use-sibling-categories.ts';

/** One dish of the ERP and the form that puts it on sale. */
export function Screen() {
  const { id } = useParams({ strict: false }) as { id: string };
  const query = useRead('getErpItem', [{ item_id: id }]);
  const triage = useAction('triageErpItem');
  return (
    <Page title={query.data?.name ?? t('dishes.title')} lead={<Link to="/new-dishes">{t('dishes.all')}</Link>}>
      <Loaded query={query}>
        {(item) => (
          <div className={css['columns']}>
            <Block
              title={t('dishes.atErp')}
              actions={
                <ActionButton
                  action={triage}
                  label={t(item.triage === 'IGNORED' ? 'dishes.restore' : 'dishes.ignore')}
                  reason={item.boundProduct === null ? null : t('dishes.linked')}
                  input={() => [
                    { item_id: id },
                    { status: item.triage === 'IGNORED' ? ('NEW' as const) : ('IGNORED' as const) },
                  ]}
                />
              }
            >
              <Facts
                facts={[
                  [t('dishes.state'), <CodeStatus key="s" group="triage" value={item.triage} />],
                  [t('incident.sku'), item.sku],
                  [t('dishes.category'), item.productCategory?.name ?? null],
                  [t('dishes.description'), item.description],
                  [
                    t('dishes.restaurants'),
                    String(new Set(item.prices.map(({ organizationId }) => organizationId)).size),
                  ],
                  [
                    t('find.product'),
                    item.boundProduct === null ? null : (
                      <Link key="p" to={`/products/${item.boundProduct.id}`}>
                        {item.boundProduct.name}
                      </Link>
                    ),
                  ],
                ]}
              />
            </Block>
            <Create id={id} erpCategoryId={item.productCategory?.id} />
          </div>
        )}
      </Loaded>
    </Page>
  );
}

function Create({ id, erpCategoryId }: { id: string; erpCategoryId: string | undefined }) {
  const suggestions = useRead('getVariantSuggestions', [{ item_id: id }]);
  const categories = useAll('listCategories', {});
  const categoryIds = useSiblingCategories(erpCategoryId);
  const create = useAction('createProductOfItems');
  const publish = useAction('publishProduct');
  const navigate = useNavigate();
  const [sizes, setSizes] = useState<ReadonlySet<number> | null>(null);
  const [imageId, setImageId] = useState<number | null>(null);
  const candidates = suggestions.data?.candidates ?? [];
  const isOwn = (itemId: string) => itemId === id;
  const chosen =
    sizes ??
    new Set(candidates.filter(({ itemId, bound }) => !bound && isOwn(itemId)).map(({ itemSizeId }) => itemSizeId));
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

  async function save({ name, categoryIds: chosenIds }: Values): Promise<void> {
    const variants = candidates.filter(({ itemSizeId }) => chosen.has(itemSizeId));
    const axis = variants.length > 1 ? suggestions.data?.detectedAxis : null;
    const product = await create.run({
      name: textOf(name),
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
    await publish.run({ id: product.id });
    announce(t('dishes.published'));
    await navigate({ to: '/missing', search: { product: String(product.id) } as never });
  }

  return (
    <Block title={t('dishes.sell')} needs="getVariantSuggestions">
      <Loaded query={suggestions}>
        {(found) => (
          <div className={css['stack']}>
            <ul className={css['list']}>
              {found.candidates.map(({ itemSizeId, name, detectedOption, confidence, bound }) => (
                <li key={itemSizeId}>
                  <label className={css['row']}>
                    <input
                      type="checkbox"
                      disabled={bound}
                      checked={chosen.has(itemSizeId)}
                      onChange={({ target }) =>
                        setSizes(
                          new Set(
                            target.checked
                              ? [...chosen, itemSizeId]
                              : [...chosen].filter((size) => size !== itemSizeId),
                          ),
                        )
                      }
                    />
                    {name} {detectedOption?.name}
                  </label>
                  <span className={css['muted']}>{Math.round(confidence * 100)} %</span>
                  {bound && <Status tone="warn">{t('dishes.linked')}</Status>}
                </li>
              ))}
            </ul>
            <PicturePicker isNew value={imageId} change={setImageId} />
            {categoryIds === undefined || categories.data === undefined ? (
              <Skeleton />
            ) : (
              <Form
                key={found.baseName}
                fields={fields}
                defaults={{ name: found.baseName, categoryIds }}
                label={t('dishes.create')}
                reason={
                  create.lacks === null
                    ? chosen.size === 0
                      ? t('dishes.chooseSize')
                      : null
                    : t('error.needs', { permission: create.lacks })
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
