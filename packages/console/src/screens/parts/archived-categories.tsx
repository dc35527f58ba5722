import { useAction } from '../../data/action.ts';
import { useAll } from '../../data/read.ts';
import { ActionButton } from '../../parts/action-button.tsx';
import { Table } from '../../parts/data-table.tsx';
import { Block } from '../../parts/page.tsx';
import { Loaded } from '../../parts/states.tsx';
import { When } from '../../parts/values.tsx';
import { t } from '../../texts/texts.ts';

export function ArchivedCategories() {
  const query = useAll('listCategories', { archived: true });
  const restore = useAction('restoreCategory');

  return (
    <Block title={t('categories.archived')} needs="listCategories">
      <Loaded query={query}>
        {({ items }) => (
          <Table
            label={t('categories.archived')}
            rows={items}
            rowId={({ id }) => String(id)}
            empty={{ text: t('categories.noArchived') }}
            columns={[
              { id: 'name', header: t('product.name'), cell: ({ name }) => name },
              {
                id: 'at',
                header: t('categories.archivedAt'),
                cell: ({ archivedAt }) => <When at={archivedAt} />,
              },
              {
                id: 'actions',
                header: t('table.actions'),
                cell: ({ id }) => (
                  <ActionButton
                    small
                    action={restore}
                    label={t('product.restore')}
                    done={t('categories.restored')}
                    input={() => [{ id }]}
                  />
                ),
              },
            ]}
          />
        )}
      </Loaded>
    </Block>
  );
}
