/** The second script of the page: it has what the first view holds, and paints it. React and all the rest come then. */
import { pause } from '../shared/http/request';
import { loadPart } from '../shared/lazy-part';
import '../shared/push/clicked';
import { chooseLanguage, wantedLanguages } from '../shared/texts/texts';
import { placeAt } from './data/narrow';
import { isAnswered } from './early';
import { fillFirstView } from './first/fill-view';
import { paintInbox, paintView } from './first/paint-view';
import { loadSession } from './session/session';

/** Until what was painted is on the screen. A page that nobody looks at has no frames. */
const nextFrame = (): Promise<void> =>
  new Promise((resolve) => {
    if (document.hidden) return resolve();
    requestAnimationFrame(() => setTimeout(resolve));
  });

/** The first script waits for no style; what is painted has its place by them. */
async function styles(): Promise<void> {
  const links = [...document.querySelectorAll<HTMLLinkElement>('link[rel=stylesheet]')].filter(({ sheet }) => !sheet);
  await Promise.all(links.map((link) => new Promise((resolve) => (link.onload = link.onerror = resolve))));
}

const loadMain = () => loadPart(() => import('./main'));

/** Running the rest takes a while, in which nothing is painted: it waits for the answers for so long. */
const PATIENCE_MS = 1000;

/** Whether the answers are there before the rest of the page is. */
const isAnsweredFirst = (): Promise<boolean> =>
  Promise.race([
    isAnswered(),
    pause(PATIENCE_MS)
      .then(loadMain)
      .then(() => false),
  ]);

async function start(): Promise<void> {
  await chooseLanguage(wantedLanguages());
  await loadSession();
  if (await isAnsweredFirst()) {
    const place = placeAt(location.pathname);
    await Promise.all([fillFirstView(place), styles()]);
    if (place ? paintView(place) : location.pathname === '/' && paintInbox()) await nextFrame();
  }
  const { draw } = await loadMain();
  draw();
}

void start();
