/**
 * Kills this process (SIGKILL) at the failpoint of CARTE_FAILPOINT, for crash tests. `name#3`: at
 * the third visit.
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
