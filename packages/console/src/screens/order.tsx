import { Link, useParams } from '@tanstack/react-router';
import type { Data } from '../data/api.ts';
import { useRead } from '../data/read.ts';
import { useRestaurant } from '../data/restaurants.ts';
import { Block, Facts, Page } from '../parts/page.tsx';
import css from '../parts/parts.module.css';
import { Loaded } from '../parts/states.tsx';
import { useTemporalLink } from '../parts/temporal.tsx';
import { CodeStatus, Money, Status, When } from '../parts/values.tsx';
import { EXECUTIONS } from '../pure/temporal.ts';
import { code, t } from '../texts/texts.ts';
import { Attempts, Decision } from './parts/order-history.tsx';
import { OrderActions } from './parts/order-actions.tsx';

type Order = Data<'getStaffOrder'>;

export function Screen() {
  const { id } = useParams({ strict: false }) as { id: string };
  const query = useRead('getStaffOrder', [{ id }], { everyMs: 20_000 });
  const zone = useRestaurant(query.data?.organizationId)?.effectiveTimeZone;

  return (
    <Page
      manual="order-not-sent"
      title={t('order.of', { number: query.data?.number ?? '' })}
      lead={<Link to="/orders">{t('order.all')}</Link>}
      actions={query.data !== undefined && <OrderActions order={query.data} />}
    >
      <Loaded query={query} rows={8}>
        {(order) => (
          <div className={css['columns']}>
            <Summary order={order} />
            <Timeline order={order} />
            <Lines order={order} />
            <Attempts id={order.orderId} zone={zone} />
            <Decision id={order.orderId} zone={zone} />
          </div>
        )}
      </Loaded>
    </Page>
  );
}

function Summary({ order }: { order: Order }) {
  const restaurant = useRestaurant(order.organizationId);
  const { person, problem } = order;
  const zone = restaurant?.effectiveTimeZone;
  const temporal = useTemporalLink(EXECUTIONS.order(order));

  return (
    <Block title={t('order.summary')}>
      {problem !== null && <p className={css['error']}>{code('orderProblem', problem)}</p>}
      <Facts
        facts={[
          [t('orders.status'), <CodeStatus key="s" group="orderStatus" value={order.status} />],
          [
            t('missing.restaurant'),
            restaurant === undefined ? null : (
              <Link key="r" to={`/setup/${restaurant.id}`}>
                {restaurant.name}
              </Link>
            ),
          ],
          [t('order.restaurantPhone'), restaurant?.phone ?? null],
          [t('orders.fulfillment'), code('fulfillment', order.fulfillment.type)],
          [t('orders.created'), <When key="c" at={order.createdAt} zone={zone} />],
          [t('orders.promised'), <When key="p" at={order.eta.at} zone={zone} />],
          [
            t('order.sendUntil'),
            order.sendUntil === null ? null : <When key="u" at={order.sendUntil} zone={zone} />,
          ],
          [t('order.payment'), code('payment', order.paymentMethod)],
          [t('order.erpNumber'), order.erpOrderId],
          [t('temporal.executions'), temporal],
          [
            t('order.erpError'),
            order.erpError === null ? null : (
              <span key="e" translate="no">
                {order.erpError}
              </span>
            ),
          ],
          [
            t('order.guest'),
            person === null ? (order.erasedAt === null ? null : t('order.erased')) : person.name,
          ],
          [
            t('order.phone'),
            person === null ? null : (
              <Link key="g" to="/guest" search={{ phone: person.phone } as never}>
                {person.phone}
              </Link>
            ),
          ],
          [t('order.address'), person?.address ?? null],
          [
            t('order.comment'),
            person === null ? null : (
              <span key="comment" translate="no">
                {person.comment ?? '—'}
              </span>
            ),
          ],
          [
            t('order.cancelReason'),
            person === null ? null : (
              <span key="cancelReason" translate="no">
                {person.cancelReason ?? '—'}
              </span>
            ),
          ],
        ]}
      />
    </Block>
  );
}

function Timeline({ order }: { order: Order }) {
  const zone = useRestaurant(order.organizationId)?.effectiveTimeZone;
  return (
    <Block title={t('order.timeline')}>
      <ol className={css['list']}>
        {order.statusHistory.map(({ status, at, problem }) => (
          <li key={`${status} ${at}`}>
            <CodeStatus group="orderStatus" value={status} />
            <span className={css['grow']}>
              {problem === null ? '' : code('orderProblem', problem)}
            </span>
            <When at={at} zone={zone} />
          </li>
        ))}
      </ol>
      {order.sentAgain.length > 0 && (
        <ul className={css['list']}>
          {order.sentAgain.map(({ at, by, reason }) => (
            <li key={at}>
              <span className={css['grow']}>
                {t('order.sentAgain')}{' '}
                <span translate="no">{[by?.name, reason].filter(Boolean).join(': ')}</span>
              </span>
              <When at={at} zone={zone} />
            </li>
          ))}
        </ul>
      )}
    </Block>
  );
}

function Lines({ order }: { order: Order }) {
  return (
    <Block title={t('order.lines')}>
      <ul className={css['list']}>
        {order.lines.map((line, at) => (
          <li key={at}>
            <span className={css['grow']}>
              {line.quantity} × {line.name} {line.variantName}
              <span className={css['muted']}>
                {' '}
                {line.modifiers.map(({ name, quantity }) => `${quantity} × ${name}`).join(', ')}
              </span>
            </span>
            <Money amount={line.lineTotal} />
          </li>
        ))}
        {order.gifts.map((gift, at) => (
          <li key={`gift ${at}`}>
            <span className={css['grow']}>
              {gift.quantity} × {gift.name}
            </span>
            <Status tone={gift.leftOut ? 'warn' : 'good'}>
              {t(gift.leftOut ? 'order.giftLeftOut' : 'order.gift')}
            </Status>
            {gift.compensationId !== null && (
              <Link to={`/gifts/${gift.compensationId}`}>{t('order.giftLink')}</Link>
            )}
          </li>
        ))}
        {order.discounts.map(({ code: name, name: text, amount }) => (
          <li key={name}>
            <span className={css['grow']}>{text}</span>
            <Money amount={-amount} />
          </li>
        ))}
        <li>
          <span className={css['grow']}>{t('order.delivery')}</span>
          <Money amount={order.deliveryFee} />
        </li>
        <li>
          <strong className={css['grow']}>{t('orders.total')}</strong>
          <strong>
            <Money amount={order.total} />
          </strong>
        </li>
      </ul>
    </Block>
  );
}
