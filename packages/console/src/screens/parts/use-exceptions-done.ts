import type { Data } from '../../data/api.ts';
import type { Overview } from '../../data/records.ts';
import { useRestaurants } from '../../data/restaurants.ts';
import { t } from '../../texts/texts.ts';

/**
 * Returns the announcement after new exceptions: restaurants whose existing exception at the time
 * stays. Without `known`, all restaurants are read.
 */
export function useExceptionsDone(
  known?: readonly Pick<Overview, 'organizationId' | 'name'>[],
): (answer: Data<'createScheduleExceptions'>) => string {
  const all = useRestaurants(known === undefined);
  const restaurants =
    known?.map(({ organizationId, name }) => ({ id: organizationId, name })) ?? all;

  return ({ organizations }) => {
    const left = organizations.filter(({ outcome }) => outcome !== 'CREATE');
    const names = left.map(
      ({ organizationId }) =>
        restaurants.find(({ id }) => id === organizationId)?.name ?? String(organizationId),
    );

    return names.length === 0
      ? t('action.done')
      : t('exceptions.left', { names: names.join(', ') });
  };
}
