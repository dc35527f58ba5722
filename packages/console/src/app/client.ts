import { QueryClient, queryOptions } from '@tanstack/react-query';
import { session } from '../data/api.ts';

const FRESH_MS = 5_000;

export const client = new QueryClient({
  defaultOptions: {
    // The client repeats calls if the server requests it; more would hide failures. Reads fail at
    // once without a network.
    queries: {
      retry: false,
      staleTime: FRESH_MS,
      refetchOnWindowFocus: true,
      networkMode: 'always',
    },
    mutations: { networkMode: 'always' },
  },
});

/** Fails with `unauthorized` without a session. */
export const profileQuery = queryOptions({
  queryKey: ['me'],
  queryFn: ({ signal }) => session.api.me({ signal }).then((answer) => answer.data),
});
