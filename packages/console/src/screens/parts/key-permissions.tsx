import css from '../../parts/parts.module.css';
import type { ItemOf } from '../../parts/resource.tsx';
import { Status } from '../../parts/values.tsx';
import { code, t } from '../../texts/texts.ts';

/** Permissions that the owner lacks do not apply. */
export function KeyPermissions({ apiKey }: { apiKey: ItemOf<'listApiKeys'> }) {
  const { use, permissions, effectivePermissions } = apiKey;
  if (use === 'STOREFRONT') return '—';
  const isLimited = effectivePermissions.length < permissions.length;

  return (
    <details>
      <summary>{t('keys.permissionCount', { count: effectivePermissions.length })}</summary>
      <ul>
        {permissions.map((permission) => (
          <li key={permission}>
            {code('permission', permission)}{' '}
            {!(effectivePermissions as readonly string[]).includes(permission) && (
              <Status tone="warn">{t('keys.ownerLacks')}</Status>
            )}
          </li>
        ))}
      </ul>
      {isLimited && <p className={css['muted']}>{t('keys.limited')}</p>}
    </details>
  );
}
