import { useAction } from '../../data/action.ts';
import { useRead } from '../../data/read.ts';
import { useUrl } from '../../data/url.ts';
import { ActionButton } from '../../parts/action-button.tsx';
import { DataTable } from '../../parts/data-table.tsx';
import { Filters, indexKinds, type Filter } from '../../parts/filters.tsx';
import { Block } from '../../parts/page.tsx';
import { CodeStatus, Status, When } from '../../parts/values.tsx';
import { toParams } from '../../pure/filters.ts';
import { toText } from '../../pure/fields.ts';
import { code, t } from '../../texts/texts.ts';

/** Deliveries to a receiver, newest first, which can be repeated. */
export function WebhookDeliveries({ id }: { id: number }) {
  const [search] = useUrl();
  const filters: readonly Filter[] = [
    {
      name: 'status',
      kind: 'choice',
      label: t('incidents.status'),
      options: ['WAITING', 'DELIVERED', 'FAILED'].map((value) => [
        value,
        code('deliveryStatus', value),
      ]),
    },
  ];

  const query = useRead('listWebhookDeliveries', [
    { sort: ['createdAt,desc'], ...toParams(indexKinds(filters), search), id },
  ]);
  const retry = useAction('retryWebhookDelivery');
  const replay = useAction('replayWebhookEvents');

  return (
    <>
      <Filters filters={filters} />
      <Block
        title={t('webhooks.deliveries')}
        needs="listWebhookDeliveries"
        actions={
          <ActionButton
            action={replay}
            label={t('webhooks.replay')}
            confirm={t('webhooks.replayText')}
            fields={[
              { name: 'from', kind: 'moment', label: t('overrides.from'), isRequired: true },
              { name: 'to', kind: 'moment', label: t('overrides.to'), isRequired: true },
            ]}
            input={({ from, to }) => [{ id }, { from: toText(from), to: toText(to) }]}
            done={({ events }) => t('webhooks.replayed', { count: events })}
          />
        }
      >
        <DataTable
          label={t('webhooks.deliveries')}
          query={query}
          rowId={({ id: delivery }) => String(delivery)}
          empty={{ text: t('webhooks.noDeliveries') }}
          columns={[
            {
              id: 'event',
              header: t('webhooks.event'),
              cell: ({ eventId, subject, isReplay }) => (
                <>
                  <code>#{eventId}</code> <code>{subject}</code>{' '}
                  {isReplay && <Status tone="info">{t('webhooks.repeated')}</Status>}
                </>
              ),
            },
            {
              id: 'status',
              header: t('incidents.status'),
              cell: ({ status }) => <CodeStatus group="deliveryStatus" value={status} />,
            },
            {
              id: 'attempts',
              header: t('order.attempts'),
              cell: ({ attempts }) => (
                <>
                  {attempts.length} <code>{attempts.at(-1)?.status ?? attempts.at(-1)?.error}</code>
                </>
              ),
            },
            {
              id: 'at',
              header: t('orders.created'),
              sort: 'createdAt',
              cell: ({ createdAt }) => <When at={createdAt} />,
            },
            {
              id: 'next',
              header: t('webhooks.next'),
              sort: 'nextAttemptAt',
              cell: ({ nextAttemptAt }) => <When at={nextAttemptAt} />,
            },
            {
              id: 'retry',
              header: t('table.actions'),
              cell: ({ id: delivery, status }) => (
                <ActionButton
                  small
                  action={retry}
                  label={t('action.retry')}
                  reason={status === 'DELIVERED' ? t('webhooks.isDelivered') : null}
                  input={() => [{ id: delivery }]}
                />
              ),
            },
          ]}
        />
      </Block>
    </>
  );
}
