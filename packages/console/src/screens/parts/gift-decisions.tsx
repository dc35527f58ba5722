import { Link } from '@tanstack/react-router';
import { useAction } from '../../data/action.ts';
import { useAll, useRead } from '../../data/read.ts';
import { useUrl } from '../../data/url.ts';
import { ActionButton } from '../../parts/action-button.tsx';
import { DataTable } from '../../parts/data-table.tsx';
import type { Field } from '../../parts/form.tsx';
import { Block } from '../../parts/page.tsx';
import css from '../../parts/parts.module.css';
import { Status, When } from '../../parts/values.tsx';
import { calendarDay } from '../../pure/format.ts';
import { toParams } from '../../pure/filters.ts';
import { code, currentLanguage, t } from '../../texts/texts.ts';
import { toText } from '../../pure/fields.ts';

const reason = (): Field => ({
  name: 'reason',
  kind: 'text',
  label: t('form.reason'),
  isRequired: true,
});

/** Phrases in comments that may promise a gift. */
export function Candidates() {
  const [search] = useUrl();
  const query = useRead('listCompensationCandidates', [
    { status: 'OPEN', ...toParams({}, search) },
  ]);
  const rewards = useAll('listRewards', { is_active: true });
  const confirm = useAction('confirmCompensationCandidate');
  const dismiss = useAction('dismissCompensationCandidate');
  const options = (rewards.data?.items ?? []).map(({ id, name }) => [String(id), name] as const);

  return (
    <Block needs="listCompensationCandidates">
      <DataTable
        label={t('decisions.candidates')}
        query={query}
        rowId={({ id }) => String(id)}
        empty={{ text: t('decisions.none') }}
        columns={[
          {
            id: 'phrase',
            header: t('decisions.phrase'),
            cell: ({ phrase }) => <strong>{phrase}</strong>,
          },
          { id: 'text', header: t('order.comment'), cell: ({ text }) => text ?? '—' },
          {
            id: 'reward',
            header: t('decisions.suggested'),
            cell: ({ suggestedReward }) => suggestedReward?.name ?? '—',
          },
          {
            id: 'found',
            header: t('decisions.found'),
            sort: 'foundAt',
            cell: ({ foundAt }) => <When at={foundAt} />,
          },
          {
            id: 'actions',
            header: t('table.actions'),
            cell: ({ id, suggestedReward, phrase }) => (
              <div className={css['row']}>
                <ActionButton
                  small
                  look="primary"
                  action={confirm}
                  label={t('decisions.confirm')}
                  fields={[
                    {
                      name: 'rewardId',
                      kind: 'choice',
                      isNumeric: true,
                      label: t('gifts.reward'),
                      isRequired: true,
                      options,
                    },
                    {
                      name: 'reason',
                      kind: 'choice',
                      label: t('form.reason'),
                      isRequired: true,
                      options: ['LATE_DELIVERY', 'SERVICE_ERROR', 'OTHER'].map((value) => [
                        value,
                        code('giftReason', value),
                      ]),
                    },
                    {
                      name: 'reasonComment',
                      kind: 'text',
                      label: t('gifts.comment'),
                      isRequired: true,
                    },
                  ]}
                  defaults={{
                    rewardId: suggestedReward?.id,
                    reason: 'OTHER',
                    reasonComment: phrase,
                  }}
                  input={(values) => [{ id }, values as never]}
                />
                <ActionButton
                  small
                  action={dismiss}
                  label={t('decisions.dismiss')}
                  fields={[reason()]}
                  input={(values) => [{ id }, { reason: toText(values['reason']) }]}
                />
              </div>
            ),
          },
        ]}
      />
    </Block>
  );
}

/** Promises that contradict each other. */
export function Conflicts() {
  const [search] = useUrl();
  const query = useRead('listCompensationConflicts', [{ status: 'OPEN', ...toParams({}, search) }]);
  const resolve = useAction('resolveCompensationConflict');

  return (
    <Block needs="listCompensationConflicts">
      <DataTable
        label={t('decisions.conflicts')}
        query={query}
        rowId={({ id }) => String(id)}
        empty={{ text: t('decisions.none') }}
        columns={[
          {
            id: 'kind',
            header: t('incidents.type'),
            cell: ({ kind }) => code('conflictKind', kind),
          },
          {
            id: 'reward',
            header: t('gifts.reward'),
            cell: ({ reward, compensationId }) =>
              compensationId === null ? (
                reward.name
              ) : (
                <Link to={`/gifts/${compensationId}`}>{reward.name}</Link>
              ),
          },
          {
            id: 'source',
            header: t('gifts.source'),
            cell: ({ source }) => code('giftSource', source),
          },
          {
            id: 'found',
            header: t('decisions.found'),
            sort: 'foundAt',
            cell: ({ foundAt }) => <When at={foundAt} />,
          },
          {
            id: 'actions',
            header: t('table.actions'),
            cell: ({ id }) => (
              <div className={css['row']}>
                {(['GRANT', 'IGNORE'] as const).map((decision) => (
                  <ActionButton
                    key={decision}
                    small
                    action={resolve}
                    label={code('conflictDecision', decision)}
                    fields={[reason()]}
                    input={(values) => [{ id }, { decision, reason: toText(values['reason']) }]}
                  />
                ))}
              </div>
            ),
          },
        ]}
      />
    </Block>
  );
}

/** Gifts in ERP orders without a promise. */
export function Unauthorized() {
  const [search] = useUrl();
  const query = useRead('listUnauthorizedGifts', [{ status: 'OPEN', ...toParams({}, search) }]);
  const settle = useAction('settleUnauthorizedGift');

  return (
    <Block needs="listUnauthorizedGifts">
      <DataTable
        label={t('decisions.unauthorized')}
        query={query}
        rowId={({ id }) => String(id)}
        empty={{ text: t('decisions.none') }}
        columns={[
          {
            id: 'name',
            header: t('order.gift'),
            cell: ({ name, quantity }) => `${quantity} × ${name}`,
          },
          {
            id: 'kind',
            header: t('incidents.type'),
            cell: ({ kind }) => <Status tone="warn">{code('unauthorizedKind', kind)}</Status>,
          },
          {
            id: 'order',
            header: t('order.title'),
            cell: ({ orderId }) =>
              orderId === null ? '—' : <Link to={`/orders/${orderId}`}>{t('gift.order')}</Link>,
          },
          {
            id: 'day',
            header: t('decisions.day'),
            sort: 'day',
            cell: ({ day }) => calendarDay(day, currentLanguage()),
          },
          {
            id: 'actions',
            header: t('table.actions'),
            cell: ({ id }) => (
              <div className={css['row']}>
                {(['ALLOWED', 'NOT_ALLOWED'] as const).map((decision) => (
                  <ActionButton
                    key={decision}
                    small
                    action={settle}
                    label={code('unauthorizedDecision', decision)}
                    fields={[reason()]}
                    input={(values) => [{ id }, { decision, reason: toText(values['reason']) }]}
                  />
                ))}
              </div>
            ),
          },
        ]}
      />
    </Block>
  );
}
