import { Link, useParams } from '@tanstack/react-router';
import { useAction } from '../data/action.ts';
import type { Data } from '../data/api.ts';
import { useAll, useRead } from '../data/read.ts';
import { ActionButton } from '../parts/action-button.tsx';
import { Block, Facts, Page } from '../parts/page.tsx';
import css from '../parts/parts.module.css';
import { Loaded } from '../parts/states.tsx';
import { useTemporalLink } from '../parts/temporal.tsx';
import { CodeStatus, When } from '../parts/values.tsx';
import { EXECUTIONS } from '../pure/temporal.ts';
import { code, t } from '../texts/texts.ts';
import { EditGift } from './parts/edit-gift.tsx';
import { GiftExplanation } from './parts/gift-explanation.tsx';
import { toText } from '../pure/fields.ts';

type Gift = Data<'getCompensation'>;

/** One gift: its ledger, its marker at the ERP, and why it is offered or not. */
export function Screen() {
  const { id } = useParams({ strict: false }) as { id: string };
  const query = useRead('getCompensation', [{ id }]);

  return (
    <Page
      title={query.data?.rewardName ?? t('gift.title')}
      lead={<Link to="/gifts">{t('gift.all')}</Link>}
      actions={query.data !== undefined && <Actions gift={query.data} />}
    >
      <Loaded query={query}>
        {(gift) => (
          <div className={css['columns']}>
            <Summary gift={gift} />
            <GiftExplanation id={gift.id} />
            <Ledger gift={gift} />
          </div>
        )}
      </Loaded>
    </Page>
  );
}

function Actions({ gift }: { gift: Gift }) {
  const { id, status } = gift;
  const cancel = useAction('cancelCompensation');
  const rebind = useAction('rebindCompensation');
  const rewards = useAll('listRewards', { is_active: true });
  const isOver = ['REDEEMED', 'CANCELLED', 'EXPIRED'].includes(status)
    ? t('gift.isOver', { status: code('giftStatus', status) })
    : null;

  return (
    <>
      <EditGift gift={gift} reason={isOver} />
      <ActionButton
        action={rebind}
        label={t('gift.rebind')}
        reason={isOver}
        fields={[
          {
            name: 'rewardId',
            kind: 'choice',
            isNumeric: true,
            label: t('gifts.reward'),
            isRequired: true,
            options: (rewards.data?.items ?? []).map(({ id: of, name }) => [String(of), name]),
          },
          { name: 'reason', kind: 'text', label: t('form.reason') },
        ]}
        input={({ rewardId, reason: why }) => [
          { id },
          { rewardId: Number(rewardId), ...(why === undefined ? {} : { reason: toText(why) }) },
        ]}
      />
      <ActionButton
        look="danger"
        action={cancel}
        label={t('gift.cancel')}
        reason={isOver}
        confirm={t('gift.cancelText')}
        fields={[{ name: 'reason', kind: 'text', label: t('form.reason'), isRequired: true }]}
        input={({ reason: why }) => [{ id }, { reason: toText(why) }]}
      />
    </>
  );
}

function Summary({ gift }: { gift: Gift }) {
  const orderLink = (id: string | null) =>
    id === null ? null : <Link to={`/orders/${id}`}>{t('gift.order')}</Link>;
  const temporal = useTemporalLink(EXECUTIONS.gift(gift));

  return (
    <Block title={t('gift.title')}>
      <Facts
        facts={[
          [t('gifts.status'), <CodeStatus key="s" group="giftStatus" value={gift.status} />],
          [
            t('order.phone'),
            gift.clientPhone === null ? null : (
              <Link key="c" to="/guest" search={{ client: gift.clientId } as never}>
                {gift.clientPhone}
              </Link>
            ),
          ],
          [t('gift.quantity'), String(gift.quantity)],
          [t('form.reason'), code('giftReason', gift.reason)],
          [
            t('gifts.comment'),
            gift.reasonComment === null ? null : (
              <span key="t" translate="no">
                {gift.reasonComment}
              </span>
            ),
          ],
          [t('gifts.source'), code('giftSource', gift.source)],
          [t('gifts.grantedAt'), <When key="g" at={gift.grantedAt} />],
          [
            t('gifts.expiresAt'),
            gift.expiresAt === null ? t('gift.forever') : <When key="e" at={gift.expiresAt} />,
          ],
          [t('gift.sourceOrder'), orderLink(gift.sourceOrderId)],
          [t('gift.reservedBy'), orderLink(gift.reservedOrderId)],
          [t('gift.redeemedBy'), orderLink(gift.redeemedOrderId)],
          [t('gift.marker'), gift.marker === null ? null : code('markerState', gift.marker.state)],
          [t('temporal.executions'), temporal],
        ]}
      />
    </Block>
  );
}

function Ledger({ gift: { moves } }: { gift: Gift }) {
  return (
    <Block title={t('gift.ledger')}>
      <ol className={css['list']}>
        {moves.map(({ version, move, after, at, reason, actor, orderId }) => (
          <li key={version}>
            <span className={css['grow']}>
              {code('giftMove', move)}{' '}
              {reason !== null && (
                <span className={css['muted']} translate="no">
                  {reason}
                </span>
              )}
              {orderId !== null && (
                <>
                  {' '}
                  <Link to={`/orders/${orderId}`}>{t('gift.order')}</Link>
                </>
              )}
            </span>
            <CodeStatus group="giftStatus" value={after} />
            {actor !== null && (
              <span className={css['muted']} translate="no">
                {actor}
              </span>
            )}
            <When at={at} />
          </li>
        ))}
      </ol>
    </Block>
  );
}
