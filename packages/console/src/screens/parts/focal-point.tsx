import type { KeyboardEvent, MouseEvent } from 'react';
import { t } from '../../texts/texts.ts';
import parts from '../../parts/parts.module.css';
import css from './media.module.css';

type Point = { x: number; y: number };

type FocalPointProps = {
  picture: { url: string; alt: string | null; focalPoint: Point };
  change: (point: Point) => void;
};

const STEP = 0.05;

const STEPS: Readonly<Record<string, Point>> = {
  ArrowLeft: { x: -STEP, y: 0 },
  ArrowRight: { x: STEP, y: 0 },
  ArrowUp: { x: 0, y: -STEP },
  ArrowDown: { x: 0, y: STEP },
};

const within = (value: number): number => Math.round(Math.min(1, Math.max(0, value)) * 1000) / 1000;

/** Sets the point that every crop includes, by click or with arrow keys. */
export function FocalPoint({ picture: { url, alt, focalPoint }, change }: FocalPointProps) {
  const click = (event: MouseEvent) => {
    // A key press has no position.
    if (event.detail === 0) return;
    const { left, top, width, height } = event.currentTarget.getBoundingClientRect();
    change({
      x: within((event.clientX - left) / width),
      y: within((event.clientY - top) / height),
    });
  };

  const press = (event: KeyboardEvent) => {
    const step = STEPS[event.key];
    if (step === undefined) return;
    event.preventDefault();
    change({ x: within(focalPoint.x + step.x), y: within(focalPoint.y + step.y) });
  };

  return (
    <div className={parts['stack']}>
      <button
        type="button"
        className={css['focus']}
        onClick={click}
        onKeyDown={press}
        aria-label={t('pictures.focus')}
      >
        <img src={url} alt={alt ?? ''} />
        <span
          className={css['point']}
          style={{ left: `${focalPoint.x * 100}%`, top: `${focalPoint.y * 100}%` }}
        />
      </button>
      <span className={parts['muted']}>{t('pictures.focusHint')}</span>
    </div>
  );
}
