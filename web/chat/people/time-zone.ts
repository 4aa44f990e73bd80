/** The reader's time zone, by which others see what time it is for them. */
import { api } from '../../shared/http/request';
import { chat } from '../data/store';

/** Tells the server the browser's zone while it knows none. Who has chosen one keeps it. */
export async function tellTimeZone(): Promise<void> {
  const { people, ownId } = chat();
  const { timeZone } = new Intl.DateTimeFormat().resolvedOptions();
  if (people.get(ownId)?.timezone !== '' || !timeZone) return;
  // It is said again by the next page.
  await api.patch('/settings/display', { timezone: timeZone }).catch(() => undefined);
}
