import { useState } from 'react';
import { useAction } from '../../data/action.ts';
import { useRead } from '../../data/read.ts';
import { ActionButton } from '../../parts/action-button.tsx';
import { Button } from '../../parts/button.tsx';
import { Table } from '../../parts/data-table.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import type { Option } from '../../parts/filters.tsx';
import form from '../../parts/form.module.css';
import { Block } from '../../parts/page.tsx';
import css from '../../parts/parts.module.css';
import { Loaded } from '../../parts/states.tsx';
import { CodeStatus, Money, Status } from '../../parts/values.tsx';
import { needs, t } from '../../texts/texts.ts';
import type { Product } from '../../data/records.ts';
import { BindingHistory } from './binding-history.tsx';

export function ProductVariants({ product }: { product: Product }) {
  const query = useRead('listVariants', [{ id: product.id, size: 100 }]);
  const update = useAction('updateVariant');
  const remove = useAction('removeVariant');
  const order = useAction('orderVariants');
  const [isAdding, setAdding] = useState(false);
  const [history, setHistory] = useState<{ id: number; erpName: string } | null>(null);
  const adding = useAction('addVariant');
  const options = useOptions(product);

  return (
    <Block
      title={t('product.variants')}
      needs="listVariants"
      actions={
        <Button reason={needs(adding.lacks)} onPress={() => setAdding(true)}>
          {t('variants.add')}
        </Button>
      }
    >
      <Loaded query={query}>
        {({ items }) => {
          const ids = items.map(({ id }) => id);
          const moved = (at: number): number[] =>
            ids.toSpliced(at, 1).toSpliced(at - 1, 0, ids[at]!);

          return (
            <Table
              label={t('product.variants')}
              rows={items}
              rowId={({ id }) => String(id)}
              empty={{ text: t('variants.none') }}
              columns={[
                {
                  id: 'option',
                  header: t('variants.option'),
                  cell: ({ option, isDefault }) => (
                    <span className={css['row']}>
                      {option?.name ?? t('missing.onlyVariant')}
                      {isDefault && <Status tone="info">{t('variants.default')}</Status>}
                    </span>
                  ),
                },
                {
                  id: 'erp',
                  header: t('incident.dish'),
                  cell: ({ erpName, erpSku }) => `${erpName} ${erpSku ?? ''}`,
                },
                {
                  id: 'state',
                  header: t('variants.binding'),
                  cell: ({ bindingState }) => <CodeStatus group="binding" value={bindingState} />,
                },
                {
                  id: 'price',
                  header: t('dishes.price'),
                  isNumber: true,
                  cell: ({ priceMin, priceMax }) => (
                    <>
                      <Money amount={priceMin} />
                      {priceMax !== priceMin && (
                        <>
                          {' '}
                          – <Money amount={priceMax} />
                        </>
                      )}
                    </>
                  ),
                },
                {
                  id: 'actions',
                  header: t('table.actions'),
                  cell: ({ id, isDefault, version, erpName, option }) => (
                    <span className={css['row']}>
                      <ActionButton
                        small
                        action={order}
                        label={t('variants.up')}
                        reason={ids[0] === id ? t('variants.isFirst') : null}
                        input={() => [
                          { id: product.id },
                          { version: product.version, variantIds: moved(ids.indexOf(id)) },
                        ]}
                      />
                      <ActionButton
                        small
                        action={update}
                        label={t('variants.makeDefault')}
                        reason={isDefault ? t('variants.isDefault') : null}
                        input={() => [{ variant_id: id }, { version, isDefault: true }]}
                      />
                      <ActionButton
                        small
                        action={update}
                        label={t('variants.chooseOption')}
                        reason={options.length === 0 ? t('axes.none') : null}
                        fields={[
                          {
                            name: 'variantOptionId',
                            kind: 'choice',
                            isNumeric: true,
                            label: t('variants.option'),
                            isRequired: true,
                            options,
                          },
                        ]}
                        defaults={{ variantOptionId: option?.id }}
                        input={({ variantOptionId }) => [
                          { variant_id: id },
                          { version, variantOptionId: variantOptionId as number },
                        ]}
                      />
                      <Button small onPress={() => setHistory({ id, erpName })}>
                        {t('variants.history')}
                      </Button>
                      <ActionButton
                        small
                        look="danger"
                        action={remove}
                        label={t('variants.remove')}
                        confirm={t('variants.removeText', { name: erpName })}
                        input={() => [{ variant_id: id }]}
                      />
                    </span>
                  ),
                },
              ]}
            />
          );
        }}
      </Loaded>
      <Dialog title={t('variants.add')} isOpen={isAdding} onClose={() => setAdding(false)}>
        <AddVariant product={product} close={() => setAdding(false)} />
      </Dialog>
      <Dialog
        title={history?.erpName ?? ''}
        isOpen={history !== null}
        onClose={() => setHistory(null)}
      >
        {history !== null && <BindingHistory id={history.id} />}
      </Dialog>
    </Block>
  );
}

/** Options of the product's axis. A product without one gets the axis of its first option. */
function useOptions({ variantAxis }: Product): readonly Option[] {
  const axes = useRead('listVariantAxes', [{ size: 100 }]);
  const all = axes.data?.items ?? [];

  return variantAxis === null
    ? all.flatMap(({ name: axis, options }) =>
        options.map(({ id, name }) => [String(id), `${axis}: ${name}`] as const),
      )
    : all
        .filter(({ id }) => id === variantAxis.id)
        .flatMap(({ options }) => options.map(({ id, name }) => [String(id), name] as const));
}

function AddVariant({ product, close }: { product: Product; close: () => void }) {
  const [q, setQ] = useState(product.name);
  const query = useRead('listErpItems', [{ q, bound: false, size: 20 }], { enabled: q.length > 1 });
  const add = useAction('addVariant');
  const options = useOptions(product);
  const [option, setOption] = useState('');

  return (
    <div className={css['stack']}>
      <label className={form['field']}>
        <span className={form['label']}>{t('missing.find')}</span>
        <input className={form['input']} value={q} onChange={({ target }) => setQ(target.value)} />
      </label>
      {options.length > 0 && (
        <label className={form['field']}>
          <span className={form['label']}>{t('variants.option')}</span>
          <select
            className={form['input']}
            value={option}
            onChange={({ target }) => setOption(target.value)}
          >
            <option value="">{t('form.none')}</option>
            {options.map(([id, name]) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </select>
        </label>
      )}
      <Loaded query={query}>
        {({ items }) => (
          <ul className={css['list']}>
            {items.flatMap(({ itemId, name, sku, sizes }) =>
              sizes.map((size) => (
                <li key={size.erpItemSizeId}>
                  <span className={css['grow']}>
                    {name} {size.name} <span className={css['muted']}>{sku}</span>
                  </span>
                  <Money amount={size.priceMin} />
                  <ActionButton
                    small
                    action={add}
                    label={t('variants.addThis')}
                    input={() => [
                      { id: product.id },
                      {
                        erpItemId: itemId,
                        erpItemSizeId: size.erpItemSizeId,
                        ...(option === '' ? {} : { variantOptionId: Number(option) }),
                      },
                    ]}
                    onDone={close}
                  />
                </li>
              )),
            )}
          </ul>
        )}
      </Loaded>
    </div>
  );
}
