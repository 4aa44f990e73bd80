/** What was asked for early is put in place before anything is drawn: the first view is then drawn once, with its messages. */
import { applyRegistered } from '../data/event-loop';
import { loadList } from '../data/load';
import { placeAt } from '../data/narrow';
import { firstQueue, isAnswered } from '../early';

/** Whoever waits longer is shown that the page is loading. */
const PATIENCE_MS = 300;

export async function fillFirstView(): Promise<void> {
  if (!(await isAnswered(PATIENCE_MS))) return;
  applyRegistered(await firstQueue());
  const place = placeAt(location.pathname);
  if (place) await loadList(place.narrow, place.near);
}
