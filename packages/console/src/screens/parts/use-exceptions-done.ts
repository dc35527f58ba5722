import type { Data } from '../../data/api.ts';
import type { Overview } from '../../data/records.ts';
import { useRestaurants } from '../../data/restaurants.ts';
import { t } from '../../texts/texts.ts';

/**
 * Returns what is announced after new exceptions: the restaurants that have another one at the
 * time, which stays as it is. Without the names in `known`, all restaurants are read.
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
