import { useState } from 'react';
import { useAction } from '../data/action.ts';
import { useAll } from '../data/read.ts';
import { useUrl } from '../data/url.ts';
import { ActionButton } from '../parts/action-button.tsx';
import { Button } from '../parts/button.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { Page, Tabs } from '../parts/page.tsx';
import { Resource } from '../parts/resource.tsx';
import { CodeStatus, Status } from '../parts/values.tsx';
import { readOne } from '../pure/search.ts';
import { t } from '../texts/texts.ts';
import { ConnectionSecrets } from './parts/connection-secrets.tsx';
import { ExternalMenus } from './parts/external-menus.tsx';
import { OrderSending } from './parts/order-sending.tsx';
import { OwnerSwitch } from './parts/owner-switch.tsx';
import { toText } from '../pure/fields.ts';

/** ERP accounts with their owners and menus. */
export function Screen() {
  const [search] = useUrl();
  const tab = readOne(search, 'tab') ?? 'connections';

  return (
    <Page manual="order-sending" title={t('connections.title')} lead={t('connections.lead')}>
      <Tabs
        current={tab}
        tabs={[
          ['connections', t('connections.title')],
          ['menus', t('connections.menus')],
          ['entities', t('connections.entities')],
          ['franchisees', t('connections.franchisees')],
        ]}
      />
      {tab === 'connections' && <Connections />}
      {tab === 'menus' && <ExternalMenus />}
      {tab === 'entities' && <Entities />}
      {tab === 'franchisees' && <Franchisees />}
    </Page>
  );
}

type Shown = { id: number; what: 'sending' | 'secrets' };

function Connections() {
  const [shown, setShown] = useState<Shown | null>(null);
  const entities = useAll('listLegalEntities', {});
  const enable = useAction('enableConnection');
  const disable = useAction('disableConnection');
  const login = useAction('replaceApiLogin');
  const options = (entities.data?.items ?? []).map(({ id, name }) => [String(id), name] as const);

  return (
    <>
      <Resource
        isBlock
        title={t('connections.title')}
        list="listConnections"
        rowId={({ id }) => String(id)}
        empty={t('connections.none')}
        columns={[
          { id: 'name', header: t('product.name'), cell: ({ name }) => name },
          {
            id: 'entity',
            header: t('connections.entity'),
            cell: ({ legalEntityId }) =>
              options.find(([id]) => Number(id) === legalEntityId)?.[1] ?? '—',
          },
          {
            id: 'status',
            header: t('incidents.status'),
            cell: ({ status }) => <CodeStatus group="connectionStatus" value={status} />,
          },
        ]}
        fields={(row) =>
          row === undefined
            ? [
                {
                  name: 'legalEntityId',
                  kind: 'choice',
                  isNumeric: true,
                  label: t('connections.entity'),
                  isRequired: true,
                  options,
                },
                { name: 'name', kind: 'text', label: t('product.name'), isRequired: true },
                {
                  name: 'apiLogin',
                  kind: 'password',
                  label: t('connections.login'),
                  isRequired: true,
                },
              ]
            : [{ name: 'name', kind: 'text', label: t('product.name'), isRequired: true }]
        }
        create={{ operation: 'createConnection', label: t('connections.create') }}
        edit={{ operation: 'renameConnection', read: 'getConnection', key: ({ id }) => ({ id }) }}
        more={({ id, status, version }) => (
          <>
            <Button small onPress={() => setShown({ id, what: 'sending' })}>
              {t('sending.title')}
            </Button>
            <Button small onPress={() => setShown({ id, what: 'secrets' })}>
              {t('secrets.title')}
            </Button>
            <ActionButton
              small
              action={login}
              label={t('connections.replaceLogin')}
              fields={[
                {
                  name: 'apiLogin',
                  kind: 'password',
                  label: t('connections.login'),
                  isRequired: true,
                },
              ]}
              input={({ apiLogin }) => [{ id }, { version, apiLogin: toText(apiLogin) }]}
            />
            {status === 'ACTIVE' ? (
              <ActionButton
                small
                look="danger"
                action={disable}
                label={t('connections.disable')}
                confirm={t('connections.disableText')}
                input={() => [{ id }, { version }]}
              />
            ) : (
              <ActionButton
                small
                action={enable}
                label={t('connections.enable')}
                input={() => [{ id }, { version }]}
              />
            )}
          </>
        )}
      />
      <Dialog
        title={t(shown?.what === 'secrets' ? 'secrets.title' : 'sending.title')}
        isOpen={shown !== null}
        onClose={() => setShown(null)}
      >
        {shown?.what === 'sending' && <OrderSending id={shown.id} />}
        {shown?.what === 'secrets' && <ConnectionSecrets id={shown.id} />}
      </Dialog>
    </>
  );
}

function Entities() {
  const franchisees = useAll('listFranchisees', {});
  const options = (franchisees.data?.items ?? []).map(
    ({ id, name }) => [String(id), name] as const,
  );

  return (
    <Resource
      isBlock
      title={t('connections.entities')}
      list="listLegalEntities"
      rowId={({ id }) => String(id)}
      empty={t('connections.noEntities')}
      columns={[
        { id: 'name', header: t('product.name'), cell: ({ name }) => name },
        { id: 'tax', header: t('connections.taxId'), cell: ({ taxId }) => taxId ?? '—' },
        {
          id: 'owner',
          header: t('connections.franchisee'),
          cell: ({ franchiseeId }) =>
            options.find(([id]) => Number(id) === franchiseeId)?.[1] ?? '—',
        },
        {
          id: 'active',
          header: t('rewards.isActive'),
          cell: ({ isActive }) => (
            <Status tone={isActive ? 'good' : 'plain'}>
              {t(isActive ? 'filter.yes' : 'filter.no')}
            </Status>
          ),
        },
      ]}
      fields={(row) => [
        ...(row === undefined
          ? [
              {
                name: 'franchiseeId',
                kind: 'choice',
                isNumeric: true,
                label: t('connections.franchisee'),
                isRequired: true,
                options,
              } as const,
            ]
          : []),
        { name: 'name', kind: 'text', label: t('product.name'), isRequired: true },
        { name: 'taxId', kind: 'text', label: t('connections.taxId') },
      ]}
      create={{ operation: 'createLegalEntity', label: t('connections.createEntity') }}
      edit={{ operation: 'updateLegalEntity', read: 'getLegalEntity', key: ({ id }) => ({ id }) }}
      more={(owner) => (
        <OwnerSwitch
          owner={owner}
          activate="activateLegalEntity"
          deactivate="deactivateLegalEntity"
        />
      )}
    />
  );
}

function Franchisees() {
  return (
    <Resource
      isBlock
      title={t('connections.franchisees')}
      list="listFranchisees"
      rowId={({ id }) => String(id)}
      empty={t('connections.noFranchisees')}
      columns={[
        { id: 'name', header: t('product.name'), cell: ({ name }) => name },
        {
          id: 'active',
          header: t('rewards.isActive'),
          cell: ({ isActive }) => (
            <Status tone={isActive ? 'good' : 'plain'}>
              {t(isActive ? 'filter.yes' : 'filter.no')}
            </Status>
          ),
        },
      ]}
      fields={() => [{ name: 'name', kind: 'text', label: t('product.name'), isRequired: true }]}
      create={{ operation: 'createFranchisee', label: t('connections.createFranchisee') }}
      edit={{ operation: 'updateFranchisee', read: 'getFranchisee', key: ({ id }) => ({ id }) }}
      more={(owner) => (
        <OwnerSwitch
          owner={owner}
          activate="activateFranchisee"
          deactivate="deactivateFranchisee"
        />
      )}
    />
  );
}
