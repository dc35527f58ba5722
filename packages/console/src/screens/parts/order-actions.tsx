import { useAction } from '../../data/action.ts';
import type { Data } from '../../data/api.ts';
import { LinkButton } from '../../parts/button.tsx';
import { ActionButton } from '../../parts/action-button.tsx';
import type { Field } from '../../parts/form.tsx';
import { code, t } from '../../texts/texts.ts';
import { toText } from '../../pure/fields.ts';

const reasonField = (): Field => ({
  name: 'reason',
  kind: 'text',
  label: t('form.reason'),
  isRequired: true,
});

/** The server decides; `cancellable` only explains. */
export function OrderActions({ order }: { order: Data<'getStaffOrder'> }) {
  const cancel = useAction('cancelStaffOrder');
  const settle = useAction('settleOrderGifts');
  const erase = useAction('eraseStaffOrder');
  const again = useAction('sendOrderAgain');
  const id = order.orderId;
  const hasGifts = order.gifts.length > 0;

  return (
    <>
      {order.person !== null && (
        <LinkButton to="/guest" search={{ phone: order.person.phone, order: id }}>
          {t('order.grant')}
        </LinkButton>
      )}
      <ActionButton
        action={again}
        label={t('order.sendAgain')}
        reason={order.status === 'FAILED' ? null : t('order.notFailed')}
        confirm={t('order.sendAgainText')}
        fields={[reasonField()]}
        input={({ reason }) => [{ id }, { reason: toText(reason) }]}
      />
      <ActionButton
        action={settle}
        label={t('order.settle')}
        reason={hasGifts ? null : t('order.withoutGifts')}
        fields={[
          {
            name: 'outcome',
            kind: 'choice',
            label: t('order.outcome'),
            isRequired: true,
            options: ['CREATED', 'NOT_CREATED'].map((value) => [
              value,
              code('giftsOutcome', value),
            ]),
          },
          reasonField(),
        ]}
        input={({ outcome, reason }) => [
          { id },
          { outcome: outcome as 'CREATED', reason: toText(reason) },
        ]}
      />
      <ActionButton
        action={erase}
        label={t('order.erase')}
        reason={order.erasedAt === null ? null : t('order.erased')}
        confirm={t('order.eraseText')}
        fields={[reasonField()]}
        input={({ reason }) => [{ id }, { reason: toText(reason) }]}
      />
      <ActionButton
        action={cancel}
        look="danger"
        label={t('order.cancel')}
        reason={order.cancellable ? null : t('order.notCancellable')}
        confirm={t('order.cancelText')}
        fields={[reasonField()]}
        input={({ reason }) => [{ id }, { reason: toText(reason) }]}
      />
    </>
  );
}
