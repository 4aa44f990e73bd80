import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { PageFrame } from '../shared/ui/page-frame';
import { App } from './app';

/** Takes the place of what was painted before. */
export function draw(): void {
  createRoot(document.getElementById('root')!).render(
    <StrictMode>
      <PageFrame>
        <App />
      </PageFrame>
    </StrictMode>,
  );
}
