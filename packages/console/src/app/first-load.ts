import { client, profileQuery } from './client.ts';
import { session } from '../data/api.ts';
import { SCREENS } from './screens.ts';

const BASE = '/console';

/** Returns whether a path is one of this screen. */
const isOf = (screen: string, path: string): boolean => {
  const [wanted, own] = [screen.split('/'), path.split('/')];
  return (
    wanted.length === own.length &&
    wanted.every((part, at) => part.startsWith('$') || part === own[at])
  );
};

/**
 * Requests what the first screen needs while the texts load: the person, the open work and the
 * source of the screen. The console reads each again after a failure, and shows it.
 */
export function beginFirstLoad(): void {
  const path = location.pathname.slice(BASE.length).replace(/\/$/, '') || '/';
  void SCREENS.find((screen) => isOf(screen.path, path))
    ?.load()
    .catch(() => undefined);
  void client.query(profileQuery).catch(() => undefined);
  const work = {
    queryKey: ['getWork'],
    queryFn: () => session.api.getWork().then(({ data }) => data),
  };
  void client.query(work).catch(() => undefined);
}
