import { drawPage } from '../shared/shell/page-frame';
import { App } from './app';

/** Replaces the first paint. */
export const draw = (): void => drawPage(<App />);
