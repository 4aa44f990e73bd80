/** The recipients of a message, where they are not those of the view: a stream and topic, or people. */
import { useEffect } from 'react';
import { t } from '../../shared/texts/texts';
import { Icon } from '../../shared/ui/icon';
import { findPeople } from '../data/find-people';
import { bestMatches } from '../data/rank';
import { chat, useChat } from '../data/store';
import { loadTopics } from '../data/topics';
import type { Draft } from '../drafts/drafts';
import { PersonRow } from '../people/person-row';
import { aboutOf } from '../recent/last-words';
import { StreamIcon } from '../side/stream-icon';
import { inOrder } from '../side/stream-groups';
import { ComboField, type Choice } from './combo-field';
import { mayWriteTo } from './may-write';
import { changeDraft } from './state';
import classes from './compose.module.css';

const MAX_SHOWN = 50;
const MAX_PEOPLE = 20;

const focus = (id: string): void => document.getElementById(`compose-${id}`)?.focus();
const focusText = (): void => focus('content');

export function TargetFields({ draft }: { draft: Draft }) {
  return (
    <div className={classes.target}>
      {draft.type === 'stream' ? <StreamTarget draft={draft} /> : <PeopleTarget draft={draft} />}
    </div>
  );
}

function findStreams(typed: string): Choice<number>[] {
  const own = inOrder(chat().subscriptions.values()).filter(({ stream_id }) => mayWriteTo(chat(), stream_id));
  return bestMatches(own, typed, { nameOf: ({ name }) => name, most: MAX_SHOWN }).map((stream) => ({
    key: stream.stream_id,
    name: stream.name,
    hint: aboutOf(stream),
    picture: <StreamIcon stream={stream} color={stream.color} />,
    value: stream.stream_id,
  }));
}

const findTopics = (streamId: number, typed: string): Choice<string>[] =>
  bestMatches(chat().topics.get(streamId) ?? [], typed, { nameOf: ({ name }) => name, most: MAX_SHOWN }).map(
    ({ name }) => ({ key: name, name, value: name }),
  );

function StreamTarget({ draft }: { draft: Draft }) {
  const { streamId, topic } = draft;
  const name = useChat((state) => state.streams.get(streamId)?.name ?? '');
  // The topics may arrive while their list is open.
  useChat((state) => state.topics.get(streamId));
  useEffect(() => {
    if (streamId > 0) void loadTopics(streamId);
  }, [streamId]);
  return (
    <>
      <ComboField
        id="compose-stream"
        label={t('compose.stream')}
        text={name}
        className={classes.stream}
        find={findStreams}
        onPick={(id) => changeDraft({ streamId: id })}
        onDone={() => focus('topic')}
      />
      <span aria-hidden="true">›</span>
      <ComboField
        id="compose-topic"
        label={t('compose.topic')}
        text={topic}
        className={classes.topic}
        maxLength={60}
        find={(typed) => findTopics(streamId, typed)}
        onType={(text) => changeDraft({ topic: text })}
        onPick={(text) => changeDraft({ topic: text })}
        onDone={focusText}
      />
    </>
  );
}

function PeopleTarget({ draft }: { draft: Draft }) {
  const people = useChat((state) => state.people);
  const { userIds } = draft;
  const change = (ids: readonly number[]): void => changeDraft({ userIds: ids.toSorted((a, b) => a - b) });
  const find = (typed: string): Choice<number>[] =>
    findPeople(typed, MAX_PEOPLE, userIds).map((person) => ({
      key: person.user_id,
      name: person.full_name,
      row: <PersonRow person={person} size={24} />,
      value: person.user_id,
    }));
  return (
    <div className={classes.people}>
      {userIds.map((id) => {
        const name = people.get(id)?.full_name ?? '?';
        return (
          <span key={id} className={classes.person}>
            {name}
            <button
              type="button"
              aria-label={t('compose.removePerson', { name })}
              onClick={() => change(userIds.filter((each) => each !== id))}
            >
              <Icon name="close" size={12} />
            </button>
          </span>
        );
      })}
      <ComboField
        id="compose-people"
        label={t('compose.people')}
        text=""
        className={classes.topic}
        find={find}
        onPick={(id) => change([...userIds, id])}
        // There may be more people: only Enter in the empty field goes on.
        onDone={(hasPicked) => hasPicked || focusText()}
        onBackspace={() => change(userIds.slice(0, -1))}
      />
    </div>
  );
}
