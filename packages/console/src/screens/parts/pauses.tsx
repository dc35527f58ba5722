import { useAction } from '../../data/action.ts';
import { useRead } from '../../data/read.ts';
import { ActionButton } from '../../parts/action-button.tsx';
import { Block } from '../../parts/page.tsx';
import css from '../../parts/parts.module.css';
import { When } from '../../parts/values.tsx';
import { code, t } from '../../texts/texts.ts';

/** Imports that staff have paused. Empty if there are none. */
export function Pauses() {
  const query = useRead('listImportPauses', [{}]);
  const end = useAction('endImportPause');
  const items = query.data?.items ?? [];
  if (items.length === 0) return null;

  return (
    <Block title={t('sync.pauses')} needs="listImportPauses">
      <ul className={css['list']}>
        {items.map(({ id, job, externalMenuErpId, reason, until }) => (
          <li key={id}>
            <span className={css['grow']}>
              {code('job', job)} {externalMenuErpId} — {reason}
            </span>
            {until === null ? t('sync.open') : <When at={until} />}
            <ActionButton small action={end} label={t('sync.resume')} input={() => [{ id }]} />
          </li>
        ))}
      </ul>
    </Block>
  );
}
