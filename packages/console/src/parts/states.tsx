import { isProblem, ProblemError } from '@carte/client/admin';
import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { t } from '../texts/texts.ts';
import { Button } from './button.tsx';
import css from './parts.module.css';

/** What is wrong, in the words of the server, with the id of the request and a way to repeat it. */
export function ErrorState({ error, onRetry }: { error: unknown; onRetry?: (() => void) | undefined }) {
  if (isProblem(error, 'forbidden')) return <Forbidden permission={permissionOf(error)} />;
  const problem = error instanceof ProblemError ? error.problem : null;
  return (
    <div role="alert" className={css['error']}>
      <strong>{problem === null ? t('error.network') : problem.title}</strong>
      <p>{problem === null ? t('error.networkDetail') : problem.detail}</p>
      {problem !== null && (problem.errors ?? []).length > 0 && (
        <ul>
          {problem.errors!.map(({ field, message }) => (
            <li key={`${field} ${message}`}>
              <code>{field}</code> {message}
            </li>
          ))}
        </ul>
      )}
      <div className={css['row']}>
        {onRetry !== undefined && (
          <Button small onPress={onRetry}>
            {t('action.retry')}
          </Button>
        )}
        {problem !== null && problem.requestId !== '' && (
          <span className={css['muted']}>{t('error.requestId', { id: problem.requestId })}</span>
        )}
      </div>
    </div>
  );
}

const permissionOf = (error: ProblemError): string => /`?([a-z]+\.[a-z]+)`?/.exec(error.problem.detail)?.[1] ?? '';

/** In place of a block that the person may not see. */
export function Forbidden({ permission }: { permission: string }) {
  return <p className={css['muted']}>{t('error.forbidden', { permission })}</p>;
}

export type Empty = { text: string; action?: ReactNode };

/** An empty list: it says what would fill it. */
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

type LoadedProps<Value> = { query: UseQueryResult<Value>; children: (value: Value) => ReactNode; rows?: number };

/**
 * The answer of a read. The last one stays visible and is dimmed while another one loads or when
 * it could not be read again.
 */
export function Loaded<Value>({ query, children, rows }: LoadedProps<Value>) {
  const { data, error, refetch, isPlaceholderData } = query;
  const retry = () => void refetch();
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
