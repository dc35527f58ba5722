import { useNavigate, useSearch } from '@tanstack/react-router';
import { useCallback } from 'react';
import type { Search } from '../pure/search.ts';

type Patch = Readonly<Record<string, string | readonly string[] | undefined>>;

/** Returns the search parameters and a function that changes some of them. */
export function useUrl(): [Search, (patch: Patch, options?: { replace?: boolean }) => void] {
  const search = useSearch({ strict: false }) as Search;
  const navigate = useNavigate();
  const change = useCallback(
    (patch: Patch, { replace = false }: { replace?: boolean } = {}) =>
      void navigate({
        to: '.',
        replace,
        search: ((before: Search) => ({ ...before, ...patch })) as never,
      }),
    [navigate],
  );

  return [search, change];
}
