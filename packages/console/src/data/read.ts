import { keepPreviousData, useQuery, type UseQueryResult } from '@tanstack/react-query';
import type { Data, Input, OperationId } from './api.ts';
import { session } from './api.ts';

type ReadOptions = { enabled?: boolean; everyMs?: number };

/** Calls an operation by its id. */
export function call<Id extends OperationId>(
  operation: Id,
  input: readonly unknown[],
  options: object,
): Promise<Data<Id>> {
  const method = session.api[operation] as (...given: unknown[]) => Promise<{ data: Data<Id> }>;
  return method(...input, options).then(({ data }) => data);
}

/**
 * Reads the answer of an operation and keeps the last one visible while the next one loads. It is
 * read again after each action and when the stream of staff announces a change.
 */
export function useRead<Id extends OperationId>(
  operation: Id,
  input: Input<Id>,
  { enabled = true, everyMs }: ReadOptions = {},
): UseQueryResult<Data<Id>> {
  return useQuery({
    queryKey: [operation, ...(input as readonly unknown[])],
    queryFn: ({ signal }) => call(operation, input as readonly unknown[], { signal }),
    placeholderData: keepPreviousData as never,
    enabled,
    ...(everyMs === undefined ? {} : { refetchInterval: everyMs }),
  }) as UseQueryResult<Data<Id>>;
}
