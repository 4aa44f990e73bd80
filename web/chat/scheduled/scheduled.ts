/** What the user has scheduled: messages and reminders, as the server has them. `sync-scheduled.ts` fetches them. */
import { create } from 'zustand';
import { put, without } from '../events/apply-change';
import type { ServerEvent } from '../data/wire';

interface Common {
  readonly content: string;
  readonly rendered_content: string;
  /** Seconds. */
  readonly scheduled_delivery_timestamp: number;
  readonly failed: boolean;
  /** Why, in the words of the server. */
  readonly failure_message?: string;
}

export interface ScheduledMessage extends Common {
  readonly scheduled_message_id: number;
  readonly type: 'stream' | 'private';
  /** The id of the stream, or those of the people. */
  readonly to: number | readonly number[];
  readonly topic?: string;
}

export interface Reminder extends Common {
  readonly reminder_id: number;
  readonly reminder_target_message_id: number;
  readonly note: string;
}

export interface Scheduled {
  readonly messages: ReadonlyMap<number, ScheduledMessage>;
  readonly reminders: ReadonlyMap<number, Reminder>;
  /** Whether the server has told what there is. */
  readonly isLoaded: boolean;
}

export const useScheduled = create<Scheduled>(() => ({ messages: new Map(), reminders: new Map(), isLoaded: false }));

/** The events since the lists were asked for: they may be newer than the answer. */
let heard: ServerEvent[] | undefined;

export function hearScheduled(event: ServerEvent): void {
  heard?.push(event);
  useScheduled.setState((state) => changed(state, event));
}

/** Replaces both lists by what `ask` brings, and by what happened meanwhile. */
export async function replaceScheduled(ask: () => Promise<Omit<Scheduled, 'isLoaded'>>): Promise<void> {
  const since: ServerEvent[] = [];
  heard = since;
  try {
    const lists = await ask();
    useScheduled.setState(since.reduce<Scheduled>(changed, { ...lists, isLoaded: true }));
  } finally {
    if (heard === since) heard = undefined;
  }
}

function changed(state: Scheduled, event: ServerEvent): Scheduled {
  if (event.type === 'reminders') return { ...state, reminders: changedReminders(state, event) };
  const { messages } = state;
  if (event.op === 'remove')
    return { ...state, messages: without(messages, [event['scheduled_message_id'] as number]) };
  const given =
    event.op === 'add'
      ? (event['scheduled_messages'] as ScheduledMessage[])
      : [event['scheduled_message'] as ScheduledMessage];
  return { ...state, messages: messagesById(given, messages) };
}

function changedReminders({ reminders }: Scheduled, event: ServerEvent): Scheduled['reminders'] {
  if (event.op === 'remove') return without(reminders, [event['reminder_id'] as number]);
  return remindersById(event['reminders'] as Reminder[], reminders);
}

export const messagesById = (given: readonly ScheduledMessage[], before: Scheduled['messages'] = new Map()) =>
  put(
    before,
    given.map((each) => [each.scheduled_message_id, each] as const),
  );

export const remindersById = (given: readonly Reminder[], before: Scheduled['reminders'] = new Map()) =>
  put(
    before,
    given.map((each) => [each.reminder_id, each] as const),
  );
