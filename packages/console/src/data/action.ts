import { isProblem } from '@carte/client/admin';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useRef } from 'react';
import { useAccess } from './access.tsx';
import type { Data, Input, OperationId } from './api.ts';
import { call } from './read.ts';

export type Action<Id extends OperationId> = {
  operation: Id;
  /** Rejects with the server's problem. */
  run: (...input: Input<Id>) => Promise<Data<Id>>;
  isPending: boolean;
  /** True after it has succeeded. */
  isDone: boolean;
  error: unknown;
  reset: () => void;
  /** The missing permission, or null. */
  lacks: string | null;
};

/**
 * Reads the screen again after the action or a version conflict. A repetition after a failure has
 * the same idempotency key.
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
