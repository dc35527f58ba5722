/** `auto`: the theme of the device. */
export const THEMES = ['auto', 'light', 'dark'] as const;
export type Theme = (typeof THEMES)[number];

const STORED = 'carte-console-theme';

export const chosenTheme = (): Theme =>
  THEMES.find((theme) => theme === localStorage.getItem(STORED)) ?? 'auto';

/** Applies a theme and stores it in this browser. */
export function showTheme(theme: Theme = chosenTheme()): void {
  localStorage.setItem(STORED, theme);
  if (theme === 'auto') delete document.documentElement.dataset['theme'];
  else document.documentElement.dataset['theme'] = theme;
}
