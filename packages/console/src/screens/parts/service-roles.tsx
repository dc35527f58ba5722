import { useState } from 'react';
import { useAction } from '../../data/action.ts';
import type { Input } from '../../data/api.ts';
import { useAll } from '../../data/read.ts';
import { Button } from '../../parts/button.tsx';
import { Table } from '../../parts/data-table.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { ActionButton } from '../../parts/action-button.tsx';
import { Block } from '../../parts/page.tsx';
import css from '../../parts/parts.module.css';
import { Loaded } from '../../parts/states.tsx';
import { announce } from '../../parts/toast.tsx';
import { code, needs, t } from '../../texts/texts.ts';
import { ServiceDish } from './service-dish.tsx';

type Items = Input<'replaceServiceRoles'>[0]['items'];

/** ERP dishes for cutlery, sauces or the delivery fee. */
export function ServiceRoles() {
  const query = useAll('listServiceRoles', {});
  const replace = useAction('replaceServiceRoles');
  const [isAdding, setAdding] = useState(false);
  const lacks = needs(replace.lacks);

  return (
    <Block
      title={t('service.title')}
      needs="listServiceRoles"
      actions={
        <Button reason={lacks} onPress={() => setAdding(true)}>
          {t('service.add')}
        </Button>
      }
    >
      <p className={css['muted']}>{t('service.text')}</p>
      <Loaded query={query}>
        {({ items, version }) => {
          const kept: Items = items.map(({ role, erpItemId, variantId }) => ({
            role,
            ...(erpItemId === null ? {} : { erpItemId }),
            ...(variantId === null ? {} : { variantId }),
          }));

          return (
            <>
              <Table
                label={t('service.title')}
                rows={items}
                rowId={({ role }) => role}
                empty={{ text: t('service.none') }}
                columns={[
                  {
                    id: 'role',
                    header: t('composition.role'),
                    cell: ({ role }) => code('serviceRole', role),
                  },
                  {
                    id: 'dish',
                    header: t('incident.dish'),
                    cell: ({ name }) => name ?? t('service.gone'),
                  },
                  {
                    id: 'actions',
                    header: t('table.actions'),
                    cell: ({ role }) => (
                      <ActionButton
                        small
                        look="danger"
                        action={replace}
                        label={t('variants.remove')}
                        confirm={t('service.removeText')}
                        input={() => [
                          { version, items: kept.filter((item) => item.role !== role) },
                        ]}
                      />
                    ),
                  },
                ]}
              />
              <Dialog title={t('service.add')} isOpen={isAdding} onClose={() => setAdding(false)}>
                <ServiceDish
                  action={replace}
                  choose={async (role, erpItemId) => {
                    const others = kept.filter((item) => item.role !== role);
                    await replace.run({ version, items: [...others, { role, erpItemId }] });
                    setAdding(false);
                    announce(t('action.saved'));
                  }}
                />
              </Dialog>
            </>
          );
        }}
      </Loaded>
    </Block>
  );
}
