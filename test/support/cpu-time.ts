/** Returns a function that reads the processor time of this thread since its last call, ms. */
export function cpuLap(): () => number {
  let before = process.threadCpuUsage();

  return () => {
    const { user, system } = process.threadCpuUsage(before);
    before = process.threadCpuUsage();

    // Only the sum is exact: the kernel divides it by samples.
    return (user + system) / 1_000;
  };
}
