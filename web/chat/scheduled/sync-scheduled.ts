/** Fetches what is scheduled after each new queue, because events may have been missed. */
import { api } from '../../shared/http/request';
import { useChat } from '../data/store';
import {
  messagesById,
  remindersById,
  replaceScheduled,
  useScheduled,
  type Reminder,
  type ScheduledMessage,
} from './scheduled';

const RETRY_MS = 30_000;

let timer: ReturnType<typeof setTimeout> | undefined;

export function startScheduledSync(): () => void {
  const unfollow = useChat.subscribe(({ queueId }, before) => {
    if (queueId !== '' && queueId !== before.queueId) void refresh();
  });
  void refresh();
  return () => {
    unfollow();
    clearTimeout(timer);
    // Nothing of this user is left to the next.
    useScheduled.setState(useScheduled.getInitialState(), true);
  };
}

async function refresh(): Promise<void> {
  clearTimeout(timer);
  try {
    await fetchScheduled();
  } catch {
    // As soon as there is a queue again, or a little later.
    timer = setTimeout(() => void refresh(), RETRY_MS);
  }
}

const fetchScheduled = (): Promise<void> =>
  replaceScheduled(async () => {
    const [{ scheduled_messages: messages }, { reminders }] = await Promise.all([
      api.get<{ scheduled_messages: ScheduledMessage[] }>('/scheduled_messages'),
      api.get<{ reminders: Reminder[] }>('/reminders'),
    ]);
    return { messages: messagesById(messages), reminders: remindersById(reminders) };
  });
