import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { chooseLanguage, wantedLanguages } from '../shared/texts/texts';
import { PageFrame } from '../shared/ui/page-frame';
import { App } from './app';
import { loadSession } from './session/session';

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
