/** What the rules of a stream mean for those who read it. */
import { Section } from '../../shared/forms/section';
import { t, type TextKey } from '../../shared/texts/texts';
import type { Stream } from '../data/wire';
import { policyOf, RULES } from '../streams/post-policy';
import own from './directory.module.css';

function rulesOf({ invite_only, history_public_to_subscribers, is_archived, ...stream }: Stream): readonly TextKey[] {
  return [
    invite_only ? 'directory.isPrivate' : 'directory.isPublic',
    history_public_to_subscribers ? 'directory.allHistory' : 'directory.ownHistory',
    ...(is_archived ? [] : [RULES[policyOf(stream)]]),
  ];
}

export const StreamRules = ({ stream }: { stream: Stream }) => (
  <Section title={t('directory.rules')}>
    <ul className={own.rules}>
      {rulesOf(stream).map((rule) => (
        <li key={rule}>{t(rule)}</li>
      ))}
    </ul>
  </Section>
);
