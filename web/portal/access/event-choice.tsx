/** The events that a webhook is told of. None chosen means all. */
import { Checkbox } from '@mantine/core';
import { t } from '../../shared/texts/texts';
import classes from '../../shared/forms/form.module.css';

const EVENTS = [
  'texting.message.new',
  'texting.message.delete',
  'texting.message.markAsRead',
  'texting.chat.new',
  'texting.chat.delete',
  'user_status_updated',
  'ring_group.updated',
  'ring_group.deleted',
  'number.updated',
  'number.deleted',
  'extension.forwards.updated',
  'call.started',
  'call.answered',
  'call.ended',
  'extension.registered',
  'extension.unregistered',
] as const;

interface EventChoiceProps {
  readonly events: readonly string[];
  readonly onChange: (events: string[]) => void;
}

export function EventChoice({ events, onChange }: EventChoiceProps) {
  return (
    <Checkbox.Group label={t('portal.webhookEvents')} value={[...events]} onChange={onChange}>
      <div className={classes.pair}>
        {EVENTS.map((name) => (
          <Checkbox key={name} value={name} label={name} />
        ))}
      </div>
    </Checkbox.Group>
  );
}
