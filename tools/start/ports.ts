import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { isAlive } from '../lock.ts';
import { claimPort, freeLowPort, isFree } from '../ports.ts';

export type PortWish = {
  program: string;
  variable?: string;
  /** Undefined or 0 for no request. */
  asked?: number | undefined;
  usual: number;
  host?: string;
};

/** Reserves ports, which are used seconds later, in a folder that all starts of this user read. */
export type Ports = {
  /**
   * Returns the requested port, or else the default port, or else a free one.
   * @throws StartFailure if the requested port is in use
   */
  choose(wish: PortWish): Promise<number>;
  release(): Promise<void>;
};

/**
 * Reserves ports by empty files "<port>.<process id>" in `folder`. Deletes the files of ended
 * processes.
 */
export function createPorts(folder = join(tmpdir(), `carte-ports-${userInfo().username}`)): Ports {
  const notes = new Set<string>();
  const nameOf = (port: number) => join(folder, `${port}.${process.pid}`);

  const note = async (port: number): Promise<void> => {
    await mkdir(folder, { recursive: true });
    await writeFile(nameOf(port), '');
    notes.add(nameOf(port));
  };

  const forget = async (port: number): Promise<void> => {
    await rm(nameOf(port), { force: true });
    notes.delete(nameOf(port));
  };

  const isWantedByOthers = async (port: number): Promise<boolean> => {
    const others = (await readdir(folder))
      .filter((name) => name.startsWith(`${port}.`))
      .map((name) => Number(name.split('.')[1]))
      .filter((pid) => pid !== process.pid);
    const gone = others.filter((pid) => !isAlive(pid));
    await Promise.all(gone.map((pid) => rm(join(folder, `${port}.${pid}`), { force: true })));

    return gone.length < others.length;
  };

  /** Reserves before it checks: of two concurrent starts at most one continues. */
  const take = async (port: number, host?: string): Promise<boolean> => {
    await note(port);
    if (!(await isWantedByOthers(port)) && (await isFree(port, host))) return true;
    await forget(port);
    return false;
  };

  return {
    async choose({ program, variable, asked, usual, host }) {
      if (asked) {
        // Used in any case. The reservation only keeps other starts away.
        await note(asked);
        return claimPort({
          program,
          port: asked,
          ...(variable && { variable }),
          ...(host && { host }),
        });
      }

      let port = usual;
      // Ports below the range of outgoing connections and of Temporal's own services.
      while (!(await take(port, host))) port = await freeLowPort();

      return port;
    },
    async release() {
      await Promise.all([...notes].map((name) => rm(name, { force: true })));
    },
  };
}
