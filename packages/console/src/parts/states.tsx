import { isProblem, ProblemError } from '@carte/client/admin';
import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { code, currentLanguage, isKey, t } from '../texts/texts.ts';
import { Button } from './button.tsx';
import css from './parts.module.css';

type Problem = ProblemError['problem'];
type ErrorProps = { error: unknown; onRetry?: (() => void) | undefined };

/** A failure with its fields, the id of the request and a way to repeat it. */
export function ErrorState({ error, onRetry }: ErrorProps) {
  if (isProblem(error, 'forbidden')) return <Forbidden permission={permissionOf(error)} />;
  const { title, detail, requestId = '', errors = [] } = error instanceof ProblemError ? error.problem : noAnswer();
  return (
    <div role="alert" className={css['error']}>
      <strong>{titleOf(error, title)}</strong>
      <Detail text={detail} />
      <ul>
        {errors.map((wrong) => (
          <li key={`${wrong.field} ${wrong.code}`}>
            <code>{wrong.field}</code> {fieldText(wrong)}
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

/** The title of a problem in the language of the person, where there is one. */
const titleOf = (error: unknown, title: string): string => {
  if (currentLanguage() === 'en' || !(error instanceof ProblemError)) return title;
  return isKey(`problem.${error.kind}`) ? code('problem', error.kind) : title;
};

/** The fault of a field: the words of the server, or their translation. */
export const fieldText = ({ code: name, message }: { code: string; message: string }): string =>
  currentLanguage() === 'en' ? message : code('fieldError', name);

/** The words of the server are English: in another language they are an addition. */
function Detail({ text }: { text: string }) {
  if (currentLanguage() === 'en' || text === t('error.networkDetail')) return <p>{text}</p>;
  return (
    <details>
      <summary>{t('error.detail')}</summary>
      <p lang="en" translate="no">
        {text}
      </p>
    </details>
  );
}

const permissionOf = (error: ProblemError): string => /`?([a-z]+\.[a-z]+)`?/.exec(error.problem.detail)?.[1] ?? '';

/** In place of a block that the person may not see. */
export function Forbidden({ permission }: { permission: string }) {
  return <p className={css['muted']}>{t('error.forbidden', { permission })}</p>;
}

export type Empty = { text: string; action?: ReactNode };

/** An empty list, with the action that would fill it. */
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
