/** The user's muted and followed topics, each with a field to change that. */
import { NativeSelect } from '@mantine/core';
import { Section } from '../../shared/forms/section';
import { DataTable } from '../../shared/tables/table';
import { t } from '../../shared/texts/texts';
import { tell } from '../../shared/ui/toasts';
import { setTopicPolicy } from '../data/actions';
import { pathOf } from '../data/narrow';
import { topicKey, useChat } from '../data/store';
import type { TopicPolicy, UserTopic } from '../data/wire';
import { POLICIES } from '../notices/set-levels';
import { PlaceLink } from '../side/place-link';

export function TopicsPage() {
  const userTopics = useChat((state) => state.userTopics);
  const streams = useChat((state) => state.streams);
  const nameOf = (each: UserTopic): string => streams.get(each.stream_id)?.name ?? '';
  const rows = [...userTopics.values()].sort(
    (a, b) => nameOf(a).localeCompare(nameOf(b)) || a.topic_name.localeCompare(b.topic_name),
  );
  if (rows.length === 0) return <p>{t('topics.none')}</p>;
  return (
    <Section hint={t('topics.hint')}>
      <DataTable label={t('topics.title')} heads={[t('compose.stream'), t('compose.topic'), t('topics.policy')]}>
        {rows.map((each) => (
          <TopicRow key={topicKey(each.stream_id, each.topic_name)} topic={each} stream={nameOf(each)} />
        ))}
      </DataTable>
    </Section>
  );
}

function TopicRow({ topic, stream }: { topic: UserTopic; stream: string }) {
  const { stream_id: streamId, topic_name: name, visibility_policy: policy } = topic;
  return (
    <tr>
      <td>{stream}</td>
      <td>
        <PlaceLink href={pathOf({ kind: 'topic', streamId, topic: name })}>{name}</PlaceLink>
      </td>
      <td>
        <NativeSelect
          aria-label={t('topics.policyOf', { topic: name })}
          value={String(policy)}
          data={POLICIES.map((key, value) => ({ value: String(value), label: t(key) }))}
          onChange={(event) => tell(setTopicPolicy(streamId, name, Number(event.currentTarget.value) as TopicPolicy))}
        />
      </td>
    </tr>
  );
}
