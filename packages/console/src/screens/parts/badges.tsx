import { Resource } from '../../parts/resource.tsx';
import { t } from '../../texts/texts.ts';

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
