import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useAction } from '../../data/action.ts';
import { useAll, useRead } from '../../data/read.ts';
import { Button } from '../../parts/button.tsx';
import { Table } from '../../parts/data-table.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import type { Filter } from '../../parts/filters.tsx';
import { OrderedList } from '../../parts/ordered-list.tsx';
import { Resource, type ItemOf } from '../../parts/resource.tsx';
import { EmptyState, Loaded } from '../../parts/states.tsx';
import { Status } from '../../parts/values.tsx';
import { code, t } from '../../texts/texts.ts';

type Group = ItemOf<'listModifierGroups'>;
type Shown = { group: Group; what: 'order' | 'uses' };

export function ModifierGroups({ find }: { find: Filter }) {
  const [shown, setShown] = useState<Shown | null>(null);
  return (
    <>
      <Resource
        isBlock
        title={t('modifiers.groups')}
        list="listModifierGroups"
        filters={[find]}
        rowId={({ groupKey }) => groupKey}
        empty={t('modifiers.noGroups')}
        columns={[
          { id: 'name', header: t('modifiers.erpName'), sort: 'name', cell: ({ name }) => name },
          {
            id: 'shown',
            header: t('modifiers.displayName'),
            sort: 'displayName',
            cell: ({ displayName }) => displayName ?? '—',
          },
          {
            id: 'ui',
            header: t('modifiers.ui'),
            cell: ({ uiType }) => (uiType === null ? '—' : code('uiType', uiType)),
          },
          {
            id: 'sizes',
            header: t('modifiers.dishes'),
            sort: 'sizeCount',
            isNumber: true,
            cell: ({ sizeCount }) => String(sizeCount),
          },
          {
            id: 'hidden',
            header: t('modifiers.isHidden'),
            cell: ({ isHidden }) =>
              isHidden ? <Status tone="warn">{t('filter.yes')}</Status> : '—',
          },
        ]}
        fields={() => [
          { name: 'displayName', kind: 'text', label: t('modifiers.displayName') },
          {
            name: 'uiType',
            kind: 'choice',
            label: t('modifiers.ui'),
            options: ['RADIO', 'CHECKBOX', 'COUNTER'].map((value) => [
              value,
              code('uiType', value),
            ]),
          },
          { name: 'isHidden', kind: 'flag', label: t('modifiers.isHidden') },
          { name: 'isCollapsed', kind: 'flag', label: t('modifiers.isCollapsed') },
        ]}
        edit={{ operation: 'editModifierGroup', key: ({ groupKey }) => ({ group_key: groupKey }) }}
        more={(group) => (
          <>
            <Button small onPress={() => setShown({ group, what: 'order' })}>
              {t('modifiers.order')}
            </Button>
            <Button small onPress={() => setShown({ group, what: 'uses' })}>
              {t('modifiers.usedBy')}
            </Button>
          </>
        )}
      />
      <Dialog
        title={shown?.group.name ?? ''}
        isOpen={shown !== null}
        onClose={() => setShown(null)}
      >
        {shown?.what === 'order' && <Order group={shown.group} close={() => setShown(null)} />}
        {shown?.what === 'uses' && <Uses groupKey={shown.group.groupKey} />}
      </Dialog>
    </>
  );
}

/** Orders modifiers: those that staff have ordered come first. */
function Order({ group: { groupKey, name }, close }: { group: Group; close: () => void }) {
  const modifiers = useAll('listModifiers', { group_key: groupKey });
  const groups = useRead('listModifierGroups', [{ q: name, size: 200 }]);
  const order = useAction('orderModifiers');
  const group = groups.data?.items.find((item) => item.groupKey === groupKey);

  return (
    <Loaded query={modifiers}>
      {({ items }) => {
        if (group === undefined) return null;
        const place = (id: string) =>
          group.order.includes(id) ? group.order.indexOf(id) : group.order.length;
        const sorted = items.toSorted(
          (one, other) => place(one.erpItemId) - place(other.erpItemId),
        );
        if (sorted.length === 0) return <EmptyState text={t('modifiers.none')} />;

        return (
          <OrderedList
            entries={sorted.map(({ erpItemId, name: own, displayName }) => ({
              id: erpItemId,
              name: displayName ?? own,
            }))}
            action={order}
            save={(ids) =>
              order.run({ group_key: groupKey }, { version: group.version, order: [...ids] })
            }
            onDone={close}
          />
        );
      }}
    </Loaded>
  );
}

function Uses({ groupKey }: { groupKey: string }) {
  const query = useAll('listModifierGroupUsages', { group_key: groupKey });
  return (
    <Loaded query={query}>
      {({ items }) => (
        <Table
          label={t('modifiers.usedBy')}
          rows={items}
          rowId={({ itemId }) => itemId}
          empty={{ text: t('modifiers.unused') }}
          columns={[
            { id: 'name', header: t('dishes.dish'), cell: ({ name }) => name },
            { id: 'sku', header: t('incident.sku'), cell: ({ sku }) => sku ?? '—' },
            {
              id: 'product',
              header: t('find.product'),
              cell: ({ product }) =>
                product === null ? '—' : <Link to={`/products/${product.id}`}>{product.name}</Link>,
            },
          ]}
        />
      )}
    </Loaded>
  );
}
