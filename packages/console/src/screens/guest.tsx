import { isProblem } from '@carte/client/admin';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import type { Data } from '../data/api.ts';
import { useRead } from '../data/read.ts';
import { useUrl } from '../data/url.ts';
import { Button } from '../parts/button.tsx';
import { Table } from '../parts/data-table.tsx';
import form from '../parts/form.module.css';
import { Block, Page } from '../parts/page.tsx';
import css from '../parts/parts.module.css';
import { EmptyState, Loaded } from '../parts/states.tsx';
import { CodeStatus, Money, When } from '../parts/values.tsx';
import { readOne } from '../pure/search.ts';
import { t } from '../texts/texts.ts';
import { giftColumns } from './gifts.tsx';
import { GrantGift } from './parts/grant-gift.tsx';
import { PersonRights } from './parts/person-rights.tsx';

type Guest = Data<'findClient'>;

/** The phone is that of the guest, and these gifts are not sorted by the server. */
const columnsOfGuest = () =>
  giftColumns()
    .filter(({ id }) => id !== 'phone')
    .map(({ sort: _sort, ...column }) => column);

/** One guest by phone, or by the client of a gift if the phone is hidden. */
export function Screen() {
  const [search, change] = useUrl();
  const phone = readOne(search, 'phone') ?? '';
  const [typed, setTyped] = useState(phone);
  const client = readOne(search, 'client') ?? '';
  const byPhone = useRead('findClient', [{ phone }], { enabled: phone !== '' && client === '' });
  const byId = useRead('getClient', [{ id: client }], { enabled: client !== '' });
  const query = client === '' ? byPhone : byId;

  return (
    <Page manual="gift-question" title={t('guest.title')} lead={t('guest.lead')}>
      <form
        role="search"
        className={form['filters']}
        onSubmit={(event) => {
          event.preventDefault();
          change({ phone: typed.trim(), client: undefined });
        }}
      >
        <label className={`${form['field']} ${form['search']}`}>
          <span className={form['label']}>{t('order.phone')}</span>
          <input
            className={form['input']}
            type="tel"
            value={typed}
            onChange={({ target }) => setTyped(target.value)}
          />
        </label>
        <Button submit look="primary">
          {t('guest.find')}
        </Button>
      </form>
      {phone === '' && client === '' ? (
        <EmptyState text={t('guest.typePhone')} />
      ) : client === '' && isProblem(query.error, 'not-found') ? (
        <>
          <EmptyState text={t('guest.unknown')} />
          <GrantGift phone={phone} />
          <PersonRights phone={phone} />
        </>
      ) : (
        <Loaded query={query}>
          {(guest) => <Found guest={guest} phone={phone} client={client} />}
        </Loaded>
      )}
    </Page>
  );
}

function Found({ guest, phone, client }: { guest: Guest; phone: string; client: string }) {
  return (
    <div className={css['stack']}>
      <Block title={t('guest.gifts', { count: guest.rightCount })}>
        <Table
          label={t('gifts.title')}
          rows={guest.rights}
          columns={columnsOfGuest()}
          rowId={({ id }) => id}
          empty={{ text: t('guest.noGifts') }}
        />
      </Block>
      <GrantGift
        phone={client === '' ? phone : (guest.phone ?? '—')}
        {...(client === '' ? {} : { client })}
        connections={guest.accounts.map(({ connectionId, connectionName }) => [
          String(connectionId),
          connectionName,
        ])}
      />
      <Block title={t('guest.orders', { count: guest.orderCount })}>
        <Table
          label={t('orders.title')}
          rows={guest.orders}
          rowId={({ orderId }) => orderId}
          empty={{ text: t('guest.noOrders') }}
          columns={[
            {
              id: 'number',
              header: t('orders.number'),
              cell: ({ orderId, number }) => <Link to={`/orders/${orderId}`}>{number}</Link>,
            },
            {
              id: 'created',
              header: t('orders.created'),
              cell: ({ createdAt }) => <When at={createdAt} />,
            },
            {
              id: 'status',
              header: t('orders.status'),
              cell: ({ status }) => <CodeStatus group="orderStatus" value={status} />,
            },
            {
              id: 'total',
              header: t('orders.total'),
              isNumber: true,
              cell: ({ total }) => <Money amount={total} />,
            },
          ]}
        />
      </Block>
      {guest.conflicts.length > 0 && (
        <Block title={t('decisions.conflicts')}>
          <Link to="/decisions" search={{ tab: 'conflicts' } as never}>
            {t('guest.conflicts', { count: guest.conflicts.length })}
          </Link>
        </Block>
      )}
      {client === '' && <PersonRights phone={phone} />}
      {guest.carts.length > 0 && (
        <Block title={t('guest.carts')}>
          <ul className={css['list']}>
            {guest.carts.map(({ cartId, organizationName, updatedAt, lines }) => (
              <li key={cartId}>
                <span className={css['grow']}>
                  {organizationName}:{' '}
                  {lines.map(({ name, quantity }) => `${quantity} × ${name}`).join(', ')}
                </span>
                <When at={updatedAt} />
              </li>
            ))}
          </ul>
        </Block>
      )}
    </div>
  );
}
