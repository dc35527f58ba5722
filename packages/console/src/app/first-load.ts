import { client, profileQuery } from './client.ts';
import { session } from '../data/api.ts';
import { SCREENS } from './screens.ts';

const BASE = '/console';

const matchesScreen = (screen: string, path: string): boolean => {
  const [wanted, own] = [screen.split('/'), path.split('/')];
  return (
    wanted.length === own.length &&
    wanted.every((part, at) => part.startsWith('$') || part === own[at])
  );
};

/**
 * Requests the data of the first screen while the texts load. The console repeats failed reads
 * and shows their failures.
 */
export function beginFirstLoad(): void {
  const path = location.pathname.slice(BASE.length).replace(/\/$/, '') || '/';
  void SCREENS.find((screen) => matchesScreen(screen.path, path))
    ?.load()
    .catch(() => undefined);
  void client.query(profileQuery).catch(() => undefined);
  const work = {
    queryKey: ['getWork'],
    queryFn: () => session.api.getWork().then(({ data }) => data),
  };

  void client.query(work).catch(() => undefined);
}
