/** A page about one PBX: the chosen one of several, if it has what the page is about. */
import { Select } from '@mantine/core';
import type { ComponentType } from 'react';
import { useLocation } from 'wouter';
import { FormError } from '../../shared/forms/section';
import { t } from '../../shared/texts/texts';
import { api } from '../http/api';
import { useLoaded } from '../http/use-loaded';
import type { Instance } from '../wire';
import type { Arrangement } from './wire';

interface OnInstanceProps {
  /** The first part of the page's address; the second is the instance. */
  readonly page: string;
  readonly about: Arrangement;
  readonly body: ComponentType<{ readonly uuid: string }>;
}

export function OnInstance({ page, about, body: Body }: OnInstanceProps) {
  const instances = useLoaded('instances', () => api.list<Instance>('/instances'));
  const [location, go] = useLocation();
  const [, , chosen = ''] = location.split('/');
  const known = instances.value?.items ?? [];
  const uuid = (known.find((each) => each.uuid === chosen) ?? known[0])?.uuid;
  if (uuid === undefined) {
    if (instances.error !== '') return <FormError text={instances.error} />;
    return instances.value ? <p>{t('portal.noInstance')}</p> : <div aria-busy="true" />;
  }
  return (
    <>
      {known.length > 1 && (
        <Select
          label={t('portal.instance')}
          mb="sm"
          maw={360}
          data={known.map(({ uuid: value, fqdn }) => ({ value, label: fqdn }))}
          value={uuid}
          allowDeselect={false}
          onChange={(value) => go(`/${page}/${value ?? ''}`)}
        />
      )}
      <IfThere key={uuid} uuid={uuid} about={about} body={Body} />
    </>
  );
}

function IfThere({ uuid, about, body: Body }: Omit<OnInstanceProps, 'page'> & { readonly uuid: string }) {
  const detail = useLoaded(uuid, () => api.get<{ arrangements: readonly Arrangement[] }>(`/instances/${uuid}`));
  if (detail.error !== '') return <FormError text={detail.error} />;
  if (!detail.value) return <div aria-busy="true" />;
  return detail.value.arrangements.includes(about) ? <Body uuid={uuid} /> : <p role="note">{t('portal.notOnPbx')}</p>;
}
