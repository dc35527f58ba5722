/**
 * Kills this process with SIGKILL when CARTE_FAILPOINT names this place: the crash tests stop real
 * processes here. `name#3` dies at the third visit. The environment rejects the variable in
 * production.
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
