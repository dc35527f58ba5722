const loading = new Map<string, Promise<void>>();

/** Loads a script once, which defines a global variable. */
export function loadScript(url: string): Promise<void> {
  const known = loading.get(url);
  if (known !== undefined) return known;
  const loaded = new Promise<void>((resolve, reject) => {
    const script = document.createElement('script');
    script.src = url;
    script.addEventListener('load', () => resolve());
    script.addEventListener('error', () =>
      reject(new Error(`The script ${url} could not be loaded.`)),
    );
    document.head.append(script);
  });

  loading.set(url, loaded);

  return loaded;
}
