/** The entries of the command palette. */
import { t } from '../../shared/texts/texts';
import { setAppearance } from '../../shared/ui/appearance';
import type { IconName } from '../../shared/ui/icon';
import { tell } from '../../shared/ui/toasts';
import { openToPeople, openToStream } from '../compose/state';
import { markEverythingRead } from '../reading/mark-as-read';
import { pathOf } from '../data/narrow';
import type { FoundTopic } from '../topics/find-topics';
import { chat, topicKey } from '../data/store';
import type { Person } from '../data/wire';
import { signOut } from '../session/session';
import { showDialog } from '../dialogs/dialogs';
import { inOrder } from '../side/stream-groups';

export interface PaletteEntry {
  readonly key: string;
  readonly icon: IconName;
  readonly name: string;
  readonly hint: string;
  /** Shown in place of icon, name and hint. */
  readonly person?: Person;
  /** The hint is the same for all commands, so it is not searched. */
  readonly isCommand?: boolean;
  readonly run: () => void;
}

type Go = (path: string) => void;

/** `found` has further topics, which this page has not loaded. */
export function paletteEntries(go: Go, found: readonly FoundTopic[]): readonly PaletteEntry[] {
  return [...places(go), ...streams(go), ...topics(go, found), ...people(go), ...commands()];
}

function places(go: Go): PaletteEntry[] {
  const all: readonly (readonly [string, IconName, string])[] = [
    ['/', 'inbox', t('view.inbox')],
    ['/recent', 'history', t('view.recent')],
    ['/all', 'all', t('view.all')],
    ['/private', 'mail', t('view.privates')],
    ['/mentions', 'mention', t('view.mentions')],
    ['/starred', 'star', t('view.starred')],
    ['/scheduled', 'clock', t('scheduled.title')],
    ['/streams', 'hash', t('directory.title')],
    ['/settings/profile', 'settings', t('settings.title')],
    ['/settings/bots', 'bot', t('bots.title')],
  ];
  return all.map(([path, icon, name]) => ({ key: path, icon, name, hint: '', run: () => go(path) }));
}

function streams(go: Go): PaletteEntry[] {
  return inOrder(chat().subscriptions.values()).map(({ stream_id: streamId, name, description, invite_only }) => ({
    key: `s${streamId}`,
    icon: invite_only ? 'lock' : 'hash',
    name,
    hint: description,
    run: () => go(pathOf({ kind: 'stream', streamId })),
  }));
}

function topics(go: Go, found: readonly FoundTopic[]): PaletteEntry[] {
  const loaded = [...chat().topics].flatMap(([streamId, list]) => list.map(({ name }) => ({ streamId, name })));
  const all = new Map([...loaded, ...found].map((each) => [topicKey(each.streamId, each.name), each]));
  return [...all].map(([key, { streamId, name }]) => ({
    key: `t${key}`,
    icon: 'all',
    name,
    hint: chat().streams.get(streamId)?.name ?? '',
    run: () => go(pathOf({ kind: 'topic', streamId, topic: name })),
  }));
}

function people(go: Go): PaletteEntry[] {
  const { inactive } = chat();
  const active = [...chat().people.values()].filter(({ user_id }) => !inactive.has(user_id));
  return active.map((person) => ({
    key: `p${person.user_id}`,
    icon: 'users',
    name: person.full_name,
    hint: person.email,
    person,
    run: () => go(pathOf({ kind: 'private', userIds: [person.user_id] })),
  }));
}

function commands(): PaletteEntry[] {
  const all: readonly (readonly [IconName, string, () => void])[] = [
    ['plus', t('compose.newTopic'), () => openToStream(0)],
    ['plus', t('compose.newPrivate'), () => openToPeople([])],
    ['check', t('action.markAllRead'), () => tell(markEverythingRead())],
    ['history', t('dateJump.title'), () => showDialog({ kind: 'date' })],
    ['keyboard', t('shortcuts.title'), () => showDialog({ kind: 'shortcuts' })],
    ['eye', t('appearance.useLight'), () => setAppearance('light')],
    ['eye', t('appearance.useDark'), () => setAppearance('dark')],
    ['eye', t('appearance.useAuto'), () => setAppearance('auto')],
    ['door', t('own.signOut'), () => tell(signOut())],
  ];
  return all.map(([icon, name, run]) => ({
    key: `c${name}`,
    icon,
    name,
    hint: t('palette.command'),
    isCommand: true,
    run,
  }));
}
