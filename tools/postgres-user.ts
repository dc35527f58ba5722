import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { StartFailure } from '../platform/start-failure.ts';
import { onPath } from './cached-program.ts';

type Owner = { uid: number; gid: number };

/** PostgreSQL does not run as root, so root must start it as another user. */
export type Launch = {
  command(
    program: string,
    args: readonly string[],
  ): { command: string; args: string[]; uid?: number; gid?: number };
  /** Owner of the data, undefined if it is us. */
  owner?: Owner;
};

/**
 * Returns how to start PostgreSQL. Root starts it as the owner of an existing cluster, else as
 * `postgres`, else as `nobody`.
 * @throws StartFailure if root cannot start it as another user
 */
export function launchFor(cluster: string, folders: readonly string[]): Launch {
  if (process.getuid?.() !== 0)
    return { command: (program, args) => ({ command: program, args: [...args] }) };
  const owner = findOwner(cluster) ?? lookUp('postgres') ?? lookUp('nobody');
  if (owner === undefined) {
    throw new StartFailure(
      'PostgreSQL does not run as root, and this machine has neither a user "postgres" nor "nobody".',
    );
  }

  const hidden = folders.find((folder) => !canEnter(folder, owner));
  if (hidden === undefined) {
    return { owner, command: (program, args) => ({ command: program, args: [...args], ...owner }) };
  }
  const setpriv = onPath('setpriv', process.env['PATH']);
  const capability = readingCapability();
  if (setpriv === undefined || capability === undefined) {
    throw new StartFailure(
      `PostgreSQL does not run as root, and the user it runs as (uid ${owner.uid}) may not enter ${hidden}; use a folder that all users may enter, run as a normal user, or set DATABASE_URL.`,
    );
  }

  // One capability lets the user enter a checkout below /root or in a private temporary folder.
  const identity = [`--reuid=${owner.uid}`, `--regid=${owner.gid}`, '--clear-groups'];
  // initdb finds its programs with access(2), which respects the capability only with this secure
  // bit.
  const capabilities = [
    `--inh-caps=+${capability}`,
    `--ambient-caps=+${capability}`,
    '--securebits=+no_setuid_fixup',
  ];

  return {
    owner,
    command: (program, args) => ({
      command: setpriv,
      args: [...identity, ...capabilities, '--', program, ...args],
    }),
  };
}

/**
 * Returns the weakest available capability that opens folders of other users. Containers usually
 * have only `dac_override`.
 */
function readingCapability(): 'dac_read_search' | 'dac_override' | undefined {
  if (!existsSync('/proc/self/status')) return undefined;
  const held = BigInt(
    `0x${/^CapEff:\s*([0-9a-f]+)$/m.exec(readFileSync('/proc/self/status', 'utf8'))?.[1] ?? '0'}`,
  );
  if ((held & (1n << 2n)) !== 0n) return 'dac_read_search';

  return (held & (1n << 1n)) === 0n ? undefined : 'dac_override';
}

function findOwner(folder: string): Owner | undefined {
  const found = statSync(folder, { throwIfNoEntry: false });
  return found === undefined || found.uid === 0 ? undefined : { uid: found.uid, gid: found.gid };
}

function lookUp(name: string): Owner | undefined {
  const ask = (flag: string): number =>
    Number(
      execFileSync('id', [flag, name], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }),
    );

  try {
    return { uid: ask('-u'), gid: ask('-g') };
  } catch {
    // `id` exits with 1 for a user that does not exist.
    return undefined;
  }
}

function canEnter(folder: string, user: Owner): boolean {
  const { mode, uid, gid } = statSync(folder);
  const bit = uid === user.uid ? 0o100 : gid === user.gid ? 0o010 : 0o001;
  return (mode & bit) !== 0 && (dirname(folder) === folder || canEnter(dirname(folder), user));
}
