import { invalidField, Problem } from '../../../kernel/problem.ts';

/** The refusal of a request that names no organization while there is not exactly one that could be meant (rule STO-2). */
export const organizationRequired = (): Problem => invalidField('organization_id', 'required', 'is required');

/** The refusal of a uuid that no active organization has. */
export const organizationNotFound = (): Problem =>
  new Problem('not-found', { detail: 'No active organization has this id.' });

/** The refusal of a menu that could not be built; the cause is in the log of the build. */
export const menuUnavailable = (): Problem =>
  new Problem('unavailable', { detail: 'The menu could not be built.', headers: { 'Retry-After': '30' } });
