/** The user's own state: alert words, muted topics, pointer and settings. */
import * as mutedTopics from '../../../store/streams/muted-topics';
import { listAlertWords } from '../../users/list-alert-words';
import type { StateParts } from './part';

export const accountParts: StateParts = {
  alert_words: async ({ db, by }) => ({ alert_words: await listAlertWords({ mysql: db }, by) }),
  hotspots: async ({ settings }) => ({ hotspots: (await settings()).hotspots }),
  muted_topics: async ({ db, by }) => ({ muted_topics: await mutedTopics.ofUser(db, by.id) }),
  pointer: ({ by }) => ({ pointer: by.pointer }),
  update_display_settings: async ({ settings }) => (await settings()).display,
  update_global_notifications: async ({ settings }) => (await settings()).notifications,
};
