/**
 * Kills this process (SIGKILL) at the failpoint that CARTE_FAILPOINT names, for crash tests. With
 * `name#3`, it is killed when it reaches the point for the third time.
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
