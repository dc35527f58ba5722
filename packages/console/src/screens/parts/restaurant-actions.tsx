import { useAction } from '../../data/action.ts';
import { useState } from 'react';
import { ActionButton } from '../../parts/action-button.tsx';
import { Button } from '../../parts/button.tsx';
import type { Field } from '../../parts/form.tsx';
import css from '../../parts/parts.module.css';
import { ErrorState } from '../../parts/states.tsx';
import { announce } from '../../parts/toast.tsx';
import { zoneName } from '../../pure/format.ts';
import { inMinutes, toMoment } from '../../pure/moments.ts';
import { currentLanguage, needs, t } from '../../texts/texts.ts';
import type { Overview } from '../../data/records.ts';
import { toText } from '../../pure/fields.ts';
import { busyEnd } from './busy.tsx';
import { channelField } from './edit-exception.tsx';
import { useExceptionsDone } from './use-exceptions-done.ts';

const EXTRA = [10, 20, 40];

const untilField = (name: string): Field => ({
  name,
  kind: 'localTime',
  label: t('restaurants.untilMoment'),
  isRequired: true,
});

type ActionsProps = {
  chosen: readonly Overview[];
  /** The moment of the server at which the restaurants were read. */
  at: string;
};

/**
 * Actions for the chosen restaurants. Each ends by itself at its time, which is the same moment in
 * all time zones. A stop begins at the moment of the server, because the clock of a browser may be
 * fast.
 */
export function RestaurantActions({ chosen, at }: ActionsProps) {
  const setBusy = useAction('setBusyModes');
  const endBusy = useAction('endBusyMode');
  const stop = useAction('createScheduleExceptions');
  const stopped = useExceptionsDone(chosen);
  const [error, setError] = useState<unknown>(null);
  const organizationIds = chosen.map(({ organizationId }) => organizationId);
  const zone = chosen[0]?.timeZone ?? 'UTC';
  const reason = chosen.length === 0 ? t('restaurants.chooseFirst') : null;
  const isBusy = chosen.some(({ busy }) => busy !== null);
  const lacks = needs(setBusy.lacks) ?? reason;

  const { local, time, moment } = busyEnd(at, zone);
  const isOneZone = chosen.every(({ timeZone }) => timeZone === zone);
  const busySet = (minutes: number) => {
    const until = isOneZone ? time : `${time} (${zoneName(zone, currentLanguage())})`;
    return t('restaurants.busySet', { minutes, until });
  };

  const extend = (extraMinutes: number) => {
    setError(null);
    setBusy
      .run({ extraMinutes, until: moment, organizationIds })
      .then(() => announce(busySet(extraMinutes)), setError);
  };

  const endAll = async () => {
    setError(null);
    for (const id of organizationIds) await endBusy.run({ id });
    announce(t('restaurants.busyEnded'));
  };

  return (
    <div className={css['row']} role="group" aria-label={t('restaurants.actions')}>
      <span className={css['muted']}>{t('restaurants.chosen', { count: chosen.length })}</span>
      {EXTRA.map((minutes) => (
        <Button
          key={minutes}
          small
          reason={lacks}
          isPending={setBusy.isPending}
          onPress={() => extend(minutes)}
        >
          {t('restaurants.plus', { minutes })}
        </Button>
      ))}
      <ActionButton
        small
        action={setBusy}
        label={t('restaurants.busyOther')}
        reason={reason}
        fields={[
          {
            name: 'extraMinutes',
            kind: 'number',
            label: t('restaurants.extraMinutes'),
            isRequired: true,
            min: 5,
            max: 180,
          },
          untilField('until'),
        ]}
        defaults={{ extraMinutes: 20, until: local }}
        zone={zone}
        input={({ extraMinutes, until }) => [
          {
            extraMinutes: Number(extraMinutes),
            until: toMoment(toText(until), zone),
            organizationIds,
          },
        ]}
      />
      <Button
        small
        reason={needs(endBusy.lacks) ?? reason ?? (isBusy ? null : t('restaurants.notBusy'))}
        isPending={endBusy.isPending}
        onPress={() => void endAll().catch(setError)}
      >
        {t('restaurants.endBusy')}
      </Button>
      <ActionButton
        small
        look="danger"
        action={stop}
        label={t('restaurants.stop')}
        reason={reason}
        done={stopped}
        confirm={t('restaurants.stopText', { count: chosen.length })}
        fields={[
          untilField('to'),
          channelField(['DELIVERY', 'PICKUP']),
          { name: 'reason', kind: 'text', label: t('form.reason') },
        ]}
        defaults={{ to: inMinutes(60, zone, new Date(at)) }}
        zone={zone}
        input={({ to, channel, reason: why }) => [
          {
            organizationIds,
            mode: 'APPLY' as const,
            kind: 'INTAKE_STOPPED' as const,
            from: at,
            to: toMoment(toText(to), zone),
            ...(channel === undefined ? {} : { channel: channel as 'DELIVERY' }),
            ...(why === undefined ? {} : { reason: toText(why) }),
          },
        ]}
      />
      {error !== null && <ErrorState error={error} />}
    </div>
  );
}
