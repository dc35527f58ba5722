import { Button } from '../../parts/button.tsx';
import form from '../../parts/form.module.css';
import css from '../../parts/parts.module.css';
import { DAYS, parseMinutes, listWindows, type HoursWindow } from '../../pure/week.ts';
import { code, t } from '../../texts/texts.ts';
import type { WeekProps } from './week-props.ts';

/** The week as times, for screen readers. A closing time before the opening is the next day. */
export function WeekTable({ windows, channel, change }: WeekProps) {
  const set = (old: HoursWindow, times: Partial<Pick<HoursWindow, 'opensAt' | 'closesAt'>>) => {
    const next = { ...old, ...times };
    const crossesMidnight = parseMinutes(next.closesAt) <= parseMinutes(next.opensAt);
    change(windows.map((window) => (window === old ? { ...next, crossesMidnight } : window)));
  };

  return (
    <ul className={css['list']}>
      {DAYS.map((day) => {
        const name = code('weekday', String(day));
        const shown = listWindows(windows, day, channel);

        return (
          <li key={day}>
            <strong className={css['grow']}>{name}</strong>
            {shown.length === 0 && <span className={css['muted']}>{t('week.closed')}</span>}
            {shown.map((window, at) => (
              <span key={at} className={css['row']}>
                <input
                  className={form['input']}
                  style={{ width: '7rem' }}
                  type="time"
                  aria-label={t('week.opens', { day: name })}
                  value={window.opensAt.slice(0, 5)}
                  onChange={({ target }) =>
                    target.value !== '' && set(window, { opensAt: target.value })
                  }
                />
                –
                <input
                  className={form['input']}
                  style={{ width: '7rem' }}
                  type="time"
                  aria-label={t('week.closes', { day: name })}
                  value={window.closesAt.slice(0, 5)}
                  onChange={({ target }) =>
                    target.value !== '' && set(window, { closesAt: target.value })
                  }
                />
                {window.crossesMidnight && (
                  <span className={css['muted']}>{t('week.nextDay')}</span>
                )}
                <Button
                  small
                  look="quiet"
                  label={t('week.remove', { day: name })}
                  onPress={() => change(windows.filter((other) => other !== window))}
                >
                  ✕
                </Button>
              </span>
            ))}
            <Button
              small
              look="quiet"
              label={t('week.add', { day: name })}
              onPress={() =>
                change([
                  ...windows,
                  {
                    dayOfWeek: day,
                    channel,
                    opensAt: '10:00',
                    closesAt: '22:00',
                    crossesMidnight: false,
                  },
                ])
              }
            >
              +
            </Button>
          </li>
        );
      })}
    </ul>
  );
}
