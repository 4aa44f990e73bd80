/** Shows a message's widget: a poll, a to-do list or a bot's form. */
import { api } from '../../shared/http/request';
import { tell } from '../../shared/ui/toasts';
import type { Message } from '../data/wire';
import { FormWidget } from './form-widget';
import { PollWidget } from './poll-widget';
import { TodoWidget } from './todo-widget';
import type { Widget as WidgetData } from './widget-data';

export interface WidgetProps<Data> {
  readonly message: Message;
  readonly data: Data;
  /** Sends a change to everybody who sees the message. It comes back as an event. */
  readonly send: (change: object) => void;
}

export function Widget({ message, data }: { message: Message; data: WidgetData }) {
  const send = (change: object): void =>
    tell(api.post('/submessage', { message_id: message.id, msg_type: 'widget', content: JSON.stringify(change) }));
  switch (data.kind) {
    case 'poll':
      return <PollWidget message={message} data={data} send={send} />;
    case 'todo':
      return <TodoWidget message={message} data={data} send={send} />;
    case 'form':
      return <FormWidget message={message} data={data} send={send} />;
  }
}
