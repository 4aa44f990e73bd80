/** What the reader is told of, and how: by kind of message, by stream and by topic. */
import { NativeSelect, TextInput } from '@mantine/core';
import { useState } from 'react';
import { Section } from '../../../shared/forms/section';
import { DataTable } from '../../../shared/tables/table';
import { t, type TextKey } from '../../../shared/texts/texts';
import { tell } from '../../../shared/ui/toasts';
import { setTopicPolicy } from '../../data/actions';
import { topicKey, useChat } from '../../data/store';
import type { Subscription, TopicPolicy, UserTopic } from '../../data/wire';
import {
  groupWays,
  isOwnChoice,
  levelOf,
  settingName,
  streamLevel,
  streamWays,
  topicPolicies,
  topicWays,
  WAYS,
  type Group,
  type Level,
} from '../levels';
import { LEVELS, POLICIES, setGroupLevel, setGroupWay, setStreamLevel, setStreamWay } from '../set-levels';
import { NoticeRow, WAY_TEXTS } from './notice-row';
import classes from './notice-table.module.css';

/** A longer table is searched rather than read. */
const MAX_ROWS = 50;

export function NoticeTable() {
  const subscriptions = useChat((state) => state.subscriptions);
  const userTopics = useChat((state) => state.userTopics);
  // All rows show something of the general settings.
  useChat((state) => GENERAL.map((name) => state.settings[name]).join());
  const [wanted, setWanted] = useState('');
  const words = wanted.trim().toLowerCase();
  const streams = [...subscriptions.values()].sort((a, b) => a.name.localeCompare(b.name));
  const isShown = (own: Subscription): boolean =>
    words === '' ? streams.length <= MAX_ROWS || isOwnChoice(own) : own.name.toLowerCase().includes(words);
  const found = streams.filter(isShown);
  const nameOf = ({ stream_id: id, topic_name: topic }: UserTopic): string =>
    `#${subscriptions.get(id)?.name ?? ''} › ${topic}`;
  const topics = [...userTopics.values()]
    .filter((each) => subscriptions.has(each.stream_id) && nameOf(each).toLowerCase().includes(words))
    .sort((a, b) => nameOf(a).localeCompare(nameOf(b)));
  const left = streams.length - Math.min(found.length, MAX_ROWS);
  return (
    <Section title={t('notices.title')} hint={t('notices.hint')}>
      <TextInput
        className={classes.find}
        type="search"
        aria-label={t('notices.find')}
        placeholder={t('notices.find')}
        value={wanted}
        onChange={(event) => setWanted(event.currentTarget.value)}
      />
      <div className={classes.notices}>
        <DataTable
          label={t('notices.title')}
          heads={[t('notices.what'), t('notices.level'), ...WAYS.map((way) => t(WAY_TEXTS[way]))]}
          isOwnNarrow
        >
          {GROUPS.map(([group, text]) => (
            <GroupRow key={group} group={group} text={text} />
          ))}
          {found.slice(0, MAX_ROWS).map((own) => (
            <StreamRow key={own.stream_id} own={own} />
          ))}
          {topics.slice(0, MAX_ROWS).map((each) => (
            <TopicRow
              key={topicKey(each.stream_id, each.topic_name)}
              topic={each}
              name={nameOf(each)}
              own={subscriptions.get(each.stream_id)}
            />
          ))}
        </DataTable>
      </div>
      {left > 0 && words === '' && <p className={classes.more}>{t('notices.more', { count: left })}</p>}
    </Section>
  );
}

const GROUPS: readonly (readonly [Group, TextKey])[] = [
  ['personal', 'notices.personal'],
  ['followed', 'notices.followed'],
  ['streams', 'notices.streams'],
];
const GENERAL = GROUPS.flatMap(([group]) => WAYS.map((way) => settingName(group, way)));

const isLevel = (value: string): value is Level => Object.hasOwn(LEVELS, value);

interface LevelSelectProps {
  readonly name: string;
  readonly value: Level;
  readonly levels: readonly Level[];
  readonly choose: (level: Level) => Promise<unknown>;
}

function LevelSelect({ name, value, levels, choose }: LevelSelectProps) {
  return (
    <NativeSelect
      size="xs"
      aria-label={t('notices.levelOf', { name })}
      value={value}
      data={levels.map((level) => ({ value: level, label: t(LEVELS[level]) }))}
      onChange={({ currentTarget }) => isLevel(currentTarget.value) && tell(choose(currentTarget.value))}
    />
  );
}

function GroupRow({ group, text }: { group: Group; text: TextKey }) {
  const ways = groupWays(group);
  const name = t(text);
  return (
    <NoticeRow name={name} ways={ways} set={(way, isOn) => setGroupWay(group, way, isOn)} isHead>
      {group !== 'personal' && (
        <LevelSelect
          name={name}
          value={levelOf(false, ways)}
          levels={['all', 'mentions']}
          choose={(level) => setGroupLevel(group, level === 'all')}
        />
      )}
    </NoticeRow>
  );
}

function StreamRow({ own }: { own: Subscription }) {
  const name = `#${own.name}`;
  const level = streamLevel(own);
  const set = (way: (typeof WAYS)[number], isOn: boolean) => setStreamWay(own.stream_id, way, isOn);
  return (
    <NoticeRow name={name} ways={streamWays(own)} set={level === 'none' ? undefined : set}>
      <LevelSelect
        name={name}
        value={level}
        levels={['all', 'mentions', 'none']}
        choose={(wanted) => setStreamLevel(own, wanted)}
      />
    </NoticeRow>
  );
}

/** A topic is told of as its stream is, or as followed topics are. */
function TopicRow({ topic, name, own }: { topic: UserTopic; name: string; own: Subscription | undefined }) {
  const { stream_id: streamId, topic_name: topicName, visibility_policy: policy } = topic;
  const policies = topicPolicies(policy, own?.is_muted === true);
  return (
    <NoticeRow name={name} ways={topicWays(policy, own)}>
      <NativeSelect
        size="xs"
        aria-label={t('notices.levelOf', { name })}
        value={String(policy)}
        data={policies.map((value) => ({ value: String(value), label: t(POLICIES[value]) }))}
        onChange={(event) =>
          tell(setTopicPolicy(streamId, topicName, Number(event.currentTarget.value) as TopicPolicy))
        }
      />
    </NoticeRow>
  );
}
