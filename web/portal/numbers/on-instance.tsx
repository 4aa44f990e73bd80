/** A page about one PBX: the chosen one of several, if it has what the page is about. */
import type { ComponentType } from 'react';
import { FormError } from '../../shared/forms/section';
import { t } from '../../shared/texts/texts';
import { api } from '../http/api';
import { useLoaded } from '../http/use-loaded';
import { OneInstance } from '../shell/one-instance';
import type { Arrangement } from './wire';

interface OnInstanceProps {
  /** The first part of the page's address; the second is the instance. */
  readonly page: string;
  readonly about: Arrangement;
  readonly body: ComponentType<{ readonly uuid: string }>;
}

export const OnInstance = ({ page, ...what }: OnInstanceProps) => (
  <OneInstance page={page}>{(uuid) => <IfThere key={uuid} uuid={uuid} {...what} />}</OneInstance>
);

function IfThere({ uuid, about, body: Body }: Omit<OnInstanceProps, 'page'> & { readonly uuid: string }) {
  const detail = useLoaded(uuid, () => api.get<{ arrangements: readonly Arrangement[] }>(`/instances/${uuid}`));
  if (detail.error !== '') return <FormError text={detail.error} />;
  if (!detail.value) return <div aria-busy="true" />;
  return detail.value.arrangements.includes(about) ? <Body uuid={uuid} /> : <p role="note">{t('portal.notOnPbx')}</p>;
}
