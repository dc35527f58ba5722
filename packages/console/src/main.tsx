import { createRoot } from 'react-dom/client';
import './tokens.css';
import { App } from './app/app.tsx';
import { client, profileQuery } from './app/client.ts';
import { showTheme } from './app/theme.ts';
import { loadLanguage, preferredLanguage } from './texts/texts.ts';

showTheme();
// While the texts are loaded. The console reads it again after a failure, and shows it.
void client.query(profileQuery).catch(() => undefined);
await loadLanguage(preferredLanguage());
createRoot(document.querySelector('#root')!).render(<App />);
