/**
 * Returns a function that kills this process with SIGKILL at the failpoint of CARTE_FAILPOINT, for
 * crash tests. `name#3` dies at the third visit. Not allowed in production.
 */
export function createFailpoints(setting: string | null): (name: string) => void {
  const [armed = '', count = '1'] = (setting ?? '').split('#');
  let visits = 0;
  return (name) => {
    if (name !== armed) return;
    visits += 1;
    if (visits >= Number(count)) process.kill(process.pid, 'SIGKILL');
  };
}

export type Failpoint = ReturnType<typeof createFailpoints>;
