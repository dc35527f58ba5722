import { createRoot } from 'react-dom/client';
import { App } from './app.tsx';
import { startShop } from './restaurant.ts';
import { startRoutes } from './routes.tsx';
import { completeSignIn } from './sign-in.ts';
import { startLanguage } from './texts.ts';
import './style.css';

startLanguage();
await completeSignIn();
startRoutes();
void startShop();
createRoot(document.getElementById('root')!).render(<App />);
