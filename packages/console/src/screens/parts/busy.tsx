import { useAction } from '../../data/action.ts';
import type { Overview } from '../../data/records.ts';
import { ActionButton } from '../../parts/action-button.tsx';
import css from '../../parts/parts.module.css';
import { Status, When } from '../../parts/values.tsx';
import { inMinutes, toMoment } from '../../pure/moments.ts';
import { t } from '../../texts/texts.ts';

const EXTRA_MINUTES = 20;
/** Minutes after which busy mode ends. */
const BUSY_MINUTES = 120;

/**
 * Returns the end of a busy mode that begins at a moment of the server, because the clock of a
 * browser may be fast.
 */
export function busyEnd(at: string, zone: string) {
  const local = inMinutes(BUSY_MINUTES, zone, new Date(at));
  return { local, time: local.slice(11, 16), moment: toMoment(local, zone) };
}

type BusyProps = {
  restaurant: Overview;
  /** The moment of the server at which the restaurant was read. */
  at: string;
};

export function Busy({ restaurant: { organizationId, busy, timeZone }, at }: BusyProps) {
  const set = useAction('setBusyModes');
  const end = useAction('endBusyMode');
  const { time, moment } = busyEnd(at, timeZone);
  if (busy === null)
    return (
      <ActionButton
        small
        action={set}
        label={t('restaurants.plus', { minutes: EXTRA_MINUTES })}
        done={t('restaurants.busySet', { minutes: EXTRA_MINUTES, until: time })}
        input={() => [
          { extraMinutes: EXTRA_MINUTES, until: moment, organizationIds: [organizationId] },
        ]}
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
