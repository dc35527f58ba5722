import type { Data } from '../../data/api.ts';
import { useRestaurants } from '../../data/restaurants.ts';
import { t } from '../../texts/texts.ts';

/**
 * Returns what is announced after new exceptions: the restaurants that have another one at the
 * time, which stays as it is.
 */
export function useExceptionsDone(): (answer: Data<'createScheduleExceptions'>) => string {
  const restaurants = useRestaurants();
  return ({ organizations }) => {
    const left = organizations.filter(({ outcome }) => outcome !== 'CREATE');
    const names = left.map(
      ({ organizationId }) => restaurants.find(({ id }) => id === organizationId)?.name ?? String(organizationId),
    );
    return names.length === 0 ? t('action.done') : t('exceptions.left', { names: names.join(', ') });
  };
}
