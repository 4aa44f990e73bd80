import '../shared/push/clicked';
import { drawPage } from '../shared/shell/page-frame';
import { chooseLanguage, wantedLanguages } from '../shared/texts/texts';
import { App } from './app';
import { loadSession } from './session/session';

void Promise.all([chooseLanguage(wantedLanguages()), loadSession()]).then(() => drawPage(<App />));
