/** Applies events of the queue to what the page holds. */
import {
  addSubmessage,
  deleteMessage,
  react,
  receiveMessages,
  updateFlags,
  updateMessage,
} from '../data/apply-messages';
import { ORGANISATION_CHANGES } from '../data/apply-organisation';
import { useChat } from '../data/store';
import type { Message, ServerEvent } from '../data/wire';
import { hearDrafts } from '../drafts/drafts';
import { hearScheduled } from '../scheduled/scheduled';

export type Listener = (messages: readonly Message[]) => void;

const BY_TYPE: Readonly<Record<string, ((event: ServerEvent) => void) | undefined>> = {
  update_message: updateMessage,
  delete_message: deleteMessage,
  update_message_flags: updateFlags,
  reaction: react,
  submessage: addSubmessage,
  drafts: hearDrafts,
  scheduled_messages: hearScheduled,
  reminders: hearScheduled,
};

/**
 * Applies events in order. Consecutive message events are applied together. An event that cannot be applied is reported
 * and passed over: fetching it again would not help.
 */
export function applyEvents(events: readonly ServerEvent[], onMessages: Listener): void {
  for (let at = 0; at < events.length;) {
    let end = at + 1;
    if (events[at]!.type === 'message') while (events[end]?.type === 'message') end += 1;
    const alike = events.slice(at, end);
    try {
      apply(alike, onMessages);
    } catch (error) {
      // Of several messages only the one that cannot be applied is passed over.
      if (alike.length === 1) reportError(error);
      else for (const event of alike) applyEvents([event], onMessages);
    }
    at = end;
  }
}

/** Applies messages, or a single other event. */
function apply(events: readonly ServerEvent[], onMessages: Listener): void {
  const [event] = events;
  if (!event) return;
  if (event.type === 'message') {
    const messages = receiveMessages(events);
    try {
      onMessages(messages);
    } catch (error) {
      // The messages are there: they are not applied, and announced, once more.
      reportError(error);
    }
    return;
  }
  BY_TYPE[event.type]?.(event);
  const change = ORGANISATION_CHANGES[event.type];
  if (change) useChat.setState((state) => change(state, event));
}
