/**
 * What was asked for early is put in place before anything is drawn: the first view is then drawn once, with its
 * messages.
 */
import { setHourFormat } from '../../shared/texts/dates';
import { openFor } from '../compose/state';
import { loadList } from '../data/load';
import type { Place } from '../data/narrow';
import { applyRegistered, setting } from '../data/store';
import { firstQueue } from '../early';

export async function fillFirstView(place: Place | undefined): Promise<void> {
  applyRegistered(await firstQueue());
  setHourFormat(setting('twenty_four_hour_time', false));
  if (!place) return;
  await loadList(place.narrow, place.near);
  openFor(place.narrow);
}
