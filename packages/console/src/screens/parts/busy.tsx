import { useAction } from '../../data/action.ts';
import type { Overview } from '../../data/records.ts';
import { ActionButton } from '../../parts/action-button.tsx';
import css from '../../parts/parts.module.css';
import { Status, When } from '../../parts/values.tsx';
import { inMinutes } from '../../pure/moments.ts';
import { t } from '../../texts/texts.ts';

const EXTRA_MINUTES = 20;
/** Minutes after which busy mode ends. */
export const BUSY_MINUTES = 120;

export function Busy({ restaurant: { organizationId, busy, timeZone } }: { restaurant: Overview }) {
  const set = useAction('setBusyModes');
  const end = useAction('endBusyMode');
  const until = inMinutes(BUSY_MINUTES, timeZone).slice(11, 16);
  if (busy === null)
    return (
      <ActionButton
        small
        action={set}
        label={t('restaurants.plus', { minutes: EXTRA_MINUTES })}
        done={t('restaurants.busySet', { minutes: EXTRA_MINUTES, until })}
        input={() => [{ extraMinutes: EXTRA_MINUTES, until, organizationIds: [organizationId] }]}
      />
    );

  return (
    <div className={css['row']}>
      <span>
        <Status tone="warn">{t('restaurants.busyMinutes', { minutes: busy.extraMinutes })}</Status>
        <div className={css['muted']}>
          {t('restaurants.until')} <When at={busy.until} zone={timeZone} />
        </div>
      </span>
      <ActionButton
        small
        action={end}
        label={t('restaurants.undoBusy')}
        done={t('restaurants.busyEnded')}
        input={() => [{ id: organizationId }]}
      />
    </div>
  );
}
