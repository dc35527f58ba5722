import { isProblem } from '@carte/client/admin';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useRef } from 'react';
import { useAccess } from './access.tsx';
import type { Data, Input, OperationId } from './api.ts';
import { call } from './read.ts';

/** An action that changes something on the server. */
export type Action<Id extends OperationId> = {
  operation: Id;
  /** Runs the action and returns its answer; rejects with the problem of the server. */
  run: (...input: Input<Id>) => Promise<Data<Id>>;
  isPending: boolean;
  /** True after it has succeeded. */
  isDone: boolean;
  error: unknown;
  reset: () => void;
  /** The permission that the person lacks, or null. */
  lacks: string | null;
};

/**
 * An action by its operation. After it, and after a version conflict, everything on the screen is
 * read again. A repetition after a failure has the same idempotency key, so that nothing is done
 * twice.
 */
export function useAction<Id extends OperationId>(operation: Id, choice?: string): Action<Id> {
  const client = useQueryClient();
  const key = useRef(crypto.randomUUID());
  const lacks = useAccess()(operation, choice);
  const mutation = useMutation({
    mutationFn: (input: readonly unknown[]) =>
      call(operation, input, { idempotencyKey: key.current }),
    onSuccess: async () => {
      key.current = crypto.randomUUID();
      await client.invalidateQueries();
    },
    onError: async (error) => {
      if (isProblem(error, 'version-conflict')) await client.invalidateQueries();
    },
  });
  return {
    operation,
    run: (...input) => mutation.mutateAsync(input as readonly unknown[]),
    isPending: mutation.isPending,
    isDone: mutation.isSuccess,
    error: mutation.error,
    reset: mutation.reset,
    lacks,
  };
}
