import { useAction } from '../../data/action.ts';
import { useState } from 'react';
import { ActionButton } from '../../parts/action-button.tsx';
import { Button } from '../../parts/button.tsx';
import type { Field } from '../../parts/form.tsx';
import css from '../../parts/parts.module.css';
import { ErrorState } from '../../parts/states.tsx';
import { announce } from '../../parts/toast.tsx';
import { inMinutes, momentOf } from '../../pure/moments.ts';
import { code, needs, t } from '../../texts/texts.ts';
import type { Overview } from '../../data/records.ts';
import { textOf } from '../../pure/fields.ts';
import { BUSY_MINUTES } from './busy.tsx';
import { useExceptionsDone } from './use-exceptions-done.ts';

const EXTRA = [10, 20, 40];

const untilField = (): Field => ({
  name: 'until',
  kind: 'time',
  label: t('restaurants.untilTime'),
  isRequired: true,
});

/** Actions for the chosen restaurants. Each ends at its time. */
export function RestaurantActions({ chosen }: { chosen: readonly Overview[] }) {
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

  const extend = (extraMinutes: number) => {
    const until = inMinutes(BUSY_MINUTES, zone).slice(11, 16);
    setError(null);
    setBusy
      .run({ extraMinutes, until, organizationIds })
      .then(() => announce(t('restaurants.busySet', { minutes: extraMinutes, until })), setError);
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
          untilField(),
        ]}
        defaults={{ extraMinutes: 20, until: inMinutes(BUSY_MINUTES, zone).slice(11, 16) }}
        input={({ extraMinutes, until }) => [
          { extraMinutes: Number(extraMinutes), until: textOf(until), organizationIds },
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
          { name: 'to', kind: 'localTime', label: t('restaurants.untilMoment'), isRequired: true },
          {
            name: 'channel',
            kind: 'choice',
            label: t('restaurants.channel'),
            options: ['DELIVERY', 'PICKUP'].map((type) => [type, code('fulfillment', type)]),
          },
          { name: 'reason', kind: 'text', label: t('form.reason') },
        ]}
        defaults={{ to: inMinutes(60, zone) }}
        zone={zone}
        input={({ to, channel, reason: why }) => [
          {
            organizationIds,
            mode: 'APPLY' as const,
            kind: 'INTAKE_STOPPED' as const,
            from: new Date().toISOString(),
            to: momentOf(textOf(to), zone),
            ...(channel === undefined ? {} : { channel: channel as 'DELIVERY' }),
            ...(why === undefined ? {} : { reason: textOf(why) }),
          },
        ]}
      />
      {error !== null && <ErrorState error={error} />}
    </div>
  );
}
