/** Runs `work` with a shifted clock. A negative `ms` shifts it back. */
export async function withShiftedClock<T>(ms: number, work: () => Promise<T>): Promise<T> {
  const Real = globalThis.Date;
  globalThis.Date = new Proxy(Real, {
    construct: (_, given: unknown[]) =>
      Reflect.construct(Real, given.length === 0 ? [Real.now() + ms] : given) as Date,
    get: (_, name) => (name === 'now' ? () => Real.now() + ms : Reflect.get(Real, name)),
  });
  return work().finally(() => (globalThis.Date = Real));
}

export function clockAhead(ms: number): string {
  const code = `const{now}=Date;Date.now=()=>now()+${ms}`;
  return `--import=data:text/javascript,${encodeURIComponent(code)}`;
}
