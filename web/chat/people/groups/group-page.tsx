/** One group: who is in it, and for those who may change it its name and its end. */
import { Link } from 'wouter';
import { navigate } from 'wouter/use-browser-location';
import { Section } from '../../../shared/forms/section';
import { api } from '../../../shared/http/request';
import { t } from '../../../shared/texts/texts';
import { useSetting } from '../../data/store';
import type { UserGroup } from '../../data/wire';
import { SureButton } from '../../settings/sure-button';
import { useWork } from '../../settings/use-work';
import { GroupForm } from './group-form';
import { GroupMembers } from './group-members';
import { peopleIn } from './people-in';
import forms from '../../../shared/forms/form.module.css';
import classes from './group-page.module.css';

export const GROUPS_PATH = '/settings/groups';

interface GroupPageProps {
  readonly id: number;
  readonly mayEdit: (group: UserGroup) => boolean;
}

export function GroupPage({ id, mayEdit }: GroupPageProps) {
  const groups = useSetting<readonly UserGroup[]>('realm_user_groups', []);
  const group = groups.find((each) => each.id === id);
  return (
    <>
      <Link href={GROUPS_PATH} className={classes.back}>
        ‹ {t('groups.all')}
      </Link>
      {group ? (
        <Details key={id} group={group} groups={groups} mayEdit={mayEdit(group)} />
      ) : (
        <p className={forms.dim}>{t('groups.unknown')}</p>
      )}
    </>
  );
}

interface DetailsProps {
  readonly group: UserGroup;
  readonly groups: readonly UserGroup[];
  readonly mayEdit: boolean;
}

function Details({ group, groups, mayEdit }: DetailsProps) {
  const { id, name, description } = group;
  const { isBusy, run } = useWork();
  const remove = async (): Promise<void> => {
    if (await run(() => api.remove(`/user_groups/${id}`))) navigate(GROUPS_PATH);
  };
  return (
    <>
      <h2>{name}</h2>
      {description !== '' && <p className={forms.dim}>{description}</p>}
      <Section title={t('groups.count', { count: peopleIn(group, groups).size })}>
        <GroupMembers group={group} mayEdit={mayEdit} />
      </Section>
      {mayEdit && (
        <Section title={t('directory.edit')}>
          <GroupForm
            key={`${name} ${description}`}
            known={group}
            button={t('action.save')}
            save={(fields) => run(() => api.patch(`/user_groups/${id}`, { ...fields }))}
          />
          <SureButton mt="xs" size="compact-sm" loading={isBusy} onSure={() => void remove()}>
            {t('groups.remove')}
          </SureButton>
        </Section>
      )}
    </>
  );
}
