import url from 'maplibre-gl/dist/maplibre-gl.css?url';

let loading: Promise<void> | null = null;

/**
 * Loads MapLibre's styles once. They are no part of the styles of the console, which every screen
 * waits for. After a failure, the next call tries again.
 *
 * @throws Error if the file cannot be loaded
 */
export function loadMapCss(): Promise<void> {
  loading ??= appendLink().catch((error: unknown) => {
    loading = null;
    throw error;
  });

  return loading;
}

function appendLink(): Promise<void> {
  const link = document.createElement('link');
  link.rel = 'stylesheet';
  link.href = url;

  return new Promise((resolve, reject) => {
    link.addEventListener('load', () => resolve());
    link.addEventListener('error', () => {
      link.remove();
      reject(new Error(`The styles of the map cannot be loaded from ${url}.`));
    });
    document.head.append(link);
  });
}
