import { useState } from 'react';
import { useAction } from '../data/action.ts';
import { useRead } from '../data/read.ts';
import { usePickedRestaurant, useRestaurants } from '../data/restaurants.ts';
import { useUrl } from '../data/url.ts';
import { ActionButton } from '../parts/action-button.tsx';
import { Button } from '../parts/button.tsx';
import { DataTable, Table } from '../parts/data-table.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { Block, Facts, Page } from '../parts/page.tsx';
import css from '../parts/parts.module.css';
import { Loaded } from '../parts/states.tsx';
import { useTemporalLink } from '../parts/temporal.tsx';
import { Count, Status, When } from '../parts/values.tsx';
import { bytes } from '../pure/format.ts';
import { toParams } from '../pure/filters.ts';
import { EXECUTIONS } from '../pure/temporal.ts';
import { code, currentLanguage, t } from '../texts/texts.ts';
import { MenuDiff } from './parts/menu-diff.tsx';
import { toText } from '../pure/fields.ts';

/** Revisions of a published menu, their differences, and the pin. */
export function Screen() {
  const restaurant = usePickedRestaurant();
  return (
    <Page title={t('menus.title')} lead={t('menus.lead')}>
      {restaurant === undefined ? (
        <Choose />
      ) : (
        // Without the key, the rows of the restaurant before would stay while the new ones load.
        <Menu key={restaurant.id} id={restaurant.id} zone={restaurant.effectiveTimeZone} />
      )}
    </Page>
  );
}

function Choose() {
  const restaurants = useRestaurants();
  const [, change] = useUrl();

  return (
    <Block title={t('picker.title')}>
      <Table
        label={t('picker.title')}
        rows={restaurants}
        rowId={({ id }) => String(id)}
        empty={{ text: t('missing.noRestaurant') }}
        columns={[
          {
            id: 'name',
            header: t('missing.restaurant'),
            cell: ({ id, name }) => (
              <Button small look="quiet" onPress={() => change({ restaurant: String(id) })}>
                {name}
              </Button>
            ),
          },
          { id: 'address', header: t('order.address'), cell: ({ address }) => address ?? '—' },
        ]}
      />
    </Block>
  );
}

function Menu({ id, zone }: { id: number; zone: string }) {
  const [search] = useUrl();
  const status = useRead('getSnapshot', [{ organization_id: id }]);
  const revisions = useRead('listRevisions', [
    { organization_id: id, ...toParams({}, search, 20) },
  ]);
  const pin = useAction('pinRevision');
  const unpin = useAction('unpinRevision');
  const temporal = useTemporalLink(EXECUTIONS.menu(id));
  const [compared, setCompared] = useState<number | null>(null);
  const reason = {
    name: 'reason',
    kind: 'text',
    label: t('form.reason'),
    isRequired: true,
  } as const;

  const size = (value: number | null) => (value === null ? '—' : bytes(value, currentLanguage()));

  return (
    <>
      <Block title={t('menus.now')} needs="getSnapshot">
        <Loaded query={status}>
          {(menu) => (
            <>
              {menu.pin !== null && (
                <div className={css['row']}>
                  <Status tone="warn">{t('menus.pinned', { revision: menu.pin.revision })}</Status>
                  <span>{menu.pin.reason}</span>
                  {t('restaurants.until')} <When at={menu.pin.until} zone={zone} />
                  <ActionButton
                    small
                    action={unpin}
                    label={t('menus.unpin')}
                    fields={[reason]}
                    input={(values) => [
                      { organization_id: id },
                      { reason: toText(values['reason']) },
                    ]}
                  />
                </div>
              )}
              <Facts
                facts={[
                  [
                    t('menus.revision'),
                    menu.revision === null ? t('restaurants.noMenu') : String(menu.revision),
                  ],
                  [t('product.publishedAt'), <When key="p" at={menu.publishedAt} zone={zone} />],
                  [
                    t('menus.products'),
                    menu.productCount === null ? null : <Count key="c" value={menu.productCount} />,
                  ],
                  [t('menus.size'), `${size(menu.bytes)} / ${size(menu.limitBytes)}`],
                  [
                    t('menus.pending'),
                    menu.pendingSince === null ? null : (
                      <When key="w" at={menu.pendingSince} zone={zone} />
                    ),
                  ],
                  [
                    t('menus.leftOut'),
                    menu.leftOut.length === 0
                      ? null
                      : menu.leftOut.map((part) => code('menuPart', part)).join(', '),
                  ],
                  [t('temporal.executions'), temporal],
                ]}
              />
            </>
          )}
        </Loaded>
      </Block>
      <Block title={t('menus.revisions')} needs="listRevisions">
        <DataTable
          label={t('menus.revisions')}
          query={revisions}
          rowId={({ revision }) => String(revision)}
          empty={{ text: t('menus.none') }}
          columns={[
            {
              id: 'revision',
              header: t('menus.revision'),
              isNumber: true,
              cell: ({ revision, isPinned }) =>
                `${revision}${isPinned ? ` (${t('menus.isPinned')})` : ''}`,
            },
            {
              id: 'at',
              header: t('product.publishedAt'),
              sort: 'publishedAt',
              cell: ({ publishedAt }) => <When at={publishedAt} zone={zone} />,
            },
            {
              id: 'products',
              header: t('menus.products'),
              isNumber: true,
              cell: ({ productCount }) => <Count value={productCount} />,
            },
            {
              id: 'size',
              header: t('menus.size'),
              isNumber: true,
              cell: ({ bytes: value }) => size(value),
            },
            {
              id: 'causes',
              header: t('menus.causes'),
              cell: ({ causes }) =>
                causes.map(({ source, author, at }) => (
                  <div key={`${source} ${at}`}>
                    {code('cause', source)} <span translate="no">{author?.name}</span>
                  </div>
                )),
            },
            {
              id: 'actions',
              header: t('table.actions'),
              cell: ({ revision }) => (
                <div className={css['row']}>
                  <Button small onPress={() => setCompared(revision)}>
                    {t('menus.compare')}
                  </Button>
                  <ActionButton
                    small
                    action={pin}
                    label={t('menus.pin')}
                    confirm={t('menus.pinText', { revision })}
                    fields={[
                      reason,
                      { name: 'until', kind: 'moment', label: t('sync.until'), isRequired: true },
                    ]}
                    input={(values) => [
                      { organization_id: id },
                      {
                        revision,
                        reason: toText(values['reason']),
                        until: toText(values['until']),
                      },
                    ]}
                  />
                </div>
              ),
            },
          ]}
        />
      </Block>
      <Dialog
        title={t('menus.compareOf', { revision: compared ?? 0 })}
        isOpen={compared !== null}
        onClose={() => setCompared(null)}
      >
        {compared !== null && <MenuDiff restaurant={id} revision={compared} />}
      </Dialog>
    </>
  );
}
