import { QueryClient, queryOptions } from '@tanstack/react-query';
import { session } from '../data/api.ts';

const FRESH_MS = 5_000;

export const client = new QueryClient({
  defaultOptions: {
    // The client retries calls if the server requests it. Further retries would hide failures.
    // Without a network, calls fail at once.
    queries: {
      retry: false,
      staleTime: FRESH_MS,
      refetchOnWindowFocus: true,
      networkMode: 'always',
    },
    mutations: { networkMode: 'always' },
  },
});

/** Fails with `unauthorized` if there is no session. */
export const profileQuery = queryOptions({
  queryKey: ['me'],
  queryFn: ({ signal }) => session.api.me({ signal }).then((answer) => answer.data),
});
