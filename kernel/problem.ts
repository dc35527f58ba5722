import type { Permission } from './pure/permissions.ts';
import type { FieldError, Violation } from './pure/field-errors.ts';
import { PROBLEMS, type ProblemKind } from './pure/problems.ts';

export type { FieldError, Violation };

export type ProblemDetails = {
  detail?: string;
  errors?: FieldError[];
  violations?: Violation[];
  /** Additional members of the body, such as `currentVersion`. */
  extra?: Record<string, unknown>;
  headers?: Record<string, string>;
};

/**
 * Faults and conflicts of the caller. Identify it by `name`, not `instanceof`: test realms copy
 * the class.
 */
export class Problem extends Error {
  readonly kind: ProblemKind;
  readonly details: ProblemDetails;
  constructor(kind: ProblemKind, details: ProblemDetails = {}) {
    super(details.detail ?? PROBLEMS[kind].title);
    this.name = 'Problem';
    this.kind = kind;
    this.details = details;
  }
}

/** Works across realms. */
export function isProblem(error: unknown): error is Problem {
  return error instanceof Error && error.name === 'Problem' && 'kind' in error;
}

export function invalidField(field: string, code: string, message: string): Problem {
  return new Problem('validation', { errors: [{ field, code, message }] });
}

export function permissionMissing(permissions: readonly Permission[]): Problem {
  const permission = permissions.join(' or ');
  return new Problem('forbidden', {
    detail: `The permission ${permission} is missing`,
    extra: { permission },
  });
}
