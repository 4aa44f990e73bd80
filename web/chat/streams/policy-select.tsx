/** Chooses who may write to a stream. */
import { Select } from '@mantine/core';
import { t } from '../../shared/texts/texts';
import { POST_POLICIES, RULES, type PostPolicy } from './post-policy';

interface PolicySelectProps {
  readonly value: PostPolicy;
  readonly onChange: (policy: PostPolicy) => void;
}

export const PolicySelect = ({ value, onChange }: PolicySelectProps) => (
  <Select
    label={t('directory.whoWrites')}
    data={POST_POLICIES.map((policy) => ({ value: String(policy), label: t(RULES[policy]) }))}
    value={String(value)}
    allowDeselect={false}
    onChange={(chosen) => onChange(Number(chosen) as PostPolicy)}
  />
);
