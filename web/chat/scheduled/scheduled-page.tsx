/** What is scheduled: the messages by conversation, those that could not be sent first, then the reminders. */
import { Loader } from '@mantine/core';
import { Head } from '../../shared/shell/head';
import { t } from '../../shared/texts/texts';
import { EmptyState } from '../../shared/ui/empty-state';
import { pathOf } from '../data/narrow';
import { useChat } from '../data/store';
import { nameOfTarget, toPeople, toTopic } from '../compose/target';
import { keyOfTarget, type Target } from '../drafts/drafts';
import { useTitle } from '../notices/title';
import { PlaceLink } from '../side/place-link';
import { useScheduled, type Scheduled, type ScheduledMessage } from './scheduled';
import { ReminderRow, ScheduledRow } from './scheduled-row';
import views from '../views/view.module.css';
import inbox from '../inbox/inbox.module.css';
import classes from './scheduled.module.css';

export function ScheduledPage() {
  useTitle(t('scheduled.title'));
  const { messages, reminders, isLoaded } = useScheduled();
  return (
    <>
      <Head>
        <div className={views.title}>
          <h1>{t('scheduled.title')}</h1>
        </div>
      </Head>
      <main id="main" className={inbox.page} tabIndex={-1}>
        {!isLoaded && <Loader className={classes.middle} role="status" aria-label={t('loading')} />}
        {isLoaded && messages.size + reminders.size === 0 && (
          <EmptyState drawing="quiet" title={t('scheduled.none')} text={t('scheduled.noneText')} />
        )}
        <div className={inbox.groups}>
          {groupsOf(messages).map((group) => (
            <Conversation key={keyOfTarget(group.target)} {...group} />
          ))}
          {reminders.size > 0 && <Reminders reminders={reminders} />}
        </div>
      </main>
    </>
  );
}

interface Group {
  readonly target: Target;
  readonly messages: readonly ScheduledMessage[];
}

const targetOf = ({ type, to, topic = '' }: ScheduledMessage): Target =>
  type === 'stream' ? toTopic(Number(to), topic) : toPeople([to].flat().toSorted((a, b) => a - b));

const inTime = (
  a: { readonly scheduled_delivery_timestamp: number },
  b: { readonly scheduled_delivery_timestamp: number },
): number => a.scheduled_delivery_timestamp - b.scheduled_delivery_timestamp;

/** A conversation stands where its first message does. */
function groupsOf(messages: Scheduled['messages']): readonly Group[] {
  const groups = new Map<string, { target: Target; messages: ScheduledMessage[] }>();
  for (const message of [...messages.values()].sort((a, b) => Number(b.failed) - Number(a.failed) || inTime(a, b))) {
    const target = targetOf(message);
    const group = groups.get(keyOfTarget(target)) ?? { target, messages: [] };
    group.messages.push(message);
    groups.set(keyOfTarget(target), group);
  }
  return [...groups.values()];
}

function Conversation({ target, messages }: Group) {
  const streams = useChat((state) => state.streams);
  const people = useChat((state) => state.people);
  const name = nameOfTarget(target, { streams, people }) ?? t('scheduled.unknownPlace');
  const { streamId, topic, userIds } = target;
  const path = pathOf(target.type === 'stream' ? { kind: 'topic', streamId, topic } : { kind: 'private', userIds });
  return (
    <section className={inbox.group} aria-label={name} data-private={target.type === 'private' || undefined}>
      <div className={inbox.head}>
        <h2 className={classes.head}>
          <PlaceLink href={path}>
            <span>{name}</span>
          </PlaceLink>
        </h2>
      </div>
      <ul className={classes.rows}>
        {messages.map((message) => (
          <ScheduledRow key={message.scheduled_message_id} message={message} />
        ))}
      </ul>
    </section>
  );
}

function Reminders({ reminders }: Pick<Scheduled, 'reminders'>) {
  return (
    <section className={inbox.group} aria-labelledby="reminders">
      <div className={inbox.head}>
        <h2 id="reminders" className={`${classes.head} ${classes.heading}`}>
          {t('remind.list')}
        </h2>
      </div>
      <ul className={classes.rows}>
        {[...reminders.values()].sort(inTime).map((reminder) => (
          <ReminderRow key={reminder.reminder_id} reminder={reminder} />
        ))}
      </ul>
    </section>
  );
}
