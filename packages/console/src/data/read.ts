import { useQuery, type QueryKey, type UseQueryResult } from '@tanstack/react-query';
import type { Data, Input, OperationId } from './api.ts';
import { useMayRead } from './access.tsx';
import { session } from './api.ts';

type ReadOptions = { enabled?: boolean; everyMs?: number };

export function call<Id extends OperationId>(
  operation: Id,
  input: readonly unknown[],
  options: object,
): Promise<Data<Id>> {
  const method = session.api[operation] as (...given: unknown[]) => Promise<{ data: Data<Id> }>;
  return method(...input, options).then(({ data }) => data);
}

const IDS = ['id', 'item_id', 'phone'] as const;

/** Returns true if two inputs name the same record, and for lists, whose inputs name none. */
function isSameRecord(one: unknown, other: unknown): boolean {
  const [before, after] = [one, other].map((input) => (input ?? {}) as Record<string, unknown>);
  return IDS.every((name) => before![name] === after![name]);
}

/**
 * Keeps the last answer visible while the next one of the same record loads. Reads again after
 * each action and announced change. Requests nothing without the permission.
 */
export function useRead<Id extends OperationId>(
  operation: Id,
  input: Input<Id>,
  { enabled = true, everyMs }: ReadOptions = {},
): UseQueryResult<Data<Id>> {
  const mayRead = useMayRead(operation);
  return useQuery({
    queryKey: [operation, ...(input as readonly unknown[])],
    queryFn: ({ signal }) => call(operation, input as readonly unknown[], { signal }),
    placeholderData: ((last: Data<Id> | undefined, query?: { queryKey: QueryKey }) =>
      isSameRecord(query?.queryKey[1], (input as readonly unknown[])[0])
        ? last
        : undefined) as never,
    enabled: enabled && mayRead,
    ...(everyMs === undefined ? {} : { refetchInterval: everyMs }),
  }) as UseQueryResult<Data<Id>>;
}

type ListId = {
  [Id in OperationId]: Data<Id> extends { items: unknown[]; total: number } ? Id : never;
}[OperationId];

/** Reads all pages of a list, for a selection or a tree. */
export function useAll<Id extends ListId>(
  operation: Id,
  filters: Input<Id>[0],
): UseQueryResult<Data<Id>> {
  const mayRead = useMayRead(operation);
  return useQuery({
    queryKey: [operation, 'all', filters],
    queryFn: async ({ signal }) => {
      const readPage = (page: number) =>
        call(operation, [{ ...(filters as object), size: PAGE_SIZE, page }], {
          signal,
        }) as Promise<Page>;

      const all = await readPage(1);

      for (let page = 2; all.items.length < all.total; page += 1) {
        const { items } = await readPage(page);
        if (items.length === 0) break;
        all.items.push(...items);
      }

      return all as Data<Id>;
    },
    enabled: mayRead,
  });
}

type Page = { items: unknown[]; total: number };
const PAGE_SIZE = 200;
