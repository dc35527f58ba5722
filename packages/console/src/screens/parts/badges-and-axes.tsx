import { useAction } from '../../data/action.ts';
import { ActionButton } from '../../parts/action-button.tsx';
import { Resource } from '../../parts/resource.tsx';
import { code, t } from '../../texts/texts.ts';

/** Badges that products have, such as "new". */
export function Badges() {
  return (
    <Resource
      isBlock
      title={t('modifiers.badges')}
      list="listBadges"
      rowId={({ id }) => String(id)}
      empty={t('badges.none')}
      columns={[
        { id: 'name', header: t('product.name'), cell: ({ name }) => name },
        { id: 'code', header: t('badges.code'), cell: ({ code: value }) => <code>{value}</code> },
        {
          id: 'products',
          header: t('badges.products'),
          isNumber: true,
          cell: ({ productCount }) => String(productCount),
        },
      ]}
      fields={(row) => [
        ...(row === undefined
          ? [{ name: 'code', kind: 'text', label: t('badges.code'), isRequired: true } as const]
          : []),
        { name: 'name', kind: 'text', label: t('product.name'), isRequired: true },
        { name: 'position', kind: 'number', label: t('modifiers.position') },
      ]}
      create={{ operation: 'createBadge', label: t('badges.create') }}
      edit={{ operation: 'editBadge', key: ({ id }) => ({ id }) }}
      remove={{
        operation: 'deleteBadge',
        key: ({ id }) => ({ id }),
        label: t('action.delete'),
        text: ({ name, productCount }) => t('badges.deleteText', { name, count: productCount }),
      }}
    />
  );
}

/** Axes by which the variants of a product differ, such as size. */
export function Axes() {
  const add = useAction('addVariantOption');
  return (
    <Resource
      isBlock
      title={t('modifiers.axes')}
      list="listVariantAxes"
      rowId={({ id }) => String(id)}
      empty={t('axes.none')}
      columns={[
        { id: 'name', header: t('product.name'), cell: ({ name }) => name },
        { id: 'code', header: t('badges.code'), cell: ({ code: value }) => <code>{value}</code> },
        { id: 'ui', header: t('modifiers.ui'), cell: ({ uiType }) => code('uiType', uiType) },
        { id: 'options', header: t('axes.options'), cell: ({ options }) => options.map(({ name }) => name).join(', ') },
      ]}
      fields={() => [
        { name: 'name', kind: 'text', label: t('product.name'), isRequired: true },
        {
          name: 'uiType',
          kind: 'choice',
          label: t('modifiers.ui'),
          options: ['SEGMENTED', 'LIST'].map((value) => [value, code('uiType', value)]),
        },
      ]}
      edit={{ operation: 'editVariantAxis', key: ({ id }) => ({ id }) }}
      more={({ id }) => (
        <ActionButton
          small
          action={add}
          label={t('axes.add')}
          fields={[
            { name: 'code', kind: 'text', label: t('badges.code'), isRequired: true },
            { name: 'name', kind: 'text', label: t('product.name'), isRequired: true },
            { name: 'shortName', kind: 'text', label: t('axes.shortName') },
          ]}
          input={(values) => [{ id }, values as never]}
        />
      )}
    />
  );
}
