/** A bot's form: each button answers in the same conversation. */
import { newKey } from '../data/stored';
import { othersIn } from '../data/narrow';
import { sendMessage } from '../data/outbox';
import { chat } from '../data/store';
import type { Message } from '../data/wire';
import type { WidgetProps } from './widget';
import type { Form } from './widget-data';
import classes from './widget.module.css';

function answer(message: Message, content: string): void {
  const { type, subject: topic } = message;
  const to = type === 'stream' ? [message.stream_id!] : othersIn(message, chat().ownId);
  sendMessage({ key: newKey(), type, to, topic, content });
}

export function FormWidget({ message, data }: WidgetProps<Form>) {
  return (
    <div className={classes.widget} role="group" aria-label={data.heading}>
      <div className={classes.head}>
        <b>{data.heading}</b>
      </div>
      <ul className={classes.choices}>
        {data.choices.map(({ name, text, reply }) => (
          <li key={`${name} ${reply}`}>
            <button type="button" onClick={() => answer(message, reply)}>
              {name}
            </button>
            <span>{text}</span>
          </li>
        ))}
      </ul>
    </div>
  );
}
