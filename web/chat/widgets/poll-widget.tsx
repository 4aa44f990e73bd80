/** A poll. Everybody may vote and add options. */
import { useState } from 'react';
import { t } from '../../shared/texts/texts';
import { IconButton } from '../../shared/ui/icon-button';
import { useChat } from '../data/store';
import { LineForm } from './line-form';
import type { WidgetProps } from './widget';
import { newOption, questionChange, voteChange, type Poll, type PollOption } from './widget-data';
import classes from './widget.module.css';

export function PollWidget({ message, data: poll, send }: WidgetProps<Poll>) {
  const ownId = useChat((state) => state.ownId);
  const [isEditing, setEditing] = useState(false);
  const isOwn = message.sender_id === ownId;
  const most = Math.max(1, ...poll.options.map(({ voters }) => voters.length));
  const ask = ([question = '']: readonly string[]): void => {
    setEditing(false);
    if (question !== poll.question) send(questionChange(question));
  };
  const add = ([text = '']: readonly string[]): void => {
    if (!poll.options.some((option) => option.text === text)) send(newOption(poll, text));
  };
  return (
    <div className={classes.widget} role="group" aria-label={t('poll.label', { question: poll.question })}>
      {isOwn && (isEditing || poll.question === '') ? (
        <LineForm
          fields={[{ label: t('poll.question'), initial: poll.question }]}
          button={t('action.save')}
          hasFocus={isEditing}
          onSubmit={ask}
          onLeave={() => setEditing(false)}
        />
      ) : (
        <div className={classes.head}>
          <b>{poll.question || t('poll.waiting')}</b>
          {isOwn && <IconButton icon="edit" label={t('poll.edit')} size={15} onClick={() => setEditing(true)} />}
        </div>
      )}
      <ul className={classes.options}>
        {poll.options.map((option) => (
          <Option key={option.key} option={option} most={most} onVote={() => send(voteChange(option, ownId))} />
        ))}
      </ul>
      <LineForm fields={[{ label: t('poll.newOption') }]} button={t('action.add')} onSubmit={add} />
    </div>
  );
}

const NAMES_SHOWN = 12;

function Option({ option, most, onVote }: { option: PollOption; most: number; onVote: () => void }) {
  const ownId = useChat((state) => state.ownId);
  const people = useChat((state) => state.people);
  const { text, voters } = option;
  const names = voters.slice(0, NAMES_SHOWN).map((id) => people.get(id)?.full_name ?? '?');
  const more = voters.length > NAMES_SHOWN ? ' …' : '';
  return (
    <li>
      <button type="button" aria-pressed={voters.includes(ownId)} onClick={onVote}>
        <span className="pl-hidden">{t('poll.vote', { option: text, count: voters.length })}</span>
        <span className={classes.count} aria-hidden="true">
          {voters.length}
        </span>
        <span className={classes.text} aria-hidden="true">
          {text}
        </span>
        <span className={classes.share} style={{ width: `${(100 * voters.length) / most}%` }} />
      </button>
      {names.length > 0 && <small>{names.join(', ') + more}</small>}
    </li>
  );
}
