import type { KeyboardEvent, PointerEvent } from 'react';
import { useRef } from 'react';
import { Button } from '../../parts/button.tsx';
import { DAYS, edgeMoved, toSpan, STEP, listWindows, type HoursWindow } from '../../pure/week.ts';
import { code, t } from '../../texts/texts.ts';
import type { WeekProps } from './week-props.ts';
import css from './week.module.css';

/** 30 hours, so that a window past midnight is one bar. */
const ROW_MINUTES = 1_800;
/** Hours that the scale names. */
const SCALE = [0, 6, 12, 18, 24];
const percent = (minutes: number): string => `${(minutes / ROW_MINUTES) * 100}%`;

/** The week as bars. Their edges move with the mouse, or in steps of 15 minutes with arrow keys. */
export function WeekGrid({ windows, channel, change }: WeekProps) {
  const replace = (old: HoursWindow, next: HoursWindow | null) =>
    change(windows.flatMap((window) => (window === old ? (next ?? []) : window)));
  const add = (dayOfWeek: number) =>
    change([
      ...windows,
      { dayOfWeek, channel, opensAt: '10:00', closesAt: '22:00', crossesMidnight: false },
    ]);

  return (
    <div className={css['grid']}>
      <div className={css['day']} aria-hidden="true">
        <span />
        <div className={css['scale']}>
          {SCALE.map((hour) => (
            <span key={hour} style={{ left: percent(hour * 60) }}>
              {`${hour % 24}:00`.padStart(5, '0')}
            </span>
          ))}
        </div>
        <span />
      </div>
      {DAYS.map((day) => (
        <div key={day} className={css['day']}>
          <span className={css['name']}>{code('weekday', String(day))}</span>
          <div className={css['row']}>
            {listWindows(windows, day, channel).map((window, at) => (
              <Bar key={at} window={window} replace={(next) => replace(window, next)} />
            ))}
          </div>
          <Button
            small
            look="quiet"
            label={t('week.add', { day: code('weekday', String(day)) })}
            onPress={() => add(day)}
          >
            +
          </Button>
        </div>
      ))}
    </div>
  );
}

function Bar({
  window,
  replace,
}: {
  window: HoursWindow;
  replace: (next: HoursWindow | null) => void;
}) {
  const [from, to] = toSpan(window);
  return (
    <div className={css['bar']} style={{ left: percent(from), width: percent(to - from) }}>
      <Edge edge="opens" window={window} replace={replace} />
      <span className={css['text']}>
        {window.opensAt.slice(0, 5)}–{window.closesAt.slice(0, 5)}
      </span>
      <Edge edge="closes" window={window} replace={replace} />
    </div>
  );
}

type EdgeProps = {
  edge: 'opens' | 'closes';
  window: HoursWindow;
  replace: (next: HoursWindow | null) => void;
};

const KEYS: Readonly<Record<string, number>> = {
  ArrowLeft: -1,
  ArrowRight: 1,
  PageDown: -4,
  PageUp: 4,
};

/** An edge of a window. The Delete key removes the window. */
function Edge({ edge, window, replace }: EdgeProps) {
  const start = useRef<{ x: number; perPixel: number; window: HoursWindow } | null>(null);
  const press = (event: KeyboardEvent) => {
    if (event.key === 'Delete' || event.key === 'Backspace') return replace(null);
    const steps = KEYS[event.key];
    if (steps === undefined) return;
    event.preventDefault();
    replace(edgeMoved(window, edge, steps));
  };

  const down = (event: PointerEvent<HTMLDivElement>) => {
    const row = event.currentTarget.parentElement!.parentElement!;
    event.currentTarget.setPointerCapture(event.pointerId);
    start.current = { x: event.clientX, perPixel: ROW_MINUTES / row.clientWidth, window };
  };

  const drag = (event: PointerEvent) => {
    if (start.current === null) return;
    const { x, perPixel, window: before } = start.current;
    replace(edgeMoved(before, edge, Math.round(((event.clientX - x) * perPixel) / STEP)));
  };

  const [from, to] = toSpan(window);
  const value = edge === 'opens' ? from : to;
  const time = edge === 'opens' ? window.opensAt : window.closesAt;
  const day = code('weekday', String(window.dayOfWeek));

  return (
    <div
      role="slider"
      tabIndex={0}
      className={css['edge']}
      aria-label={t(edge === 'opens' ? 'week.opens' : 'week.closes', { day })}
      aria-valuemin={0}
      aria-valuemax={ROW_MINUTES}
      aria-valuenow={value}
      aria-valuetext={time.slice(0, 5)}
      onKeyDown={press}
      onPointerDown={down}
      onPointerMove={drag}
      onPointerUp={() => (start.current = null)}
    />
  );
}
