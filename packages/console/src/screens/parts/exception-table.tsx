import { useState } from 'react';
import type { UseQueryResult } from '@tanstack/react-query';
import { useAction } from '../../data/action.ts';
import { useRestaurants } from '../../data/restaurants.ts';
import { ActionButton } from '../../parts/action-button.tsx';
import { Button } from '../../parts/button.tsx';
import { DataTable, type Column, type PageOf } from '../../parts/data-table.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import css from '../../parts/parts.module.css';
import { When } from '../../parts/values.tsx';
import { calendarDay } from '../../pure/format.ts';
import { hoursLines } from '../../pure/week.ts';
import { code, currentLanguage, needs, t } from '../../texts/texts.ts';
import { EditException } from './edit-exception.tsx';
import type { Exception } from './exception.ts';

type TableProps = {
  query: UseQueryResult<PageOf<Exception>>;
  empty: string;
  hasRestaurants?: boolean;
};

export function ExceptionTable({ query, empty, hasRestaurants = false }: TableProps) {
  const restaurants = useRestaurants();
  const edit = useAction('editScheduleException');
  const remove = useAction('deleteScheduleException');
  const [edited, setEdited] = useState<Exception | null>(null);
  const findRestaurant = (id: number) => restaurants.find((restaurant) => restaurant.id === id);
  const findZone = (id: number) => findRestaurant(id)?.effectiveTimeZone;
  const columns: readonly Column<Exception>[] = [
    ...(hasRestaurants
      ? [
          {
            id: 'restaurant',
            header: t('missing.restaurant'),
            sort: 'organizationId',
            cell: ({ organizationId }: Exception) =>
              findRestaurant(organizationId)?.name ?? String(organizationId),
          },
        ]
      : []),
    { id: 'kind', header: t('exceptions.kind'), cell: ({ kind }) => code('exceptionKind', kind) },
    {
      id: 'when',
      header: t('exceptions.when'),
      cell: ({ organizationId, date, from, to, windows }) =>
        date === null ? (
          <>
            <When at={from} zone={findZone(organizationId)} /> –{' '}
            {to === null ? t('exceptions.open') : <When at={to} zone={findZone(organizationId)} />}
          </>
        ) : (
          `${calendarDay(date, currentLanguage())} ${hoursLines(windows).join(', ')}`
        ),
    },
    {
      id: 'channel',
      header: t('restaurants.channel'),
      cell: ({ channel }) => (channel === null ? t('filter.all') : code('fulfillment', channel)),
    },
    {
      id: 'reason',
      header: t('form.reason'),
      cell: ({ reason }) => <span translate="no">{reason ?? '—'}</span>,
    },
    {
      id: 'actions',
      header: t('table.actions'),
      cell: (exception) => (
        <div className={css['row']}>
          <Button small reason={needs(edit.lacks)} onPress={() => setEdited(exception)}>
            {t('action.edit')}
          </Button>
          <ActionButton
            small
            action={remove}
            label={t('exceptions.end')}
            confirm={t('exceptions.endText')}
            input={() => [{ id: exception.id }]}
          />
        </div>
      ),
    },
  ];

  return (
    <>
      <DataTable
        label={t('setup.exceptions')}
        query={query}
        rowId={({ id }) => String(id)}
        empty={{ text: empty }}
        columns={columns}
      />
      <Dialog
        title={edited === null ? '' : code('exceptionKind', edited.kind)}
        isOpen={edited !== null}
        onClose={() => setEdited(null)}
      >
        {edited !== null && (
          <EditException
            exception={edited}
            zone={findZone(edited.organizationId)}
            close={() => setEdited(null)}
          />
        )}
      </Dialog>
    </>
  );
}
