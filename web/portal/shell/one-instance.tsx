/** A page about one PBX of the company: the one in the address, or the first, with a choice if there are several. */
import { Select } from '@mantine/core';
import type { ReactNode } from 'react';
import { useLocation } from 'wouter';
import { FormError } from '../../shared/forms/section';
import { t } from '../../shared/texts/texts';
import { api } from '../http/api';
import { useLoaded } from '../http/use-loaded';
import type { Instance } from '../wire';

interface OneInstanceProps {
  /** The first part of the page's address; the second is the instance. */
  readonly page: string;
  /** What stands before the choice. */
  readonly above?: ReactNode;
  readonly children: (uuid: string) => ReactNode;
}

export function OneInstance({ page, above, children }: OneInstanceProps) {
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
      {above}
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
      {children(uuid)}
    </>
  );
}
