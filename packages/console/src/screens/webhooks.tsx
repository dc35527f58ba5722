import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useAction } from '../data/action.ts';
import { useRead } from '../data/read.ts';
import { useRestaurants } from '../data/restaurants.ts';
import { useUrl } from '../data/url.ts';
import { ActionButton } from '../parts/action-button.tsx';
import { LinkButton } from '../parts/button.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { Page } from '../parts/page.tsx';
import css from '../parts/parts.module.css';
import { Resource } from '../parts/resource.tsx';
import { Status } from '../parts/values.tsx';
import { readOne } from '../pure/search.ts';
import { code, t } from '../texts/texts.ts';
import { WebhookDeliveries } from './parts/webhook-deliveries.tsx';

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

/** Receivers of events, or one with its deliveries. */
export function Screen() {
  const [search] = useUrl();
  const id = Number(readOne(search, 'endpoint'));
  return id > 0 ? <Endpoint id={id} /> : <Endpoints />;
}

function Endpoint({ id }: { id: number }) {
  const query = useRead('getWebhookEndpoint', [{ id }]);
  return (
    <Page
      title={query.data?.url ?? t('webhooks.title')}
      lead={<Link to="/webhooks">{t('webhooks.all')}</Link>}
    >
      <WebhookDeliveries id={id} />
    </Page>
  );
}

function Endpoints() {
  const test = useAction('testWebhookEndpoint');
  const rotate = useAction('rotateWebhookEndpointSecret');
  const restaurants = useRestaurants();
  const [secret, setSecret] = useState<string | null>(null);

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
          {
            id: 'waiting',
            header: t('webhooks.waiting'),
            isNumber: true,
            cell: ({ waiting }) => String(waiting),
          },
          {
            id: 'failed',
            header: t('webhooks.failed'),
            isNumber: true,
            cell: ({ failed }) => String(failed),
          },
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
          {
            name: 'organizationIds',
            kind: 'choices',
            isNumeric: true,
            label: t('discounts.restaurants'),
            hint: t('discounts.restaurantsHint'),
            options: restaurants.map((restaurant) => [String(restaurant.id), restaurant.name]),
          },
          { name: 'isEnabled', kind: 'flag', label: t('payments.isEnabled') },
        ]}
        defaults={{ isEnabled: true }}
        create={{
          operation: 'createWebhookEndpoint',
          label: t('webhooks.create'),
          after: (answer) => setSecret((answer as { secret?: string }).secret ?? null),
        }}
        edit={{
          operation: 'editWebhookEndpoint',
          read: 'getWebhookEndpoint',
          key: ({ id }) => ({ id }),
        }}
        remove={{
          operation: 'deleteWebhookEndpoint',
          key: ({ id }) => ({ id }),
          label: t('action.delete'),
          text: ({ url }) => t('action.deleteText', { name: url }),
        }}
        more={({ id }) => (
          <>
            <LinkButton small to="/webhooks" search={{ endpoint: String(id) }}>
              {t('webhooks.deliveries')}
            </LinkButton>
            <ActionButton
              small
              action={rotate}
              onDone={(answer) => setSecret(answer.secret)}
              label={t('webhooks.rotate')}
              confirm={t('webhooks.rotateText')}
              input={() => [{ id }]}
            />
            <ActionButton
              small
              action={test}
              done={(answer) =>
                answer.status === null
                  ? t('webhooks.noAnswer')
                  : t('webhooks.answered', { status: answer.status, ms: answer.durationMs })
              }
              label={t('webhooks.test')}
              input={() => [{ id }]}
            />
          </>
        )}
      />
      <Dialog
        title={t('webhooks.secret')}
        isOpen={secret !== null}
        onClose={() => setSecret(null)}
        isBox
      >
        <p>{t('keys.tokenText')}</p>
        <pre className={css['pre']} tabIndex={0}>
          {secret}
        </pre>
      </Dialog>
    </>
  );
}
