import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { isAlive } from '../lock.ts';
import { claimPort, freeLowPort, isFree } from '../ports.ts';

export type PortWish = {
  /** The name of the program in an error. */
  program: string;
  /** The variable that requests a port. */
  variable?: string;
  /** The value of that variable; undefined or 0 for no request. */
  asked?: number | undefined;
  /** The default port. */
  usual: number;
  host?: string;
};

/**
 * The ports of one start. Whole seconds pass between the choice of a port and the moment when its
 * program listens, so a chosen port is also noted in a folder that all starts of this user read:
 * two starts in the same second never choose the same one.
 */
export type Ports = {
  /**
   * The requested port; without a request the default one, or any free one if that is in use.
   * @throws StartFailure if the requested port is in use.
   */
  choose(wish: PortWish): Promise<number>;
  /** Gives every chosen port back. */
  release(): Promise<void>;
};

/**
 * Notes are the names of empty files in `folder`, "<port>.<process id>"; those of ended processes
 * are deleted.
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
  /**
   * Noted first and looked around second: of two that do so at once at most one continues, and
   * possibly none.
   */
  const take = async (port: number, host?: string): Promise<boolean> => {
    await note(port);
    if (!(await isWantedByOthers(port)) && (await isFree(port, host))) return true;
    await forget(port);
    return false;
  };

  return {
    async choose({ program, variable, asked, usual, host }) {
      if (asked) {
        // A requested port is used in any case; the note only keeps other starts away.
        await note(asked);
        return claimPort({ program, port: asked, ...(variable && { variable }), ...(host && { host }) });
      }
      let port = usual;
      // Below the range from which connections and Temporal's own services are given ports, also
      // while this start prepares.
      while (!(await take(port, host))) port = await freeLowPort();
      return port;
    },
    async release() {
      await Promise.all([...notes].map((name) => rm(name, { force: true })));
    },
  };
}
