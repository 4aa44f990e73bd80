import { drawPage } from '../shared/shell/page-frame';
import { chooseLanguage, loadWithLanguage, wantedLanguages } from '../shared/texts/texts';
import { App } from './app';
import { loadServerWords } from './data/server-words';
import { loadSession } from './session/session';

loadWithLanguage(loadServerWords);

void Promise.all([chooseLanguage(wantedLanguages()), loadSession()]).then(() => drawPage(<App />));
