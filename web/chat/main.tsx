import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { PageFrame } from '../shared/ui/page-frame';
import { App } from './app';

/** Replaces the first paint. */
export function draw(): void {
  createRoot(document.getElementById('root')!).render(
    <StrictMode>
      <PageFrame>
        <App />
      </PageFrame>
    </StrictMode>,
  );
}
