/**
 * The generations of Zulip's clients that the server speaks to at the same time, and what differs between them. Whatever
 * clients of 2.1 get stays as it is, byte for byte; the shapes of today's are made of it.
 */
import type { EntryHead } from '../events/event';
import type { TopicLink } from '../markdown/context';
import { todayEvent, todayType } from './today-events';
import { todayHtml } from './today-html';
import { type MessageOrigin, todayMessage, todayMessageStart } from './today-message';

interface Uploaded {
  readonly url: string;
  readonly filename: string;
}

export type ProfileName = 'zulip-2.1' | 'zulip-today';

export interface Profile {
  /** The name under which queues ask for events of this type. */
  readonly typeOf: (type: string) => string;
  /** The JSON of an event that is no new message. */
  readonly event: (payload: string, head: EntryHead) => string;
  /** Rendered text, as it is or inside JSON, and what it was rendered from. */
  readonly html: (html: string, source: () => string) => string;
  /** A message that is read, in the shape of `messageFields`. */
  readonly message: <M extends Record<string, unknown>>(message: M, of: MessageOrigin) => M;
  /** The text of a message in an event, up to its content. */
  readonly messageStart: (text: string, links: readonly TopicLink[]) => string;
  /** Whether it knows the five roles and their groups. */
  readonly knowsRoles: boolean;
  /** The answer to an upload. */
  readonly upload: (file: Uploaded) => { readonly uri: string };
}

const same = <T>(value: T): T => value;

const PROFILES: Readonly<Record<ProfileName, Profile>> = {
  'zulip-2.1': {
    typeOf: same,
    event: same,
    html: same,
    message: same,
    messageStart: same,
    knowsRoles: false,
    upload: ({ url }) => ({ uri: url }),
  },
  'zulip-today': {
    typeOf: todayType,
    event: todayEvent,
    html: todayHtml,
    message: todayMessage,
    messageStart: todayMessageStart,
    knowsRoles: true,
    upload: ({ url, filename }) => ({ uri: url, url, filename }),
  },
};

/** Queues that an earlier release registered have no profile, and belong to clients of 2.1. */
export const profileOf = (name: ProfileName | undefined): Profile => PROFILES[name ?? 'zulip-2.1'];

/** What a registration says of its client. */
export interface ClientSigns {
  /** `user_settings_object` of its capabilities. */
  readonly hasUserSettings: boolean;
  readonly eventTypes: readonly string[] | undefined;
  readonly fetchTypes: readonly string[] | undefined;
}

const USER_SETTINGS = 'user_settings';

/** Both signs exist since Zulip 5.0: the capability, and the type's name, by which clients without it ask. */
export const profileFor = ({ hasUserSettings, eventTypes, fetchTypes }: ClientSigns): ProfileName =>
  hasUserSettings || eventTypes?.includes(USER_SETTINGS) || fetchTypes?.includes(USER_SETTINGS)
    ? 'zulip-today'
    : 'zulip-2.1';

/** Where a request says nothing of its client, a declared level lets all of them expect today's fields. */
export const levelProfile = (level: 'on' | 'off'): ProfileName => (level === 'on' ? 'zulip-today' : 'zulip-2.1');

/** A request has no queue. It names a parameter that only today's clients know, whatever its value, or does not. */
export const requestProfile = (newer: boolean | undefined): ProfileName =>
  newer === undefined ? 'zulip-2.1' : 'zulip-today';
