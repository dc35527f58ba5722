import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useAction } from '../data/action.ts';
import { useRead } from '../data/read.ts';
import { usePickedRestaurant, useZone } from '../data/restaurants.ts';
import { useUrl } from '../data/url.ts';
import { ActionButton } from '../parts/action-button.tsx';
import { Button } from '../parts/button.tsx';
import { DataTable } from '../parts/data-table.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { Filters, type Filter } from '../parts/filters.tsx';
import { Block, Page } from '../parts/page.tsx';
import css from '../parts/parts.module.css';
import { EmptyState, Loaded } from '../parts/states.tsx';
import type { ItemOf } from '../parts/resource.tsx';
import { Status } from '../parts/values.tsx';
import { toParams } from '../pure/filters.ts';
import { calendarDay } from '../pure/format.ts';
import { inMinutes } from '../pure/moments.ts';
import { currentLanguage, t } from '../texts/texts.ts';
import styles from './parts/calendar.module.css';
import { GiftSheet } from './parts/gift-sheet.tsx';
import { toText } from '../pure/fields.ts';

type Day = ItemOf<'listGiftDays'>;
const DAYS = 14;
const isSameDay = (one: Day, other: Day): boolean =>
  one.date === other.date && one.organizationErpId === other.organizationErpId;
const dayText = (date: Date): string => date.toISOString().slice(0, 10);

/** Gifts by day and restaurant, red where the ERP and the rights differ. */
export function Screen() {
  const [search] = useUrl();
  const restaurant = usePickedRestaurant();
  const zone = useZone();
  const chosen = toParams({ from: 'day', to: 'day' }, search) as { from?: string; to?: string };
  const to = chosen.to ?? inMinutes(0, zone).slice(0, 10);
  const from =
    chosen.from ?? dayText(new Date(Date.parse(`${to}T00:00:00Z`) - (DAYS - 1) * 86_400_000));
  const place = restaurant === undefined ? {} : { organization_id: restaurant.id };
  const query = useRead('listGiftDays', [{ from, to, size: 200, ...place }]);
  const [opened, setDay] = useState<Day | null>(null);
  // The day as it is now: an acceptance names the state that the person has seen.
  const day = query.data?.items.find((of) => opened !== null && isSameDay(of, opened)) ?? opened;
  const filters: readonly Filter[] = [
    { name: 'from', kind: 'day', label: t('orders.from'), preset: from },
    { name: 'to', kind: 'day', label: t('reconciliation.to'), preset: to },
  ];

  return (
    <Page
      title={t('reconciliation.title')}
      lead={t('reconciliation.lead')}
      actions={<GiftSheet params={{ from, to, ...place }} />}
    >
      <Filters filters={filters} />
      <Block needs="listGiftDays">
        <Loaded query={query}>
          {({ items, total }) => (
            <>
              {total > items.length && (
                <p className={css['notice']}>
                  {t('reconciliation.part', { shown: items.length, total })}
                </p>
              )}
              {items.length === 0 ? (
                <EmptyState text={t('reconciliation.none')} />
              ) : (
                <Calendar days={items} open={setDay} />
              )}
            </>
          )}
        </Loaded>
      </Block>
      <Dialog
        title={
          day === null
            ? ''
            : `${calendarDay(day.date, currentLanguage())}, ${day.organizationName ?? ''}`
        }
        isOpen={day !== null}
        onClose={() => setDay(null)}
      >
        {day !== null && <Details day={day} close={() => setDay(null)} />}
      </Dialog>
    </Page>
  );
}

function Calendar({ days, open }: { days: readonly Day[]; open: (day: Day) => void }) {
  const dates = [...new Set(days.map(({ date }) => date))].toSorted();
  const places = [
    ...new Map(
      days.map((day) => [day.organizationErpId, day.organizationName ?? day.organizationErpId]),
    ),
  ];

  const shortDate = (date: string) => `${date.slice(8)}.${date.slice(5, 7)}`;

  return (
    <div
      className={styles['scroll']}
      tabIndex={0}
      role="region"
      aria-label={t('reconciliation.title')}
    >
      <table className={styles['calendar']}>
        <thead>
          <tr>
            <th>{t('missing.restaurant')}</th>
            {dates.map((date) => (
              <th key={date}>{shortDate(date)}</th>
            ))}
          </tr>
        </thead>
        <tbody>
          {places.map(([id, name]) => (
            <tr key={id}>
              <th scope="row">{name}</th>
              {dates.map((date) => {
                const day = days.find((of) => of.date === date && of.organizationErpId === id);
                return (
                  <td key={date}>{day === undefined ? '' : <Cell day={day} open={open} />}</td>
                );
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Cell({ day, open }: { day: Day; open: (day: Day) => void }) {
  const isOff = day.difference !== 0 && day.acceptedAt === null;
  return (
    <button
      type="button"
      className={`${styles['cell']} ${isOff ? styles['off'] : ''}`}
      onClick={() => open(day)}
      aria-label={t('reconciliation.cell', { date: day.date, difference: day.difference })}
    >
      {day.difference === 0 ? day.atErp : `${day.difference > 0 ? '+' : ''}${day.difference}`}
    </button>
  );
}

function Details({ day, close }: { day: Day; close: () => void }) {
  const accept = useAction('acceptGiftDay');
  const orders = useRead('listDifferingOrders', [
    {
      date: day.date,
      ...(day.organizationId === null ? {} : { organization_id: day.organizationId }),
    },
  ]);

  const { fingerprint } = day;

  return (
    <div className={css['stack']}>
      <p>
        {t('reconciliation.sums', {
          atErp: day.atErp,
          redeemed: day.redeemed,
          unauthorized: day.unauthorized,
        })}
      </p>
      {day.acceptedAt !== null && (
        <Status tone="good">
          {t('reconciliation.accepted', { reason: day.acceptanceReason ?? '' })}
        </Status>
      )}
      <DataTable
        label={t('orders.title')}
        query={orders}
        rowId={({ erpOrderId }) => erpOrderId}
        empty={{ text: t('reconciliation.noOrders') }}
        columns={[
          {
            id: 'number',
            header: t('orders.number'),
            cell: ({ orderId, number, erpOrderId }) => (
              <Link to={`/orders/${orderId}`}>{number ?? erpOrderId.slice(0, 8)}</Link>
            ),
          },
          {
            id: 'erp',
            header: t('reconciliation.atErp'),
            isNumber: true,
            cell: ({ atErp }) => String(atErp),
          },
          {
            id: 'redeemed',
            header: t('reconciliation.redeemed'),
            isNumber: true,
            cell: ({ redeemed }) => String(redeemed),
          },
          {
            id: 'difference',
            header: t('reconciliation.difference'),
            isNumber: true,
            cell: ({ difference }) => String(difference),
          },
        ]}
      />
      <div className={css['row']}>
        <ActionButton
          look="primary"
          action={accept}
          label={t('reconciliation.accept')}
          reason={
            day.difference === 0
              ? t('reconciliation.equal')
              : fingerprint === null || day.checkedAt === null
                ? t('reconciliation.unchecked')
                : null
          }
          fields={[{ name: 'reason', kind: 'text', label: t('form.reason'), isRequired: true }]}
          input={({ reason }) => [
            {
              date: day.date,
              organizationErpId: day.organizationErpId,
              fingerprint: fingerprint ?? '',
              reason: toText(reason),
            },
          ]}
          onDone={close}
        />
        <Button onPress={close}>{t('action.close')}</Button>
      </div>
    </div>
  );
}
