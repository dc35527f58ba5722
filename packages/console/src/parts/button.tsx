import { Link } from '@tanstack/react-router';
import { useId, type ReactNode } from 'react';
import { t } from '../texts/texts.ts';
import css from './parts.module.css';

export type Look = 'primary' | 'danger' | 'quiet' | 'plain';

type ButtonProps = {
  children: ReactNode;
  onPress?: (() => void) | undefined;
  look?: Look;
  small?: boolean;
  submit?: boolean;
  /** The reason why the button is disabled. The button stays reachable by keyboard. */
  reason?: string | null | undefined;
  isPending?: boolean;
  label?: string;
};

const buildClass = (look: Look, small: boolean): string =>
  [css['button'], look === 'plain' ? '' : css[look], small ? css['small'] : '']
    .filter(Boolean)
    .join(' ');

/** Shows the reason while it is disabled (rule CSL-7). */
export function Button({
  children,
  onPress,
  look = 'plain',
  small = false,
  submit = false,
  ...props
}: ButtonProps) {
  const id = useId();
  const reason = props.reason ?? (props.isPending === true ? t('action.pending') : null);
  const button = (
    <button
      type={submit ? 'submit' : 'button'}
      className={buildClass(look, small)}
      aria-label={props.label}
      aria-disabled={reason === null ? undefined : true}
      aria-describedby={reason === null ? undefined : id}
      onClick={(event) => {
        if (reason !== null) event.preventDefault();
        else onPress?.();
      }}
    >
      {children}
    </button>
  );

  if (reason === null) return button;

  return (
    <span className={css['why']}>
      {button}
      <span id={id} role="tooltip" className={css['reason']}>
        {reason}
      </span>
    </span>
  );
}

type LinkButtonProps = {
  to: string;
  search?: Record<string, unknown>;
  look?: Look;
  small?: boolean;
  children: ReactNode;
};

export function LinkButton({
  to,
  search,
  look = 'plain',
  small = false,
  children,
}: LinkButtonProps) {
  return (
    <Link to={to} search={(search ?? {}) as never} className={buildClass(look, small)}>
      {children}
    </Link>
  );
}
