import { useState } from 'react';
import { useAction } from '../data/action.ts';
import { ActionButton } from '../parts/action-button.tsx';
import { Dialog } from '../parts/dialog.tsx';
import css from '../parts/parts.module.css';
import { Resource } from '../parts/resource.tsx';
import { Person, Status, When } from '../parts/values.tsx';
import { code, t } from '../texts/texts.ts';
import { useProfile } from '../data/access.tsx';
import { KeyPermissions } from './parts/key-permissions.tsx';

/** A revoked key is not changed. */
const whenRevoked = ({ revokedAt }: { revokedAt: string | null }): string | null =>
  revokedAt === null ? null : t('keys.isRevoked');

/** Keys for programs. A token is shown once. */
export function Screen() {
  const rotate = useAction('rotateApiKey');
  const takeOver = useAction('takeOverApiKey');
  const profile = useProfile();
  const [token, setToken] = useState<string | null>(null);
  const grantable = profile.permissions.filter(
    (permission) => !['users.manage', 'keys.manage'].includes(permission),
  );

  return (
    <>
      <Resource
        title={t('keys.title')}
        lead={t('keys.lead')}
        list="listApiKeys"
        filters={[{ name: 'revoked', kind: 'flag', label: t('keys.showRevoked') }]}
        rowId={({ id }) => String(id)}
        empty={t('keys.none')}
        columns={[
          {
            id: 'name',
            header: t('product.name'),
            cell: ({ name }) => <span translate="no">{name}</span>,
          },
          { id: 'use', header: t('keys.use'), cell: ({ use }) => code('keyUse', use) },
          {
            id: 'permissions',
            header: t('keys.permissions'),
            cell: (key) => <KeyPermissions apiKey={key} />,
          },
          {
            id: 'owner',
            header: t('keys.createdBy'),
            cell: ({ createdBy, ownerId }) => (
              <>
                <Person author={createdBy} />
                {ownerId === profile.id && ` (${t('keys.isMine')})`}
              </>
            ),
          },
          {
            id: 'used',
            header: t('keys.lastUsed'),
            cell: ({ lastUsedAt }) => <When at={lastUsedAt} />,
          },
          {
            id: 'expires',
            header: t('gifts.expiresAt'),
            cell: ({ expiresAt }) => <When at={expiresAt} />,
          },
          {
            id: 'state',
            header: t('incidents.status'),
            cell: ({ revokedAt }) => (
              <Status tone={revokedAt === null ? 'good' : 'bad'}>
                {t(revokedAt === null ? 'keys.valid' : 'keys.revoked')}
              </Status>
            ),
          },
        ]}
        fields={(row) => [
          { name: 'name', kind: 'text', label: t('product.name'), isRequired: true },
          ...(row === undefined
            ? [
                {
                  name: 'use',
                  kind: 'choice',
                  label: t('keys.use'),
                  isRequired: true,
                  options: ['ADMIN', 'STOREFRONT'].map(
                    (value) => [value, code('keyUse', value)] as const,
                  ),
                } as const,
              ]
            : []),
          {
            name: 'permissions',
            kind: 'choices',
            label: t('keys.permissions'),
            options: grantable.map((permission) => [permission, code('permission', permission)]),
          },
          {
            name: 'organizationIds',
            kind: 'restaurants',
            label: t('discounts.restaurants'),
            hint: t('discounts.restaurantsHint'),
          },
          {
            name: 'rateClass',
            kind: 'choice',
            label: t('keys.rateClass'),
            options: ['STANDARD', 'HIGH'].map((value) => [value, code('rateClass', value)]),
          },
          { name: 'expiresAt', kind: 'moment', label: t('gifts.expiresAt') },
        ]}
        defaults={{ use: 'ADMIN', rateClass: 'STANDARD' }}
        create={{
          operation: 'createApiKey',
          label: t('keys.create'),
          after: (answer) => setToken((answer as { token: string }).token),
        }}
        edit={{
          operation: 'updateApiKey',
          read: 'getApiKey',
          key: ({ id }) => ({ id }),
        }}
        remove={{
          operation: 'revokeApiKey',
          key: ({ id }) => ({ id }),
          label: t('keys.revoke'),
          text: ({ name }) => t('keys.revokeText', { name }),
        }}
        reason={whenRevoked}
        more={({ id, revokedAt, ownerId }) => (
          <>
            <ActionButton
              small
              action={rotate}
              onDone={(answer) => setToken(answer.token)}
              label={t('keys.rotate')}
              reason={whenRevoked({ revokedAt })}
              fields={[
                {
                  name: 'overlapHours',
                  kind: 'number',
                  label: t('keys.overlap'),
                  hint: t('keys.overlapHint'),
                  isRequired: true,
                  min: 0,
                },
              ]}
              defaults={{ overlapHours: 24 }}
              input={({ overlapHours }) => [{ id }, { overlapHours: Number(overlapHours) }]}
            />
            <ActionButton
              small
              action={takeOver}
              label={t('keys.takeOver')}
              reason={
                whenRevoked({ revokedAt }) ?? (ownerId === profile.id ? t('keys.isYours') : null)
              }
              confirm={t('keys.takeOverText')}
              input={() => [{ id }]}
            />
          </>
        )}
      />
      <Dialog title={t('keys.token')} isOpen={token !== null} onClose={() => setToken(null)} isBox>
        <p>{t('keys.tokenText')}</p>
        <pre className={css['pre']} tabIndex={0}>
          {token}
        </pre>
      </Dialog>
    </>
  );
}
