/** Calls of the company: under way, in the history, and the messages of one's own mailboxes. */
import { Select } from '@mantine/core';
import { useLocation } from 'wouter';
import { FormError } from '../../shared/forms/section';
import { t } from '../../shared/texts/texts';
import { api } from '../http/api';
import { useLoaded } from '../http/use-loaded';
import { useSignedIn } from '../session/session';
import type { Instance } from '../wire';
import { History } from './history';
import { Live } from './live-calls';
import { Messages } from './messages';
import { Retention } from './retention';

export function Calls() {
  const { is_owner: isOwner } = useSignedIn();
  const instances = useLoaded('instances', () => api.list<Instance>('/instances'));
  const [location, go] = useLocation();
  const [, , chosen = ''] = location.split('/');
  const known = instances.value?.items ?? [];
  // That of a kept address may be gone.
  const uuid = (known.find((each) => each.uuid === chosen) ?? known[0])?.uuid;
  if (uuid === undefined) {
    if (instances.error !== '') return <FormError text={instances.error} />;
    return instances.value ? <p>{t('portal.noInstance')}</p> : <div aria-busy="true" />;
  }
  return (
    <>
      <Live />
      <Messages />
      {known.length > 1 && (
        <Select
          label={t('portal.instance')}
          mb="sm"
          maw={360}
          data={known.map(({ uuid: value, fqdn }) => ({ value, label: fqdn }))}
          value={uuid}
          allowDeselect={false}
          onChange={(value) => go(`/calls/${value ?? ''}`)}
        />
      )}
      <History key={uuid} uuid={uuid} />
      {isOwner && <Retention />}
    </>
  );
}
