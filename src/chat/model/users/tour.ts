/** The tour for new users: which step comes next. */
import type { Wire } from '../../../kernel/text/wire';
import type { hotspot } from '../answers/users';
import { settingOf, type StoredSettings } from './user-settings';

/** In the order they are shown. Clients know the names, and show the texts as they are. */
const HOTSPOTS: readonly Omit<Wire<typeof hotspot>, 'delay'>[] = [
  { name: 'intro_reply', title: 'Answer somebody', description: 'To reply, click on the message.' },
  {
    name: 'intro_streams',
    title: 'Streams',
    description: 'What is written to a stream reaches all of its subscribers. Choose one to read it.',
  },
  {
    name: 'intro_topics',
    title: 'Topics',
    description: 'Each message of a stream has a topic, so that several conversations do not mix.',
  },
  { name: 'intro_gear', title: 'Your settings', description: 'Here you choose how you are notified, and much else.' },
  {
    name: 'intro_compose',
    title: 'Write something',
    description: 'Begin a conversation here. Two or three words make a good topic.',
  },
];

export const isHotspot = (name: string): boolean => HOTSPOTS.some((each) => each.name === name);

export const TUTORIAL_STATES = ['started', 'finished'] as const;

/** Seconds until a client shows it. */
const DELAY = 0.5;

const seenIn = (stored: StoredSettings): string[] =>
  String(settingOf(stored, 'seen_hotspots'))
    .split(',')
    .filter((name) => name !== '');

/** The setting's value with one more seen step. */
export const withSeen = (stored: StoredSettings, name: string): string =>
  [...new Set([...seenIn(stored), name])].join(',');

/** One at a time; none once the tour is over. */
export function nextHotspots(stored: StoredSettings): Wire<typeof hotspot>[] {
  if (settingOf(stored, 'tutorial_status') === 'finished') return [];
  const seen = new Set(seenIn(stored));
  const next = HOTSPOTS.find(({ name }) => !seen.has(name));
  return next ? [{ ...next, delay: DELAY }] : [];
}
