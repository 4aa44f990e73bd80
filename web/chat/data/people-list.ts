/**
 * The list of everybody in the organisation. It may be long, so it is fetched after the first view. It is at least as new
 * as the queue; events about people that arrived before it are applied to it again.
 */
import { api, pause } from '../../shared/http/request';
import { personChange } from './apply-people';
import { byId, setting, useChat } from './store';
import type { Person } from './wire';

interface Member extends Person {
  readonly is_active: boolean;
}

const FIRST_PAUSE_MS = 2000;
const MAX_PAUSE_MS = 60_000;

/** Tries until the list is there. Throws when it is no longer wanted. */
export async function loadPeople(signal: AbortSignal): Promise<void> {
  for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(MAX_PAUSE_MS, pauseMs * 2)) {
    try {
      const wishes = { client_gravatar: true, include_custom_profile_fields: true, include_roles: true };
      const { members } = await api.get<{ members: readonly Member[] }>('/users', wishes, { signal });
      return setPeople(members);
    } catch {
      await pause(pauseMs, signal);
    }
  }
}

export function setPeople(members: readonly Member[]): void {
  useChat.setState(({ awaited = [] }) => {
    const gone = members.filter((each) => !each.is_active);
    const listed = {
      // The list lacks the account that sends the server's own messages.
      people: byId([...members, ...setting<readonly Person[]>('cross_realm_bots', [])], ({ user_id }) => user_id),
      inactive: new Set(gone.map(({ user_id }) => user_id)),
    };
    return { ...awaited.reduce(personChange, listed), awaited: undefined };
  });
}
