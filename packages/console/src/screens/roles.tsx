import { isProblem, OPERATION_PERMISSIONS } from '@carte/client/admin';
import { useState } from 'react';
import { useAction } from '../data/action.ts';
import type { Data } from '../data/api.ts';
import { useRead } from '../data/read.ts';
import { ActionButton } from '../parts/action-button.tsx';
import { Button } from '../parts/button.tsx';
import { Block, Page } from '../parts/page.tsx';
import css from '../parts/parts.module.css';
import { ErrorState, Loaded } from '../parts/states.tsx';
import { announce } from '../parts/toast.tsx';
import { code, needs, t } from '../texts/texts.ts';
import styles from './parts/matrix.module.css';
import { roleName } from './parts/role-name.ts';
import { toText } from '../pure/fields.ts';
import { toggled, withToggle, type Toggles } from '../pure/toggles.ts';

type Role = Data<'listRoles'>['items'][number];
type Permission = Role['permissions'][number];

const PERMISSIONS = [
  ...new Set(
    Object.values(OPERATION_PERMISSIONS).flatMap((need) =>
      typeof need === 'string' ? [need] : [],
    ),
  ),
].toSorted() as Permission[];

export function Screen() {
  const query = useRead('listRoles', [{ size: 100 }]);
  const create = useAction('createRole');

  return (
    <Page
      title={t('roles.title')}
      lead={t('roles.lead')}
      actions={
        <ActionButton
          look="primary"
          action={create}
          label={t('roles.create')}
          fields={[
            { name: 'code', kind: 'text', label: t('badges.code'), isRequired: true },
            { name: 'name', kind: 'text', label: t('product.name'), isRequired: true },
          ]}
          input={({ code: value, name }) => [
            { code: toText(value), name: toText(name), permissions: [] },
          ]}
        />
      }
    >
      <Block needs="listRoles">
        <Loaded query={query}>{({ items }) => <Matrix roles={items} />}</Loaded>
      </Block>
    </Page>
  );
}

/** Applies unsaved toggles to the newest permissions, so that changes of other people stay. */
function Matrix({ roles }: { roles: readonly Role[] }) {
  const update = useAction('updateRole');
  const [changed, setChanged] = useState<ReadonlyMap<number, Toggles<Permission>>>(new Map());
  const listPermissions = (role: Role) => toggled(role.permissions, changed.get(role.id));
  const toggle = (role: Role, permission: Permission, isOn: boolean) => {
    const toggles = withToggle(role.permissions, changed.get(role.id), permission, isOn);
    const next = new Map(changed);
    if (toggles.size === 0) next.delete(role.id);
    else next.set(role.id, toggles);
    setChanged(next);
  };

  const save = async () => {
    for (const role of roles.filter(({ id }) => changed.has(id))) {
      await update.run(
        { id: role.id },
        { version: role.version, permissions: [...listPermissions(role)] },
      );

      setChanged((before) => new Map([...before].filter(([id]) => id !== role.id)));
    }

    announce(t('action.saved'));
  };

  const lacks = needs(update.lacks);

  return (
    <div className={css['stack']}>
      <div className={styles['scroll']} tabIndex={0} role="region" aria-label={t('roles.title')}>
        <table className={styles['matrix']}>
          <thead>
            <tr>
              <th>{t('roles.permission')}</th>
              {roles.map(({ id, users, ...role }) => (
                <th key={id}>
                  {roleName(role)}
                  <div className={css['muted']}>{t('roles.users', { count: users })}</div>
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {PERMISSIONS.map((permission) => (
              <tr key={permission}>
                <th scope="row">
                  {code('permission', permission)} <code>{permission}</code>
                </th>
                {roles.map((role) => (
                  <td key={role.id}>
                    <input
                      type="checkbox"
                      aria-label={`${roleName(role)}: ${code('permission', permission)}`}
                      disabled={role.code === 'ADMIN' || lacks !== null}
                      checked={listPermissions(role).has(permission)}
                      onChange={({ target }) => toggle(role, permission, target.checked)}
                    />
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <p className={css['muted']}>{t('roles.adminHint')}</p>
      {isProblem(update.error, 'version-conflict') ? (
        <p role="alert" className={css['notice']}>
          {t('roles.overtaken')}
        </p>
      ) : (
        update.error !== null && <ErrorState error={update.error} />
      )}
      <div className={css['row']}>
        <Button
          look="primary"
          isPending={update.isPending}
          reason={lacks ?? (changed.size === 0 ? t('categories.unchanged') : null)}
          onPress={() => void save().catch(() => undefined)}
        >
          {t('action.save')}
        </Button>
        <Button
          reason={changed.size === 0 ? t('categories.unchanged') : null}
          onPress={() => setChanged(new Map())}
        >
          {t('categories.discard')}
        </Button>
      </div>
    </div>
  );
}
