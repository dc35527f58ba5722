import { useState } from 'react';
import { useAction } from '../data/action.ts';
import { useRead } from '../data/read.ts';
import { ActionButton } from '../parts/action-button.tsx';
import { Button } from '../parts/button.tsx';
import { DataTable } from '../parts/data-table.tsx';
import { Dialog } from '../parts/dialog.tsx';
import css from '../parts/parts.module.css';
import { Resource } from '../parts/resource.tsx';
import { announce } from '../parts/toast.tsx';
import { CodeStatus, Status, When } from '../parts/values.tsx';
import { code, t } from '../texts/texts.ts';

const TYPES = [
  'menu.published',
  'availability.changed',
  'order.accepted',
  'order.status_changed',
  'gift.granted',
  'gift.reserved',
  'gift.redeemed',
  'gift.returned',
  'gift.expired',
  'incident.opened',
  'incident.closed',
  'import.failed',
  'product.published',
  'product.unpublished',
];

/** Receivers of events with their deliveries. */
export function Screen() {
  const test = useAction('testWebhookEndpoint');
  const [secret, setSecret] = useState<string | null>(null);
  const [shown, setShown] = useState<{ id: number; url: string } | null>(null);
  return (
    <>
      <Resource
        title={t('webhooks.title')}
        lead={t('webhooks.lead')}
        list="listWebhookEndpoints"
        rowId={({ id }) => String(id)}
        empty={t('webhooks.none')}
        columns={[
          {
            id: 'url',
            header: t('webhooks.url'),
            cell: ({ url, description }) => (
              <>
                <code>{url}</code> <span translate="no">{description}</span>
              </>
            ),
          },
          {
            id: 'state',
            header: t('incidents.status'),
            cell: ({ isEnabled, disabledReason }) => (
              <Status tone={isEnabled ? 'good' : 'bad'}>
                {isEnabled ? t('webhooks.on') : code('disabledReason', disabledReason ?? 'OFF')}
              </Status>
            ),
          },
          { id: 'waiting', header: t('webhooks.waiting'), isNumber: true, cell: ({ waiting }) => String(waiting) },
          { id: 'failed', header: t('webhooks.failed'), isNumber: true, cell: ({ failed }) => String(failed) },
        ]}
        fields={() => [
          { name: 'url', kind: 'text', label: t('webhooks.url'), isRequired: true },
          { name: 'description', kind: 'text', label: t('product.description') },
          {
            name: 'types',
            kind: 'choices',
            label: t('webhooks.types'),
            hint: t('webhooks.typesHint'),
            options: TYPES.map((type) => [type, code('eventType', type)]),
          },
          { name: 'isEnabled', kind: 'flag', label: t('payments.isEnabled') },
        ]}
        defaults={{ isEnabled: true }}
        create={{
          operation: 'createWebhookEndpoint',
          label: t('webhooks.create'),
          after: (answer) => setSecret((answer as { secret?: string }).secret ?? null),
        }}
        edit={{ operation: 'editWebhookEndpoint', read: 'getWebhookEndpoint', key: ({ id }) => ({ id }) }}
        remove={{
          operation: 'deleteWebhookEndpoint',
          key: ({ id }) => ({ id }),
          label: t('action.delete'),
          text: ({ url }) => t('action.deleteText', { name: url }),
        }}
        more={({ id, url }) => (
          <>
            <Button small onPress={() => setShown({ id, url })}>
              {t('webhooks.deliveries')}
            </Button>
            <ActionButton
              small
              action={{
                ...test,
                run: async (...input) => {
                  const answer = await test.run(...input);
                  announce(
                    answer.status === null
                      ? t('webhooks.noAnswer')
                      : t('webhooks.answered', { status: answer.status, ms: answer.durationMs }),
                  );
                  return answer;
                },
              }}
              label={t('webhooks.test')}
              input={() => [{ id }]}
            />
          </>
        )}
      />
      <Dialog title={t('webhooks.secret')} isOpen={secret !== null} onClose={() => setSecret(null)} isBox>
        <p>{t('keys.tokenText')}</p>
        <pre className={css['pre']} tabIndex={0}>
          {secret}
        </pre>
      </Dialog>
      <Dialog title={t('webhooks.deliveries')} isOpen={shown !== null} onClose={() => setShown(null)}>
        {shown !== null && <Deliveries id={shown.id} />}
      </Dialog>
    </>
  );
}

function Deliveries({ id }: { id: number }) {
  const query = useRead('listWebhookDeliveries', [{ id, sort: ['createdAt,desc'] }]);
  const retry = useAction('retryWebhookDelivery');
  return (
    <DataTable
      label={t('webhooks.deliveries')}
      query={query}
      rowId={({ id: delivery }) => String(delivery)}
      empty={{ text: t('webhooks.noDeliveries') }}
      columns={[
        {
          id: 'event',
          header: t('webhooks.event'),
          cell: ({ eventId, subject }) => (
            <>
              <code>#{eventId}</code> <code>{subject}</code>
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
        { id: 'at', header: t('orders.created'), cell: ({ createdAt }) => <When at={createdAt} /> },
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
  );
}
