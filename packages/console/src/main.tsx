import { createRoot } from 'react-dom/client';
import './tokens.css';
import { App } from './app/app.tsx';
import { beginFirstLoad } from './app/first-load.ts';
import { showTheme } from './app/theme.ts';
import { loadLanguage, preferredLanguage } from './texts/texts.ts';

showTheme();
beginFirstLoad();
await loadLanguage(preferredLanguage());
createRoot(document.querySelector('#root')!).render(<App />);
