import { isProblem, ProblemError } from '@carte/client/admin';
import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { code, t } from '../texts/texts.ts';
import { Button } from './button.tsx';
import css from './parts.module.css';

type Problem = ProblemError['problem'];
type ErrorProps = { error: unknown; onRetry?: (() => void) | undefined };

/** Shows a failure with its fields, the request id, and a button that retries. */
export function ErrorState({ error, onRetry }: ErrorProps) {
  if (isProblem(error, 'forbidden')) return <p className={css['muted']}>{error.problem.detail}</p>;
  const {
    title,
    detail,
    requestId = '',
    errors = [],
  } = error instanceof ProblemError ? error.problem : noAnswer();

  return (
    <div role="alert" className={css['error']}>
      <strong>{title}</strong>
      <p>{detail}</p>
      <ul>
        {errors.map((wrong) => (
          <li key={`${wrong.field} ${wrong.code}`}>
            <code>{wrong.field}</code> {wrong.message}
          </li>
        ))}
      </ul>
      <div className={css['row']}>
        {onRetry !== undefined && (
          <Button small onPress={onRetry}>
            {t('action.retry')}
          </Button>
        )}
        {requestId !== '' && (
          <span className={css['muted']}>
            {t('error.request')} <code>{requestId}</code>
          </span>
        )}
      </div>
    </div>
  );
}

const noAnswer = (): Partial<Problem> & Pick<Problem, 'title' | 'detail'> => ({
  title: t('error.network'),
  detail: t('error.networkDetail'),
});

export function Forbidden({ permission }: { permission: string }) {
  return (
    <p className={css['muted']}>
      {t('error.forbidden', { permission: code('permission', permission) })}
    </p>
  );
}

export type Empty = { text: string; action?: ReactNode };

export function EmptyState({ text, action }: Empty) {
  return (
    <div className={css['empty']}>
      <p>{text}</p>
      {action}
    </div>
  );
}

export function Skeleton({ rows = 4 }: { rows?: number }) {
  return (
    <div className={css['skeleton']} role="status" aria-label={t('state.loading')}>
      {Array.from({ length: rows }, (_, at) => (
        <span key={at} />
      ))}
    </div>
  );
}

type LoadedProps<Value> = {
  query: UseQueryResult<Value>;
  children: (value: Value) => ReactNode;
  rows?: number;
};

/** Shows the answer of a read. During and after a failed reload, the last answer stays, dimmed. */
export function Loaded<Value>({ query, children, rows }: LoadedProps<Value>) {
  const { data, error, refetch, isPlaceholderData, fetchStatus } = query;
  const retry = () => void refetch();
  // The person lacks the permission, or has selected nothing yet.
  if (data === undefined && error === null && fetchStatus === 'idle') return null;
  if (data === undefined)
    return error === null ? (
      <Skeleton {...(rows === undefined ? {} : { rows })} />
    ) : (
      <ErrorState error={error} onRetry={retry} />
    );

  return (
    <>
      {error !== null && <ErrorState error={error} onRetry={retry} />}
      <div className={isPlaceholderData ? css['stale'] : undefined} aria-busy={isPlaceholderData}>
        {children(data)}
      </div>
    </>
  );
}
