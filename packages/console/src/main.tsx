import { createRoot } from 'react-dom/client';
import './tokens.css';
import { App } from './app/app.tsx';
import { client, profileQuery } from './app/client.ts';
import { showTheme } from './app/theme.ts';
import { loadLanguage, preferredLanguage } from './texts/texts.ts';

showTheme();
// While the texts are loaded.
void client.prefetchQuery(profileQuery);
await loadLanguage(preferredLanguage());
createRoot(document.querySelector('#root')!).render(<App />);
