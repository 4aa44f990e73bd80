import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { chooseLanguage, loadWithLanguage, wantedLanguages } from '../shared/texts/texts';
import { PageFrame } from '../shared/ui/page-frame';
import { App } from './app';
import { loadServerWords } from './data/server-words';
import { loadSession } from './session/session';

loadWithLanguage(loadServerWords);

async function start(): Promise<void> {
  await Promise.all([chooseLanguage(wantedLanguages()), loadSession()]);
  createRoot(document.getElementById('root')!).render(
    <StrictMode>
      <PageFrame>
        <App />
      </PageFrame>
    </StrictMode>,
  );
}

void start();
