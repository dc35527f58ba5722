import { useAction } from '../data/action.ts';
import { useRead } from '../data/read.ts';
import { ActionButton } from '../parts/action-button.tsx';
import type { Field } from '../parts/form.tsx';
import { Resource } from '../parts/resource.tsx';
import { Status } from '../parts/values.tsx';
import { t } from '../texts/texts.ts';
import { roleName } from './parts/role-name.ts';

export function Screen() {
  const roles = useRead('listRoles', [{ size: 100 }]);
  const removeFactor = useAction('removeSecondFactorOfUser');
  const options = (roles.data?.items ?? []).map((role) => [role.code, roleName(role)] as const);
  const fields = (isNew: boolean): readonly Field[] => [
    { name: 'fullName', kind: 'text', label: t('users.fullName'), isRequired: true },
    { name: 'email', kind: 'text', label: t('signIn.email'), isRequired: true },
    { name: 'phone', kind: 'text', label: t('order.phone') },
    { name: 'roles', kind: 'choices', label: t('account.roles'), options },
    {
      name: 'organizationIds',
      kind: 'restaurants',
      label: t('discounts.restaurants'),
      hint: t('users.restaurantsHint'),
    },
    {
      name: 'password',
      kind: 'password',
      label: t('signIn.password'),
      hint: t(isNew ? 'users.passwordHint' : 'users.newPasswordHint'),
    },
    ...(isNew
      ? []
      : [
          {
            name: 'isActive',
            kind: 'flag',
            label: t('rewards.isActive'),
            hint: t('users.activeHint'),
          } as const,
        ]),
  ];

  return (
    <Resource
      title={t('users.title')}
      lead={t('users.lead')}
      list="listUsers"
      filters={[
        { name: 'q', kind: 'text', label: t('users.find') },
        { name: 'role', kind: 'choice', label: t('users.role'), options },
        { name: 'is_active', kind: 'flag', label: t('rewards.isActive') },
      ]}
      rowId={({ id }) => String(id)}
      empty={t('users.none')}
      columns={[
        {
          id: 'name',
          header: t('users.fullName'),
          sort: 'fullName',
          cell: ({ fullName }) => <span translate="no">{fullName}</span>,
        },
        {
          id: 'email',
          header: t('signIn.email'),
          sort: 'email',
          cell: ({ email }) => <span translate="no">{email}</span>,
        },
        {
          id: 'roles',
          header: t('account.roles'),
          cell: ({ roles: own }) =>
            own.map((role) => options.find(([code]) => code === role)?.[1] ?? role).join(', '),
        },
        {
          id: 'restaurants',
          header: t('products.restaurants'),
          cell: ({ organizationIds }) =>
            organizationIds === null ? t('filter.all') : String(organizationIds.length),
        },
        {
          id: 'factor',
          header: t('account.secondFactor'),
          cell: ({ hasSecondFactor }) => (
            <Status tone={hasSecondFactor ? 'good' : 'warn'}>
              {t(hasSecondFactor ? 'account.factorOn' : 'account.factorOff')}
            </Status>
          ),
        },
        {
          id: 'active',
          header: t('rewards.isActive'),
          sort: 'isActive',
          cell: ({ isActive }) => t(isActive ? 'filter.yes' : 'filter.no'),
        },
      ]}
      fields={(row) => fields(row === undefined)}
      create={{ operation: 'createUser', label: t('users.create') }}
      edit={{ operation: 'updateUser', read: 'getUser', key: ({ id }) => ({ id }) }}
      remove={{
        operation: 'deleteUser',
        key: ({ id }) => ({ id }),
        label: t('action.delete'),
        text: ({ fullName }) => t('users.deleteText', { name: fullName }),
      }}
      more={({ id, hasSecondFactor }) => (
        <ActionButton
          small
          action={removeFactor}
          label={t('users.removeFactor')}
          reason={hasSecondFactor ? null : t('users.noFactor')}
          confirm={t('users.removeFactorText')}
          input={() => [{ id }]}
        />
      )}
    />
  );
}
