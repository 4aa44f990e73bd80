/**
 * Parts that most people open sooner or later. Fetched once the first conversation is readable, so that they open at
 * once and also offline.
 */
import '../../shared/menus/opened-menu';
import '../emoji/emoji-popover';
import '../keyboard/palette';
import '../keyboard/shortcuts-dialog';
import '../message/reaction-picker';
import '../people/person-card';
import '../recent/recent';
import '../scheduled/time-dialog';
import '../text/format-bar';
import './above-keyboard';

export { startDraftSync } from '../drafts/sync-drafts';
export { heedChatPushes } from '../notices/pushed';
export { startScheduledSync } from '../scheduled/sync-scheduled';
export { startKeeping } from '../offline/keep-up';
export { tellTimeZone } from '../people/time-zone';
export { registerWorker } from '../../shared/worker';
